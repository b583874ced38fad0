// SPDX-License-Identifier: Apache-2.0
#include "shell/inertia.hpp"

#include "shell/baked.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <array>

namespace supple::shell {
namespace {

using geometry::Vec3;

/// Sums over some hundred nodes of numbers about 1.
constexpr double kSumRounding = 1e-12;

TEST(Inertia, IsTheSumOfInertialForcesOverNodes) {
  // Away from the frame's origin, so that alpha and omega matter.
  fem::ShellModel model = fem::shell_model(fem::v_mesh(1, 0.4, 12, 4), sheet_material());
  for (Vec3& x : model.mesh.positions) x += Vec3(0.4, -1, 0.2);
  fem::clamp_up_to(model, 0.49);
  const Baked baked = bake(model, settings(6));
  Random random(21);
  for (int trial = 0; trial < 5; ++trial) {
    const Vec3 a0 = any_vector(random);
    const Vec3 alpha = any_vector(random);
    const Vec3 omega = any_vector(random);
    Eigen::VectorXd forces(baked.shell.rest().size());
    for (Eigen::Index i = 0; i < baked.shell.masses().size(); ++i) {
      const Vec3 r = baked.shell.rest().segment<3>(3 * i);
      forces.segment<3>(3 * i) =
          -baked.shell.masses()(i) * (a0 + alpha.cross(r) + omega.cross(omega.cross(r)));
    }
    const Eigen::VectorXd expected = baked.object.displacements.transpose() * forces;
    const geometry::Mat3 s =
        omega * omega.transpose() - omega.squaredNorm() * geometry::Mat3::Identity();
    const std::array<double, 6> squares{s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(0, 2), s(1, 2)};
    for (Eigen::Index k = 0; k < expected.size(); ++k) {
      const soft::Vibration& mode = baked.object.modes[k];
      double f = 0;
      for (int c = 0; c < 3; ++c) f += mode.transfer[c] * alpha(c) + mode.transfer[3 + c] * a0(c);
      for (std::size_t c = 0; c < 6; ++c) f -= mode.centrifugal[c] * squares[c];
      EXPECT_NEAR(f, expected(k), kSumRounding);
    }
  }
}

TEST(Inertia, OfRigidMotionsIsThatOfTheBody) {
  // Shapes that move all nodes alike, and turn them about the origin: H holds minus the mass, the
  // first moment and the moments of inertia.
  fem::ShellModel model = fem::shell_model(fem::strip_mesh(2, 1, 6, 3), sheet_material());
  for (Vec3& x : model.mesh.positions) x += Vec3(0.3, -0.2, 0.5);
  const fem::DiscreteShell shell = fem::make_shell(model);
  Eigen::MatrixXd shapes(shell.rest().size(), 6);
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  geometry::Mat3 second = geometry::Mat3::Zero();
  for (Eigen::Index i = 0; i < shell.masses().size(); ++i) {
    const Vec3 r = shell.rest().segment<3>(3 * i);
    for (int axis = 0; axis < 3; ++axis) {
      shapes.block<3, 1>(3 * i, axis) = Vec3::Unit(axis);
      shapes.block<3, 1>(3 * i, 3 + axis) = Vec3::Unit(axis).cross(r);
    }
    mass += shell.masses()(i);
    moment += shell.masses()(i) * r;
    second += shell.masses()(i) * (r * r.transpose());
  }
  const geometry::Mat3 body = second.trace() * geometry::Mat3::Identity() - second;
  const Inertia result = inertia(shell, shapes);
  EXPECT_NEAR(mass, 2, kSumRounding);
  EXPECT_LT((result.transfer.topRightCorner<3, 3>() + mass * geometry::Mat3::Identity()).norm(),
            kSumRounding);
  EXPECT_LT((result.transfer.bottomLeftCorner<3, 3>() + body).norm(), kSumRounding);
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 turned = result.transfer.block<3, 1>(0, axis);
    EXPECT_LT((turned + Vec3::Unit(axis).cross(moment)).norm(), kSumRounding);
    // Spinning about an axis pulls a translation towards it: S = e e^T - I.
    for (int other = 0; other < 3; ++other) {
      EXPECT_NEAR(result.centrifugal(axis, other), axis == other ? moment(axis) : 0, kSumRounding);
    }
  }
}

}  // namespace
}  // namespace supple::shell
