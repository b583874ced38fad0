// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace supple::bake {

/// A transition of live play that was far from the samples.
struct SceneBlend {
  std::string entry;
  double strength = 1;
  double off = 0;  ///< distance from the samples just after it, of the portrait's size
  /// The state of the .supple at which the entry acted, numbered as by the player.
  std::size_t response = 0;
  double frame = 0;
  std::size_t next = 0;  ///< the response that answered
};

/// What a viewer writes about live play: the worst blends.
struct SceneLog {
  std::string kind;   ///< "scene log"
  std::string scene;  ///< its name
  std::vector<SceneBlend> blends;
};

[[nodiscard]] Result<SceneLog> parse_scene_log(std::string_view json, std::string_view name);
[[nodiscard]] std::string print_scene_log(const SceneLog& log);

}  // namespace supple::bake
