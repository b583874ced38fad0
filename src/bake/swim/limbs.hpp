// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/motion.hpp"
#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <Eigen/Geometry>

#include <array>
#include <string>
#include <vector>

namespace supple::bake::detail {

/// Consecutive bones that form one part of the body.
using Chain = std::vector<std::size_t>;

/// An arm or a leg: clavicle, upper arm, forearm, hand; or none, thigh, shin, foot.
struct Limb {
  Chain girdle, upper, lower, tip;
  /// Rotations from rest to the limb stretched along the reference: sideways for arms, down for
  /// legs.
  Eigen::Matrix3d straight_upper = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d straight_lower = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d straight_tip = Eigen::Matrix3d::Identity();
};

/// The body parts of a character that swims.
struct SwimRig {
  std::size_t hips = 0;
  Chain spine, neck, head;
  std::array<Limb, 2> arms, legs;                        ///< right, left
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();    ///< columns: left, up, front
  geometry::Vec3 between_legs = geometry::Vec3::Zero();  ///< middle of the hip joints at rest
  double leg_length = 0;                                 ///< world units, hip to ankle

  [[nodiscard]] geometry::Vec3 left() const { return axes.col(0); }
  [[nodiscard]] geometry::Vec3 up() const { return axes.col(1); }
  [[nodiscard]] geometry::Vec3 front() const { return axes.col(2); }
  /// Outward direction by side: right, left.
  [[nodiscard]] geometry::Vec3 outward(std::size_t side) const {
    return side == 0 ? geometry::Vec3(-axes.col(0)) : geometry::Vec3(axes.col(0));
  }
};

/// `map` has pairs of segment and bone. An error lists the missing parts.
[[nodiscard]] Result<SwimRig> find_swim_rig(const character::Character& character,
                                            const BoneMap& map);

}  // namespace supple::bake::detail
