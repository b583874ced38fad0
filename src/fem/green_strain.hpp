// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fem/element_points.hpp"

namespace supple::fem {

// Energies that are quadratic in Green's strain E: St. Venant and Kirchhoff's, and that of damping.

inline Eigen::Matrix3d green_strain(const Eigen::Matrix3d& f) {
  return 0.5 * (f.transpose() * f - Eigen::Matrix3d::Identity());
}

inline Eigen::Matrix3d linear_stress(const Lame& lame, const Eigen::Matrix3d& strain) {
  Eigen::Matrix3d stress = 2 * lame.mu * strain;
  stress.diagonal().array() += lame.lambda * strain.trace();
  return stress;
}

/// Adds the blocks of the lower triangle of the second derivatives by positions, times `weight`:
/// with shape gradients a and b and the stress S,
///   (a . S b) 1 + lambda (F a)(F b)^T + mu (F b)(F a)^T + mu (a . b) F F^T.
inline void add_green_blocks(const ElementPoints::Point& at, const Eigen::Matrix3d& f,
                             const Eigen::Matrix3d& stress, double weight, double* out) {
  const Eigen::Matrix3d left = f * f.transpose();
  const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 10> turned = f * at.gradients;
  for (Eigen::Index a = 0; a < turned.cols(); ++a) {
    for (Eigen::Index b = 0; b <= a; ++b, out += 9) {
      const Eigen::Vector3d ga = at.gradients.col(a);
      const Eigen::Vector3d gb = at.gradients.col(b);
      Eigen::Matrix3d block = at.lame.lambda * turned.col(a) * turned.col(b).transpose() +
                              at.lame.mu * turned.col(b) * turned.col(a).transpose() +
                              at.lame.mu * ga.dot(gb) * left;
      block.diagonal().array() += ga.dot(stress * gb);
      HessianBlock(out) += weight * block;
    }
  }
}

}  // namespace supple::fem
