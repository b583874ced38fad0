// SPDX-License-Identifier: Apache-2.0
#include "shell/baked.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <vector>

namespace supple::shell {
namespace {

using geometry::Index;
using geometry::Vec3;

Vec3 direction(Random& random) {
  return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
}

/// What the player computes of an acceleration: H exactly, the points for what turning changes.
Eigen::VectorXd sampled_force(const Baked& baked, const Eigen::VectorXd& q, const Vec3& a) {
  const ShellObject& object = baked.object;
  Eigen::VectorXd f(static_cast<Eigen::Index>(object.modes.size()));
  for (Eigen::Index k = 0; k < f.size(); ++k) {
    const auto& h = object.modes[k].transfer;
    f(k) = -Vec3(h[3], h[4], h[5]).dot(a);
  }
  for (const Point& point : object.points) {
    const auto psi = object.turns.middleRows<3>(3 * Eigen::Index{point.node});
    const Vec3 w = psi * q;
    f += psi.transpose() * (mean_rotation(w).transpose() * (rotation(w) * point.lever).cross(a) -
                            point.lever.cross(a));
  }
  return f;
}

/// Random states with turns of this size, and the root of the mean square error in the norm of
/// static work, relative; `plain` in the plain norm.
double measured_error(const Baked& baked, double turn, bool plain) {
  Random random(77);
  const Eigen::VectorXd lambda = modal_stiffness(baked.object);
  double wrong = 0;
  double all = 0;
  for (int s = 0; s < 60; ++s) {
    Eigen::VectorXd q(lambda.size());
    for (Eigen::Index k = 0; k < q.size(); ++k) q(k) = random.uniform(-1, 1) / std::sqrt(lambda(k));
    const Eigen::VectorXd w = baked.object.turns * q;
    double most = 0;
    for (Eigen::Index i = 0; i < w.size(); i += 3) most = std::max(most, w.segment<3>(i).norm());
    q *= turn / most;
    const Vec3 a = direction(random);
    const Eigen::VectorXd truth = modal_force(baked.object, q, a);
    const Eigen::VectorXd error = sampled_force(baked, q, a) - truth;
    const Eigen::VectorXd scale =
        plain ? Eigen::VectorXd::Ones(lambda.size()).eval() : lambda.cwiseInverse().eval();
    wrong += error.cwiseAbs2().dot(scale);
    all += truth.cwiseAbs2().dot(scale);
  }
  return std::sqrt(wrong / all);
}

TEST(ForcePoints, AllNodesOfASmallShellAreExact) {
  const Baked baked = bake(cantilever(), settings(8));
  EXPECT_EQ(baked.object.points.size(), 115U);  // 125 less the two clamped columns
  EXPECT_EQ(baked.object.point_error, 0);
  EXPECT_LT(measured_error(baked, 1.5, true), 1e-13);
}

std::vector<Baked> large_shells() {
  std::vector<Baked> shells;
  fem::ShellModel strip = fem::shell_model(fem::strip_mesh(1, 0.4, 50, 20), sheet_material());
  fem::clamp_up_to(strip, 0.021);
  shells.push_back(bake(strip, settings(8)));
  fem::ShellModel beam = fem::shell_model(fem::v_mesh(1, 0.4, 50, 20), sheet_material());
  fem::clamp_up_to(beam, 0.021);
  shells.push_back(bake(beam, settings(8)));
  fem::ShellModel ball = fem::shell_model(geometry::sphere_surface(0.5, 3), sheet_material());
  fem::clamp_up_to(ball, -0.4);
  shells.push_back(bake(ball, settings(10)));
  ObjectSettings tethered = settings(6);
  tethered.tether = 1;
  shells.push_back(
      bake(fem::shell_model(fem::strip_mesh(1, 0.4, 40, 16), sheet_material()), tethered));
  return shells;
}

TEST(ForcePoints, StandForAllNodesWithinThreePercent) {
  for (const Baked& baked : large_shells()) {
    const ShellObject& object = baked.object;
    EXPECT_LE(object.points.size(), 96U);
    EXPECT_GE(object.points.size(), 48U);
    EXPECT_GT(object.point_error, 0);
    EXPECT_LT(object.point_error, 0.02);
    for (const double turn : {0.3, 1.0, 1.5}) {
      EXPECT_LT(measured_error(baked, turn * object.follow_turn, false), 0.03);
    }
    EXPECT_LT(measured_error(baked, object.follow_turn, true), 0.06);
    // At rest H alone speaks.
    EXPECT_LT(measured_error(baked, 1e-9, true), 1e-9);
  }
}

TEST(ForcePoints, HoldTheMassAndTheArea) {
  for (const Baked& baked : large_shells()) {
    const fem::ShellModel& model = baked.shell.model();
    const auto held = [&](std::size_t node) {
      return !model.fixed.empty() && model.fixed[node] != 0;
    };
    double mass = 0;
    for (std::size_t i = 0; i < model.mesh.positions.size(); ++i) {
      if (!held(i)) mass += baked.shell.masses()(static_cast<Eigen::Index>(i));
    }
    Vec3 area = Vec3::Zero();
    for (const auto& corner : model.mesh.triangles) {
      const Vec3& x = model.mesh.positions[corner[0]];
      const Vec3 third =
          (model.mesh.positions[corner[1]] - x).cross(model.mesh.positions[corner[2]] - x) / 6;
      for (const Index node : corner) {
        if (!held(node)) area += third;
      }
    }
    double sum = 0;
    Vec3 covered = Vec3::Zero();
    std::vector<char> seen(model.mesh.positions.size(), 0);
    for (const Point& point : baked.object.points) {
      EXPECT_FALSE(held(point.node));
      EXPECT_GE(point.mass, 0);
      EXPECT_EQ(seen[point.node], 0);
      seen[point.node] = 1;
      sum += point.mass;
      covered += point.area_vector;
    }
    EXPECT_NEAR(sum, mass, 0.01 * mass);
    EXPECT_LT((covered - area).norm(), 1e-12 * geometry::area(model.mesh));
  }
}

TEST(ForcePoints, AreAsManyAsAskedFor) {
  fem::ShellModel strip = fem::shell_model(fem::strip_mesh(1, 0.4, 50, 20), sheet_material());
  fem::clamp_up_to(strip, 0.021);
  ObjectSettings how = settings(4);
  how.points = 12;
  const Baked few = bake(strip, how);
  EXPECT_EQ(few.object.points.size(), 12U);
  how.points = 5000;
  const Baked all = bake(strip, how);
  EXPECT_EQ(all.object.points.size(), 49U * 21U);
  EXPECT_EQ(all.object.point_error, 0);
  how.points = 200;
  EXPECT_EQ(bake(strip, how).object.points.size(), 200U);
}

}  // namespace
}  // namespace supple::shell
