// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/discrete_shell.hpp"

#include "fem/shell_meshes.hpp"
#include "supple/core/parallel.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <numbers>

namespace supple::fem {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::TriMesh;
using geometry::Vec3;
using std::numbers::pi;

ShellMaterial material(double k_a, double k_l, double k_b) {
  return {"m", k_a, k_l, k_b, 0.3, 0.25};
}

constexpr std::array kBendings{Bending::Plate, Bending::Hinge};

DiscreteShell bending_shell(const TriMesh& mesh, const ShellMaterial& material, Bending bending) {
  ShellModel model = shell_model(mesh, material);
  model.bending = bending;
  return make_shell(std::move(model));
}

/// What is measured, one at a time.
const std::array kTerms{material(1.7, 0, 0), material(0, 2.3, 0), material(0, 0, 0.9)};

/// Two triangles over the y axis, folded by this angle.
TriMesh hinge_mesh(double angle) {
  TriMesh mesh;
  const double half = 0.5 * angle;
  mesh.positions = {{0, 0, 0},
                    {0, 1.1, 0},
                    {-0.8 * std::cos(half), 0.3, -0.8 * std::sin(half)},
                    {0.9 * std::cos(half), 0.7, -0.9 * std::sin(half)}};
  mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
  return mesh;
}

VectorXd flat(const TriMesh& mesh) {
  VectorXd x(3 * static_cast<Eigen::Index>(mesh.positions.size()));
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    x.segment<3>(static_cast<Eigen::Index>(3 * i)) = mesh.positions[i];
  }
  return x;
}

VectorXd shaken(const VectorXd& x, double by, int seed) {
  Random random(static_cast<std::uint64_t>(seed));
  VectorXd y = x;
  for (double& value : y) value += by * random.uniform(-1, 1);
  return y;
}

/// Central differences of fourth order: their error stays below 1e-9 of the scale here.
VectorXd numeric_gradient(const DiscreteShell& shell, const VectorXd& x) {
  const double h = 1e-3;
  VectorXd gradient(x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const auto at = [&](double step) {
      VectorXd y = x;
      y(i) += step;
      return shell.energy(y);
    };
    gradient(i) = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return gradient;
}

MatrixXd numeric_hessian(const DiscreteShell& shell, const VectorXd& x) {
  const double h = 1e-3;
  MatrixXd hessian(x.size(), x.size());
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const auto at = [&](double step) {
      VectorXd y = x;
      y(i) += step;
      return shell.gradient(y);
    };
    hessian.col(i) = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return hessian;
}

/// Fourth-order differences with h = 1e-3 are off by h^4 times fifth derivatives.
constexpr double kDifferences = 1e-7;

void expect_derivatives(const DiscreteShell& shell, const VectorXd& x, const char* what) {
  const VectorXd gradient = shell.gradient(x);
  const MatrixXd hessian = shell.hessian(x);
  const double scale = hessian.cwiseAbs().maxCoeff();
  ASSERT_GT(scale, 0) << what;
  EXPECT_LT((gradient - numeric_gradient(shell, x)).cwiseAbs().maxCoeff(), kDifferences * scale)
      << what;
  EXPECT_LT((hessian - numeric_hessian(shell, x)).cwiseAbs().maxCoeff(), kDifferences * scale)
      << what;
  EXPECT_EQ((hessian - hessian.transpose()).cwiseAbs().maxCoeff(), 0) << what;
}

TEST(DiscreteShell, DerivativesMatchDifferencesForEachTerm) {
  for (const ShellMaterial& term : kTerms) {
    for (const double rest : {0.0, 0.7, -2.5, 170 * pi / 180}) {
      const DiscreteShell shell = make_shell(shell_model(hinge_mesh(rest), term));
      // At rest, folded, unfolded, and anywhere.
      expect_derivatives(shell, shell.rest(), "at rest");
      for (const double angle : {0.0, 1.0, -1.0, 170 * pi / 180, -170 * pi / 180}) {
        if (std::abs(std::remainder(angle - rest, 2 * pi)) > 3) continue;  // next to the kink
        expect_derivatives(shell, shaken(flat(hinge_mesh(angle)), 0.05, 1), "folded");
      }
      if (std::abs(rest) < 2) {
        expect_derivatives(shell, shaken(shell.rest(), 0.2, 2), "at random");
      }
    }
  }
}

TEST(DiscreteShell, DerivativesMatchDifferencesOnWholeMeshes) {
  for (const TriMesh& mesh : {strip_mesh(2, 1, 4, 2), v_mesh(2, 1, 3, 2), bumpy_mesh(2, 1, 3, 2),
                              geometry::sphere_surface(1, 0)}) {
    for (const ShellMaterial& term : {kTerms[0], kTerms[1], kTerms[2], material(1, 2, 0.5)}) {
      for (const Bending bending : kBendings) {
        const DiscreteShell shell = bending_shell(mesh, term, bending);
        expect_derivatives(shell, shaken(shell.rest(), 0.1, 4), "whole mesh");
      }
    }
  }
}

TEST(DiscreteShell, EnergiesAreThoseOfThePaper) {
  // One hinge: areas 0.5 * 1.1 * {0.8, 0.9}, mean height 0.85.
  const DiscreteShell bending = bending_shell(hinge_mesh(0.4), kTerms[2], Bending::Hinge);
  const VectorXd folded = flat(hinge_mesh(1.5));
  EXPECT_NEAR(bending.energy(folded), 0.9 * 3 * 1.1 * 1.1 * 1.1 / 0.85, 1e-12);
  const VectorXd twice = 2 * bending.rest();
  const DiscreteShell area = make_shell(shell_model(hinge_mesh(0.4), kTerms[0]));
  EXPECT_NEAR(area.energy(twice), 1.7 * 9 * 0.5 * 1.1 * (0.8 + 0.9), 1e-12);
  EXPECT_NEAR(area.area(twice), 4 * 0.5 * 1.1 * (0.8 + 0.9), 1e-12);
  const DiscreteShell length = make_shell(shell_model(hinge_mesh(0.4), kTerms[1]));
  double perimeter = 0;
  for (const auto& edge : length.edges()) perimeter += edge.length;
  EXPECT_NEAR(length.energy(twice), 2.3 * perimeter, 1e-12);
  EXPECT_NEAR(length.masses().sum(), 0.3 * 0.5 * 1.1 * (0.8 + 0.9), 1e-14);
}

TEST(DiscreteShell, AnglesAreSignedAndFoldTheShortWay) {
  for (double angle = -3.1; angle < 3.14; angle += 0.1) {
    const DiscreteShell shell = make_shell(shell_model(hinge_mesh(angle), kTerms[2]));
    for (const auto& edge : shell.edges()) {
      if (edge.opposite[1] >= 0) {
        EXPECT_NEAR(edge.angle, angle, 1e-12);
      }
    }
  }
  // From 170 degrees over 180 to 190 is a turn of 20, not of -340.
  const DiscreteShell shell = bending_shell(hinge_mesh(170 * pi / 180), kTerms[2], Bending::Hinge);
  const double turn = 20 * pi / 180;
  EXPECT_NEAR(shell.energy(flat(hinge_mesh(190 * pi / 180))), 0.9 * 3 * turn * turn * 1.1 / 0.85,
              1e-12);
}

TEST(DiscreteShell, RigidMotionsChangeNothing) {
  const DiscreteShell shell = make_shell(shell_model(bumpy_mesh(2, 1, 6, 3), material(1, 2, 0.5)));
  const VectorXd x = shaken(shell.rest(), 0.1, 5);
  const Eigen::AngleAxisd turn(2.1, Vec3(1, -2, 0.5).normalized());
  VectorXd moved = x;
  VectorXd turned_forces = shell.gradient(x);
  for (Eigen::Index i = 0; i < x.size(); i += 3) {
    moved.segment<3>(i) = turn * Vec3(x.segment<3>(i)) + Vec3(3, 1, -2);
    turned_forces.segment<3>(i) = turn * Vec3(turned_forces.segment<3>(i));
  }
  EXPECT_NEAR(shell.energy(moved), shell.energy(x), 1e-12 * shell.energy(x));
  EXPECT_LT((shell.gradient(moved) - turned_forces).norm(), 1e-11 * turned_forces.norm());
  // No force and no moment on the whole.
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  const VectorXd gradient = shell.gradient(x);
  for (Eigen::Index i = 0; i < x.size(); i += 3) {
    force += gradient.segment<3>(i);
    moment += Vec3(x.segment<3>(i)).cross(Vec3(gradient.segment<3>(i)));
  }
  EXPECT_LT(force.norm(), 1e-11 * gradient.norm());
  EXPECT_LT(moment.norm(), 1e-11 * gradient.norm());
}

/// Eigenvalues of the rest Hessian that are zero to rounding.
Eigen::Index zero_eigenvalues(const TriMesh& mesh, const ShellMaterial& material) {
  const MatrixXd hessian = make_shell(shell_model(mesh, material)).rest_hessian();
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(hessian).eigenvalues();
  EXPECT_GT(values(0), -1e-12 * values.maxCoeff());
  return (values.array() < 1e-11 * values.maxCoeff()).count();
}

TEST(DiscreteShell, FreeMeshesHaveSixZeroEigenvaluesAndMoreWithoutBending) {
  const std::array meshes{strip_mesh(2, 1, 8, 4), v_mesh(2, 1, 8, 4), bumpy_mesh(2, 1, 8, 4),
                          geometry::sphere_surface(1, 1)};
  for (const TriMesh& mesh : meshes) EXPECT_EQ(zero_eigenvalues(mesh, material(1, 1, 0.01)), 6);
  // A flat sheet without bending: every node off the plane, and the three rigid motions in it.
  EXPECT_EQ(zero_eigenvalues(meshes[0], material(1, 1, 0)), 45 + 3);
  EXPECT_GT(zero_eigenvalues(meshes[1], material(1, 1, 0)), 6);
  EXPECT_GT(zero_eigenvalues(meshes[0], material(1, 0, 0.01)), 6);
}

TEST(DiscreteShell, RestHessianIsTheExactHessianAtRest) {
  for (const TriMesh& mesh : {strip_mesh(2, 1, 6, 3), v_mesh(2, 1, 6, 4), bumpy_mesh(2, 1, 6, 3),
                              geometry::sphere_surface(1, 1), hinge_mesh(3.1)}) {
    const DiscreteShell shell = make_shell(shell_model(mesh, material(1, 2, 0.5)));
    const MatrixXd rest = shell.rest_hessian();
    const double scale = rest.cwiseAbs().maxCoeff();
    EXPECT_LT((rest - MatrixXd(shell.hessian(shell.rest()))).cwiseAbs().maxCoeff(), 1e-12 * scale);
    EXPECT_LT(shell.gradient(shell.rest()).norm(), 1e-12 * scale);
    EXPECT_LT(shell.energy(shell.rest()), 1e-25 * scale);
  }
}

TEST(DiscreteShell, DefiniteHessianHasNoNegativeEigenvaluesAndKeepsThePositiveElements) {
  const DiscreteShell shell = make_shell(shell_model(bumpy_mesh(2, 1, 5, 3), material(1, 2, 0.5)));
  const VectorXd squeezed = shaken(0.6 * shell.rest(), 0.1, 6);
  const auto lowest = [](const MatrixXd& matrix) {
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(matrix).eigenvalues()(0);
  };
  const MatrixXd definite = shell.hessian(squeezed, true);
  const double scale = definite.cwiseAbs().maxCoeff();
  EXPECT_LT(lowest(shell.hessian(squeezed)), -1e-3 * scale);  // or the case says nothing
  EXPECT_GT(lowest(definite), -1e-12 * scale);
  EXPECT_LT((MatrixXd(shell.hessian(shell.rest(), true)) - MatrixXd(shell.rest_hessian()))
                .cwiseAbs()
                .maxCoeff(),
            1e-11 * scale);
}

TEST(DiscreteShell, EdgesBetweenMaterialsTakeTheMean) {
  ShellModel model = shell_model(hinge_mesh(0.2), material(1, 2, 3));
  model.materials.push_back(material(5, 6, 7));
  model.regions = {0, 1};
  const DiscreteShell shell = make_shell(model);
  ASSERT_EQ(shell.edges().size(), 5U);
  int inner = 0;
  for (const auto& edge : shell.edges()) {
    if (edge.opposite[1] < 0) continue;
    ++inner;
    EXPECT_EQ(edge.stretching, 4);
    EXPECT_EQ(edge.bending, 5);
    EXPECT_NEAR(edge.height, 0.85, 1e-15);
    EXPECT_NEAR(edge.length, 1.1, 1e-15);
  }
  EXPECT_EQ(inner, 1);
}

TEST(DiscreteShell, BitsDoNotDependOnThreads) {
  const DiscreteShell shell =
      make_shell(shell_model(geometry::sphere_surface(1, 4), material(1, 2, 0.5)));
  const VectorXd x = shaken(shell.rest(), 0.02, 7);
  const auto all = [&](int threads) {
    set_thread_count(threads);
    auto result = std::tuple(shell.energy(x), shell.gradient(x),
                             shell.stiffness(x, ShellHessian::Projected).blocks);
    set_thread_count(0);
    return result;
  };
  EXPECT_EQ(all(1), all(3));
}

TEST(DiscreteShell, CollapsedTrianglesGiveNumbers) {
  const DiscreteShell shell = make_shell(shell_model(hinge_mesh(0.2), material(1, 2, 3)));
  VectorXd x = shell.rest();
  x.segment<3>(6) = x.segment<3>(0);
  EXPECT_TRUE(std::isfinite(shell.energy(x)));
  EXPECT_TRUE(shell.gradient(x).allFinite());
  EXPECT_TRUE(shell.gradient(VectorXd::Zero(12)).allFinite());
}

}  // namespace
}  // namespace supple::fem
