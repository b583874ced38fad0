// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/scene/palette.hpp"
#include "supple/scene/portrait.hpp"
#include "supple/scene/reduction.hpp"
#include "supple/soft/object.hpp"

#include <string>
#include <vector>

namespace supple::scene {

/// What a player needs of a scene. `portrait` must hold playable responses alone (keep_responses).
[[nodiscard]] soft::SceneTraits make_traits(const Portrait& portrait, const Palette& palette,
                                            const Transitions& transitions, double half_life);

/// The scene as a soft object that moves vertices 0.. of what is drawn, in the world.
[[nodiscard]] soft::Object make_object(std::string name, const Shapes& shapes,
                                       soft::SceneTraits traits);

}  // namespace supple::scene
