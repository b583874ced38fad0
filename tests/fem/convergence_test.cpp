// SPDX-License-Identifier: Apache-2.0
// Refinement studies against closed formulas (docs/references.bib: any text on vibrations).
#include "supple/fem/solid_modes.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace supple::fem {
namespace {

using geometry::TetOrder;
using geometry::Vec3;

SolidModel bar(double length, double side, int along, int across, TetOrder order,
               const Material& material) {
  SolidModel model;
  model.mesh = geometry::beam_mesh(length, side, side, along, across, across);
  if (order == TetOrder::Quadratic) model.mesh = geometry::to_quadratic(model.mesh);
  model.fixed.assign(model.mesh.nodes.size(), 0);
  for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
    if (model.mesh.nodes[i].x() < 1e-12) model.fixed[i] = kFixAll;
  }
  model.materials = {material};
  return model;
}

/// The frequency closest to an expected one, so that other families of modes do not matter.
double closest(const Eigen::VectorXd& values, double expected) {
  double best = values(0);
  for (const double value : values) {
    if (std::abs(value - expected) < std::abs(best - expected)) best = value;
  }
  return best;
}

/// Longitudinal f_n = (2n-1)/(4L) sqrt(E/rho), exact for nu = 0: only x moves, and it moves as in
/// one dimension. y and z are held, which changes nothing for nu = 0 and removes bending.
double longitudinal_error(TetOrder order, int along, int n) {
  const Material material{"m", 1e6, 0.0, 1000};
  SolidModel model = bar(1.0, 0.25, along, std::max(1, along / 4), order, material);
  for (auto& bits : model.fixed) bits |= kFixY | kFixZ;
  ModalSettings settings;
  settings.count = 12;
  const auto modes = solve_modes(model, settings);
  EXPECT_TRUE(modes.ok()) << modes.error().describe();
  if (!modes.ok()) return 1;
  const double exact = (2 * n - 1) / 4.0 * std::sqrt(1e6 / 1000);
  return std::abs(closest(modes->frequencies_hz(), exact) - exact) / exact;
}

TEST(Convergence, BarOfLinearElementsIsSecondOrder) {
  const double coarse = longitudinal_error(TetOrder::Linear, 4, 1);
  const double fine = longitudinal_error(TetOrder::Linear, 8, 1);
  const double order = std::log2(coarse / fine);
  EXPECT_NEAR(order, 2.0, 0.25);
  EXPECT_LT(fine, 3e-3);
}

TEST(Convergence, BarOfQuadraticElementsIsFourthOrder) {
  const double coarse = longitudinal_error(TetOrder::Quadratic, 8, 2);
  const double fine = longitudinal_error(TetOrder::Quadratic, 16, 2);
  const double order = std::log2(coarse / fine);
  EXPECT_NEAR(order, 4.0, 0.4);
  EXPECT_LT(fine, 1e-5);
}

TEST(Convergence, SlenderCantileverBendsLikeEulersBeam) {
  const Material material{"m", 1e9, 0.3, 1000};
  const SolidModel model = bar(1.0, 0.02, 50, 1, TetOrder::Quadratic, material);
  ModalSettings settings;
  settings.count = 4;
  const auto modes = solve_modes(model, settings);
  ASSERT_TRUE(modes.ok()) << modes.error().describe();
  const double f1 = 1.8751040687 * 1.8751040687 / (2 * std::numbers::pi) *
                    std::sqrt(1e9 * std::pow(0.02, 4) / 12 / (1000 * 0.02 * 0.02));
  // Shear and rotary inertia at a slenderness of 50 lower it by 0.1 to 0.2%, the clamped face
  // stiffens it by the same order.
  EXPECT_NEAR(modes->frequencies_hz()(0), f1, 5e-3 * f1);
  EXPECT_NEAR(modes->frequencies_hz()(1), f1, 5e-3 * f1);
}

/// A free elastic ball: the lowest torsional mode has omega R / c_t = 2.50113, whatever nu, and
/// occurs five times; the lowest spheroidal one, also five times, has 2.63986 at nu = 0.25
/// [Lamb 1882].
TEST(Convergence, FreeBallRingsLikeLambs) {
  SolidModel model;
  geometry::TetMesh linear = geometry::ball_mesh(1.0, 4);
  model.mesh = geometry::to_quadratic(linear);
  // Midside nodes of the surface belong on the sphere.
  std::vector<char> on_surface(model.mesh.nodes.size(), 0);
  for (const auto node : geometry::boundary(model.mesh).node_of_vertex) on_surface[node] = 1;
  for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
    if (on_surface[i] != 0) model.mesh.nodes[i].normalize();
  }
  model.materials = {{"m", 2.5, 0.25, 1.0}};  // shear modulus 1: c_t = 1
  ModalSettings settings;
  settings.count = 10;
  const auto modes = solve_modes(model, settings);
  ASSERT_TRUE(modes.ok()) << modes.error().describe();
  EXPECT_EQ(modes->rigid_modes, 6);
  const Eigen::VectorXd omega = modes->omega_squared.cwiseSqrt();
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(omega(i), 2.50113, 2e-3) << i;
  for (int i = 5; i < 10; ++i) EXPECT_NEAR(omega(i), 2.63986, 2e-3) << i;
}

TEST(Convergence, LinearElementsLockWhereQuadraticOnesDoNot) {
  // Why flesh needs 10-node elements, in one number: nearly incompressible bending on the same
  // mesh.
  const Material material{"m", 2e4, 0.499, 1000};
  ModalSettings settings;
  settings.count = 1;
  const auto linear = solve_modes(bar(0.6, 0.18, 12, 4, TetOrder::Linear, material), settings);
  const auto quadratic =
      solve_modes(bar(0.6, 0.18, 12, 4, TetOrder::Quadratic, material), settings);
  ASSERT_TRUE(linear.ok() && quadratic.ok());
  EXPECT_GT(linear->frequencies_hz()(0), 1.4 * quadratic->frequencies_hz()(0));
}

}  // namespace
}  // namespace supple::fem
