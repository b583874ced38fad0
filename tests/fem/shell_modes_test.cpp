// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/shell_modes.hpp"

#include "fem/shell_meshes.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/resources.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <numbers>

namespace supple::fem {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::numbers::pi;

VectorXd mass_per_component(const DiscreteShell& shell) {
  VectorXd result(shell.rest().size());
  for (Eigen::Index i = 0; i < result.size(); ++i) result(i) = shell.masses()(i / 3);
  return result;
}

/// Eigenvalues over the free components by Eigen's dense solver.
VectorXd dense_values(const DiscreteShell& shell) {
  std::vector<Eigen::Index> free;
  for (Eigen::Index i = 0; i < shell.rest().size(); ++i) {
    const auto& fixed = shell.model().fixed;
    if (fixed.empty() || (fixed[static_cast<std::size_t>(i / 3)] >> (i % 3) & 1) == 0) {
      free.push_back(i);
    }
  }
  const MatrixXd k = shell.rest_hessian();
  const VectorXd root = mass_per_component(shell)(free).cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = root.asDiagonal() * k(free, free) * root.asDiagonal();
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues();
}

void expect_modes(const DiscreteShell& shell, const ShellModes& modes, Eigen::Index skipped) {
  const VectorXd dense = dense_values(shell);
  const MatrixXd weighted = mass_per_component(shell).asDiagonal() * modes.shapes;
  const Eigen::Index count = modes.shapes.cols();
  EXPECT_LT((modes.shapes.transpose() * weighted - MatrixXd::Identity(count, count))
                .cwiseAbs()
                .maxCoeff(),
            1e-10);
  for (Eigen::Index i = 0; i < count; ++i) {
    // The dense solver itself errs by some 1e-15 of the largest eigenvalue.
    EXPECT_NEAR(modes.omega_squared(i), dense(skipped + i),
                1e-8 * dense(skipped + i) + 1e-13 * dense.maxCoeff())
        << i;
  }
  if (modes.rigid.cols() > 0) {
    EXPECT_LT((modes.rigid.transpose() * weighted).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(ShellModes, MatchADenseSolverHeldAndFree) {
  for (const auto& mesh : {strip_mesh(2, 1, 24, 8), v_mesh(2, 1, 24, 8), bumpy_mesh(2, 1, 24, 8),
                           strip_mesh(2, 1, 6, 3), geometry::sphere_surface(1, 2)}) {
    ShellModel model = shell_model(mesh, kPlain);
    const DiscreteShell free = make_shell(model);
    const ShellModes free_modes = solve_modes(free, 6);
    EXPECT_EQ(free_modes.rigid.cols(), 6);
    EXPECT_EQ(free_modes.mechanisms, 0);
    expect_modes(free, free_modes, 6);
    clamp_up_to(model, 0.35);  // two rows at least: one alone is a hinge
    const DiscreteShell held = make_shell(model);
    const ShellModes held_modes = solve_modes(held, 6);
    EXPECT_EQ(held_modes.rigid.cols(), 0);
    expect_modes(held, held_modes, 0);
    for (std::size_t i = 0; i < model.fixed.size(); ++i) {
      if (model.fixed[i] == 0) continue;
      EXPECT_EQ(held_modes.shapes.middleRows<3>(static_cast<Eigen::Index>(3 * i)).norm(), 0);
    }
  }
}

TEST(ShellModes, SupportsInOneDirectionHoldThatOneOnly) {
  ShellModel model = shell_model(bumpy_mesh(2, 1, 24, 8), kPlain);
  model.fixed.assign(model.mesh.positions.size(), 0);
  for (std::size_t i = 0; i < model.fixed.size(); i += 7) model.fixed[i] = kFixZ;
  const DiscreteShell shell = make_shell(model);
  const ShellModes modes = solve_modes(shell, 5);
  EXPECT_EQ(modes.rigid.cols(), 3);  // two shifts and a turn in the plane
  expect_modes(shell, modes, 3);
}

TEST(ShellModes, PiecesMoveOnTheirOwn) {
  geometry::TriMesh mesh = strip_mesh(2, 1, 10, 5);
  const auto count = static_cast<geometry::Index>(mesh.positions.size());
  const geometry::TriMesh one = mesh;
  for (const auto& p : one.positions) mesh.positions.emplace_back(p + geometry::Vec3(0, 3, 0));
  for (const auto& t : one.triangles) {
    mesh.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  }
  const ShellModes modes = solve_modes(make_shell(shell_model(mesh, kPlain)), 4);
  EXPECT_EQ(modes.rigid.cols(), 12);
  EXPECT_NEAR(modes.omega_squared(0), modes.omega_squared(1), 1e-6 * modes.omega_squared(0));
}

TEST(ShellModes, MechanismsAreCountedAndLeftOut) {
  // Without bending, all 45 nodes of a flat sheet leave the plane for nothing: 45 motions of which
  // three are rigid.
  const ShellModel sheet = shell_model(strip_mesh(2, 1, 8, 4), {"sheet", 1, 1, 0, 0.3});
  const ShellModes modes = solve_modes(make_shell(sheet), 4);
  EXPECT_EQ(modes.rigid.cols(), 6);
  EXPECT_EQ(modes.mechanisms, 42);
  expect_modes(make_shell(sheet), modes, 48);

  // Two strips that share one node swivel about it: three motions, on a mesh beyond dense solvers.
  geometry::TriMesh joined = strip_mesh(2, 1, 24, 8);
  const geometry::TriMesh one = joined;
  const auto count = static_cast<geometry::Index>(joined.positions.size());
  const geometry::Index corner = 24;  // at x = 2, y = -0.5
  for (const auto& p : one.positions) joined.positions.emplace_back(p + geometry::Vec3(2, -1, 0));
  const geometry::Index shared = count + 8 * 25;  // at x = 2, y = -0.5 as well
  for (const auto& t : one.triangles) {
    geometry::Triangle moved{};
    for (int i = 0; i < 3; ++i) moved[i] = t[i] + count == shared ? corner : t[i] + count;
    joined.triangles.push_back(moved);
  }
  const DiscreteShell hinge = make_shell(shell_model(joined, kPlain));
  const ShellModes swivel = solve_modes(hinge, 5);
  EXPECT_EQ(swivel.rigid.cols(), 6);
  EXPECT_EQ(swivel.mechanisms, 3);
  EXPECT_GT(swivel.omega_squared(0), 1e-6);
}

TEST(ShellModes, HundredsOfMechanismsAreCountedWhileTheMeshIsSmall) {
  const ShellMaterial limp{"sheet", 1, 1, 0, 0.3};
  const ShellModes modes = solve_modes(make_shell(shell_model(strip_mesh(1, 1, 17, 17), limp)), 4);
  EXPECT_EQ(modes.mechanisms, 18 * 18 - 3);
  EXPECT_GT(modes.omega_squared(0), 1);
  const auto large = solve_shell_modes(make_shell(shell_model(strip_mesh(1, 1, 32, 32), limp)), 4);
  ASSERT_FALSE(large.ok());
  EXPECT_NE(large.error().message().find("its bending stiffness is zero"), std::string::npos)
      << large.error().message();
}

TEST(ShellModes, AskingForMoreThanThereIsSaysSo) {
  const DiscreteShell shell = make_shell(shell_model(strip_mesh(1, 1, 1, 1), kPlain));
  const auto modes = solve_shell_modes(shell, 7);
  ASSERT_FALSE(modes.ok());
  EXPECT_NE(modes.error().message().find("has only 6"), std::string::npos)
      << modes.error().message();
  EXPECT_NE(modes.error().message().find("request at most 6"), std::string::npos);
  EXPECT_FALSE(solve_shell_modes(shell, 0).ok());
  // Unless fewer will do.
  constexpr double kTolerance = 1e-6;
  const auto all = solve_shell_modes(shell, 7, kTolerance, true);
  ASSERT_TRUE(all.ok()) << all.error().describe();
  EXPECT_EQ(all->shapes.cols(), 6);
  ShellModel fixed = shell_model(strip_mesh(1, 1, 1, 1), kPlain);
  clamp_up_to(fixed, 2);
  EXPECT_FALSE(solve_shell_modes(make_shell(fixed), 1).ok());
  EXPECT_FALSE(solve_shell_modes(make_shell(fixed), 1, kTolerance, true).ok());
}

/// A clamped strip of solid matter, equilateral or right triangles along it.
struct Cantilever {
  double length = 1, width = 0.1, thickness = 1e-3;
  Material solid{"steel", 2e11, 0.3, 7800};
  /// Of the clamped free beam, with the strip's bending stiffness per width.
  [[nodiscard]] double frequency(double stiffness) const {
    const double root = 1.8751040687119611;
    return root * root / (2 * pi * length * length) *
           std::sqrt(stiffness / (solid.density * thickness));
  }
  [[nodiscard]] double plate() const {
    const double nu = solid.poisson_ratio;
    return solid.youngs_modulus * std::pow(thickness, 3) / (12 * (1 - nu * nu));
  }
};

TEST(ShellModes, ClampedStripRingsAsABeam) {
  // A narrow strip curves across as well: its stiffness is that of textbooks, E I = E t^3 / 12,
  // which is (1 - nu^2) of the plate's D.
  const Cantilever beam;
  const double expected = beam.frequency(0.91 * beam.plate());
  for (const int cells : {30, 60}) {
    const double cell = beam.length / cells;
    const geometry::TriMesh mesh =
        strip_mesh(beam.length + cell, beam.width, cells + 1, cells / 10);
    ShellModel model =
        shell_model(mesh, shell_material(beam.solid, beam.thickness, edge_scale(mesh)));
    clamp_up_to(model, 1.01 * cell);
    const ShellModes modes = solve_modes(make_shell(model), 1);
    const double error = std::sqrt(modes.omega_squared(0)) / (2 * pi) / expected - 1;
    RecordProperty("error_" + std::to_string(cells), std::to_string(error));
    EXPECT_NEAR(error, 0, 0.01);  // the clamp hinders the curvature across it by some tenths of it
  }
}

TEST(ShellModes, BitsDoNotDependOnThreads) {
  const auto frequencies = [](int threads) {
    set_thread_count(threads);
    ShellModel model = shell_model(bumpy_mesh(2, 1, 40, 20), kPlain);
    clamp_up_to(model, 0.1);
    const ShellModes modes = solve_modes(make_shell(model), 4);
    set_thread_count(0);
    return std::pair(modes.omega_squared, modes.shapes);
  };
  EXPECT_EQ(frequencies(1), frequencies(3));
}

TEST(ShellModes, VeryThinSheetsKeepTheirDigits) {
  // Stretching is 1e9 times stiffer than bending: against the same sheet with softer stretching,
  // which bends alike.
  const auto lowest = [](double stretching) {
    ShellModel model =
        shell_model(strip_mesh(1, 0.2, 80, 16), {"m", stretching, stretching, 1e-6, 0.1});
    clamp_up_to(model, 0.02);
    return solve_modes(make_shell(model), 1).omega_squared(0);
  };
  EXPECT_NEAR(lowest(1e3) / lowest(1e0), 1, 1e-4);
}

/// The size of the paper's dinosaur: 25,830 triangles, four modes.
TEST(ShellModes, LargeMesh) {
  geometry::TriMesh mesh = geometry::capsule_surface(0.2, 1, 108, 60);
  ShellModel model =
      shell_model(mesh, shell_material({"rubber", 1e6, 0.4, 1000}, 2e-3, edge_scale(mesh)));
  model.fixed.assign(mesh.positions.size(), 0);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    if (mesh.positions[i].y() < -0.6) model.fixed[i] = kFixAll;
  }
  const Stopwatch watch;
  const DiscreteShell shell = make_shell(model);
  RecordProperty("creating", std::to_string(watch.seconds()));
  const ShellModes modes = solve_modes(shell, 4);
  double total = 0;
  for (const auto& [stage, seconds] : modes.seconds) {
    RecordProperty(stage, std::to_string(seconds));
    total += seconds;
  }
  RecordProperty("nodes", static_cast<int>(mesh.positions.size()));
  RecordProperty("total", std::to_string(total));
  EXPECT_GT(modes.omega_squared(0), 0);
  EXPECT_LT(modes.residual_max, 1e-2);
}

}  // namespace
}  // namespace supple::fem
