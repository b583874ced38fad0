// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace supple::character {

/// The frame in which an object vibrates: the bone's, without its scale, in metres.
struct ObjectFrame {
  Eigen::Matrix<double, 3, 4> from_bind = Eigen::Matrix<double, 3, 4>::Identity();
  Eigen::Quaterniond rest_rotation = Eigen::Quaterniond::Identity();  ///< its axes as bound, world

  [[nodiscard]] geometry::Vec3 operator()(const geometry::Vec3& bind) const {
    return from_bind.leftCols<3>() * bind + from_bind.col(3);
  }
};
/// A bone's axes without scale and shear: the rotation nearest to the unit columns of its matrix,
/// as in the player.
[[nodiscard]] Eigen::Matrix3d bone_rotation(const Eigen::Matrix4d& matrix);
[[nodiscard]] ObjectFrame object_frame(const Character& character, std::size_t bone);

}  // namespace supple::character
