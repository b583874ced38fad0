// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <Eigen/Core>

namespace supple::geometry {

/// Mass and inertia of a solid of density 1 inside a closed surface.
struct SolidMoments {
  double volume = 0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about `centre`
};

/// Exact for a closed surface with outward triangles: sums over tetrahedra from the origin to each
/// triangle.
[[nodiscard]] SolidMoments solid_moments(const TriMesh& mesh);

}  // namespace supple::geometry
