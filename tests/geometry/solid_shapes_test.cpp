// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/shapes.hpp"

#include "geometry/measures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::geometry {
namespace {

using std::numbers::pi;

/// Positive elements, every node used, a closed surface around the same volume: a mesh with
/// non-conforming cells would show inner faces.
void expect_sound(const TetMesh& mesh) {
  const auto status = mesh.validate();
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().message());
  EXPECT_TRUE(unused_nodes(mesh).empty());
  const TriMesh surface = boundary(mesh).mesh;
  EXPECT_TRUE(topology(surface).closed_manifold());
  EXPECT_NEAR(signed_volume(surface), volume(mesh), kRounding * volume(mesh) + kRounding);
  for (const auto& [name, set] : mesh.node_sets) {
    EXPECT_FALSE(set.empty()) << name;
    EXPECT_TRUE(std::is_sorted(set.begin(), set.end())) << name;
  }
}

TEST(SolidShapes, BoxFillsItsBox) {
  const TetMesh mesh = box_mesh({Vec3(1, 2, 3), Vec3(2, 4, 6)}, 3, 4, 5);
  expect_sound(mesh);
  EXPECT_EQ(mesh.element_count(), 6U * 60);
  EXPECT_EQ(mesh.nodes.size(), 4U * 5 * 6);
  EXPECT_NEAR(volume(mesh), 6, kRounding);
  EXPECT_NEAR(area(boundary(mesh).mesh), 2 * (2 + 3 + 6), kRounding);
  EXPECT_EQ(boundary(mesh).mesh.triangles.size(), 4U * (12 + 15 + 20));
}

TEST(SolidShapes, FaceSetsLieOnTheirFaces) {
  const Box box{Vec3(0.1, 0.2, 0.3), Vec3(1.1, 2.2, 3.3)};
  const TetMesh mesh = box_mesh(box, 3, 4, 5);
  EXPECT_EQ(mesh.node_sets.size(), 6U);
  for (int a = 0; a < 3; ++a) {
    const std::string axis(1, "xyz"[a]);
    for (const Index n : mesh.node_sets.at(axis + "_min")) EXPECT_EQ(mesh.nodes[n][a], box.low[a]);
    for (const Index n : mesh.node_sets.at(axis + "_max")) EXPECT_EQ(mesh.nodes[n][a], box.high[a]);
  }
  EXPECT_EQ(mesh.node_sets.at("x_min").size(), 30U);
}

TEST(SolidShapes, BeamLiesAlongX) {
  const TetMesh mesh = beam_mesh(10, 1, 2, 20, 2, 4);
  expect_sound(mesh);
  const Box bounds = bounding_box(mesh.nodes);
  EXPECT_EQ(bounds.low, Vec3(0, -0.5, -1));
  EXPECT_EQ(bounds.high, Vec3(10, 0.5, 1));
}

TEST(SolidShapes, LBracketIsTwoArms) {
  const TetMesh mesh = l_bracket_mesh(0.5, 6, 2, 3);
  expect_sound(mesh);
  // 6*6 - 4*4 = 20 cells in the profile, 3 deep.
  EXPECT_EQ(mesh.element_count(), 6U * 60);
  EXPECT_NEAR(volume(mesh), 60 * 0.125, kRounding);
  EXPECT_EQ(mesh.node_sets.at("x_max").size(), 3U * 4);
}

TEST(SolidShapes, TwoRegionBlockSplitsInX) {
  const TetMesh mesh = two_region_mesh({Vec3::Zero(), Vec3(4, 1, 1)}, 4, 2, 3);
  expect_sound(mesh);
  ASSERT_EQ(mesh.region_names.size(), 2U);
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    double x = 0;
    for (const Index n : mesh.element(e)) x += mesh.nodes[n].x() / 4;
    EXPECT_EQ(mesh.region(e), x < 2 ? 0 : 1);
  }
}

TEST(SolidShapes, CylinderConvergesToItsVolume) {
  const double exact = pi * 4 * 3;
  double previous = 0;
  for (const int cells : {1, 2, 4, 8}) {
    const TetMesh mesh = cylinder_mesh(2, 3, cells, 2);
    expect_sound(mesh);
    const double error = exact - volume(mesh);
    EXPECT_GT(error, 0);
    if (cells > 2) {
      EXPECT_NEAR(previous / error, 4, 0.3);
    }
    previous = error;
  }
}

TEST(SolidShapes, CylinderSideIsRound) {
  const TetMesh mesh = cylinder_mesh(2, 3, 3, 4);
  for (const Index n : mesh.node_sets.at("side")) {
    EXPECT_NEAR(std::hypot(mesh.nodes[n].x(), mesh.nodes[n].z()), 2, kRounding);
  }
  for (const Index n : mesh.node_sets.at("y_max")) EXPECT_EQ(mesh.nodes[n].y(), 1.5);
}

TEST(SolidShapes, BallConvergesToItsVolume) {
  const double exact = 4.0 / 3 * pi * 8;
  double previous = 0;
  for (const int cells : {1, 2, 4, 8}) {
    const TetMesh mesh = ball_mesh(2, cells);
    expect_sound(mesh);
    EXPECT_GT(quality(mesh).min_radius_ratio, 0.1);
    const double error = exact - volume(mesh);
    EXPECT_GT(error, 0);
    if (cells > 2) {
      EXPECT_NEAR(previous / error, 4, 0.5);
    }
    previous = error;
  }
}

TEST(SolidShapes, BallSurfaceSetIsTheBoundary) {
  const TetMesh mesh = ball_mesh(1, 3);
  EXPECT_EQ(boundary(mesh).node_of_vertex, mesh.node_sets.at("surface"));
  for (const Index n : mesh.node_sets.at("surface"))
    EXPECT_NEAR(mesh.nodes[n].norm(), 1, kRounding);
}

}  // namespace
}  // namespace supple::geometry
