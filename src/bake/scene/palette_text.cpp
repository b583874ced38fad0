// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/play_scene.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace supple::bake {
namespace {

constexpr double kLongestPlay = 3600;  // s

template <class Number>
std::optional<Number> exact_number(std::string_view text) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

Error wrong_palette(std::string message) {
  return {ErrorCode::Usage, std::move(message)};
}

Result<double> time_of(std::string_view text, std::string_view whole) {
  const std::optional<double> time = exact_number<double>(trimmed(text));
  if (time && *time >= 0 && *time <= kLongestPlay) return *time;
  return wrong_palette(fmt::format("'{}': the time '{}' must be a number of seconds from 0 to {:g}",
                                   whole, text, kLongestPlay));
}

/// By its name, or else by its key.
std::optional<std::uint32_t> find_entry(std::string_view name,
                                        const std::vector<soft::PaletteEntry>& palette) {
  for (std::uint32_t e = 0; e < palette.size(); ++e) {
    if (palette[e].name == name) return e;
  }
  for (std::uint32_t e = 0; e < palette.size(); ++e) {
    if (!palette[e].key.empty() && palette[e].key == name) return e;
  }
  return {};
}

/// One for each part on which the entry acts.
std::vector<SceneTrigger> find_triggers(std::string_view name,
                                        const std::vector<ScenePart>& parts) {
  std::vector<SceneTrigger> triggers;
  for (const ScenePart& part : parts) {
    if (const auto entry = find_entry(name, part.palette)) {
      triggers.push_back({0, *entry, 1, part.object});
    }
  }
  if (const std::size_t colon = name.find(':'); triggers.empty() && colon < name.size()) {
    for (const ScenePart& part : parts) {
      if (part.name != trimmed(name.substr(0, colon))) continue;
      return find_triggers(trimmed(name.substr(colon + 1)), {part});
    }
  }
  return triggers;
}

Error no_entry(std::string_view name, const std::vector<ScenePart>& parts) {
  std::vector<std::string> names;
  for (const ScenePart& part : parts) {
    for (const soft::PaletteEntry& entry : part.palette) {
      if (std::find(names.begin(), names.end(), entry.name) == names.end()) {
        names.push_back(entry.name);
      }
    }
  }
  const std::string near = did_you_mean(name, names);
  return wrong_palette(
      fmt::format("the scene has no entry '{}'{}", name,
                  near.empty() ? fmt::format("; its palette: {}", fmt::join(names, ", ")) : near));
}

Result<std::vector<SceneTrigger>> triggers_in(std::string_view text,
                                              const std::vector<ScenePart>& parts) {
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) {
    return wrong_palette(
        fmt::format("'{}' has no time: write ENTRY@SECONDS, such as {}@0.5, and *STRENGTH behind "
                    "it if that is not 1",
                    text, parts.front().palette.front().name));
  }
  const std::string_view name = trimmed(text.substr(0, at));
  std::vector<SceneTrigger> triggers = find_triggers(name, parts);
  if (triggers.empty()) return no_entry(name, parts);
  double wanted = 1;
  std::string_view time = text.substr(at + 1);
  if (const std::size_t star = time.find('*'); star != std::string_view::npos) {
    const auto strength = exact_number<double>(trimmed(time.substr(star + 1)));
    if (!strength || !std::isfinite(*strength) || !(*strength > 0)) {
      return wrong_palette(fmt::format("'{}': the strength '{}' must be a number above 0", text,
                                       time.substr(star + 1)));
    }
    wanted = *strength;
    time = time.substr(0, star);
  }
  SUPPLE_TRY(const double seconds, time_of(time, text));
  for (SceneTrigger& trigger : triggers) {
    trigger.time = seconds;
    trigger.strength = wanted;
  }
  return triggers;
}

}  // namespace

Result<std::vector<SceneTrigger>> parse_palette(std::string_view text,
                                                const std::vector<ScenePart>& parts) {
  std::vector<SceneTrigger> triggers;
  while (!trimmed(text).empty()) {
    const std::size_t comma = text.find(',');
    SUPPLE_TRY(const std::vector<SceneTrigger> more,
               triggers_in(trimmed(text.substr(0, comma)), parts));
    triggers.insert(triggers.end(), more.begin(), more.end());
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  if (triggers.empty()) return wrong_palette("the palette names no entry; write ENTRY@SECONDS");
  std::stable_sort(triggers.begin(), triggers.end(),
                   [](const SceneTrigger& a, const SceneTrigger& b) { return a.time < b.time; });
  return triggers;
}

Result<SceneGoal> parse_goal(std::string_view text, const scene::StoredPortrait& stored) {
  SceneGoal goal;
  const std::size_t at = text.rfind('@');
  const std::string_view what = trimmed(text.substr(0, at));
  if (at == std::string_view::npos || (what != "rest" && !what.starts_with("pose:"))) {
    return wrong_palette(fmt::format(
        "the goal '{}' must be rest@SECONDS or pose:RESPONSE:FRAME@SECONDS, such as rest@1.5",
        text));
  }
  SUPPLE_TRY(goal.time, time_of(text.substr(at + 1), text));
  if (what == "rest") return goal;
  const std::string_view numbers = what.substr(std::string_view("pose:").size());
  const std::size_t colon = numbers.find(':');
  const auto response = exact_number<std::size_t>(numbers.substr(0, colon));
  const auto frame = colon == std::string_view::npos
                         ? std::nullopt
                         : exact_number<std::size_t>(numbers.substr(colon + 1));
  if (!response || !frame) {
    return wrong_palette(fmt::format(
        "the goal '{}' needs a response and one of its frames, such as pose:3:12@2", text));
  }
  const auto& responses = stored.portrait.responses;
  if (*response >= responses.size()) {
    return wrong_palette(fmt::format("the goal '{}': the scene's responses are 0 to {}", text,
                                     responses.size() - 1));
  }
  if (*frame > responses[*response].frames) {
    return wrong_palette(fmt::format("the goal '{}': the frames of response {} are 0 to {}", text,
                                     *response, responses[*response].frames));
  }
  goal.pose = scene::Place{*response, *frame};
  return goal;
}

}  // namespace supple::bake
