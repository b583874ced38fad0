// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/solid_moments.hpp"

#include <Eigen/LU>

namespace supple::geometry {

SolidMoments solid_moments(const TriMesh& mesh) {
  // Over a tetrahedron with corners 0, a, b, c and volume V the integral of x x^T is
  // V/20 (a a^T + b b^T + c c^T + s s^T) with s = a + b + c.
  SolidMoments moments;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const Triangle& triangle : mesh.triangles) {
    Eigen::Matrix3d corners;
    for (std::size_t k = 0; k < 3; ++k) {
      corners.col(static_cast<Eigen::Index>(k)) =
          mesh.positions[static_cast<std::size_t>(triangle[k])];
    }
    const double volume = corners.determinant() / 6;
    const Eigen::Vector3d sum = corners.rowwise().sum();
    moments.volume += volume;
    first += volume / 4 * sum;
    second += volume / 20 * (corners * corners.transpose() + sum * sum.transpose());
  }
  if (!(moments.volume > 0)) return moments;
  moments.centre = first / moments.volume;
  second -= moments.volume * moments.centre * moments.centre.transpose();
  moments.inertia = second.trace() * Eigen::Matrix3d::Identity() - second;
  return moments;
}

}  // namespace supple::geometry
