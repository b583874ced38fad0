// SPDX-License-Identifier: Apache-2.0
#include "shell/follow.hpp"

#include "shell/baked.hpp"
#include "supple/fem/shell_motion.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace supple::shell {
namespace {

using geometry::Vec3;

constexpr double kSagRounding = 1e-9;
/// 300 random directions come within 2 degrees or so of the worst.
constexpr double kSampled = 0.999;
/// The turn is known to pi / 32 / 2^9 and the area changes by less than a third per radian there.
constexpr double kBisected = 1e-4;

/// A strip whose only mode has these displacements and turns, which gravity along z excites.
struct OneMode {
  fem::DiscreteShell shell =
      fem::make_shell(fem::shell_model(fem::strip_mesh(1, 0.2, 48, 2), sheet_material()));
  ShellObject object;

  template <class Shape>
  explicit OneMode(const Shape& shape) {
    object.modes.resize(1);
    object.modes[0].omega = 2;
    object.modes[0].transfer[5] = 3;
    object.displacements.resize(shell.rest().size(), 1);
    object.turns.resize(shell.rest().size(), 1);
    for (Eigen::Index i = 0; i < shell.rest().size(); i += 3) {
      const auto [p, w] = shape(Vec3(shell.rest().segment<3>(i)));
      object.displacements.block<3, 1>(i, 0) = p;
      object.turns.block<3, 1>(i, 0) = w;
    }
  }
};

std::pair<Vec3, Vec3> arc(const Vec3& x) {
  return {Vec3(0, 0, 0.5 * x.x() * x.x()), Vec3(0, -x.x(), 0)};
}

TEST(Follow, TurnOfAnArcIsWhereItsWarpedLengthIsOff) {
  const OneMode strip(arc);
  const double turn = follow_turn(strip.shell, strip.object, 0);
  // Warping puts x = th on th - (1 - cos th) th / 2, sin(th) th / 2.
  constexpr int kSteps = 2000;
  double length = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double th = turn * (i + 0.5) / kSteps;
    length += std::hypot(1 - 0.5 * (1 - std::cos(th) + th * std::sin(th)),
                         0.5 * (std::sin(th) + th * std::cos(th))) /
              kSteps;
  }
  EXPECT_NEAR(length, 0.95, kBisected);
  EXPECT_NEAR(turn, std::sqrt(0.6), 0.05);  // -th^2 / 12 without higher terms
}

TEST(Follow, RotationsAreFollowedAllTheWay) {
  const OneMode strip([](const Vec3& x) {
    const Vec3 w(0.3, -1, 0.2);
    return std::pair(Vec3(w.cross(x)), w);
  });
  EXPECT_EQ(follow_turn(strip.shell, strip.object, 0), std::numbers::pi);
}

TEST(Follow, SagOfOneMode) {
  const OneMode strip(arc);
  const double q = 9.81 * 3 / 4;
  const Sag sag = sag_under_gravity(strip.object, 0);
  EXPECT_NEAR(sag.length, 0.5 * q, kSagRounding);
  EXPECT_NEAR(sag.turn, q, kSagRounding);
  EXPECT_EQ(sag_under_gravity(strip.object, 1).turn, 0);
}

TEST(Follow, SagIsTheStaticResponseInTheWorstDirection) {
  fem::ShellMaterial stiff = sheet_material();
  stiff.bending_stiffness = 3;
  fem::ShellModel model = cantilever();
  model.materials = {stiff};
  const Baked baked = bake(model, settings(8));
  double sag = 0;
  double turn = 0;
  Random random(2);
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3 down = trial == 0 ? Vec3(0, 0, 1) : Vec3(any_vector(random).normalized());
    const Eigen::VectorXd q = linear_response(baked.object, fem::weight(baked.shell, 9.81 * down));
    const Eigen::VectorXd u = baked.object.displacements * q;
    const Eigen::VectorXd w = baked.object.turns * q;
    for (Eigen::Index i = 0; i < u.size(); i += 3) {
      sag = std::max(sag, u.segment<3>(i).norm());
      turn = std::max(turn, w.segment<3>(i).norm());
    }
  }
  EXPECT_LE(sag, baked.object.sag * (1 + kSagRounding));
  EXPECT_GE(sag, baked.object.sag * kSampled);
  EXPECT_LE(turn, baked.object.sag_turn * (1 + kSagRounding));
  EXPECT_GE(turn, baked.object.sag_turn * kSampled);
}

TEST(Follow, TurnIsWhereWarpingLosesFivePercentOfTheArea) {
  const Baked baked = bake(cantilever(), settings(8));
  const ShellObject& object = baked.object;
  Eigen::VectorXd q = linear_response(object, fem::weight(baked.shell, Vec3(0, 0, -1)));
  q *= object.follow_turn / largest_turn(object, q);
  const double rest = baked.shell.area(baked.shell.rest());
  EXPECT_NEAR(baked.shell.area(warped_shape(baked.shell, object, q)) / rest, 0.95, kBisected);
  // Constant curvature: -th^2 / 12 at the end's turn th, so 5% at 0.77; a weight bends it mostly
  // near the clamp, which turns more of it.
  EXPECT_GT(object.follow_turn, 0.5);
  EXPECT_LT(object.follow_turn, 1.2);
}

}  // namespace
}  // namespace supple::shell
