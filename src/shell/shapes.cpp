// SPDX-License-Identifier: Apache-2.0
#include "shell/strain_factor.hpp"
#include "shell/triangle_rotation.hpp"
#include "shell/warping.hpp"
#include "supple/core/check.hpp"
#include "supple/shell/shell_object.hpp"

namespace supple::shell {

using geometry::Index;
using geometry::Mat3;
using geometry::Triangle;
using geometry::Vec3;

Eigen::VectorXd linear_shape(const fem::DiscreteShell& shell, const ShellObject& object,
                             const Eigen::VectorXd& q) {
  return shell.rest() + object.displacements * q;
}

Eigen::VectorXd warped_shape(const fem::DiscreteShell& shell, const ShellObject& object,
                             const Eigen::VectorXd& q) {
  return warped(shell.rest(), object.displacements * q, object.turns * q);
}

Eigen::VectorXd rotation_strain_shape(const fem::DiscreteShell& shell, const ShellObject& object,
                                      const Eigen::VectorXd& q) {
  SUPPLE_CHECK(object.strain.has_value());
  const StrainFactor& factor = *object.strain;
  const geometry::TriMesh& mesh = shell.model().mesh;
  const Eigen::VectorXd p = object.displacements * q;
  const auto at = [](const Eigen::VectorXd& all, Index node) -> Vec3 {
    return all.segment<3>(3 * Eigen::Index{node});
  };
  Eigen::VectorXd x =
      warped(shell.rest(), p, object.turns * q);  // used as is for nodes that are not placed
  std::vector<Index> row(mesh.positions.size(), -1);
  for (std::size_t k = 0; k < factor.order.size(); ++k) {
    row[factor.order[k]] = static_cast<Index>(k);
  }
  Eigen::MatrixX3d rhs = Eigen::MatrixX3d::Zero(static_cast<Eigen::Index>(factor.order.size()), 3);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& corner = mesh.triangles[t];
    const Vec3 w =
        TriangleRotation(mesh, corner)(at(p, corner[0]), at(p, corner[1]), at(p, corner[2]));
    const Mat3 turn = rotation(w);
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = corner[(k + 1) % 3];
      const Index b = corner[(k + 2) % 3];
      const double weight = factor.cotangents[t][k];
      const Vec3 edge = mesh.positions[b] - mesh.positions[a];
      const Vec3 target = turn * (edge + (at(p, b) - at(p, a) - w.cross(edge)));
      if (row[a] >= 0) rhs.row(row[a]) -= weight * target;
      if (row[b] >= 0) rhs.row(row[b]) += weight * target;
      if (row[a] >= 0 && row[b] < 0) rhs.row(row[a]) += weight * at(x, b);
      if (row[b] >= 0 && row[a] < 0) rhs.row(row[b]) += weight * at(x, a);
    }
  }
  const Eigen::MatrixX3d placed = solve_strain(factor, std::move(rhs));
  for (std::size_t k = 0; k < factor.order.size(); ++k) {
    x.segment<3>(3 * Eigen::Index{factor.order[k]}) = placed.row(static_cast<Eigen::Index>(k));
  }
  return x;
}

}  // namespace supple::shell
