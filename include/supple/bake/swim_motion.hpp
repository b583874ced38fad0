// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/motion.hpp"
#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/swim/body.hpp"
#include "supple/swim/recording.hpp"

#include <string>

namespace supple::bake {

struct SwimMotionSettings {
  double rate = 60;       ///< Hz
  BoneMap map;            ///< pairs of names: segment of the swimmer, bone of the character
  bool in_place = false;  ///< without the steady advance: flesh and shells feel no difference
};

/// A swim for a character that stands in a T or A pose. Bones find their segments through `map`,
/// then by their part of the body; vertebrae share the bend of the waist, forearms the turn of the
/// hands. Directions of limbs are the swimmer's whatever the rest pose; the path is the swimmer's,
/// in its world (+Y up, off along +X), larger or smaller by the ratio of leg lengths. An error
/// names the parts without which a body has no direction.
[[nodiscard]] Result<Motion> motion_from_swim(const swim::Recording& recording,
                                              const swim::Body& body,
                                              const character::Character& character,
                                              const SwimMotionSettings& settings = {});

/// One cycle of a stroke that has become steady, in place, so that it loops: a shipped stroke or
/// a file as load_swim_stroke has it, by our default body, steered straight on where it can be.
[[nodiscard]] Result<Motion> swimming_motion(const std::string& stroke,
                                             const character::Character& character,
                                             SwimMotionSettings settings = {});

}  // namespace supple::bake
