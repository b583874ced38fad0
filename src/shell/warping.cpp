// SPDX-License-Identifier: Apache-2.0
#include "shell/warping.hpp"

#include "supple/geometry/cross_matrix.hpp"
#include "supple/shell/shell_object.hpp"

#include <cmath>

namespace supple::shell {
namespace {

using geometry::cross_matrix;
using geometry::Mat3;
using geometry::Vec3;

/// Below this angle the closed forms lose digits, and two Taylor terms are exact to 1e-14.
constexpr double kSmall = 1e-3;

}  // namespace

WarpFactors warp_factors(double angle) {
  const double square = angle * angle;
  if (angle < kSmall) return {1 - square / 6, 0.5 - square / 24, 1.0 / 6 - square / 120};
  const double sine = std::sin(angle);
  const double half = std::sin(0.5 * angle);  // 1 - cos without cancellation
  return {sine / angle, 2 * half * half / square, (angle - sine) / (square * angle)};
}

Eigen::VectorXd warped(const Eigen::VectorXd& rest, const Eigen::VectorXd& p,
                       const Eigen::VectorXd& w) {
  Eigen::VectorXd x(rest.size());
  for (Eigen::Index i = 0; i < rest.size(); i += 3) {
    x.segment<3>(i) = rest.segment<3>(i) + warp(p.segment<3>(i), w.segment<3>(i));
  }
  return x;
}

Mat3 rotation(const Vec3& w) {
  const WarpFactors factors = warp_factors(w.norm());
  const Mat3 cross = cross_matrix(w);
  return Mat3::Identity() + factors.a * cross + factors.b * cross * cross;
}

Mat3 mean_rotation(const Vec3& w) {
  const WarpFactors factors = warp_factors(w.norm());
  const Mat3 cross = cross_matrix(w);
  return Mat3::Identity() + factors.b * cross + factors.c * cross * cross;
}

}  // namespace supple::shell
