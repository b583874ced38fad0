// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <Eigen/Core>

#include <functional>

namespace supple::light {

// Real spherical harmonics [Slo08]: index l (l + 1) + m, orthonormal over the sphere, without the
// Condon-Shortley phase, so that Y_1 = sqrt(3 / 4 pi) (y, z, x). An expansion of order n has the
// degrees l = 0 .. n - 1 and n^2 coefficients. The axis of the zonal harmonics is +z.

inline constexpr int kMostOrder = 6;

[[nodiscard]] constexpr int coefficient_count(int order) {
  return order * order;
}
/// The degree l of a coefficient.
[[nodiscard]] int degree(int coefficient);

/// One row per coefficient; red, green and blue.
using Coefficients = Eigen::MatrixX3d;

/// Y_lm of a unit direction; order 1 to 6.
[[nodiscard]] Eigen::VectorXd harmonics(int order, const geometry::Vec3& direction);

/// sum_lm c_lm Y_lm(direction), of as many degrees as there are coefficients.
[[nodiscard]] geometry::Vec3 evaluate(const Coefficients& c, const geometry::Vec3& direction);

/// Degree by degree, the matrix D with c' = D c for f'(d) = f(R^T d): the coefficients of the
/// function that `rotation` turns. Exact up to rounding: a product of Gauss' rule and equal angles
/// integrates the products of two harmonics without error.
[[nodiscard]] Eigen::MatrixXd rotation_matrix(int order, const geometry::Mat3& rotation);
[[nodiscard]] Coefficients rotated(const Coefficients& c, const geometry::Mat3& rotation);

/// A_l of [RH01 eq. 8]: the clamped cosine about n has the coefficients A_l Y_lm(n); pi, 2 pi / 3,
/// pi / 4, 0, -pi / 24, 0.
[[nodiscard]] double cosine_lobe(int l);

/// Integrates over the sphere; exact for polynomials of degree 2 `points` - 1 in the direction.
[[nodiscard]] Coefficients project(
    int order, int points,
    const std::function<geometry::Vec3(const geometry::Vec3& direction)>& radiance);

/// Windowing against ringing [Slo08]: each degree is divided by 1 + lambda l^2 (l + 1)^2, which
/// minimises the error plus lambda times the squared Laplacian. It acts on the light: transfer then
/// stays as it is.
[[nodiscard]] Coefficients windowed(const Coefficients& light, double lambda);

/// The smallest lambda, to a thousandth of itself, for which windowed light is nowhere negative; 0
/// if the light is nowhere negative itself. Its mean must not be negative.
[[nodiscard]] double window_against_ringing(const Coefficients& light);

}  // namespace supple::light
