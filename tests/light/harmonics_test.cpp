// SPDX-License-Identifier: Apache-2.0
#include "supple/light/harmonics.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace supple::light {
namespace {

using geometry::Mat3;
using geometry::Vec3;
using std::numbers::pi;

constexpr double kRounding = 1e-13;          // of sums of a few hundred products near 1
constexpr double kRotationAccuracy = 1e-10;  // what is promised

Vec3 random_direction(Random& random) {
  Vec3 d;
  do {
    d = Vec3::NullaryExpr([&] { return random.uniform(-1, 1); });
  } while (d.norm() > 1 || d.norm() < 0.1);
  return d.normalized();
}

Mat3 random_rotation(Random& random) {
  return Eigen::AngleAxisd(random.uniform(0, 2 * pi), random_direction(random)).toRotationMatrix();
}

TEST(Harmonics, MatchPublishedPolynomials) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Vec3 d = random_direction(random);
    const double x = d.x();
    const double y = d.y();
    const double z = d.z();
    const Eigen::VectorXd h = harmonics(4, d);
    const Eigen::VectorXd expected =
        (Eigen::VectorXd(16) <<        //
             0.5 * std::sqrt(1 / pi),  //
         std::sqrt(3 / (4 * pi)) * y, std::sqrt(3 / (4 * pi)) * z, std::sqrt(3 / (4 * pi)) * x,
         0.5 * std::sqrt(15 / pi) * x * y, 0.5 * std::sqrt(15 / pi) * y * z,
         0.25 * std::sqrt(5 / pi) * (3 * z * z - 1), 0.5 * std::sqrt(15 / pi) * x * z,
         0.25 * std::sqrt(15 / pi) * (x * x - y * y),
         0.25 * std::sqrt(35 / (2 * pi)) * y * (3 * x * x - y * y),
         0.5 * std::sqrt(105 / pi) * x * y * z,
         0.25 * std::sqrt(21 / (2 * pi)) * y * (5 * z * z - 1),
         0.25 * std::sqrt(7 / pi) * (5 * z * z * z - 3 * z),
         0.25 * std::sqrt(21 / (2 * pi)) * x * (5 * z * z - 1),
         0.25 * std::sqrt(105 / pi) * (x * x - y * y) * z,
         0.25 * std::sqrt(35 / (2 * pi)) * x * (x * x - 3 * y * y))
            .finished();
    EXPECT_LT((h - expected).cwiseAbs().maxCoeff(), kRounding);
  }
}

TEST(Harmonics, AreOrthonormalUpToOrderSix) {
  constexpr int kCount = coefficient_count(kMostOrder);
  for (int i = 0; i < kCount; ++i) {
    const Coefficients c = project(
        kMostOrder, 12, [&](const Vec3& d) { return Vec3(harmonics(kMostOrder, d)(i), 0, 0); });
    for (int j = 0; j < kCount; ++j) EXPECT_NEAR(c(j, 0), i == j ? 1 : 0, kRounding);
  }
}

TEST(Harmonics, OrderIsAPrefix) {
  Random random(2);
  const Vec3 d = random_direction(random);
  const Eigen::VectorXd all = harmonics(kMostOrder, d);
  for (int order = 1; order <= kMostOrder; ++order) {
    EXPECT_EQ(harmonics(order, d), all.head(coefficient_count(order)));
  }
  EXPECT_EQ(degree(0), 0);
  EXPECT_EQ(degree(3), 1);
  EXPECT_EQ(degree(35), 5);
}

TEST(Harmonics, RotationEqualsProjectionOfTheRotatedLight) {
  Random random(3);
  constexpr int kPoints = 40;  // enough for exp to rounding
  double worst = 0;
  for (int i = 0; i < 8; ++i) {
    const Mat3 rotation = random_rotation(random);
    const Vec3 a = 2 * random_direction(random);
    const Vec3 b = 3 * random_direction(random);
    const auto light = [&](const Vec3& d) {
      return Vec3(std::exp(a.dot(d)), std::exp(b.dot(d)), std::cos(a.dot(d)) + d.x() * d.y());
    };
    const Coefficients before = project(kMostOrder, kPoints, light);
    const Coefficients after = project(
        kMostOrder, kPoints, [&](const Vec3& d) { return light(rotation.transpose() * d); });
    worst = std::max(worst, (rotated(before, rotation) - after).cwiseAbs().maxCoeff());
  }
  std::printf("rotation against projection: %.1e\n", worst);
  EXPECT_LT(worst, kRotationAccuracy);
}

TEST(Harmonics, RotationsCompose) {
  Random random(4);
  const Mat3 a = random_rotation(random);
  const Mat3 b = random_rotation(random);
  const Eigen::MatrixXd both = rotation_matrix(6, a) * rotation_matrix(6, b);
  EXPECT_LT((rotation_matrix(6, a * b) - both).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_LT((both * both.transpose() - Eigen::MatrixXd::Identity(36, 36)).cwiseAbs().maxCoeff(),
            kRounding);
}

TEST(Harmonics, CosineLobeIsTheProjectionOfTheClampedCosine) {
  EXPECT_NEAR(cosine_lobe(0), pi, kRounding);
  EXPECT_NEAR(cosine_lobe(1), 2 * pi / 3, kRounding);
  EXPECT_NEAR(cosine_lobe(2), pi / 4, kRounding);
  EXPECT_NEAR(cosine_lobe(3), 0, kRounding);
  // 2 pi int_0^1 z P_l(z) dz, by Gauss' rule of three points in each of a hundred cells.
  constexpr int kCells = 100;
  for (int l = 0; l < kMostOrder; ++l) {
    double integral = 0;
    for (int cell = 0; cell < kCells; ++cell) {
      for (int i = -1; i <= 1; ++i) {
        const double z = (cell + 0.5 + 0.5 * i * std::sqrt(0.6)) / kCells;
        const double weight = (i == 0 ? 8.0 : 5.0) / 18 / kCells;
        integral += weight * z * std::legendre(static_cast<unsigned>(l), z);
      }
    }
    EXPECT_NEAR(cosine_lobe(l), 2 * pi * integral, kRounding) << l;
  }
}

TEST(Harmonics, WindowTakesNegativeLightAway) {
  // A narrow lamp in black: the truncated series rings.
  Random random(5);
  for (int order = 2; order <= kMostOrder; ++order) {
    const Vec3 towards = random_direction(random);
    const Coefficients lamp = harmonics(order, towards) * Vec3(1, 0.5, 0.1).transpose();
    const double lambda = window_against_ringing(lamp);
    EXPECT_GT(lambda, 0);
    const Coefficients soft = windowed(lamp, lambda);
    EXPECT_EQ(soft.row(0), lamp.row(0)) << "the mean must stay";
    double least = 0;
    double least_before = 0;
    for (int i = 0; i < 5000; ++i) {
      const Vec3 d = random_direction(random);
      least = std::min(least, evaluate(soft, d).minCoeff());
      least_before = std::min(least_before, evaluate(lamp, d).minCoeff());
    }
    // Between the points of the grid a little may be left; a hundredth of what was there before.
    EXPECT_LT(least_before, -0.01);
    EXPECT_GT(least, 0.01 * least_before) << order;
    // A thousandth less would not do: the least value touches zero.
    double touching = 1;
    for (int i = 0; i < 20000; ++i) {
      touching = std::min(touching, evaluate(soft, random_direction(random)).minCoeff());
    }
    EXPECT_LT(touching, 0.02 * lamp(0, 0)) << order;
  }
  EXPECT_EQ(window_against_ringing(Coefficients::Constant(1, 3, 1.0)), 0);
}

}  // namespace
}  // namespace supple::light
