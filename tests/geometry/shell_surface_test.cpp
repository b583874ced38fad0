// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/shell_surface.hpp"

#include "geometry/soups.hpp"
#include "supple/geometry/shapes.hpp"
#include "text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace supple::geometry {
namespace {

using supple::testing::contains;

/// A grid of nx by ny squares in the plane z = 0, all facing +z.
TriMesh grid(int nx, int ny) {
  TriMesh mesh;
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) mesh.positions.emplace_back(i, j, 0);
  }
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i;
      mesh.triangles.push_back({a, a + 1, a + nx + 2});
      mesh.triangles.push_back({a, a + nx + 2, a + nx + 1});
    }
  }
  return mesh;
}

/// A strip whose end meets its beginning after `half_turns` half turns.
TriMesh band(int segments, int half_turns) {
  TriMesh mesh;
  for (int i = 0; i < segments; ++i) {
    const double th = 2 * std::numbers::pi * i / segments;
    const double twist = 0.5 * half_turns * th;
    for (const double v : {-0.3, 0.3}) {
      const double r = 1 + v * std::cos(twist);
      mesh.positions.emplace_back(r * std::cos(th), r * std::sin(th), v * std::sin(twist));
    }
  }
  for (int i = 0; i < segments; ++i) {
    const bool last = i + 1 == segments;
    const int a = 2 * i;
    const int c = last ? (half_turns % 2 == 0 ? 0 : 1) : a + 2;
    const int d = last ? (half_turns % 2 == 0 ? 1 : 0) : a + 3;
    mesh.triangles.push_back({a, c, a + 1});
    mesh.triangles.push_back({a + 1, c, d});
  }
  return mesh;
}

TEST(ShellSurface, LeavesAGoodSurfaceAsItIs) {
  for (const TriMesh& mesh : {grid(3, 2), sphere_surface(1, 1), band(12, 0), band(12, 2)}) {
    const auto surface = prepare_shell_surface(mesh);
    ASSERT_TRUE(surface.ok()) << surface.error().describe();
    EXPECT_EQ(surface->mesh.triangles, mesh.triangles);
    EXPECT_EQ(surface->mesh.positions.size(), mesh.positions.size());
    EXPECT_TRUE(surface->warnings.empty());
    EXPECT_EQ(surface->piece_count, 1U);
  }
}

TEST(ShellSurface, WeldsVerticesAtTheSamePlace) {
  const TriMesh mesh = soups::shattered(grid(4, 3));
  const auto surface = prepare_shell_surface(mesh);
  ASSERT_TRUE(surface.ok());
  EXPECT_EQ(surface->mesh.positions.size(), 20U);
  EXPECT_EQ(surface->mesh.triangles.size(), 24U);
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    EXPECT_EQ(surface->mesh.positions[surface->node_of_vertex[v]], mesh.positions[v]);
  }
  EXPECT_EQ(topology(surface->mesh).components, 1U);
}

TEST(ShellSurface, DropsDegenerateAndCollinearTrianglesAndListsThem) {
  TriMesh mesh = grid(2, 1);
  mesh.triangles.insert(mesh.triangles.begin() + 1, Triangle{0, 1, 2});  // on a line
  mesh.triangles.push_back({4, 4, 5});
  const auto surface = prepare_shell_surface(mesh);
  ASSERT_TRUE(surface.ok());
  EXPECT_EQ(surface->mesh.triangles.size(), 4U);
  EXPECT_EQ(surface->input_triangle, (std::vector<Index>{0, 2, 3, 4}));
  ASSERT_EQ(surface->warnings.size(), 1U);
  EXPECT_TRUE(contains(surface->warnings[0], "dropped 2 of 6 triangles"));
  EXPECT_TRUE(contains(surface->warnings[0], "triangle 1, 5")) << surface->warnings[0];
}

TEST(ShellSurface, VerticesOfDroppedTrianglesMoveWithTheNearestCorner) {
  TriMesh mesh = grid(1, 1);
  mesh.positions.emplace_back(0.9, 0, 0);  // 4: on the lower edge, nearest to node 1
  mesh.positions.emplace_back(5, 5, 5);    // 5: of no triangle
  mesh.triangles.push_back({0, 4, 1});
  const auto surface = prepare_shell_surface(mesh);
  ASSERT_TRUE(surface.ok());
  EXPECT_EQ(surface->mesh.positions.size(), 4U);
  EXPECT_EQ(surface->node_of_vertex, (std::vector<Index>{0, 1, 2, 3, 1, -1}));
}

TEST(ShellSurface, NodesAreNumberedAfterUnusedOnesAreGone) {
  TriMesh mesh = grid(1, 1);
  mesh.positions.insert(mesh.positions.begin(), Vec3(9, 9, 9));
  for (Triangle& t : mesh.triangles) {
    for (Index& v : t) ++v;
  }
  const auto surface = prepare_shell_surface(mesh);
  ASSERT_TRUE(surface.ok());
  EXPECT_EQ(surface->node_of_vertex, (std::vector<Index>{-1, 0, 1, 2, 3}));
  EXPECT_EQ(surface->mesh.positions[0], mesh.positions[1]);
  EXPECT_EQ(surface->mesh.triangles, grid(1, 1).triangles);
}

TEST(ShellSurface, DropsCopiesWhicheverWayTheyFace) {
  TriMesh mesh = grid(2, 2);
  const TriMesh once = mesh;
  for (const Triangle& t : once.triangles) mesh.triangles.push_back({t[1], t[0], t[2]});
  mesh.triangles.push_back(once.triangles[3]);
  const auto surface = prepare_shell_surface(mesh);
  ASSERT_TRUE(surface.ok());
  EXPECT_EQ(surface->mesh.triangles, once.triangles);
  ASSERT_EQ(surface->warnings.size(), 1U);
  EXPECT_TRUE(contains(surface->warnings[0], "dropped 9 duplicate triangles"));
}

TEST(ShellSurface, TurnsTheMinorityAround) {
  TriMesh mesh = grid(4, 4);
  for (const std::size_t t : {0U, 7U, 12U}) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
  const auto surface = prepare_shell_surface(mesh);
  ASSERT_TRUE(surface.ok());
  EXPECT_EQ(topology(surface->mesh).flipped_edges, 0U);
  for (const Vec3& normal : vertex_normals(surface->mesh)) EXPECT_EQ(normal, Vec3(0, 0, 1));
  ASSERT_EQ(surface->warnings.size(), 1U);
  EXPECT_TRUE(contains(surface->warnings[0], "flipped 3 of 32 triangles"));
}

TEST(ShellSurface, EachPieceKeepsItsOwnSide) {
  const TriMesh mesh =
      soups::joined(grid(2, 2), soups::flipped(soups::moved(grid(1, 1), Vec3(0, 0, 5))));
  const auto surface = prepare_shell_surface(mesh);
  ASSERT_TRUE(surface.ok());
  EXPECT_TRUE(surface->warnings.empty());
  EXPECT_EQ(surface->piece_count, 2U);
  EXPECT_EQ(surface->piece, (std::vector<Index>{0, 0, 0, 0, 0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(surface->mesh.triangles, mesh.triangles);
}

TEST(ShellSurface, RefusesEdgesOfThreeTrianglesWithTheirPlaces) {
  TriMesh mesh = grid(1, 1);
  mesh.positions.emplace_back(0.5, 0.5, 1);
  mesh.triangles.push_back({0, 3, 4});  // a fin on the diagonal
  const auto surface = prepare_shell_surface(mesh);
  ASSERT_FALSE(surface.ok());
  EXPECT_EQ(surface.error().code(), ErrorCode::BadInput);
  EXPECT_TRUE(contains(surface.error().message(), "1 edge of the surface has"));
  EXPECT_TRUE(contains(surface.error().message(), "vertex 0 at (0, 0, 0)"));
  EXPECT_TRUE(contains(surface.error().message(), "vertex 3 at (1, 1, 0) (3 triangles)"))
      << surface.error().message();
}

TEST(ShellSurface, NamesTenOffendersAndCountsTheRest) {
  TriMesh mesh = grid(12, 1);
  for (int i = 0; i < 12; ++i) {
    mesh.triangles.push_back({i, i, i + 1});
  }
  const auto surface = prepare_shell_surface(mesh);
  ASSERT_TRUE(surface.ok());
  EXPECT_TRUE(contains(surface->warnings.at(0), "33 and 2 more")) << surface->warnings.at(0);
}

TEST(ShellSurface, RefusesTheMoebiusStripButNotTheBandOfTwoHalfTurns) {
  const auto moebius = prepare_shell_surface(band(24, 1));
  ASSERT_FALSE(moebius.ok());
  EXPECT_TRUE(contains(moebius.error().message(), "Moebius"));
  EXPECT_TRUE(contains(moebius.error().message(), "vertex 0 at (0.7, 0, "))
      << moebius.error().message();
  EXPECT_TRUE(prepare_shell_surface(band(24, 2)).ok());
}

TEST(ShellSurface, WarnsWhereSheetsMeetInOneVertex) {
  TriMesh mesh = grid(1, 1);
  mesh.positions.insert(mesh.positions.end(), {Vec3(2, 1, 1), Vec3(2, 2, 1)});
  mesh.triangles.push_back({3, 4, 5});
  for (const std::size_t first_number : {0, 1}) {
    const auto surface = prepare_shell_surface(mesh, first_number);
    ASSERT_TRUE(surface.ok());
    EXPECT_EQ(surface->piece_count, 1U);
    ASSERT_EQ(surface->warnings.size(), 1U);
    EXPECT_TRUE(contains(surface->warnings[0],
                         "vertex " + std::to_string(3 + first_number) + " at (1, 1, 0)"))
        << surface->warnings[0];
  }
}

TEST(ShellSurface, RefusesWhatHasNoTrianglesOrNoNumbers) {
  EXPECT_FALSE(prepare_shell_surface({}).ok());
  TriMesh line = grid(2, 1);
  line.triangles = {{0, 1, 2}};
  EXPECT_TRUE(
      contains(prepare_shell_surface(line).error().message(), "no triangle with a nonzero area"));
  TriMesh broken = grid(1, 1);
  broken.positions[2].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(prepare_shell_surface(broken).error().message(), "vertex 3"));
  TriMesh outside = grid(1, 1);
  outside.triangles[0][2] = 99;
  EXPECT_FALSE(prepare_shell_surface(outside).ok());
}

}  // namespace
}  // namespace supple::geometry
