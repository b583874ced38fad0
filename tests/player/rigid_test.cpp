// SPDX-License-Identifier: Apache-2.0
#include "rigid.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <numbers>

namespace supple::player {
namespace {

constexpr double kRigidRounding = 1e-14;

Eigen::Quaterniond random_turn(Random& random) {
  Eigen::Vector4d q;
  for (int i = 0; i < 4; ++i) q[i] = random.uniform(-1, 1);
  return Eigen::Quaterniond(q.normalized());
}

Rotation as_rotation(const Eigen::Quaterniond& q) {
  return {q.x(), q.y(), q.z(), q.w()};
}

void as_columns(const Eigen::Matrix3d& m, Vec3 c[3]) {
  for (int i = 0; i < 3; ++i) c[i] = {m(0, i), m(1, i), m(2, i)};
}

TEST(Rigid, TurnBetweenIsTheLogarithm) {
  Random random(1);
  for (const double angle : {0.0, 1e-12, 1e-5, 0.01, 0.3, 1.0, 2.5, 3.1}) {
    const Eigen::Quaterniond from = random_turn(random);
    const Eigen::Vector3d axis = random_turn(random).vec().normalized();
    const Eigen::Quaterniond to = from * Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis));
    // Either sign of a quaternion is the same turn.
    for (const Rotation goal : {as_rotation(to), Rotation{-to.x(), -to.y(), -to.z(), -to.w()}}) {
      const Vec3 v = turn_between(as_rotation(from), goal);
      EXPECT_NEAR((Eigen::Vector3d(v.x, v.y, v.z) - angle * axis).norm(), 0, kRigidRounding)
          << angle;
    }
  }
}

TEST(Rigid, FrameVectorsAreThoseOfTheTransposedMatrix) {
  Random random(2);
  const Eigen::Quaterniond q = random_turn(random);
  const Eigen::Vector3d v(1, -2, 3);
  const Vec3 f = to_frame(as_rotation(q), {1, -2, 3});
  const Eigen::Vector3d expected = q.toRotationMatrix().transpose() * v;
  EXPECT_NEAR((Eigen::Vector3d(f.x, f.y, f.z) - expected).norm(), 0, kRigidRounding);
}

TEST(Rigid, ScaleIsDropped) {
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Eigen::Quaterniond q = random_turn(random);
    const Eigen::Vector3d scale(random.uniform(0.001, 100), random.uniform(0.001, 100), 1);
    Vec3 columns[3];
    as_columns(q.toRotationMatrix() * scale.asDiagonal(), columns);
    Rotation r{};
    ASSERT_TRUE(rotation_of(columns, r));
    const double same = std::abs(r.x * q.x() + r.y * q.y() + r.z * q.z() + r.w * q.w());
    EXPECT_NEAR(same, 1, kRigidRounding);
  }
}

TEST(Rigid, ShearGivesTheNearestRotation) {
  Eigen::Matrix3d m;
  m << 1, 0.5, 0.1, 0, 1, -0.3, 0.2, 0, 1;
  m.colwise().normalize();
  Vec3 columns[3];
  as_columns(m, columns);
  Rotation r{};
  ASSERT_TRUE(rotation_of(columns, r));
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Matrix3d polar = svd.matrixU() * svd.matrixV().transpose();
  const Eigen::Matrix3d found = Eigen::Quaterniond(r.w, r.x, r.y, r.z).toRotationMatrix();
  EXPECT_NEAR((found - polar).norm(), 0, 1e-13);
}

TEST(Rigid, RefusesWhatIsNoRotation) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d bad[] = {one, one, one, one, one};
  bad[0](1, 1) = -1;
  bad[1].col(2) = bad[1].col(0);
  bad[2](0, 1) = nan;
  bad[3](2, 2) = inf;
  bad[4].col(1).setZero();
  for (const Eigen::Matrix3d& m : bad) {
    Vec3 columns[3];
    as_columns(m, columns);
    Rotation r{};
    EXPECT_FALSE(rotation_of(columns, r)) << m;
  }
}

}  // namespace
}  // namespace supple::player
