// SPDX-License-Identifier: Apache-2.0
#include "supple/core/progress.hpp"

#include "core/progress_line.hpp"

#include "supple/core/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <mutex>

#include <sys/ioctl.h>
#include <unistd.h>

namespace supple {
namespace {

using Clock = std::chrono::steady_clock;

std::mutex g_progress_mutex;  // guards the receiver and every stage's counters
std::function<void(const ProgressState&)> g_receiver;
std::atomic<bool> g_line_visible{false};

std::string format_duration(double seconds) {
  constexpr double kTooLong = 100 * 3600;  // seconds; early estimates this long are meaningless
  if (!(seconds < kTooLong)) return "days";
  const auto whole = static_cast<long long>(std::ceil(seconds));
  if (whole >= 3600) {
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return fmt::format("{:02}:{:02}", whole / 60, whole % 60);
}

int terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace

void detail::clear_progress_line() {
  if (!g_line_visible.exchange(false)) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

void show_progress_with(std::function<void(const ProgressState&)> receiver) {
  const std::scoped_lock lock(g_progress_mutex);
  g_receiver = std::move(receiver);
}

void show_progress_on_terminal() {
  if (::isatty(STDERR_FILENO) == 0) return;
  show_progress_with([](const ProgressState& state) {
    const std::string line = state.finished ? "" : format_progress(state, terminal_width() - 1);
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    g_line_visible = !line.empty();
    std::fflush(stderr);
  });
}

std::string format_progress(const ProgressState& state, int width) {
  std::string text;
  if (state.total > 0) {
    const double fraction = std::clamp(state.done / state.total, 0.0, 1.0);
    constexpr int kCells = 20;
    const int filled = static_cast<int>(fraction * kCells);
    text =
        fmt::format("[{:#<{}}{:.<{}}] {:3.0f}%  ", "", filled, "", kCells - filled, 100 * fraction);
  }
  text += state.stage;
  if (state.rate > 0) text += fmt::format("  {:.3g}/s", state.rate);
  if (state.seconds_left >= 0)
    text += fmt::format("  {} left", format_duration(state.seconds_left));
  text.resize(std::min(text.size(), static_cast<std::size_t>(std::max(width, 0))));
  return text;
}

Progress::Progress(std::string stage, double total)
    : m_stage(std::move(stage)), m_total(total), m_start(Clock::now()), m_reported(m_start) {
  const std::scoped_lock lock(g_progress_mutex);
  report(false);
}

Progress::~Progress() {
  const std::scoped_lock lock(g_progress_mutex);
  report(true);
}

void Progress::advance(double amount) {
  const std::scoped_lock lock(g_progress_mutex);
  m_done += amount;
  if (Clock::now() - m_reported > std::chrono::milliseconds(100)) report(false);
}

void Progress::set(double done) {
  const std::scoped_lock lock(g_progress_mutex);
  m_done = done;
  if (Clock::now() - m_reported > std::chrono::milliseconds(100)) report(false);
}

void Progress::report(bool finished) {
  const Job* const job = current_job();
  if (job == nullptr && !g_receiver) return;
  m_reported = Clock::now();
  ProgressState state;
  state.stage = m_stage;
  state.done = m_done;
  state.total = m_total;
  state.seconds = std::chrono::duration<double>(m_reported - m_start).count();
  if (m_done > 0 && state.seconds > 0) state.rate = m_done / state.seconds;
  if (m_total > 0 && state.rate > 0) {
    state.seconds_left = std::max(0.0, m_total - m_done) / state.rate;
  }
  state.finished = finished;
  if (job != nullptr) {
    job->report(state);
  } else {
    g_receiver(state);
  }
}

}  // namespace supple
