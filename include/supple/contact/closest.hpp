// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <Eigen/Core>

#include <array>

namespace supple::contact {

using geometry::Vec3;

/// The four vertices of two primitives, in columns: a point and a triangle (p; a b c), or two edges
/// (a b; c d).
using Stencil = Eigen::Matrix<double, 3, 4>;
/// One number per vertex of a stencil.
using Weights = Eigen::Vector4d;
/// Derivatives with respect to a stencil: x y z of each vertex in turn.
using Gradient = Eigen::Matrix<double, 12, 1>;
using Hessian = Eigen::Matrix<double, 12, 12>;

/// Where two primitives are closest. The gap, from the second primitive's closest point to the
/// first's, is a combination of the four vertices whose weights sum to zero. Closest points inside
/// an edge or a triangle may slide: `slides` are the derivatives of the weights along these
/// freedoms (none for two vertices, one for a vertex and an edge, two otherwise).
struct Closest {
  Weights weights = Weights::Zero();
  std::array<Weights, 2> slides{Weights::Zero(), Weights::Zero()};
  int freedoms = 0;
  Vec3 gap = Vec3::Zero();
  double distance = 0;
};

[[nodiscard]] Closest closest_point_triangle(const Stencil& x);
[[nodiscard]] Closest closest_edges(const Stencil& x);

/// Derivatives of the distance while the same features stay closest; the distance must not be zero.
/// With D = |x w(s)|^2 minimal over the slides s, they follow from the implicit function theorem,
/// for all pairs of features alike:
///   grad d = w (x) n,   hess D / 2 = w w^T (x) I - M (B^T B)^-1 M^T,   M_k = w (x) B_k + s_k (x)
///   gap
/// with n = gap / d and B_k = x s_k, how the gap changes along slide k.
[[nodiscard]] Gradient distance_gradient(const Closest& closest);
[[nodiscard]] Hessian distance_hessian(const Stencil& x, const Closest& closest);

}  // namespace supple::contact
