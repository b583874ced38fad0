// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/discrete_shell.hpp"

#include "fem/shell_meshes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace supple::fem {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using geometry::TriMesh;
using geometry::Vec3;

/// A flat sheet of cells of any shape whose nodes are moved by up to 0.3 of a cell and whose
/// diagonals go either way.
TriMesh wild_mesh(Random& random, int nx, int ny) {
  const double length = random.uniform(0.5, 3) * nx;
  const double width = random.uniform(0.5, 3) * ny;
  TriMesh mesh = strip_mesh(length, width, nx, ny);
  mesh.triangles.clear();
  for (Vec3& p : mesh.positions) {
    p += 0.3 * Vec3(length / nx * random.uniform(-1, 1), width / ny * random.uniform(-1, 1), 0);
  }
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i;
      const int c = a + nx + 1;
      const bool rising = random.uniform() < 0.5;
      mesh.triangles.push_back({a, a + 1, rising ? c + 1 : c});
      mesh.triangles.push_back({rising ? a : a + 1, c + 1, c});
    }
  }
  return mesh;
}

/// w = k_xx x^2 / 2 + k_xy x y + k_yy y^2 / 2.
struct BentSheet {
  double xx, xy, yy;
  explicit BentSheet(Random& random)
      : xx(random.uniform(-1, 1)), xy(random.uniform(-1, 1)), yy(random.uniform(-1, 1)) {}
  [[nodiscard]] double deflection(const Vec3& p) const {
    return 0.5 * (xx * p.x() * p.x() + 2 * xy * p.x() * p.y() + yy * p.y() * p.y());
  }
  [[nodiscard]] double energy_density(double stiffness, double nu) const {
    return 0.5 * stiffness * (xx * xx + yy * yy + 2 * nu * xx * yy + 2 * (1 - nu) * xy * xy);
  }
};

VectorXd deflect(const TriMesh& mesh, const BentSheet& k) {
  VectorXd u = VectorXd::Zero(static_cast<Eigen::Index>(3 * mesh.positions.size()));
  for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
    u(static_cast<Eigen::Index>(3 * i + 2)) = k.deflection(mesh.positions[i]);
  }
  return u;
}

TEST(BendingStrains, QuadraticDeflectionsHaveThePlatesEnergyOnAnyMesh) {
  for (int seed = 0; seed < 40; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const TriMesh mesh = wild_mesh(random, 3 + seed % 5, 2 + seed % 4);
    const double nu = random.uniform(-0.5, 0.5);
    const DiscreteShell shell = make_shell(shell_model(mesh, {"bending only", 0, 0, 0.7, 1, nu}));
    const BentSheet k(random);
    const VectorXd u = deflect(mesh, k);
    const double energy = 0.5 * u.dot(shell.rest_hessian() * u);
    const double plate = k.energy_density(6 * 0.7, nu) * shell.area(shell.rest());
    EXPECT_NEAR(energy / plate, 1, 1e-9) << seed;
  }
}

TEST(BendingStrains, ConstantMomentsBalanceAtInnerNodesOfAnyMesh) {
  // The patch test: what a constant curvature exerts on a node away from the borders is zero.
  constexpr int kCells = 14;
  constexpr int kFarIn = 6;  // rows that the strains of border triangles do not reach
  for (int seed = 0; seed < 20; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const TriMesh mesh = wild_mesh(random, kCells, kCells);
    const DiscreteShell shell =
        make_shell(shell_model(mesh, {"bending only", 0, 0, 0.7, 1, random.uniform(-0.5, 0.5)}));
    const VectorXd forces = shell.rest_hessian() * deflect(mesh, BentSheet(random));
    ASSERT_GT(forces.norm(), 0);
    for (int j = kFarIn; j <= kCells - kFarIn; ++j) {
      for (int i = kFarIn; i <= kCells - kFarIn; ++i) {
        EXPECT_LT(forces.segment<3>(3 * (j * (kCells + 1) + i)).norm(), 1e-9 * forces.norm());
      }
    }
  }
}

Eigen::Index motions_without_energy(const DiscreteShell& shell) {
  const MatrixXd hessian = shell.rest_hessian();
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(hessian).eigenvalues();
  return (values.array() < 1e-11 * values.maxCoeff()).count();
}

TEST(BendingStrains, OnlyRigidMotionsAreFreeOnSmallNarrowAndCurvedMeshes) {
  std::vector<TriMesh> meshes{strip_mesh(1, 1, 1, 1),    strip_mesh(3, 1, 3, 1),
                              equilateral_mesh(1, 1, 4), v_mesh(2, 1, 4, 2),
                              bumpy_mesh(2, 1, 4, 3),    geometry::sphere_surface(1, 0)};
  Random random(5);
  for (int i = 0; i < 10; ++i) meshes.push_back(wild_mesh(random, 1 + i % 4, 1 + i % 3));
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const DiscreteShell shell = make_shell(shell_model(meshes[i], {"m", 1, 1, 0.1, 1, 0.3}));
    EXPECT_EQ(motions_without_energy(shell), 6) << i;
  }
}

TEST(BendingStrains, RolledSheetsHaveTheEnergyOfCylinders) {
  // Far beyond small angles: a sheet rolled up to more than one turn keeps its lengths.
  const double radius = 0.3;
  const double nu = 0.3;
  std::vector<double> errors;
  for (const int cells : {40, 80}) {
    TriMesh mesh = strip_mesh(2.2, 0.4, cells, cells / 5);
    const DiscreteShell shell = make_shell(shell_model(mesh, {"m", 0, 0, 0.5, 1, nu}));
    VectorXd x = shell.rest();
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
      const double angle = x(i) / radius;
      const double spiral = radius + 0.001 * angle;
      x.segment<3>(i) = Vec3(spiral * std::sin(angle), x(i + 1), spiral * std::cos(angle));
    }
    const double plate = 0.5 * 6 * 0.5 / (radius * radius) * 2.2 * 0.4;
    errors.push_back(shell.energy(x) / plate - 1);
  }
  EXPECT_NEAR(errors[1], 0, 0.01);
}

TEST(BendingStrains, DoNotDependOnTheOrderOfTriangles) {
  Random random(8);
  const TriMesh mesh = wild_mesh(random, 6, 5);
  TriMesh other = mesh;
  for (std::size_t i = other.triangles.size() - 1; i > 0; --i) {
    std::swap(other.triangles[i], other.triangles[random.below(i + 1)]);
  }
  for (auto& t : other.triangles) t = {t[1], t[2], t[0]};
  const ShellMaterial material{"m", 0, 0, 0.5, 1, 0.2};
  const MatrixXd a = make_shell(shell_model(mesh, material)).rest_hessian();
  const MatrixXd b = make_shell(shell_model(other, material)).rest_hessian();
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-11 * a.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace supple::fem
