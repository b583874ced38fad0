// SPDX-License-Identifier: Apache-2.0
#include "gallery/swim_live.hpp"

#include "supple/core/log.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace supple::gallery {
namespace {

using Clock = std::chrono::steady_clock;
using LiveJson = nlohmann::json;
using server::Answer;
using server::Call;
using namespace std::chrono_literals;

constexpr const char* kPlainText = "text/plain; charset=utf-8";
constexpr auto kStepTime = std::chrono::duration_cast<Clock::duration>(
    std::chrono::duration<double>(SwimLiveModel::kStep));
constexpr int kStepsPerFrame = 2;         // 30 frames per second; pages interpolate
constexpr auto kLate = 250ms;             // if it lags further, simulated time falls behind
constexpr auto kRest = 50ms;              // between checks for listeners
constexpr auto kSayAgain = 250ms;         // repeats the reason why it stopped
constexpr std::size_t kMostChanges = 64;  // waiting for a step
constexpr double kFarthest = 1000;        // m, of a target
constexpr std::size_t kLongestName = 200;
constexpr std::size_t kLongestReason = 1000;

Error bad_change(std::string why) {
  return bad_input(std::move(why));
}

Result<std::array<int, 3>> parse_hold(const LiveJson& json) {
  if (!json.is_object()) return bad_change("'hold' must be an object with 'up', 'left' and 'roll'");
  std::array<int, 3> held{};
  constexpr std::array<std::string_view, 3> kNames{"up", "left", "roll"};
  for (const auto& [key, value] : json.items()) {
    const auto place = std::find(kNames.begin(), kNames.end(), key);
    if (place == kNames.end()) {
      return bad_change(
          fmt::format("unknown key '{}' in 'hold'; use 'up', 'left' and 'roll'", key));
    }
    if (!value.is_number_integer() || (value != -1 && value != 0 && value != 1)) {
      return bad_change(fmt::format("'{}' of 'hold' must be -1, 0 or 1", key));
    }
    held[static_cast<std::size_t>(place - kNames.begin())] = value.get<int>();
  }
  return held;
}

Result<Eigen::Vector3d> parse_target(const LiveJson& json) {
  Eigen::Vector3d target;
  bool good = json.is_array() && json.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i) {
    good = json[i].is_number() && std::abs(json[i].get<double>()) <= kFarthest;
    if (good) target[static_cast<Eigen::Index>(i)] = json[i].get<double>();
  }
  if (!good) {
    return bad_change(fmt::format(
        "'target' must be [x, y, z] in metres, each within {}, or null for no target", kFarthest));
  }
  return target;
}

Result<std::size_t> parse_stroke(const LiveJson& json, const LiveStrokes& strokes) {
  std::vector<std::string> names;
  names.reserve(strokes.list.size());
  for (const auto& stroke : strokes.list) names.push_back(stroke->file.graph.name);
  if (!json.is_string()) return bad_change("'stroke' must be a name");
  const std::string name = json.get<std::string>().substr(0, kLongestName);
  if (const auto found = strokes.find(name)) return *found;
  return bad_change(fmt::format("unknown stroke '{}'{}; available: {}", name,
                                did_you_mean(name, names), fmt::join(names, ", ")));
}

Result<std::string> parse_command(const LiveJson& json) {
  if (!json.is_string()) return bad_change("'command' must be a name");
  return json.get<std::string>();
}

/// Checks that depend on the stroke swum at that time.
Result<void> check_change(const SwimLiveChange& change, const LiveStrokes& strokes,
                          std::size_t current) {
  const std::size_t stroke = change.stroke.value_or(current);
  if (change.command) SUPPLE_TRY_VOID(strokes.check_command(stroke, *change.command));
  if (change.target && !strokes.list[stroke]->steers) {
    return bad_change(fmt::format("the stroke '{}' cannot be steered to a target; choose another",
                                  strokes.list[stroke]->file.graph.name));
  }
  return {};
}

/// Events are single lines, and pages show only a few.
std::string one_line(const Error& error) {
  std::string text = error.describe().substr(0, kLongestReason);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

}  // namespace

Result<SwimLiveChange> parse_swim_change(std::string_view text, const LiveStrokes& strokes,
                                         std::size_t current) {
  const LiveJson json = LiveJson::parse(text, nullptr, false);
  if (!json.is_object() || json.empty()) {
    return bad_change(
        "expected a JSON object with 'hold', 'stroke', 'command', 'target' or 'reset'");
  }
  SwimLiveChange change;
  for (const auto& [key, value] : json.items()) {
    if (key == "hold") {
      SUPPLE_TRY(change.hold, parse_hold(value));
    } else if (key == "stroke") {
      SUPPLE_TRY(change.stroke, parse_stroke(value, strokes));
    } else if (key == "command") {
      SUPPLE_TRY(change.command, parse_command(value));
    } else if (key == "target") {
      change.forget_target = value.is_null();
      if (!value.is_null()) {
        SUPPLE_TRY(change.target, parse_target(value));
      }
    } else if (key == "reset") {
      if (value != true) return bad_change("'reset' must be true or absent");
      change.reset = true;
    } else {
      return bad_change(
          fmt::format("unknown key '{}'; use 'hold', 'stroke', 'command', 'target' and 'reset'",
                      key.substr(0, kLongestName)));
    }
  }
  SUPPLE_TRY_VOID(check_change(change, strokes, current));
  return change;
}

Result<std::shared_ptr<SwimLive>> SwimLive::create(const std::string& stroke) {
  SUPPLE_TRY(LiveStrokes strokes, LiveStrokes::load(stroke));
  const std::shared_ptr<SwimLive> live(new SwimLive(std::move(strokes)));
  SUPPLE_TRY(SwimLiveModel model, SwimLiveModel::create(live->m_strokes));
  live->m_stroke = model.stroke_number();
  live->m_model.emplace(std::move(model));
  live->m_description = live->m_strokes.describe(kSwimFrames);
  return live;
}

void SwimLive::add_to(server::Site& site, const std::shared_ptr<SwimLive>& live) {
  site.streams.emplace_back(kSwimFrames);
  site.handlers.push_back({"GET", kSwimAddress, [live](const Call& call) {
                             if (!call.rest.empty()) {
                               return Answer{404, kPlainText, "404: no such file\n"};
                             }
                             return Answer{200, "application/json", live->m_description};
                           }});
  site.handlers.push_back(
      {"POST", kSwimAddress, [live](const Call& call) { return live->receive(call); }});
}

Answer SwimLive::receive(const Call& call) {
  if (!call.rest.empty()) return {404, kPlainText, "404: no such call\n"};
  const std::scoped_lock lock(m_mutex);
  auto change = parse_swim_change(call.body, m_strokes, m_stroke);
  if (!change.ok()) return {400, kPlainText, fmt::format("400: {}\n", change.error().message())};
  if (m_changes.size() >= kMostChanges) {
    return {503, kPlainText,
            "503: the swimmer is paused because no page is connected, or is behind; try again\n"};
  }
  m_stroke = change->stroke.value_or(m_stroke);
  m_changes.push_back(*std::move(change));
  m_wake.notify_all();
  return {200, kPlainText, "done\n"};
}

void SwimLive::start(server::Server& server) {
  m_thread = std::thread([this, &server] { run(server); });
}

void SwimLive::stop() {
  {
    const std::scoped_lock lock(m_mutex);
    m_stopping = true;
  }
  m_wake.notify_all();
  if (m_thread.joinable()) m_thread.join();
}

bool SwimLive::sleep_until(Clock::time_point time) {
  std::unique_lock lock(m_mutex);
  m_wake.wait_until(lock, time, [this] { return m_stopping; });
  return !m_stopping;
}

void SwimLive::apply_changes(server::Server& server) {
  std::vector<SwimLiveChange> changes;
  {
    const std::scoped_lock lock(m_mutex);
    changes.swap(m_changes);
  }
  for (const SwimLiveChange& change : changes) {
    const Result<void> outcome = m_model->apply(change);
    if (outcome.ok()) continue;
    log::warn("the swimmer continues unchanged: {}", outcome.error().describe());
    server.send_event(kSwimRefused, one_line(outcome.error()));
  }
  const std::scoped_lock lock(m_mutex);
  if (m_changes.empty()) m_stroke = m_model->stroke_number();
}

bool SwimLive::swim_a_frame() {
  for (int i = 0; i < kStepsPerFrame; ++i) {
    const Result<void> outcome = m_model->step();
    if (outcome.ok()) continue;
    m_why_stopped = one_line(outcome.error());
    log::error("the swimmer has stopped until it is restarted: {}", m_why_stopped);
    return false;
  }
  return true;
}

void SwimLive::run(server::Server& server) {
  auto next = Clock::now();
  while (sleep_until(next)) {
    apply_changes(server);
    const auto now = Clock::now();
    if (server.listener_count(kSwimFrames) == 0) {
      next = now + kRest;
      continue;
    }
    if (now - next > kLate) next = now;
    if (m_model->stopped() || !swim_a_frame()) {
      // Repeated, for pages that connect later.
      server.send_state(kSwimFrames, "stopped", m_why_stopped);
      next = now + kSayAgain;
      continue;
    }
    server.send_state(kSwimFrames, "frame", write_frame(m_model->frame()));
    next += kStepsPerFrame * kStepTime;
  }
}

}  // namespace supple::gallery
