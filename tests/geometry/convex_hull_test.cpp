// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/convex_hull.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace supple::geometry {
namespace {

/// Corners, edges, sides and inside of the unit cube.
std::vector<Vec3> cube_grid(int steps) {
  std::vector<Vec3> points;
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      for (int k = 0; k <= steps; ++k) points.emplace_back(Vec3(i, j, k) / steps);
    }
  }
  return points;
}

/// On the unit sphere, evenly.
std::vector<Vec3> sphere_points(int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const double z = 1 - (2.0 * i + 1) / count;
    const double turn = i * std::numbers::pi * (3 - std::sqrt(5.0));
    const double radius = std::sqrt(1 - z * z);
    points.emplace_back(radius * std::cos(turn), radius * std::sin(turn), z);
  }
  return points;
}

/// How far a point sticks out of the farthest of the sides.
double farthest_outside(const TriMesh& hull, const std::vector<Vec3>& points) {
  double farthest = -std::numeric_limits<double>::infinity();
  for (const Triangle& t : hull.triangles) {
    const Vec3& a = hull.positions[t[0]];
    const Vec3 cross = (hull.positions[t[1]] - a).cross(hull.positions[t[2]] - a);
    if (!(cross.norm() > 0)) continue;
    for (const Vec3& point : points) {
      farthest = std::max(farthest, cross.normalized().dot(point - a));
    }
  }
  return farthest;
}

/// Closed, in one piece, without handles; every vertex used.
void expect_ball(const TriMesh& hull) {
  EXPECT_TRUE(topology(hull).closed_manifold());
  EXPECT_EQ(topology(hull).components, 1);
  // V - E + F = 2 with 2 E = 3 F
  EXPECT_EQ(2 * hull.positions.size(), hull.triangles.size() + 4);
}

TEST(ConvexHull, OfACubeFullOfPointsIsTheCube) {
  std::vector<Vec3> points = cube_grid(6);
  points.insert(points.end(), points.begin(), points.begin() + 100);  // duplicates
  const auto hull = convex_hull(points);
  ASSERT_TRUE(hull.ok()) << hull.error().describe();
  expect_ball(*hull);
  EXPECT_EQ(hull->positions.size(), 8);
  EXPECT_EQ(hull->triangles.size(), 12);
  EXPECT_DOUBLE_EQ(signed_volume(*hull), 1);
  EXPECT_DOUBLE_EQ(area(*hull), 6);
}

TEST(ConvexHull, FlatSidesAskewStayNearlyFlat) {
  Random random(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3 axis = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 1).normalized();
    const Eigen::AngleAxisd turn(random.uniform(0, 3), axis);
    std::vector<Vec3> points = cube_grid(5);
    for (Vec3& point : points) point = 1e-3 * (turn * point) + Vec3(7, -20, 3);
    const auto hull = convex_hull(points);
    ASSERT_TRUE(hull.ok()) << hull.error().describe();
    expect_ball(*hull);
    EXPECT_LT(hull->positions.size(), 8 + 6);  // of 216
    EXPECT_NEAR(signed_volume(*hull), 1e-9, 1e-14);
    EXPECT_LT(farthest_outside(*hull, points), 1e-8);
  }
}

TEST(ConvexHull, OfASphereComesCloseToIt) {
  double error = 1;
  for (const int count : {100, 600, 3000}) {
    const std::vector<Vec3> points = sphere_points(count);
    const auto hull = convex_hull(points);
    ASSERT_TRUE(hull.ok()) << hull.error().describe();
    expect_ball(*hull);
    EXPECT_EQ(hull->positions.size(), static_cast<std::size_t>(count));
    EXPECT_LT(farthest_outside(*hull, points), 1e-5);
    // Second order in the distance of the points: the gap goes with 1/count.
    const double gap = 1 - signed_volume(*hull) / (4.0 / 3 * std::numbers::pi);
    EXPECT_GT(gap, 0);
    EXPECT_LT(gap, 8.0 / count);
    EXPECT_LT(gap, error);
    error = gap;
  }
}

TEST(ConvexHull, HoldsAllPointsOfACloudAndUsesOnlySuch) {
  Random random(11);
  for (const double thinness : {1.0, 1e-2, 1e-4, 1e-4, 1e-4, 1e-4}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 4000; ++i) {
      // Many of them along lines and planes.
      const double x = std::round(random.uniform(-6, 6));
      const double y = random.uniform(-6, 6);
      points.emplace_back(x, y, thinness * std::round(random.uniform(-3, 3)));
    }
    const auto hull = convex_hull(points);
    ASSERT_TRUE(hull.ok()) << hull.error().describe();
    expect_ball(*hull);
    EXPECT_LT(farthest_outside(*hull, points), 12 * 5e-6);
    for (const Vec3& vertex : hull->positions) {
      EXPECT_TRUE(std::any_of(points.begin(), points.end(), [&](const Vec3& point) {
        return (point - vertex).norm() < 12 * 1e-6;
      }));
    }
    EXPECT_NEAR(signed_volume(*hull), 12 * 12 * 6 * thinness, 20 * thinness);
  }
}

TEST(ConvexHull, OfTheTetrahedronIsItselfWhicheverWayItsPointsCome) {
  std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  std::vector<int> order{0, 1, 2, 3};
  do {
    std::vector<Vec3> mixed;
    for (const int i : order) mixed.push_back(points[i]);
    const auto hull = convex_hull(mixed);
    ASSERT_TRUE(hull.ok()) << hull.error().describe();
    expect_ball(*hull);
    EXPECT_NEAR(signed_volume(*hull), 1.0 / 6, 1e-15);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(ConvexHull, RefusesWhatEnclosesNothing) {
  std::vector<Vec3> plane;
  std::vector<Vec3> line;
  for (int i = 0; i < 50; ++i) {
    plane.emplace_back(i % 7, i % 5, 0.3 * (i % 7) - 0.7 * (i % 5));
    line.emplace_back(0.1 * i * Vec3(1, -2, 3));
  }
  for (const auto& points : {plane,
                             line,
                             std::vector<Vec3>(20, Vec3(1, 2, 3)),
                             std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                             {}}) {
    const auto hull = convex_hull(points);
    ASSERT_FALSE(hull.ok());
    EXPECT_NE(hull.error().describe().find("give "), std::string::npos);
  }
  std::vector<Vec3> broken = cube_grid(1);
  broken[3].y() = std::nan("");
  EXPECT_FALSE(convex_hull(broken).ok());
}

}  // namespace
}  // namespace supple::geometry
