// SPDX-License-Identifier: Apache-2.0
#include "warp.hpp"

#include "supple/core/random.hpp"

#include <Eigen/Core>
#include <unsupported/Eigen/MatrixFunctions>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace supple::player {
namespace {

Eigen::Vector3d random_vector(Random& random, double size) {
  const Eigen::Vector3d v(2 * random.uniform() - 1, 2 * random.uniform() - 1,
                          2 * random.uniform() - 1);
  return size * v.normalized();
}

Eigen::Matrix3d cross_matrix(const Eigen::Vector3d& w) {
  Eigen::Matrix3d m;
  m << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return m;
}

Vec3 vec(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
Eigen::Vector3d eigen(Vec3 v) {
  return {v.x, v.y, v.z};
}

Eigen::Vector3d warped(const Eigen::Vector3d& w, const Eigen::Vector3d& p) {
  const ExactWarp f = exact_warp(vec(w));
  return eigen(turned(vec(w), f.b, f.c, vec(p)));
}

/// integral_0^1 exp(s [w]) ds p by Gauss-Legendre over pieces.
Eigen::Vector3d mean_turned(const Eigen::Vector3d& w, const Eigen::Vector3d& p) {
  constexpr std::array<double, 3> kNodes{0.5 - 0.3872983346207417, 0.5, 0.5 + 0.3872983346207417};
  constexpr std::array<double, 3> kWeights{5.0 / 18, 8.0 / 18, 5.0 / 18};
  constexpr int kPieces = 64;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int i = 0; i < kPieces; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double s = (i + kNodes[j]) / kPieces;
      sum += kWeights[j] / kPieces * ((s * cross_matrix(w)).exp() * p);
    }
  }
  return sum;
}

TEST(Warp, TurnsAsTheMatrixExponential) {
  Random random(1);
  for (const double angle : {1e-9, 1e-4, 0.1, 0.4999, 0.5001, 1.0, 3.0, 6.3, 20.0}) {
    const Eigen::Vector3d w = random_vector(random, angle);
    const Eigen::Vector3d p = random_vector(random, 1);
    const ExactWarp f = exact_warp(vec(w));
    EXPECT_LT((eigen(turned(vec(w), f.a, f.b, vec(p))) - cross_matrix(w).exp() * p).norm(), 1e-13)
        << angle;
  }
}

TEST(Warp, MeanTurnAsByQuadrature) {
  Random random(2);
  for (const double angle : {1e-9, 1e-3, 0.3, 0.6, 1.5, 3.1, 7.0}) {
    const Eigen::Vector3d w = random_vector(random, angle);
    const Eigen::Vector3d p = random_vector(random, 1);
    EXPECT_LT((warped(w, p) - mean_turned(w, p)).norm(), 1e-11) << angle;
  }
}

TEST(Warp, RigidRotationIsExact) {
  // A linear rotation w x x of a point, warped, is the rotation itself.
  Random random(3);
  for (const double angle : {0.2, 1.0, 3.0, 5.0}) {
    const Eigen::Vector3d w = random_vector(random, angle);
    const Eigen::Vector3d x = random_vector(random, 2);
    EXPECT_LT((x + warped(w, w.cross(x)) - cross_matrix(w).exp() * x).norm(), 1e-13);
  }
}

TEST(Warp, ChangeMatchesFiniteDifferences) {
  Random random(4);
  for (const double angle : {0.0, 1e-4, 0.3, 0.49, 0.51, 1.7, 4.0}) {
    const Eigen::Vector3d w = random_vector(random, angle);
    const Eigen::Vector3d p = random_vector(random, 1.3);
    const Eigen::Vector3d phi = random_vector(random, 1);
    const Eigen::Vector3d psi = random_vector(random, 1);
    constexpr double kStep = 1e-5;
    const Eigen::Vector3d difference =
        (warped(w + kStep * psi, p + kStep * phi) - warped(w - kStep * psi, p - kStep * phi)) /
        (2 * kStep);
    const Eigen::Vector3d exact =
        eigen(warped_change(vec(w), vec(p), exact_warp(vec(w)), vec(phi), vec(psi)));
    EXPECT_LT((difference - exact).norm(), 1e-9) << angle;
  }
}

TEST(Warp, FloatFactorsAreGoodToTheirLastDigits) {
  using Four = float __attribute__((vector_size(16)));
  using FourInts = std::int32_t __attribute__((vector_size(16)));
  for (int i = 0; i <= 4000; ++i) {
    const double th = 0.005 * i;
    const auto f = static_cast<float>(th);
    const double exact_th = f;
    const float z = f * f;
    const auto factors = warp_factors<Four, FourInts>(z - Four{}, f - Four{});
    const ExactWarp exact = exact_warp({exact_th, 0, 0});
    // What a factor multiplies is at most th, th^2 (B: times |w|^2 in R) and th^2.
    EXPECT_NEAR(static_cast<double>(factors.a[0]), exact.a, 4e-7) << th;
    EXPECT_NEAR(static_cast<double>(factors.b[0]) * exact_th * exact_th,
                exact.b * exact_th * exact_th, 2e-6)
        << th;
    EXPECT_NEAR(static_cast<double>(factors.c[0]) * exact_th * exact_th,
                exact.c * exact_th * exact_th, 1e-6)
        << th;
  }
}

}  // namespace
}  // namespace supple::player
