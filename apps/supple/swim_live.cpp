// SPDX-License-Identifier: Apache-2.0
#include "swim_live.hpp"

#include "supple/core/log.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace supple::app {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;
using server::Answer;
using server::Call;
using namespace std::chrono_literals;

constexpr const char* kText = "text/plain; charset=utf-8";
constexpr auto kStep = std::chrono::duration_cast<Clock::duration>(
    std::chrono::duration<double>(SwimLiveModel::kStep));
constexpr int kStepsPerFrame = 2;         // 30 frames a second; pages draw what is between them
constexpr auto kLate = 250ms;             // a machine that is farther behind lets the time go
constexpr auto kRest = 50ms;              // between looks whether somebody looks
constexpr std::size_t kMostChanges = 64;  // that wait for a step
constexpr double kFarthest = 1000;        // m, of a target
constexpr std::size_t kLongestName = 200;

Error bad_change(std::string why) {
  return bad_input(std::move(why));
}

Result<std::array<int, 3>> parse_hold(const Json& json) {
  if (!json.is_object()) return bad_change("'hold' is an object with 'up', 'left' and 'roll'");
  std::array<int, 3> held{};
  constexpr std::array<std::string_view, 3> kNames{"up", "left", "roll"};
  for (const auto& [key, value] : json.items()) {
    const auto place = std::find(kNames.begin(), kNames.end(), key);
    if (place == kNames.end()) {
      return bad_change(fmt::format("'hold' knows no '{}', but 'up', 'left' and 'roll'", key));
    }
    if (!value.is_number_integer() || (value != -1 && value != 0 && value != 1)) {
      return bad_change(fmt::format("'{}' of 'hold' is -1, 0 or 1", key));
    }
    held[static_cast<std::size_t>(place - kNames.begin())] = value.get<int>();
  }
  return held;
}

Result<Eigen::Vector3d> parse_target(const Json& json) {
  Eigen::Vector3d target;
  bool good = json.is_array() && json.size() == 3;
  for (std::size_t i = 0; good && i < 3; ++i) {
    good = json[i].is_number() && std::abs(json[i].get<double>()) <= kFarthest;
    if (good) target[static_cast<Eigen::Index>(i)] = json[i].get<double>();
  }
  if (!good) {
    return bad_change(fmt::format(
        "'target' is [x, y, z] in metres, none beyond {}, or null for none", kFarthest));
  }
  return target;
}

Result<std::size_t> parse_stroke(const Json& json, const LiveStrokes& strokes) {
  std::vector<std::string> names;
  names.reserve(strokes.list.size());
  for (const auto& stroke : strokes.list) names.push_back(stroke->file.graph.name);
  if (!json.is_string()) return bad_change("'stroke' is a name");
  const std::string name = json.get<std::string>().substr(0, kLongestName);
  if (const auto found = strokes.find(name)) return *found;
  return bad_change(fmt::format("there is no stroke '{}'{}; there are {}", name,
                                did_you_mean(name, names), fmt::join(names, ", ")));
}

Result<std::string> parse_command(const Json& json, const LiveStrokes& strokes) {
  if (!json.is_string()) return bad_change("'command' is a name");
  std::string name = json.get<std::string>();
  for (const auto& stroke : strokes.list) {
    const auto& known = stroke->commands;
    if (std::find(known.begin(), known.end(), name) != known.end()) return name;
  }
  return bad_change(
      fmt::format("no stroke listens to a command '{}'", name.substr(0, kLongestName)));
}

}  // namespace

Result<SwimLiveChange> parse_swim_change(std::string_view text, const LiveStrokes& strokes) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.empty()) {
    return bad_change(
        "a JSON object is wanted, with 'hold', 'stroke', 'command', 'target' or 'reset'");
  }
  SwimLiveChange change;
  for (const auto& [key, value] : json.items()) {
    if (key == "hold") {
      SUPPLE_TRY(change.hold, parse_hold(value));
    } else if (key == "stroke") {
      SUPPLE_TRY(change.stroke, parse_stroke(value, strokes));
    } else if (key == "command") {
      SUPPLE_TRY(change.command, parse_command(value, strokes));
    } else if (key == "target") {
      change.forget_target = value.is_null();
      if (!value.is_null()) {
        SUPPLE_TRY(change.target, parse_target(value));
      }
    } else if (key == "reset") {
      if (value != true) return bad_change("'reset' is true or not there");
      change.reset = true;
    } else {
      return bad_change(fmt::format(
          "'{}' is not known here, but 'hold', 'stroke', 'command', 'target' and 'reset'",
          key.substr(0, kLongestName)));
    }
  }
  return change;
}

Result<std::shared_ptr<SwimLive>> SwimLive::create(const std::string& stroke) {
  SUPPLE_TRY(LiveStrokes strokes, LiveStrokes::load(stroke));
  const std::shared_ptr<SwimLive> live(new SwimLive(std::move(strokes)));
  SUPPLE_TRY(SwimLiveModel model, SwimLiveModel::create(live->m_strokes));
  live->m_model.emplace(std::move(model));
  live->m_description = live->m_strokes.describe(kSwimFrames);
  return live;
}

void SwimLive::add_to(server::Site& site, const std::shared_ptr<SwimLive>& live) {
  site.streams.emplace_back(kSwimFrames);
  site.handlers.push_back({"GET", kSwimAddress, [live](const Call& call) {
                             if (!call.rest.empty()) {
                               return Answer{404, kText, "404: there is no such file here\n"};
                             }
                             return Answer{200, "application/json", live->m_description};
                           }});
  site.handlers.push_back(
      {"POST", kSwimAddress, [live](const Call& call) { return live->receive(call); }});
}

Answer SwimLive::receive(const Call& call) {
  if (!call.rest.empty()) return {404, kText, "404: there is no such call here\n"};
  auto change = parse_swim_change(call.body, m_strokes);
  if (!change.ok()) return {400, kText, fmt::format("400: {}\n", change.error().message())};
  const std::scoped_lock lock(m_mutex);
  if (m_changes.size() >= kMostChanges) {
    return {503, kText, "503: the swimmer rests because no page looks, or is late; try again\n"};
  }
  m_changes.push_back(*std::move(change));
  m_wake.notify_all();
  return {200, kText, "done\n"};
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

void SwimLive::apply_changes() {
  std::vector<SwimLiveChange> changes;
  {
    const std::scoped_lock lock(m_mutex);
    changes.swap(m_changes);
  }
  for (const SwimLiveChange& change : changes) m_model->apply(change);
}

void SwimLive::run(server::Server& server) {
  auto next = Clock::now();
  while (sleep_until(next)) {
    apply_changes();
    const auto now = Clock::now();
    if (server.listener_count(kSwimFrames) == 0) {
      next = now + kRest;
      continue;
    }
    if (now - next > kLate) next = now;
    for (int i = 0; i < kStepsPerFrame; ++i) {
      if (auto outcome = m_model->step(); !outcome.ok()) {
        log::error("the swimmer stops: {}", outcome.error().describe());
        return;
      }
    }
    server.send_state(kSwimFrames, "frame", write_frame(m_model->frame()));
    next += kStepsPerFrame * kStep;
  }
}

}  // namespace supple::app
