// SPDX-License-Identifier: Apache-2.0
#include "supple/shell/modal_equilibrium.hpp"

#include "shell/baked.hpp"
#include "supple/fem/shell_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace supple::shell {
namespace {

/// Newton's method stops at 1e-11 of the load.
constexpr double kSolved = 1e-9;

TEST(ModalEquilibrium, OfOneNodeSolvesTheEquationOfAPendulum) {
  // One node that rises along z while it turns about -y: omega^2 q = f cos(p q).
  constexpr double kOmega = 1.3;
  constexpr double kTurn = 0.7;
  ShellObject object;
  object.modes.resize(1);
  object.modes[0].omega = kOmega;
  object.displacements = Eigen::Vector3d(0, 0, 1);
  object.turns = Eigen::Vector3d(0, -kTurn, 0);
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

TEST(ModalEquilibrium, IsWhereForcesOnTheTurnedShellBalance) {
  const Baked baked = bake(cantilever(), settings(8));
  const Eigen::VectorXd lambda = modal_stiffness(baked.object);
  Eigen::VectorXd q;
  for (const double gravity : {0.1, 1.0, 10.0}) {
    const Eigen::VectorXd forces = fem::weight(baked.shell, {0, 0, -gravity});
    auto found = modal_equilibrium(baked.object, forces, q);
    ASSERT_TRUE(found.ok()) << found.error().describe();
    q = *std::move(found);
    // As [CWK07 eq. 18] sums it, node by node.
    Eigen::VectorXd f = Eigen::VectorXd::Zero(8);
    for (Eigen::Index i = 0; i < forces.size(); i += 3) {
      const Eigen::Vector3d w = baked.object.turns.middleRows<3>(i) * q;
      f += baked.object.displacements.middleRows<3>(i).transpose() * rotation(-w) *
           forces.segment<3>(i);
    }
    EXPECT_LT((lambda.cwiseProduct(q) - f).norm(), kSolved * forces.norm()) << gravity;
  }
  // Without forces it comes back from there.
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(baked.shell.rest().size());
  EXPECT_EQ(modal_equilibrium(baked.object, none, q)->norm(), 0);
}

TEST(ModalEquilibrium, SmallLoadsNeedNoTurning) {
  const Baked baked = bake(cantilever(), settings(8));
  const Eigen::VectorXd forces = fem::weight(baked.shell, {0, 0, -1e-5});
  const auto q = modal_equilibrium(baked.object, forces);
  ASSERT_TRUE(q.ok());
  const Eigen::VectorXd linear = linear_response(baked.object, forces);
  // Turns of some 1e-4 change forces by their square along the normal.
  EXPECT_LT((*q - linear).norm(), 1e-6 * linear.norm());
}

}  // namespace
}  // namespace supple::shell
