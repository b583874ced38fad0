// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"

#include <string>

namespace supple::character::testing {

/// Errors of poses from rounding, in units of the skeleton.
inline constexpr double kMotionRounding = 1e-9;

/// Two bones, the tip 1 above the root.
inline Character chain_of_two(const std::string& root, const std::string& tip) {
  Character character;
  character.name = "two bones";
  character.bones.resize(2);
  character.bones[0].name = root;
  character.bones[1].name = tip;
  character.bones[1].parent = 0;
  character.bones[1].rest_world.topRightCorner<3, 1>() = geometry::Vec3(0, 1, 0);
  return character;
}

inline geometry::Vec3 place(const Eigen::Matrix4d& matrix) {
  return matrix.topRightCorner<3, 1>();
}

}  // namespace supple::character::testing
