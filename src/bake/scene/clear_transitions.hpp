// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/certificate.hpp"
#include "bake/scene/reduce.hpp"
#include "bake/scene/transition_tester.hpp"

#include "supple/core/result.hpp"
#include "supple/scene/palette.hpp"
#include "supple/soft/object.hpp"

#include <cstddef>

namespace supple::bake::detail {

/// Answers among which a bake chooses.
inline constexpr std::size_t kMostAnswers = 5;

/// Where the blend to the nearest answer makes surfaces intersect, takes the one of the next
/// nearest whose blend makes the fewest do so. States are tested some frames apart, each for those
/// around it, so that the cost has a bound. `traits` are those of the portrait and its transitions.
/// Returns how many of the cached transitions changed.
[[nodiscard]] Result<std::size_t> clear_transitions(PlayablePortrait& playable,
                                                    const scene::Palette& palette,
                                                    const soft::SceneTraits& traits,
                                                    const RecordedShapes& recorded,
                                                    const CrossingTest& crossings);

}  // namespace supple::bake::detail
