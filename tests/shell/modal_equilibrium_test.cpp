// SPDX-License-Identifier: Apache-2.0
#include "supple/shell/modal_equilibrium.hpp"

#include "shell/baked.hpp"
#include "supple/fem/shell_motion.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>

namespace supple::shell {
namespace {

/// Newton's method stops at 1e-11 of the load.
constexpr double kSolved = 1e-9;

TEST(ModalEquilibrium, OfOneNodeSolvesTheEquationOfAPendulum) {
  // A mass at the end of a lever along x, which turns about -y: omega^2 q = f cos(p q) with f its
  // weight times p times the lever.
  constexpr double kOmega = 1.3;
  constexpr double kTurn = 0.7;
  ShellObject object;
  object.modes.resize(1);
  object.modes[0].omega = kOmega;
  object.displacements = Eigen::Vector3d(0, 0, 1);
  object.turns = Eigen::Vector3d(0, -kTurn, 0);
  object.levers = Eigen::Vector3d(1 / kTurn, 0, 0);
  object.modes[0].transfer[5] = -1;
  for (const double force : {-8.0, -0.1, 0.0, 0.5, 30.0}) {
    const auto q = modal_equilibrium(object, Eigen::Vector3d(0, 0, force));
    ASSERT_TRUE(q.ok()) << q.error().describe();
    EXPECT_NEAR(kOmega * kOmega * (*q)(0), force * std::cos(kTurn * (*q)(0)),
                kSolved * std::abs(force));
    EXPECT_NEAR(largest_turn(object, *q), kTurn * std::abs((*q)(0)), kSolved);
    EXPECT_NEAR(linear_response(object, Eigen::Vector3d(0, 0, force))(0), force / (kOmega * kOmega),
                kSolved * std::abs(force));
  }
}

TEST(ModalEquilibrium, IsWhereTheEnergyIsLeast) {
  const Baked baked = bake(cantilever(), settings(8));
  const Eigen::VectorXd lambda = modal_stiffness(baked.object);
  Eigen::VectorXd q;
  for (const double gravity : {0.1, 1.0, 10.0}) {
    const Eigen::Vector3d a(0, 0, -gravity);
    auto found = modal_equilibrium(baked.object, a, q);
    ASSERT_TRUE(found.ok()) << found.error().describe();
    q = *std::move(found);
    // The least energy: elastic less the work on levers and, at rest, on masses; by differences.
    const auto energy = [&](const Eigen::VectorXd& at) {
      double sum = 0.5 * lambda.dot(at.cwiseAbs2());
      for (Eigen::Index i = 0; i < baked.object.levers.cols(); ++i) {
        const Eigen::Vector3d w = baked.object.turns.middleRows<3>(3 * i) * at;
        const Eigen::Vector3d lever = baked.object.levers.col(i);
        sum -= a.dot(rotation(w) * lever - w.cross(lever));
      }
      for (Eigen::Index k = 0; k < at.size(); ++k) {
        const auto& h = baked.object.modes[static_cast<std::size_t>(k)].transfer;
        sum += at(k) * a.dot(Eigen::Vector3d(h[3], h[4], h[5]));
      }
      return sum;
    };
    const double scale = gravity * baked.object.mass;
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      const double step = 1e-4 / std::sqrt(lambda(k));
      Eigen::VectorXd ahead = q;
      Eigen::VectorXd behind = q;
      ahead(k) += step;
      behind(k) -= step;
      EXPECT_LT(std::abs(energy(ahead) - energy(behind)), 1e-6 * scale * step) << k;
    }
  }
  // Without weight it comes back from there.
  EXPECT_EQ(modal_equilibrium(baked.object, Eigen::Vector3d::Zero(), q)->norm(), 0);
}

TEST(ModalEquilibrium, SmallLoadsNeedNoTurning) {
  const Baked baked = bake(cantilever(), settings(8));
  const Eigen::Vector3d gravity(0, 0, -1e-5);
  const auto q = modal_equilibrium(baked.object, gravity);
  ASSERT_TRUE(q.ok());
  const Eigen::VectorXd linear = linear_response(baked.object, fem::weight(baked.shell, gravity));
  // Turns of some 1e-4 change forces by their square along the normal.
  EXPECT_LT((*q - linear).norm(), 1e-6 * linear.norm());
}

}  // namespace
}  // namespace supple::shell
