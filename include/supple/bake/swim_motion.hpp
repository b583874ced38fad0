// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/motion.hpp"
#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/swim/body.hpp"
#include "supple/swim/recording.hpp"

#include <Eigen/Core>

#include <string>

namespace supple::bake {

struct SwimMotionSettings {
  double rate = 60;       ///< Hz
  BoneMap map;            ///< pairs of names: segment of the swimmer, bone of the character
  bool in_place = false;  ///< without the steady advance, which does not affect flesh and shells
};

/// Transfers a swim to a character in a T or A pose. Bones are matched to segments by `map`, then
/// by body part; vertebrae share the bend of the waist, forearms the rotation of the hands. Limbs
/// take the swimmer's directions whatever the rest pose; the path is the swimmer's, in its world
/// (+Y up, starting along +X), scaled by the ratio of leg lengths. An error lists missing parts
/// without which the body has no orientation.
[[nodiscard]] Result<Motion> motion_from_swim(const swim::Recording& recording,
                                              const swim::Body& body,
                                              const character::Character& character,
                                              const SwimMotionSettings& settings = {});

/// Where a point of the swimmer's world lies in the character's, by motion_from_swim.
[[nodiscard]] Result<Eigen::Vector3d> place_in_swim(const Eigen::Vector3d& point,
                                                    const swim::Body& body,
                                                    const character::Character& character,
                                                    const SwimMotionSettings& settings = {});

/// One cycle of a stroke once it is steady, in place, so that it loops. The stroke is a built-in
/// one or a file, as for load_swim_stroke, swum by the default body and steered straight ahead if
/// possible.
[[nodiscard]] Result<Motion> swimming_motion(const std::string& stroke,
                                             const character::Character& character,
                                             SwimMotionSettings settings = {});

}  // namespace supple::bake
