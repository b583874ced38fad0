// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/scene_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace supple::bake {
namespace {

bool rules_allow(const soft::SceneTraits& scene, const soft::SceneResponse* now,
                 std::uint32_t entry) {
  if (now == nullptr) return scene.palette[entry].from_rest;
  const auto& after = scene.palette[now->entry].followed_by;
  return std::find(after.begin(), after.end(), entry) != after.end();
}

/// One row of the table: a state of a response, or the start.
Result<void> check_row(const std::string& name, const soft::SceneTraits& scene,
                       const soft::SceneResponse* now, std::size_t row, const std::string& where) {
  for (std::uint32_t e = 0; e < scene.palette.size(); ++e) {
    const bool answered = scene.next[row * scene.palette.size() + e].has_value();
    if (answered == rules_allow(scene, now, e)) continue;
    return bad_input(fmt::format(
        "scene '{}': the rules of the palette {} '{}' {}, and the table of responses has {} for "
        "it; bake the scene again",
        name, answered ? "forbid" : "allow", scene.palette[e].name, where,
        answered ? "one" : "none"));
  }
  return {};
}

/// Responses from the start on, by entries and by what goes on alone.
std::vector<bool> find_reachable(const soft::SceneTraits& scene,
                                 const std::vector<std::size_t>& first_state) {
  const std::size_t entries = scene.palette.size();
  std::vector<bool> reached(scene.responses.size(), false);
  std::vector<std::uint32_t> open;
  const auto reach = [&](std::uint32_t response) {
    if (reached[response]) return;
    reached[response] = true;
    open.push_back(response);
  };
  const auto reach_row = [&](std::size_t row) {
    for (std::size_t e = 0; e < entries; ++e) {
      if (scene.next[row * entries + e]) reach(*scene.next[row * entries + e]);
    }
  };
  reach_row(first_state.back());
  while (!open.empty()) {
    const std::uint32_t response = open.back();
    open.pop_back();
    const soft::SceneResponse& record = scene.responses[response];
    if (record.stronger) reach(*record.stronger);
    if (record.onward) reach((*record.onward)[0]);
    for (std::size_t s = first_state[response]; s < first_state[response + 1]; ++s) reach_row(s);
  }
  return reached;
}

bool comes_to_rest(const soft::SceneTraits& scene, std::size_t response) {
  for (std::size_t hops = 0; hops <= scene.responses.size(); ++hops) {
    const soft::SceneResponse& record = scene.responses[response];
    if (!record.onward) return record.rests;
    response = (*record.onward)[0];
  }
  return false;
}

}  // namespace

Result<SceneCheck> check_scene(const std::string& name, const soft::SceneTraits& scene) {
  std::vector<std::size_t> first_state{0};
  for (const soft::SceneResponse& record : scene.responses) {
    first_state.push_back(first_state.back() + record.states);
  }
  for (std::size_t r = 0; r < scene.responses.size(); ++r) {
    for (std::size_t s = first_state[r]; s < first_state[r + 1]; ++s) {
      SUPPLE_TRY_VOID(check_row(name, scene, &scene.responses[r], s,
                                fmt::format("at frame {} of response {}", s - first_state[r], r)));
    }
  }
  SUPPLE_TRY_VOID(check_row(name, scene, nullptr, first_state.back(), "at the start"));
  const std::vector<bool> reached = find_reachable(scene, first_state);
  SceneCheck check;
  check.responses = scene.responses.size();
  for (std::size_t r = 0; r < scene.responses.size(); ++r) {
    if (!reached[r]) continue;
    ++check.reachable;
    if (comes_to_rest(scene, r)) ++check.resting;
  }
  return check;
}

}  // namespace supple::bake
