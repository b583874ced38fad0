// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/tet_mesh.hpp"

#include "geometry/measures.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"
#include "text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

namespace supple::geometry {
namespace {

using std::numbers::pi;
using supple::testing::contains;

TetMesh regular_tetrahedron() {
  TetMesh mesh;
  mesh.nodes = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
  mesh.connectivity = {0, 1, 2, 3};
  return mesh;
}

std::string message_of(const TetMesh& mesh) {
  const auto status = mesh.validate();
  return status.ok() ? "" : status.error().message();
}

/// Moves every node by a smooth, quadratic, invertible map.
Vec3 bend(const Vec3& p) {
  return {p.x() + 0.15 * p.y() * p.y(), p.y() - 0.1 * p.x() * p.z(), p.z() + 0.12 * p.x() * p.y()};
}

TEST(TetMesh, RegularTetrahedronHasPerfectQuality) {
  const TetQuality q = quality(regular_tetrahedron());
  EXPECT_NEAR(q.min_dihedral, std::acos(1.0 / 3), kRounding);
  EXPECT_NEAR(q.max_dihedral, std::acos(1.0 / 3), kRounding);
  EXPECT_NEAR(q.min_radius_ratio, 1, kRounding);
  EXPECT_NEAR(q.min_volume, 8.0 / 3, kRounding);
  EXPECT_NEAR(volume(regular_tetrahedron()), 8.0 / 3, kRounding);
}

TEST(TetMesh, QualityOfACornerTetrahedron) {
  TetMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.connectivity = {0, 1, 2, 3};
  const TetQuality q = quality(mesh);
  EXPECT_NEAR(q.max_dihedral, pi / 2, kRounding);
  EXPECT_NEAR(q.min_dihedral, std::acos(1 / std::sqrt(3.0)), kRounding);
  // Inradius 1 / (3 + sqrt 3), circumradius sqrt(3) / 2.
  EXPECT_NEAR(q.min_radius_ratio, 3 / (3 + std::sqrt(3.0)) / (std::sqrt(3.0) / 2), kRounding);
}

TEST(TetMesh, QualityOfAFlatElementIsZero) {
  TetMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  mesh.connectivity = {0, 1, 2, 3};
  const TetQuality q = quality(mesh);
  EXPECT_EQ(q.min_radius_ratio, 0);
  EXPECT_NEAR(q.max_dihedral, pi, kRounding);
  EXPECT_NEAR(q.min_dihedral, 0, kRounding);
}

TEST(TetMesh, BoundaryOfABoxIsTheBox) {
  const TetMesh mesh = box_mesh({Vec3::Zero(), Vec3(1, 2, 3)}, 3, 4, 5);
  const BoundarySurface surface = boundary(mesh);
  EXPECT_TRUE(topology(surface.mesh).closed_manifold());
  EXPECT_NEAR(signed_volume(surface.mesh), 6, kRounding);
  EXPECT_NEAR(area(surface.mesh), 22, kRounding);
  for (std::size_t v = 0; v < surface.node_of_vertex.size(); ++v) {
    EXPECT_EQ(surface.mesh.positions[v], mesh.nodes[surface.node_of_vertex[v]]);
  }
  ASSERT_EQ(surface.element_of_triangle.size(), surface.mesh.triangles.size());
  for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t) {
    const auto nodes = mesh.element(static_cast<std::size_t>(surface.element_of_triangle[t]));
    for (const Index v : surface.mesh.triangles[t]) {
      EXPECT_NE(std::find(nodes.begin(), nodes.end(), surface.node_of_vertex[v]), nodes.end());
    }
  }
}

TEST(TetMesh, QuadraticBoundaryIsSplitInFour) {
  const TetMesh linear = box_mesh(kUnitBox, 2, 2, 2);
  const TetMesh mesh = to_quadratic(linear);
  const BoundarySurface fine = boundary(mesh);
  EXPECT_EQ(fine.mesh.triangles.size(), 4 * boundary(linear).mesh.triangles.size());
  EXPECT_TRUE(topology(fine.mesh).closed_manifold());
  EXPECT_NEAR(signed_volume(fine.mesh), 1, kRounding);
  EXPECT_EQ(boundary(mesh, true).mesh.triangles, boundary(linear).mesh.triangles);
}

TEST(TetMesh, ComponentsAndUnusedNodes) {
  TetMesh mesh = regular_tetrahedron();
  mesh.nodes.emplace_back(9, 9, 9);
  for (int i = 0; i < 4; ++i) mesh.nodes.push_back(mesh.nodes[i] + Vec3(5, 0, 0));
  mesh.connectivity.insert(mesh.connectivity.end(), {5, 6, 7, 8, 0, 1, 2, 3});
  EXPECT_EQ(components(mesh), (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(unused_nodes(mesh), std::vector<Index>{4});
}

TEST(TetMesh, StraightMidsidesAreHalfWay) {
  const TetMesh linear = ball_mesh(1, 2);
  const TetMesh mesh = to_quadratic(linear);
  EXPECT_EQ(message_of(mesh), "");
  EXPECT_TRUE(unused_nodes(mesh).empty());
  EXPECT_NEAR(volume(mesh), volume(linear), kRounding);
  std::set<std::pair<Index, Index>> edges;
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const auto nodes = mesh.element(e);
    for (std::size_t k = 0; k < 6; ++k) {
      const Index a = nodes[kTetEdges[k][0]];
      const Index b = nodes[kTetEdges[k][1]];
      EXPECT_EQ(mesh.nodes[nodes[4 + k]], Vec3(0.5 * (mesh.nodes[a] + mesh.nodes[b])));
      edges.emplace(std::min(a, b), std::max(a, b));
    }
  }
  EXPECT_EQ(mesh.nodes.size(), linear.nodes.size() + edges.size());
}

TEST(TetMesh, NodeSetsAndRegionsFollowTheOrder) {
  const TetMesh linear = two_region_mesh(kUnitBox, 2, 3, 2);
  const TetMesh mesh = to_quadratic(linear);
  EXPECT_EQ(mesh.regions, linear.regions);
  // x_min: 4 x 3 corners and its triangulation's 3*3 + 4*2 + 3*2 edges.
  EXPECT_EQ(mesh.node_sets.at("x_min").size(), 12U + 23);
  for (const Index n : mesh.node_sets.at("x_min")) EXPECT_EQ(mesh.nodes[n].x(), 0);

  const TetMesh back = to_linear(mesh);
  EXPECT_EQ(back.nodes, linear.nodes);
  EXPECT_EQ(back.connectivity, linear.connectivity);
  EXPECT_EQ(back.node_sets, linear.node_sets);
  EXPECT_EQ(back.region_names, linear.region_names);
}

TEST(TetMesh, CurvedVolumeIsExact) {
  // A quadratic map of the box is represented exactly by 10-node elements, so the volume is the
  // integral of the map's Jacobian, which is independent of the mesh.
  std::vector<double> volumes;
  for (const int n : {1, 3}) {
    TetMesh mesh = to_quadratic(box_mesh(kUnitBox, n, n, n));
    for (Vec3& p : mesh.nodes) p = bend(p);
    volumes.push_back(volume(mesh));
  }
  // det = 1 + 0.03 y z + terms that integrate by hand over the unit cube:
  // J = [1, .3y, 0; -.1z, 1, -.1x; .12y, .12x, 1]
  // det = 1 + .012 x^2 + .3y (.1 z - .012 x y) -> 1 + .004 + .0075 - .0006
  const double exact = 1 + 0.012 / 3 + 0.03 / 4 - 0.0036 / 6;
  EXPECT_NEAR(volumes[0], exact, kRounding);
  EXPECT_NEAR(volumes[1], exact, kRounding);
}

TEST(TetMesh, CurvingToASphereGainsTwoOrders) {
  const TriMesh sphere = sphere_surface(1, 6);
  const double exact = 4.0 / 3 * pi;
  const TetMesh linear = ball_mesh(1, 3);
  const TetMesh curved = to_quadratic(linear, sphere);
  EXPECT_EQ(message_of(curved), "");
  EXPECT_LT(std::abs(exact - volume(curved)), 0.05 * std::abs(exact - volume(linear)));
  // Only midsides of boundary edges move.
  const TetMesh straight = to_quadratic(linear);
  const std::vector<Index> outer = boundary(straight).node_of_vertex;
  for (std::size_t n = 0; n < straight.nodes.size(); ++n) {
    if (!std::binary_search(outer.begin(), outer.end(), static_cast<Index>(n))) {
      EXPECT_EQ(curved.nodes[n], straight.nodes[n]);
    }
  }
}

TEST(TetMesh, CurvingBacksOffBeforeItSpoilsElements) {
  // The surface is far inside: closest points would turn every boundary element inside out.
  const TetMesh linear = ball_mesh(1, 2);
  const TetMesh curved = to_quadratic(linear, sphere_surface(0.2, 2));
  EXPECT_EQ(message_of(curved), "");
}

TEST(TetMeshValidate, AcceptsGoodMeshes) {
  EXPECT_EQ(message_of(TetMesh{}), "");
  EXPECT_EQ(message_of(box_mesh(kUnitBox, 2, 2, 2)), "");
  TetMesh tiny = box_mesh({Vec3::Zero(), Vec3::Constant(1e-6)}, 2, 2, 2);
  EXPECT_EQ(message_of(tiny), "");
}

TEST(TetMeshValidate, CountsAndNamesInvertedAndFlatElements) {
  TetMesh mesh = box_mesh(kUnitBox, 4, 4, 4);
  for (const std::size_t e : {6, 11, 40}) std::swap(mesh.element(e)[0], mesh.element(e)[1]);
  mesh.element(20)[3] = mesh.element(20)[2];
  const std::string message = message_of(mesh);
  EXPECT_TRUE(contains(message, "3 inverted (elements 7, 12, 41)")) << message;
  EXPECT_TRUE(contains(message, "1 without volume (element 21)")) << message;
  EXPECT_TRUE(contains(message, "of 384 elements")) << message;
}

TEST(TetMeshValidate, ListsOnlyTheFirstFew) {
  TetMesh mesh = box_mesh(kUnitBox, 4, 4, 4);
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    std::swap(mesh.element(e)[0], mesh.element(e)[1]);
  }
  EXPECT_TRUE(contains(message_of(mesh), "384 inverted (elements 1, 2, 3, 4, 5, ...)"));
}

TEST(TetMeshValidate, FindsQuadraticElementsThatFold) {
  TetMesh mesh = to_quadratic(box_mesh(kUnitBox, 2, 2, 2));
  // Positive corners, but a midside node three quarters along its edge makes the Jacobian at the
  // near corner vanish, and beyond that negative.
  const auto nodes = mesh.element(5);
  const Vec3 a = mesh.nodes[nodes[0]];
  const Vec3 b = mesh.nodes[nodes[1]];
  mesh.nodes[nodes[4]] = a + 0.7 * (b - a);
  EXPECT_EQ(message_of(mesh), "");
  mesh.nodes[nodes[4]] = a + 0.8 * (b - a);
  EXPECT_TRUE(contains(message_of(mesh), "inverted"));
  EXPECT_TRUE(contains(message_of(mesh), "6"));
}

TEST(TetMeshValidate, NamesBadNumbers) {
  TetMesh mesh = box_mesh(kUnitBox, 1, 1, 1);
  mesh.nodes[2].z() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(message_of(mesh), "node 3 of the mesh is not finite"));

  mesh = box_mesh(kUnitBox, 1, 1, 1);
  mesh.element(3)[2] = 8;
  EXPECT_TRUE(contains(message_of(mesh), "element 4 names node 8"));
  mesh.element(3)[2] = -5;
  EXPECT_TRUE(contains(message_of(mesh), "element 4 names node -5"));

  mesh = box_mesh(kUnitBox, 1, 1, 1);
  mesh.connectivity.pop_back();
  EXPECT_TRUE(contains(message_of(mesh), "not a multiple of 4"));

  mesh = box_mesh(kUnitBox, 1, 1, 1);
  mesh.node_sets["FIX"] = {0, 8};
  EXPECT_TRUE(contains(message_of(mesh), "node set 'FIX' names node 8"));

  mesh = box_mesh(kUnitBox, 1, 1, 1);
  mesh.regions = {0, 0, 1, 0, 0, 0};
  EXPECT_TRUE(contains(message_of(mesh), "element 3 is in region 1"));
  mesh.regions = {0};
  EXPECT_TRUE(contains(message_of(mesh), "1 region numbers for 6 elements"));
}

TEST(TetMesh, SameBitsForAnyThreadCount) {
  const TetMesh linear = ball_mesh(1, 8);
  set_thread_count(1);
  const TetMesh one = to_quadratic(linear);
  const double volume_1 = volume(one);
  const TetQuality quality_1 = quality(one);
  const auto triangles_1 = boundary(one).mesh.triangles;
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    const TetMesh many = to_quadratic(linear);
    EXPECT_EQ(many.nodes, one.nodes);
    EXPECT_EQ(many.connectivity, one.connectivity);
    EXPECT_EQ(volume(many), volume_1);
    EXPECT_EQ(quality(many).min_radius_ratio, quality_1.min_radius_ratio);
    EXPECT_EQ(boundary(many).mesh.triangles, triangles_1);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace supple::geometry
