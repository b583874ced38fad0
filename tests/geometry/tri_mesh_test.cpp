// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/tri_mesh.hpp"

#include "geometry/measures.hpp"
#include "geometry/soups.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace supple::geometry {
namespace {

/// Sums of a few hundred terms of order 1 in double precision.
constexpr double kFewTermsRounding = 1e-13;

TriMesh tetrahedron_surface() {
  TriMesh mesh;
  mesh.positions = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  mesh.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  return mesh;
}

TEST(TriMesh, MeasuresTheRegularTetrahedron) {
  const TriMesh mesh = tetrahedron_surface();
  EXPECT_NEAR(signed_volume(mesh), 8.0 / 3, kFewTermsRounding);
  EXPECT_NEAR(area(mesh), 8 * std::sqrt(3.0), kFewTermsRounding);
  EXPECT_TRUE(topology(mesh).closed_manifold());
}

TEST(TriMesh, VolumeSurvivesDistanceFromTheOrigin) {
  TriMesh mesh = box_surface(kUnitBox);
  for (Vec3& p : mesh.positions) p += Vec3(1e6, -2e6, 3e6);
  EXPECT_NEAR(signed_volume(mesh), 1, 1e-12);
}

TEST(TriMesh, FlippedSurfaceHasNegativeVolume) {
  TriMesh mesh = box_surface(kUnitBox);
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  EXPECT_NEAR(signed_volume(mesh), -1, kFewTermsRounding);
  EXPECT_TRUE(topology(mesh).closed_manifold());
}

TEST(TriMesh, EmptyMeshIsHarmless) {
  const TriMesh mesh;
  EXPECT_TRUE(mesh.validate().ok());
  EXPECT_EQ(signed_volume(mesh), 0);
  EXPECT_EQ(area(mesh), 0);
  EXPECT_EQ(topology(mesh).components, 0U);
  EXPECT_TRUE(weld(mesh).mesh.triangles.empty());
  EXPECT_TRUE(weld(mesh, 0.1).mesh.triangles.empty());
  EXPECT_TRUE(bounding_box(mesh.positions).empty());
}

TEST(TriMesh, VertexNormalsOfASphereAreRadial) {
  const TriMesh mesh = sphere_surface(2, 4);
  const std::vector<Vec3> normals = vertex_normals(mesh);
  for (std::size_t v = 0; v < normals.size(); ++v) {
    EXPECT_NEAR(normals[v].norm(), 1, kFewTermsRounding);
    // Triangles of 2^-4 of an icosahedron's edge: the normal turns by less than a degree.
    EXPECT_GT(normals[v].dot(mesh.positions[v].normalized()), std::cos(std::numbers::pi / 180));
  }
}

TEST(TriMesh, NormalIsZeroWithoutArea) {
  TriMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {5, 5, 5}};
  mesh.triangles = {{0, 1, 2}};
  for (const Vec3& normal : vertex_normals(mesh)) EXPECT_EQ(normal, Vec3::Zero());
}

TEST(TriMesh, ValidateNamesTheOffender) {
  TriMesh mesh = tetrahedron_surface();
  mesh.triangles[2][1] = 4;
  auto status = mesh.validate();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::BadInput);
  EXPECT_NE(status.error().message().find("triangle 3"), std::string::npos);
  EXPECT_NE(status.error().message().find("vertex 4"), std::string::npos);

  mesh = tetrahedron_surface();
  mesh.triangles[0][0] = -1;
  EXPECT_FALSE(mesh.validate().ok());

  mesh = tetrahedron_surface();
  mesh.positions[1].y() = std::numeric_limits<double>::quiet_NaN();
  status = mesh.validate();
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message().find("vertex 2"), std::string::npos);
  mesh.positions[1].y() = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(mesh.validate().ok());
}

TEST(SurfaceTopology, CountsOpenEdges) {
  TriMesh mesh = box_surface(kUnitBox);
  mesh.triangles.pop_back();
  const SurfaceTopology found = topology(mesh);
  EXPECT_EQ(found.boundary_edges, 3U);
  EXPECT_EQ(found.non_manifold_edges, 0U);
  EXPECT_FALSE(found.closed_manifold());
}

TEST(SurfaceTopology, CountsEdgesOfThreeTriangles) {
  TriMesh fan;
  fan.positions = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}};
  fan.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
  const SurfaceTopology found = topology(fan);
  EXPECT_EQ(found.non_manifold_edges, 1U);
  EXPECT_EQ(found.boundary_edges, 6U);
  EXPECT_EQ(found.flipped_edges, 0U);
}

TEST(SurfaceTopology, CountsFlippedNeighbours) {
  TriMesh mesh = tetrahedron_surface();
  std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
  const SurfaceTopology found = topology(mesh);
  EXPECT_EQ(found.flipped_edges, 3U);
  EXPECT_EQ(found.boundary_edges, 0U);
}

TEST(SurfaceTopology, SeparatesComponentsByFirstAppearance) {
  TriMesh mesh = tetrahedron_surface();
  const TriMesh other = box_surface(kUnitBox);
  mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
  mesh.triangles.insert(mesh.triangles.begin() + 1, {4, 6, 7});
  const std::vector<Index> expected{0, 1, 0, 0, 0};
  EXPECT_EQ(components(mesh), expected);
  EXPECT_EQ(topology(mesh).components, 2U);
}

TEST(Weld, RejoinsASoupBitForBit) {
  const TriMesh box = box_surface(kUnitBox);
  const TriMesh soup = soups::shattered(box);
  EXPECT_EQ(topology(soup).boundary_edges, 36U);
  const WeldedMesh welded = weld(soup);
  EXPECT_EQ(welded.mesh.positions.size(), 8U);
  EXPECT_TRUE(topology(welded.mesh).closed_manifold());
  for (std::size_t v = 0; v < soup.positions.size(); ++v) {
    EXPECT_EQ(welded.mesh.positions[welded.vertex_of_input[v]], soup.positions[v]);
  }
}

TEST(Weld, TreatsNegativeZeroAsZero) {
  TriMesh mesh;
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, -0.0}, {1, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ(weld(mesh).mesh.positions.size(), 5U);
}

TEST(Weld, JoinsWithinADistanceAndDropsCollapsedTriangles) {
  constexpr double kDistance = 1e-3;
  TriMesh soup = soups::shattered(sphere_surface(1, 3));
  Random random(7);
  for (Vec3& p : soup.positions) {
    for (int k = 0; k < 3; ++k) p[k] += random.uniform(-0.2, 0.2) * kDistance;
  }
  const auto sliver = static_cast<Index>(soup.positions.size());
  soup.positions.insert(soup.positions.end(), {{3, 0, 0}, {3, 0.5 * kDistance, 0}, {4, 0, 0}});
  soup.triangles.push_back({sliver, sliver + 1, sliver + 2});

  const WeldedMesh welded = weld(soup, kDistance);
  EXPECT_TRUE(topology(welded.mesh).closed_manifold());
  EXPECT_EQ(welded.mesh.triangles.size(), 20U * 64);
  EXPECT_EQ(welded.mesh.positions.size(), 10U * 64 + 2 + 2);
  for (std::size_t v = 0; v < soup.positions.size(); ++v) {
    const Vec3 moved = welded.mesh.positions[welded.vertex_of_input[v]] - soup.positions[v];
    EXPECT_LE(moved.norm(), kDistance);
  }
}

TEST(Weld, KeepsTheFirstOfAGroupAndDoesNotChain) {
  TriMesh line;
  for (int i = 0; i < 10; ++i) line.positions.emplace_back(0.6 * i, 0, 0);
  const WeldedMesh welded = weld(line, 1.0);
  // Pairs (0, 0.6), (1.2, 1.8), ... each within 1 of its first, no two firsts within 1.
  EXPECT_EQ(welded.mesh.positions.size(), 5U);
  EXPECT_EQ(welded.mesh.positions[1], line.positions[2]);
}

TEST(Weld, DistanceBeyondTheMeshLeavesOneVertex) {
  const WeldedMesh welded = weld(sphere_surface(1, 5), 100);
  EXPECT_EQ(welded.mesh.positions.size(), 1U);
  EXPECT_TRUE(welded.mesh.triangles.empty());
}

TEST(TriMesh, SameBitsForAnyThreadCount) {
  const TriMesh mesh = sphere_surface(1.3, 6);
  set_thread_count(1);
  const double volume_1 = signed_volume(mesh);
  const double area_1 = area(mesh);
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    EXPECT_EQ(signed_volume(mesh), volume_1);
    EXPECT_EQ(area(mesh), area_1);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace supple::geometry
