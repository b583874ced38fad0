// SPDX-License-Identifier: Apache-2.0
#include "supple/core/random.hpp"
#include "supple/shell/shell_object.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <unsupported/Eigen/MatrixFunctions>

#include <array>
#include <numbers>
#include <vector>

namespace supple::shell {
namespace {

using geometry::Mat3;
using geometry::Vec3;

Mat3 cross_matrix(const Vec3& w) {
  Mat3 matrix;
  matrix << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return matrix;
}

/// Vectors of many lengths, on both sides of where the closed form gives way to Taylor.
std::vector<Vec3> rotation_vectors() {
  std::vector<Vec3> vectors{Vec3::Zero()};
  Random random(11);
  for (const double angle : {1e-9, 1e-5, 0.999e-3, 1.001e-3, 1e-2, 0.3, 1.0, 2.5, 3.1415926, 7.0}) {
    for (int i = 0; i < 4; ++i) {
      const Vec3 axis(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      vectors.emplace_back(angle * axis.normalized());
    }
  }
  return vectors;
}

/// The matrix exponential is good to a few times this.
constexpr double kExponential = 1e-13;

TEST(Warping, RotationIsTheMatrixExponential) {
  for (const Vec3& w : rotation_vectors()) {
    const Mat3 expected = Mat3(cross_matrix(w)).exp();
    EXPECT_LT((rotation(w) - expected).norm(), 10 * kExponential) << w.transpose();
  }
}

TEST(Warping, MeanRotationIsTheIntegralOfRotations) {
  // Ten-point Gauss-Legendre on each of 8 parts: exact to rounding for angles up to 7.
  const std::array<double, 5> nodes{0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                    0.8650633666889845, 0.9739065285171717};
  const std::array<double, 5> weights{0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                      0.1494513491505806, 0.0666713443086881};
  constexpr int kParts = 8;
  for (const Vec3& w : rotation_vectors()) {
    Mat3 sum = Mat3::Zero();
    for (int part = 0; part < kParts; ++part) {
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        for (const double side : {-1.0, 1.0}) {
          const double s = (part + 0.5 + 0.5 * side * nodes[k]) / kParts;
          const Eigen::AngleAxisd turn(s * w.norm(),
                                       w.norm() > 0 ? Vec3(w.normalized()) : Vec3(Vec3::UnitX()));
          sum += 0.5 * weights[k] / kParts * turn.toRotationMatrix();
        }
      }
    }
    EXPECT_LT((mean_rotation(w) - sum).norm(), kExponential) << w.transpose();
  }
}

TEST(Warping, MeanRotationTimesTheVectorsCrossIsTheFiniteRotation) {
  // d/ds R(s w) r = R(s w) (w x r), so Rt (w x r) = R r - r.
  const Vec3 r(0.3, -1.2, 0.7);
  for (const Vec3& w : rotation_vectors()) {
    EXPECT_LT((mean_rotation(w) * w.cross(r) - (rotation(w) * r - r)).norm(), kExponential);
  }
}

}  // namespace
}  // namespace supple::shell
