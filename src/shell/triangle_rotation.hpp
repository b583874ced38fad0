// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <array>

namespace supple::shell {

/// How a triangle turns to first order when its corners move [CWK07 eq. 13]:
///   w = (sum -[p_i]^2)^-1 sum p_i x u_i,  p_i from the centroid,
/// the rotation whose motion is nearest to the corners' in the least-squares sense.
class TriangleRotation {
 public:
  TriangleRotation(const geometry::TriMesh& mesh, const geometry::Triangle& corner) {
    geometry::Vec3 centre = geometry::Vec3::Zero();
    for (int i = 0; i < 3; ++i) {
      m_arm[i] = mesh.positions[corner[i]];
      centre += m_arm[i] / 3;
    }
    geometry::Mat3 inertia = geometry::Mat3::Zero();
    for (geometry::Vec3& p : m_arm) {
      p -= centre;
      inertia += p.squaredNorm() * geometry::Mat3::Identity() - p * p.transpose();
    }
    m_inverse = inertia.inverse();
  }

  [[nodiscard]] geometry::Vec3 operator()(const geometry::Vec3& u0, const geometry::Vec3& u1,
                                          const geometry::Vec3& u2) const {
    return m_inverse * (m_arm[0].cross(u0) + m_arm[1].cross(u1) + m_arm[2].cross(u2));
  }

  /// d w / d u_i.
  [[nodiscard]] geometry::Mat3 jacobian(int i) const {
    geometry::Mat3 cross;
    for (int axis = 0; axis < 3; ++axis) {
      cross.col(axis) = m_arm[i].cross(geometry::Vec3::Unit(axis));
    }
    return m_inverse * cross;
  }

 private:
  std::array<geometry::Vec3, 3> m_arm;
  geometry::Mat3 m_inverse;
};

}  // namespace supple::shell
