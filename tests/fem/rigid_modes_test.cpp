// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/rigid_modes.hpp"

#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace supple::fem {
namespace {

using geometry::Vec3;
using reduction::MultiVector;

SolidModel beam() {
  SolidModel model;
  model.mesh = geometry::beam_mesh(1.0, 0.2, 0.2, 5, 2, 2);
  model.materials = {{"m", 1e5, 0.3, 1000}};
  model.fixed.assign(model.mesh.nodes.size(), 0);
  return model;
}

/// Fixes the node closest to a point.
void fix_at(SolidModel& model, const Vec3& point, std::uint8_t bits = kFixAll) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
    if ((model.mesh.nodes[i] - point).norm() < (model.mesh.nodes[best] - point).norm()) best = i;
  }
  model.fixed[best] |= bits;
}

Eigen::Index count(const SolidModel& model) {
  const auto matrices = assemble(model);
  EXPECT_TRUE(matrices.ok());
  const MultiVector modes = rigid_modes(model, *matrices, pieces(model.mesh));
  if (modes.cols() > 0) {
    MultiVector product;
    matrices->mass.apply(modes, product);
    const Eigen::MatrixXd gram = modes.transpose() * product;
    EXPECT_LT((gram - Eigen::MatrixXd::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff(),
              1e-12);
    // No energy: compare with the stiffness times a shape of the same mass.
    matrices->stiffness.apply(modes, product);
    EXPECT_LT(product.cwiseAbs().maxCoeff(), 1e-9 * 1e5);
  }
  return modes.cols();
}

TEST(RigidModes, CountFollowsTheSupports) {
  SolidModel model = beam();
  EXPECT_EQ(count(model), 6);
  fix_at(model, Vec3(0, 0, 0));
  EXPECT_EQ(count(model), 3);  // held at a point: three rotations
  fix_at(model, Vec3(1, 0, 0));
  EXPECT_EQ(count(model), 1);  // held along a line: one
  fix_at(model, Vec3(0.4, 0.1, 0));
  EXPECT_EQ(count(model), 0);
}

/// Nodes that a tolerance caught beside a line stop a swing on paper only.
TEST(RigidModes, RowsOfNodesThatAreStraightUpToRoundingLeaveAHinge) {
  SolidModel model = beam();
  const Piece whole = pieces(model.mesh).front();
  EXPECT_EQ(motions_left(model, whole), 6);
  fix_at(model, Vec3(0, 0, 0));
  EXPECT_EQ(motions_left(model, whole), 3);
  for (std::size_t n = 0; n < model.mesh.nodes.size(); ++n) {
    Vec3& p = model.mesh.nodes[n];
    if (p.y() != 0 || p.z() != 0) continue;
    p.y() += 1e-6 * std::sin(static_cast<double>(7 * n));
    model.fixed[n] = kFixAll;
  }
  EXPECT_EQ(motions_left(model, whole), 1);
  fix_at(model, Vec3(0, 0.1, 0));
  EXPECT_EQ(motions_left(model, whole), 0);
}

TEST(RigidModes, ComponentsHoldOnlyTheirDirection) {
  SolidModel model = beam();
  for (const auto node : model.mesh.node_sets.at("x_min")) model.fixed[node] = kFixX;
  EXPECT_EQ(count(model), 3);  // slides in y and z, turns about x
}

TEST(RigidModes, EachPieceHasItsOwn) {
  SolidModel model = beam();
  const auto shift = static_cast<geometry::Index>(model.mesh.nodes.size());
  const std::vector<geometry::Index> connectivity = model.mesh.connectivity;
  for (const geometry::Index node : connectivity) model.mesh.connectivity.push_back(node + shift);
  for (geometry::Index i = 0; i < shift; ++i) {
    model.mesh.nodes.push_back(Vec3(model.mesh.nodes[i] + Vec3(0, 5, 0)));
  }
  model.fixed.assign(model.mesh.nodes.size(), 0);
  EXPECT_EQ(pieces(model.mesh).size(), 2U);
  EXPECT_EQ(count(model), 12);
  for (const auto node : model.mesh.node_sets.at("x_min")) model.fixed[node] = kFixAll;
  EXPECT_EQ(count(model), 6);
}

}  // namespace
}  // namespace supple::fem
