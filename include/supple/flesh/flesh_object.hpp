// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/fem/solid_modes.hpp"
#include "supple/flesh/settings.hpp"
#include "supple/geometry/types.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace supple::flesh {

/// One mode on the skin [JP02 5.1].
struct SkinMode {
  double omega = 0;                           ///< rad/s
  double damping = 0;                         ///< xi
  std::array<double, 6> transfer{};           ///< row of H, per alpha and acceleration
  std::array<double, 6> centrifugal{};        ///< row of C, per xx yy zz xy xz yz of S
  double share = 0;                           ///< of the static response to bone motion
  std::vector<geometry::Vec3> displacements;  ///< bind space, per vertex of the object, at q = 1
  std::vector<geometry::Vec3> normals;        ///< corrections [JP02 eq. 20]; empty without normals
};

/// A baked piece of flesh: everything the player needs, in terms of the character.
struct FleshObject {
  std::string name;
  std::size_t bone = 0;  ///< the driving bone
  /// Bind-space position to metres in the frame of the bone (its axes without their scale).
  Eigen::Matrix<double, 3, 4> frame_from_bind = Eigen::Matrix<double, 3, 4>::Identity();
  Eigen::Quaterniond rest_rotation = Eigen::Quaterniond::Identity();
  double limit = 0;
  double mass = 0;                        ///< kg, all elements
  std::vector<geometry::Index> vertices;  ///< the vertices it moves, ascending
  std::vector<SkinMode> modes;
  std::vector<Eigen::MatrixXd> coriolis;  ///< empty or one per axis: 2 Phi^T M [e] Phi

  // For the report.
  std::size_t elements = 0;
  std::size_t nodes = 0;
  std::size_t fixed_nodes = 0;
  double thickness = 0;  ///< typical thickness of the flesh in metres
  double sag = 0;  ///< metres: largest movement of a vertex under an extra 1 g in any direction
  double stiffening = 1;  ///< factor on all moduli, from ObjectSettings::sag
  std::vector<std::pair<std::string, double>> seconds;
};

[[nodiscard]] Result<FleshObject> bake_object(const character::Character& character,
                                              const ObjectSettings& settings);

/// The choice a careful artist would make: bones with enough tissue around them. An error if there
/// are none.
[[nodiscard]] Result<std::vector<ObjectSettings>> propose_objects(
    const character::Character& character);

}  // namespace supple::flesh
