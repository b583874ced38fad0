// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/flesh/character.hpp"
#include "supple/flesh/settings.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <vector>

namespace supple::flesh {

/// The frame in which an object vibrates: the bone's, without its scale, in metres.
struct ObjectFrame {
  Eigen::Matrix<double, 3, 4> from_bind = Eigen::Matrix<double, 3, 4>::Identity();
  Eigen::Quaterniond rest_rotation = Eigen::Quaterniond::Identity();  ///< its axes as bound, world

  [[nodiscard]] geometry::Vec3 operator()(const geometry::Vec3& bind) const {
    return from_bind.leftCols<3>() * bind + from_bind.col(3);
  }
};
/// A bone's axes without scale and shear: the rotation nearest to the unit columns of its matrix,
/// as the player takes it.
[[nodiscard]] Eigen::Matrix3d bone_rotation(const Eigen::Matrix4d& matrix);
[[nodiscard]] ObjectFrame object_frame(const Character& character, std::size_t bone);

/// The skin of an object.
struct Region {
  std::vector<double> weights;  ///< per vertex of the character, 0 .. 1; equal where vertices meet
  std::vector<std::size_t> bones;  ///< whose cores hold the flesh
  std::size_t driver = 0;
};
[[nodiscard]] Result<Region> select_region(const Character& character,
                                           const ObjectSettings& settings);

/// The finite element model of an object: flesh between skin, bone and seams, in its frame.
struct Tissue {
  Region region;
  ObjectFrame frame;
  fem::SolidModel model;  ///< 10-node tetrahedra; fixed at bone and seams
  double thickness = 0;   ///< metres of flesh, typically, between skin and bone or skin and skin
};
[[nodiscard]] Result<Tissue> build_tissue(const Character& character,
                                          const ObjectSettings& settings);

}  // namespace supple::flesh
