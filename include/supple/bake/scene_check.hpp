// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/soft/object.hpp"

#include <cstddef>
#include <string>

namespace supple::bake {

/// What the player does not check of a portrait, because it plays anyway.
struct SceneCheck {
  std::size_t responses = 0;
  std::size_t reachable = 0;  ///< responses that some sequence of entries leads to from the start
  /// Of those, responses after which the scene comes to rest without another entry.
  std::size_t resting = 0;
};

/// An error if the table of next responses and the rules of the palette contradict each other: an
/// entry that may act and has no answer, or the other way round.
[[nodiscard]] Result<SceneCheck> check_scene(const std::string& name,
                                             const soft::SceneTraits& scene);

}  // namespace supple::bake
