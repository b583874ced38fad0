// SPDX-License-Identifier: Apache-2.0
#include "supple/contact/barrier.hpp"

#include "supple/geometry/cross_matrix.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace supple::contact {
namespace {

using geometry::cross_matrix;

constexpr double kParallelShare = 1e-3;

/// |u x v|^2 of the two edges, with its derivatives.
ParallelFade squared_cross_product(const Stencil& x) {
  const Vec3 u = x.col(1) - x.col(0);
  const Vec3 v = x.col(3) - x.col(2);
  const Vec3 product = u.cross(v);
  // d(u x v) = [u] dv - [v] du, and the second derivative of the product pairs du with dv.
  Eigen::Matrix<double, 3, 12> jacobian;
  jacobian << cross_matrix(v), -cross_matrix(v), -cross_matrix(u), cross_matrix(u);
  ParallelFade c;
  c.value = product.squaredNorm();
  c.gradient = 2 * jacobian.transpose() * product;
  c.hessian = 2 * jacobian.transpose() * jacobian;
  const Eigen::Matrix3d mixed = -2 * cross_matrix(product);  // of p . (du x dv)
  const double sign[2] = {-1, 1};
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const Eigen::Matrix3d block = sign[i] * sign[j] * mixed;
      c.hessian.block<3, 3>(3 * i, 6 + 3 * j) += block;
      c.hessian.block<3, 3>(6 + 3 * j, 3 * i) += block.transpose();
    }
  }
  return c;
}

}  // namespace

Curve Barrier::operator()(double gap) const {
  if (gap >= width) return {};
  const double depth = width - gap;
  if (kind == BarrierKind::Cubic) {
    return {2.0 / 3 * depth * depth * depth / width, -2 * depth * depth / width, 4 * depth / width};
  }
  const double logarithm = std::log(gap / width);
  return {-depth * depth * logarithm, 2 * depth * logarithm - depth * depth / gap,
          -2 * logarithm + 4 * depth / gap + depth * depth / (gap * gap)};
}

ParallelFade fade_of_parallel_edges(const Stencil& x, double rest_length_a, double rest_length_b) {
  const double lengths = rest_length_a * rest_length_b;
  const double enough = kParallelShare * lengths * lengths;
  const ParallelFade c = squared_cross_product(x);
  if (c.value >= enough) return {};
  const double share = c.value / enough;
  const double slope = 2 * (1 - share) / enough;
  const double curvature = -2 / (enough * enough);
  ParallelFade fade;
  fade.value = share * (2 - share);
  fade.gradient = slope * c.gradient;
  fade.hessian = slope * c.hessian + curvature * c.gradient * c.gradient.transpose();
  return fade;
}

}  // namespace supple::contact
