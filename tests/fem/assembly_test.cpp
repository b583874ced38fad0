// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/assembly.hpp"

#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/fem/tet_element.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

namespace supple::fem {
namespace {

using geometry::Box;
using geometry::Index;
using geometry::TetOrder;
using geometry::Vec3;
using reduction::MultiVector;

Box unit_box() {
  Box box;
  box.add(Vec3(0, 0, 0));
  box.add(Vec3(1, 1, 1));
  return box;
}

/// A cube of two materials whose inner nodes are shaken, so that no symmetry hides a mistake.
SolidModel shaken_cube(TetOrder order, bool curved = false) {
  SolidModel model;
  model.mesh = geometry::two_region_mesh(unit_box(), 4, 3, 3);
  Random random(5);
  for (Vec3& node : model.mesh.nodes) {
    const bool inside = (node.array() > 1e-9).all() && (node.array() < 1 - 1e-9).all();
    if (inside)
      node += 0.04 * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
  }
  if (order == TetOrder::Quadratic) model.mesh = geometry::to_quadratic(model.mesh);
  if (curved) {
    for (Vec3& node : model.mesh.nodes) {
      node += 0.03 * Vec3(std::sin(3 * node.y()), std::sin(2 * node.z()), std::sin(3 * node.x()));
    }
  }
  model.materials = {{"soft", 1.0, 0.3, 1.0}, {"hard", 5.0, 0.2, 2.0}};
  return model;
}

Eigen::MatrixXd dense(const reduction::LinearOperator& matrix, Index size) {
  MultiVector result;
  matrix.apply(MultiVector::Identity(size, size), result);
  return result;
}

TEST(Assembly, SumsElementMatrices) {
  for (const TetOrder order : {TetOrder::Linear, TetOrder::Quadratic}) {
    for (const bool curved : {false, true}) {
      if (curved && order == TetOrder::Linear) continue;
      const SolidModel model = shaken_cube(order, curved);
      const auto matrices = assemble(model);
      ASSERT_TRUE(matrices.ok());
      const Index size = static_cast<Index>(3 * model.mesh.nodes.size());
      Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(size, size);
      Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(size, size);
      for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
        const auto nodes = model.mesh.element(e);
        const Material& material = model.materials[model.mesh.region(e)];
        const ElementNodes positions = element_nodes(model.mesh, e);
        const Eigen::MatrixXd ke = element_stiffness(order, positions, material);
        const Eigen::MatrixXd me =
            element_mass(order, positions, material.density, MassRule::Consistent);
        for (std::size_t a = 0; a < nodes.size(); ++a) {
          for (std::size_t b = 0; b < nodes.size(); ++b) {
            stiffness.block<3, 3>(3 * nodes[a], 3 * nodes[b]) += ke.block<3, 3>(3 * a, 3 * b);
            mass.block<3, 3>(3 * nodes[a], 3 * nodes[b]).diagonal().array() += me(a, b);
          }
        }
      }
      EXPECT_LT((dense(matrices->stiffness, size) - stiffness).cwiseAbs().maxCoeff(), 1e-13);
      EXPECT_LT((dense(matrices->mass, size) - mass).cwiseAbs().maxCoeff(), 1e-15);
    }
  }
}

/// The patch test: with the boundary on a linear displacement field, the inner nodes must follow
/// it exactly, whatever the mesh looks like.
TEST(Assembly, PassesThePatchTest) {
  for (const TetOrder order : {TetOrder::Linear, TetOrder::Quadratic}) {
    SolidModel model = shaken_cube(order);
    model.materials[1] = model.materials[0];  // one material: uniform strain is the solution
    const auto matrices = assemble(model);
    ASSERT_TRUE(matrices.ok());
    const Index size = static_cast<Index>(3 * model.mesh.nodes.size());
    const Eigen::MatrixXd stiffness = dense(matrices->stiffness, size);
    const Eigen::Matrix3d field =
        (Eigen::Matrix3d() << .1, .2, -.3, .05, -.1, .2, .3, .1, .25).finished();
    Eigen::VectorXd exact(size);
    std::vector<Index> inner;
    std::vector<Index> outer;
    for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
      const Vec3& x = model.mesh.nodes[i];
      exact.segment<3>(static_cast<Index>(3 * i)) = field * x;
      const bool inside = (x.array() > 1e-9).all() && (x.array() < 1 - 1e-9).all();
      for (int c = 0; c < 3; ++c) {
        (inside ? inner : outer).push_back(static_cast<Index>(3 * i) + c);
      }
    }
    ASSERT_GT(inner.size(), 0U);
    const Eigen::VectorXd rhs = -stiffness(inner, outer) * exact(outer);
    const Eigen::VectorXd solved = stiffness(inner, inner).llt().solve(rhs);
    EXPECT_LT((solved - exact(inner)).cwiseAbs().maxCoeff(), 1e-13);
  }
}

TEST(Assembly, LeavesOutFixedNodesAndDecouplesFixedComponents) {
  SolidModel model = shaken_cube(TetOrder::Linear);
  model.fixed.assign(model.mesh.nodes.size(), 0);
  for (const Index node : model.mesh.node_sets.at("x_min")) model.fixed[node] = kFixAll;
  for (const Index node : model.mesh.node_sets.at("x_max")) model.fixed[node] = kFixY;
  const auto free_model = [&] {
    SolidModel copy = model;
    copy.fixed.clear();
    return copy;
  }();
  const auto matrices = assemble(model);
  const auto whole = assemble(free_model);
  ASSERT_TRUE(matrices.ok() && whole.ok());
  EXPECT_EQ(matrices->free_nodes.size(), 80U - 16U);
  EXPECT_EQ(matrices->free_dofs(), 3U * 64U - 16U);
  const Eigen::MatrixXd reduced = dense(matrices->stiffness, 192);
  const Eigen::MatrixXd full = dense(whole->stiffness, 240);
  for (std::size_t a = 0; a < 64; ++a) {
    for (std::size_t b = 0; b < 64; ++b) {
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          const Index na = matrices->free_nodes[a];
          const Index nb = matrices->free_nodes[b];
          const bool fixed = (model.fixed[na] >> r & 1) != 0 || (model.fixed[nb] >> c & 1) != 0;
          const bool diagonal = a == b && r == c;
          const double expected = fixed && !diagonal ? 0.0 : full(3 * na + r, 3 * nb + c);
          EXPECT_NEAR(reduced(3 * a + r, 3 * b + c), expected, 1e-14);
        }
      }
    }
  }
}

TEST(Assembly, RefusesAModelThatCannotMove) {
  SolidModel model = shaken_cube(TetOrder::Linear);
  model.fixed.assign(model.mesh.nodes.size(), kFixAll);
  EXPECT_FALSE(assemble(model).ok());
}

TEST(Assembly, SameBitsForAnyNumberOfThreads) {
  const SolidModel model = shaken_cube(TetOrder::Quadratic, true);
  std::vector<double> expected;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    const auto matrices = assemble(model);
    ASSERT_TRUE(matrices.ok());
    if (threads == 1) expected = matrices->stiffness.blocks;
    EXPECT_EQ(matrices->stiffness.blocks, expected) << threads << " threads";
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace supple::fem
