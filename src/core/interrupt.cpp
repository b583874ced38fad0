// SPDX-License-Identifier: Apache-2.0
#include "supple/core/interrupt.hpp"

#include "supple/core/job.hpp"

#include <atomic>
#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>

namespace supple {
namespace {

std::atomic<bool> g_interrupted{false};

/// From now on a signal has its usual effect.
void stop_catching(const sigset_t& signals) {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

[[noreturn]] void watch(sigset_t signals, void (*give_up)()) {
  constexpr timespec kPatience{0, 600'000'000};
  for (;;) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) continue;
    const bool first = !g_interrupted.exchange(true);
    if (first && give_up == nullptr) continue;
    if (first) sigtimedwait(&signals, nullptr, &kPatience);
    stop_catching(signals);
    if (give_up != nullptr) give_up();
    std::raise(signal);
  }
}

}  // namespace

void catch_interrupts(void (*give_up)()) {
  static std::once_flag once;
  std::call_once(once, [give_up] {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread(watch, signals, give_up).detach();
  });
}

bool interrupted() {
  const Job* job = current_job();
  return g_interrupted.load(std::memory_order_relaxed) || (job != nullptr && job->cancelled());
}
void set_interrupted(bool value) {
  g_interrupted.store(value);
}

Result<void> check_interrupt() {
  if (interrupted()) return Error(ErrorCode::Interrupted, "interrupted");
  return {};
}

}  // namespace supple
