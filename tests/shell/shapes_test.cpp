// SPDX-License-Identifier: Apache-2.0
#include "shell/baked.hpp"
#include "supple/core/random.hpp"
#include "supple/fem/shell_motion.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <vector>

namespace supple::shell {
namespace {

using geometry::Vec3;

/// Where q = Phi^T R(Psi q)^T F / omega^2 [CWK07 eq. 18], by small passes: the forces of the
/// reference. Ours, by levers, are better, and the shapes are the same functions of q.
Eigen::VectorXd settle(const ShellObject& object, const Eigen::VectorXd& forces,
                       Eigen::VectorXd q) {
  const Eigen::VectorXd lambda = modal_stiffness(object);
  for (int pass = 0; pass < 2000; ++pass) {
    const Eigen::VectorXd w = object.turns * q;
    Eigen::VectorXd turned(forces.size());
    for (Eigen::Index i = 0; i < forces.size(); i += 3) {
      turned.segment<3>(i) = rotation(w.segment<3>(i)).transpose() * forces.segment<3>(i);
    }
    q += 0.1 * ((object.displacements.transpose() * turned).cwiseQuotient(lambda) - q);
  }
  return q;
}

struct Row {
  double load;                               ///< tip deflection by the linear modes over the length
  double linear, warped, strain, nonlinear;  ///< area change, %
};

/// The table of a reference computation made before ours was written: a cantilever of 125 nodes
/// that bends by hinges, under its weight, 8 modes. Its loads turn out to be the linear tip
/// deflection over the length.
const std::vector<Row> kTable{
    {0.2, 2.3, -0.43, -0.001, 0}, {0.8, 31, -3.7, -0.005, -0.001}, {4, 319, -9.6, -0.02, -0.005}};

fem::ShellModel hinged_cantilever() {
  fem::ShellModel model = cantilever();
  model.bending = fem::Bending::Hinge;
  return model;
}

class Cantilever : public ::testing::Test {
 protected:
  Cantilever() : m_baked(bake(hinged_cantilever(), settings(8))) {
    const Eigen::VectorXd weight = fem::weight(m_baked.shell, Vec3(0, 0, -1));
    m_q = linear_response(m_baked.object, weight);
    const double tip = -linear_shape(m_baked.shell, m_baked.object, m_q)(3 * 24 + 2);
    m_q /= tip;
    m_forces = weight / tip;
    m_gravity = Vec3(0, 0, -1 / tip);
  }
  [[nodiscard]] double area_change(const Eigen::VectorXd& x) const {
    const fem::DiscreteShell& shell = m_baked.shell;
    return 100 * (shell.area(x) / shell.area(shell.rest()) - 1);
  }

  Baked m_baked;
  Eigen::VectorXd m_q;       // linear response to a load of 1
  Eigen::VectorXd m_forces;  // that load
  Vec3 m_gravity;            // and its acceleration
};

TEST_F(Cantilever, AreasAreThoseOfTheReferenceTable) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(8);
  for (const Row& row : kTable) {
    q = settle(m_baked.object, row.load * m_forces, q);
    const auto shape = [&](auto&& method, const Eigen::VectorXd& at) {
      return area_change(method(m_baked.shell, m_baked.object, at));
    };
    // The table has two digits.
    EXPECT_NEAR(shape(linear_shape, row.load * m_q), row.linear, 0.02 * row.linear) << row.load;
    EXPECT_NEAR(shape(warped_shape, q), row.warped, -0.03 * row.warped) << row.load;
    EXPECT_LT(std::abs(shape(rotation_strain_shape, q)), 1.5 * std::abs(row.strain)) << row.load;
  }
}

TEST_F(Cantilever, ErrorsAgainstTheNonlinearShellAreThoseOfTheReference) {
  constexpr double kLoad = 0.8;
  const Eigen::VectorXd q = settle(m_baked.object, kLoad * m_forces, kLoad * 0.5 * m_q);
  fem::EquilibriumSettings steps;
  steps.load_steps = 4;
  steps.tolerance = 1e-6;
  const auto truth = fem::find_equilibrium(m_baked.shell, kLoad * m_forces, steps);
  ASSERT_TRUE(truth.ok()) << truth.error().describe();
  const auto error = [&](const Eigen::VectorXd& x) {
    return (x - truth->x).norm() / (truth->x - m_baked.shell.rest()).norm();
  };
  EXPECT_LT(std::abs(area_change(truth->x)), 0.003);
  EXPECT_NEAR(error(linear_shape(m_baked.shell, m_baked.object, kLoad * m_q)), 0.50, 0.01);
  EXPECT_NEAR(error(warped_shape(m_baked.shell, m_baked.object, q)), 0.082, 0.004);
  EXPECT_NEAR(error(rotation_strain_shape(m_baked.shell, m_baked.object, q)), 0.062, 0.006);
}

TEST_F(Cantilever, LeversBendItAsTheNonlinearShellBends) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(8);
  for (const double load : {0.2, 0.8, 2.0, 4.0}) {
    auto found = modal_equilibrium(m_baked.object, load * m_gravity, q);
    ASSERT_TRUE(found.ok()) << found.error().describe();
    q = *std::move(found);
    fem::EquilibriumSettings steps;
    steps.load_steps = 10;
    steps.tolerance = 1e-6;
    const auto truth = fem::find_equilibrium(m_baked.shell, load * m_forces, steps);
    ASSERT_TRUE(truth.ok()) << truth.error().describe();
    const auto error = [&](const Eigen::VectorXd& x) {
      return (x - truth->x).norm() / (truth->x - m_baked.shell.rest()).norm();
    };
    // Eight modes and 25 columns; warping shortens what it bends.
    EXPECT_LT(error(rotation_strain_shape(m_baked.shell, m_baked.object, q)), 0.01) << load;
    EXPECT_LT(error(warped_shape(m_baked.shell, m_baked.object, q)), 0.12) << load;
  }
}

TEST_F(Cantilever, AllMethodsAgreeWithTheNonlinearShellWhenLoadsAreSmall) {
  constexpr double kLoad = 1e-3;
  const Eigen::VectorXd q = settle(m_baked.object, kLoad * m_forces, kLoad * m_q);
  fem::EquilibriumSettings settings;
  settings.tolerance = 1e-5;  // of 1e-3 of a load, in double precision
  const auto truth = fem::find_equilibrium(m_baked.shell, kLoad * m_forces, settings);
  ASSERT_TRUE(truth.ok()) << truth.error().describe();
  for (const auto method : {linear_shape, warped_shape, rotation_strain_shape}) {
    const Eigen::VectorXd x = method(m_baked.shell, m_baked.object, q);
    // Eight modes hold all but some thousandths of the response.
    EXPECT_LT((x - truth->x).norm(), 0.01 * (truth->x - m_baked.shell.rest()).norm());
  }
}

/// The modes replaced by the three rotations about a point, which warping turns exactly.
ShellObject rigid_object(const Baked& baked, const Vec3& centre) {
  ShellObject object = baked.object;
  object.displacements.resize(baked.shell.rest().size(), 3);
  for (Eigen::Index i = 0; i < baked.shell.rest().size(); i += 3) {
    const Vec3 arm = Vec3(baked.shell.rest().segment<3>(i)) - centre;
    for (int axis = 0; axis < 3; ++axis) {
      object.displacements.block<3, 1>(i, axis) = Vec3::Unit(axis).cross(arm);
    }
  }
  object.turns = node_rotations(baked.shell.model().mesh) * object.displacements;
  return object;
}

TEST(Shapes, WarpingAndRotationStrainAreExactOnRotations) {
  // Free, so that nothing holds it against turning.
  const Baked baked =
      bake(fem::shell_model(fem::bumpy_mesh(1, 0.3, 9, 4), sheet_material()), settings(4));
  const Vec3 centre(0.3, -2, 0.7);
  const ShellObject object = rigid_object(baked, centre);
  for (const Vec3& w : {Vec3(0.1, 0.2, -0.3), Vec3(1.5, -2, 0.4), Vec3(0, 0, 3.1)}) {
    const Eigen::AngleAxisd turn(w.norm(), w.normalized());
    const Eigen::VectorXd warped = warped_shape(baked.shell, object, w);
    const Eigen::VectorXd strained = rotation_strain_shape(baked.shell, object, w);
    for (Eigen::Index i = 0; i < warped.size(); i += 3) {
      const Vec3 expected = centre + turn * (Vec3(baked.shell.rest().segment<3>(i)) - centre);
      EXPECT_LT((warped.segment<3>(i) - expected).norm(), 1e-12);
      EXPECT_LT((strained.segment<3>(i) - expected).norm(), 1e-11);
    }
  }
}

TEST(Shapes, RotationStrainMinimisesItsEnergy) {
  fem::ShellModel model = fem::shell_model(fem::bumpy_mesh(1, 0.3, 8, 3), sheet_material());
  fem::clamp_up_to(model, 0.14);
  const Baked baked = bake(model, settings(6));
  const geometry::TriMesh& mesh = model.mesh;
  Eigen::VectorXd q(6);
  Random random(8);
  for (Eigen::Index k = 0; k < 6; ++k) {
    q(k) = random.uniform(-1, 1) * 0.1 * baked.object.follow_turn;
  }
  const Eigen::VectorXd p = baked.object.displacements * q;
  const auto at = [](const Eigen::VectorXd& all, geometry::Index node) -> Vec3 {
    return all.segment<3>(3 * Eigen::Index{node});
  };
  // The definition, written out with the triangles' own matrices of eq. 13.
  const auto energy = [&](const Eigen::VectorXd& x) {
    double sum = 0;
    for (const geometry::Triangle& corner : mesh.triangles) {
      geometry::TriMesh alone;
      Eigen::VectorXd moved(9);
      for (int i = 0; i < 3; ++i) {
        alone.positions.push_back(mesh.positions[corner[i]]);
        moved.segment<3>(3 * i) = at(p, corner[i]);
      }
      alone.triangles = {{0, 1, 2}};
      const Vec3 w = (node_rotations(alone) * moved).head<3>();
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3;
        const int j = (k + 2) % 3;
        const Vec3 u = alone.positions[i] - alone.positions[k];
        const Vec3 v = alone.positions[j] - alone.positions[k];
        const Vec3 edge = v - u;
        const Vec3 strained = edge + (at(p, corner[j]) - at(p, corner[i])) - w.cross(edge);
        const Vec3 wanted = Eigen::AngleAxisd(w.norm(), w.normalized()) * strained;
        const double cotangent = u.dot(v) / u.cross(v).norm();
        sum += 0.5 * cotangent * (at(x, corner[j]) - at(x, corner[i]) - wanted).squaredNorm();
      }
    }
    return sum;
  };
  const Eigen::VectorXd x = rotation_strain_shape(baked.shell, baked.object, q);
  const double least = energy(x);
  double along = 0;
  for (std::size_t node = 0; node < mesh.positions.size(); ++node) {
    if (model.fixed[node] != 0) {
      EXPECT_EQ(at(x, static_cast<geometry::Index>(node)), mesh.positions[node]);
      continue;
    }
    for (int axis = 0; axis < 3; ++axis) {
      constexpr double kStep = 1e-4;
      Eigen::VectorXd plus = x;
      Eigen::VectorXd minus = x;
      plus(3 * static_cast<Eigen::Index>(node) + axis) += kStep;
      minus(3 * static_cast<Eigen::Index>(node) + axis) -= kStep;
      along = std::max(along, std::abs(energy(plus) - energy(minus)) / (2 * kStep));
      EXPECT_GT(energy(plus) + energy(minus), 2 * least);
    }
  }
  EXPECT_LT(along, 1e-10);  // the energy is quadratic: central differences are exact
}

}  // namespace
}  // namespace supple::shell
