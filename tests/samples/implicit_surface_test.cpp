// SPDX-License-Identifier: Apache-2.0
#include "samples/implicit_surface.hpp"

#include "samples/skinned_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace supple::samples {
namespace {

using geometry::Box;
using geometry::Vec3;

Box unit_box() {
  Box box;
  box.add(Vec3::Constant(-1.2));
  box.add(Vec3::Constant(1.2));
  return box;
}

double sphere(const Vec3& p) {
  return p.norm() - 1;
}

TEST(ImplicitSurface, CoversASphereWithNearlyEqualTriangles) {
  constexpr double kEdge = 0.1;
  const auto mesh = triangulate(sphere, unit_box(), 0.12, [](const Vec3&) { return kEdge; });
  EXPECT_TRUE(geometry::topology(mesh).closed_manifold());
  EXPECT_EQ(geometry::topology(mesh).components, 1U);
  for (const Vec3& p : mesh.positions) EXPECT_NEAR(p.norm(), 1, 1e-6);
  // Chords cut the volume by about a quarter of edge^2 of the radius.
  const double volume = 4 * std::numbers::pi / 3;
  EXPECT_NEAR(geometry::signed_volume(mesh), volume, volume * kEdge * kEdge / 2);
  EXPECT_GT(testing::smallest_angle(mesh), 30);
  // Equilateral triangles of that edge have sqrt(3) / 2 edge^2 per vertex.
  const double expected = 4 * std::numbers::pi / (std::sqrt(3.0) / 2 * kEdge * kEdge);
  EXPECT_NEAR(static_cast<double>(mesh.positions.size()), expected, 0.12 * expected);
}

TEST(ImplicitSurface, FollowsTheWantedEdges) {
  const auto finer_above = [](const Vec3& p) { return p.y() > 0 ? 0.05 : 0.15; };
  const auto mesh = triangulate(sphere, unit_box(), 0.12, finer_above);
  const auto above = std::count_if(mesh.positions.begin(), mesh.positions.end(),
                                   [](const Vec3& p) { return p.y() > 0; });
  const auto below = static_cast<std::ptrdiff_t>(mesh.positions.size()) - above;
  EXPECT_GT(above, 6 * below);  // a ninth of the area each
  EXPECT_TRUE(geometry::topology(mesh).closed_manifold());
}

TEST(ImplicitSurface, AlignsVerticesWithABorder) {
  auto mesh = triangulate(sphere, unit_box(), 0.12, [](const Vec3&) { return 0.1; });
  const auto border = [](const Vec3& p) { return p.y() - 0.3; };
  // The circle y = 0.3 has length 2 pi 0.954; with vertices on it at every edge it takes sixty.
  const auto on_border = [&] {
    return std::count_if(mesh.positions.begin(), mesh.positions.end(),
                         [&](const Vec3& p) { return std::abs(border(p)) < 2e-3; });
  };
  EXPECT_LT(on_border(), 20);
  align_vertices(mesh, sphere, border);
  EXPECT_GT(on_border(), 40);
  EXPECT_GT(testing::smallest_angle(mesh), 10);
  for (const Vec3& p : mesh.positions) EXPECT_NEAR(p.norm(), 1, 1e-3);
}

TEST(ImplicitSurface, MeltsOnlyWhereDistancesAreClose) {
  EXPECT_DOUBLE_EQ(melt(0.5, 0.1, 0.2), 0.1);
  EXPECT_DOUBLE_EQ(melt(0.1, 0.1, 0.2), 0.1 - 0.2 / 4);
  EXPECT_DOUBLE_EQ(carve(0.1, 0.1, 0.2), 0.1 + 0.2 / 4);
}

TEST(ImplicitSurface, MeasuresItsClay) {
  const Vec3 centre(1, 2, 3);
  const Vec3 radii(0.5, 0.2, 0.3);
  EXPECT_NEAR(ellipsoid(centre + Vec3(0.5, 0, 0), centre, radii), 0, 1e-12);
  EXPECT_NEAR(ellipsoid(centre + Vec3(0, 0.21, 0), centre, radii), 0.01, 1e-3);
  EXPECT_NEAR(cone({0.5, 1, 0}, {0, 0, 0}, {1, 0, 0}, 0.1, 0.3), 1 - 0.2, 1e-12);
  EXPECT_NEAR(flat_cone({0.5, 0.1, 0}, {0, 0, 0}, {1, 0, 0}, 0.2, 0.2, Vec3::UnitY(), 2), 0, 1e-12);
}

}  // namespace
}  // namespace supple::samples
