// SPDX-License-Identifier: Apache-2.0
#include "bake/modes/largest_piece.hpp"

#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

namespace supple::bake {
namespace {

using geometry::Index;
using geometry::TetMesh;
using geometry::Vec3;

geometry::Box unit_box() {
  geometry::Box box;
  box.add(Vec3::Zero());
  box.add(Vec3::Ones());
  return box;
}

/// Two boxes side by side without contact: 6 tetrahedra, then 48.
TetMesh two_boxes() {
  TetMesh small = geometry::box_mesh(unit_box(), 1, 1, 1);
  TetMesh large = geometry::box_mesh(unit_box(), 2, 2, 2);
  const auto shift = static_cast<Index>(small.nodes.size());
  for (const Vec3& node : large.nodes) small.nodes.push_back(node + Vec3(3, 0, 0));
  for (const Index node : large.connectivity) small.connectivity.push_back(node + shift);
  small.node_sets = {{"both", {0, shift}}, {"first", {1}}};
  return small;
}

TEST(LargestPiece, KeepsTheLargerWithItsSets) {
  const LargestPiece piece = keep_largest_piece(two_boxes());
  EXPECT_EQ(piece.pieces, 2U);
  EXPECT_EQ(piece.mesh.element_count(), 48U);
  EXPECT_EQ(piece.mesh.nodes.size(), 27U);
  EXPECT_TRUE(piece.mesh.validate().ok());
  EXPECT_NEAR(geometry::volume(piece.mesh), 1.0, 1e-12);
  ASSERT_EQ(piece.mesh.node_sets.at("both").size(), 1U);
  const Index kept = piece.mesh.node_sets.at("both")[0];
  EXPECT_EQ(piece.mesh.nodes[static_cast<std::size_t>(kept)], Vec3(3, 0, 0));
  EXPECT_TRUE(piece.mesh.node_sets.at("first").empty());
}

TEST(LargestPiece, LeavesOnePieceWhole) {
  const LargestPiece piece = keep_largest_piece(geometry::box_mesh(unit_box(), 2, 1, 1));
  EXPECT_EQ(piece.pieces, 1U);
  EXPECT_EQ(piece.mesh.element_count(), 12U);
}

}  // namespace
}  // namespace supple::bake
