// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/tet_element.hpp"

namespace supple::fem {

/// Shape gradients at the stiffness's integration points, with the volume that each represents.
struct ElementGradients {
  int points = 0;
  std::array<ShapeGradients, 4> gradients;
  std::array<double, 4> volume;
};

inline ElementGradients element_gradients(geometry::TetOrder order, const ElementNodes& nodes) {
  const auto rule = order == geometry::TetOrder::Linear ? one_point_rule() : four_point_rule();
  ElementGradients result;
  result.points = static_cast<int>(rule.size());
  for (int p = 0; p < result.points; ++p) {
    const PointGeometry point = point_geometry(order, nodes, rule[p].barycentric);
    result.gradients[p] = point.gradients;
    result.volume[p] = rule[p].weight * point.determinant / 6;
  }
  return result;
}

struct Lame {
  double lambda = 0;
  double mu = 0;
};

inline Lame lame_constants(const Material& material) {
  const double e = material.youngs_modulus;
  const double nu = material.poisson_ratio;
  return {e * nu / ((1 + nu) * (1 - 2 * nu)), e / (2 * (1 + nu))};
}

/// Block (a, b) of B^T D B written out for an isotropic material:
/// lambda g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) I, with g the shape gradients.
inline Eigen::Matrix3d stiffness_block(const ElementGradients& element, const Lame& lame, int a,
                                       int b) {
  Eigen::Matrix3d outer = Eigen::Matrix3d::Zero();  // integral of g_a g_b^T
  for (int p = 0; p < element.points; ++p) {
    outer +=
        element.volume[p] * element.gradients[p].col(a) * element.gradients[p].col(b).transpose();
  }
  Eigen::Matrix3d block = lame.lambda * outer + lame.mu * outer.transpose();
  block.diagonal().array() += lame.mu * outer.trace();
  return block;
}

}  // namespace supple::fem
