// SPDX-License-Identifier: Apache-2.0
#include "swim/added_mass.hpp"

#include "supple/geometry/cross_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::swim {
namespace {

/// Carlson's elliptic integral of the second kind, 3/2 times the integral from 0 to infinity of
/// dt / ((t + z) sqrt((t + x) (t + y) (t + z))), by his duplication theorem. [Car79]
double carlson_rd(double x, double y, double z) {
  // The series truncated after its fifth power is exact to 1e-16 for spreads below this.
  constexpr double kSpread = 1e-3;
  double sum = 0;
  double power = 1;
  for (;;) {
    const double mean = (x + y + 3 * z) / 5;
    const double dx = (mean - x) / mean;
    const double dy = (mean - y) / mean;
    const double dz = (mean - z) / mean;
    if (std::max({std::abs(dx), std::abs(dy), std::abs(dz)}) < kSpread) {
      const double ea = dx * dy;
      const double eb = dz * dz;
      const double ec = ea - eb;
      const double ed = ea - 6 * eb;
      const double ee = ed + 2 * ec;
      const double series = 1 + ed * (-3.0 / 14 + 9.0 / 88 * ed - 9.0 / 52 * dz * ee) +
                            dz * (ee / 6 + dz * (-9.0 / 22 * ec + dz * 3.0 / 26 * ea));
      return 3 * sum + power * series / (mean * std::sqrt(mean));
    }
    const double rx = std::sqrt(x);
    const double ry = std::sqrt(y);
    const double rz = std::sqrt(z);
    const double lambda = rx * (ry + rz) + ry * rz;
    sum += power / (rz * (z + lambda));
    power /= 4;
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
  }
}

}  // namespace

AddedMass added_mass(const Eigen::Vector3d& semi_axes, double density) {
  const double product = semi_axes.prod();
  const double displaced = 4.0 / 3 * std::numbers::pi * density * product;
  const Eigen::Vector3d squares = semi_axes.cwiseAbs2();
  Eigen::Vector3d alpha;  // Lamb's alpha0, beta0, gamma0; their sum is 2
  for (int i = 0; i < 3; ++i) {
    alpha[i] =
        2.0 / 3 * product * carlson_rd(squares[(i + 1) % 3], squares[(i + 2) % 3], squares[i]);
  }

  AddedMass added;
  for (int i = 0; i < 3; ++i) {
    added.mass[i] = displaced * alpha[i] / (2 - alpha[i]);
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    const double difference = squares[j] - squares[k];
    const double sum = squares[j] + squares[k];
    // A body of revolution moves no water when it spins; the quotient below would be 0/0.
    constexpr double kRound = 1e-7;
    if (std::abs(difference) <= kRound * sum) continue;
    const double slope = (alpha[k] - alpha[j]) / difference;
    added.inertia[i] = displaced / 5 * difference * difference * slope / (2 - sum * slope);
  }
  return added;
}

Matrix6d added_inertia(const Segment& segment, double density) {
  if (segment.volume <= 0) return Matrix6d::Zero();
  const double scale =
      std::cbrt(segment.volume / (4.0 / 3 * std::numbers::pi * segment.size.prod()));
  const AddedMass added = added_mass(scale * segment.size, density);
  const Eigen::Matrix3d mass = added.mass.asDiagonal();
  const Eigen::Matrix3d arm = geometry::cross_matrix(segment.centre_of_volume);
  Matrix6d inertia;
  inertia.topLeftCorner<3, 3>() = arm * mass * arm.transpose();
  inertia.topLeftCorner<3, 3>().diagonal() += added.inertia;
  inertia.topRightCorner<3, 3>() = arm * mass;
  inertia.bottomLeftCorner<3, 3>() = (arm * mass).transpose();
  inertia.bottomRightCorner<3, 3>() = mass;
  return inertia;
}

}  // namespace supple::swim
