// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/surface_query.hpp"

#include "geometry/soups.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace supple::geometry {
namespace {

/// The far field is expanded to second order beyond two radii: 1e-3 on average, and a few times
/// that where errors add up. The inside test needs 0.5.
constexpr double kExpansionTolerance = 1e-2;

/// Rounding of distances in a unit box.
constexpr double kDistanceTolerance = 1e-12;

Vec3 random_point(Random& random, double extent) {
  return {random.uniform(-extent, extent), random.uniform(-extent, extent),
          random.uniform(-extent, extent)};
}

Vec3 corner(const TriMesh& mesh, const Triangle& t, std::size_t v) {
  return mesh.positions[static_cast<std::size_t>(t[v])];
}

/// The solid angle by Girard's theorem, from the dihedral angles of the cone: independent of the
/// arctangent formula under test.
double solid_angle(const Vec3& query, const Vec3& p0, const Vec3& p1, const Vec3& p2) {
  const Vec3 a = (p0 - query).normalized();
  const Vec3 b = (p1 - query).normalized();
  const Vec3 c = (p2 - query).normalized();
  const auto angle = [](const Vec3& at, const Vec3& u, const Vec3& v) {
    const Vec3 x = at.cross(u);
    const Vec3 y = at.cross(v);
    return std::atan2(x.cross(y).norm(), x.dot(y));
  };
  if (a.dot(b.cross(c)) == 0) return 0;
  const double excess = angle(a, b, c) + angle(b, c, a) + angle(c, a, b) - std::numbers::pi;
  return a.dot(b.cross(c)) < 0 ? -excess : excess;
}

double brute_winding_number(const TriMesh& mesh, const Vec3& query) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles)
    sum += solid_angle(query, corner(mesh, t, 0), corner(mesh, t, 1), corner(mesh, t, 2));
  return sum / (4 * std::numbers::pi);
}

/// Distance to a triangle by minimising over a fine net and refining it: slow, but right for
/// every triangle, degenerate or not, because the squared distance is convex.
double brute_distance(const Vec3& query, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto segment = [&](const Vec3& p, const Vec3& q) {
    const double length = (q - p).squaredNorm();
    const double t = length > 0 ? std::clamp((query - p).dot(q - p) / length, 0.0, 1.0) : 0.0;
    return (p + t * (q - p) - query).norm();
  };
  // The best point on the chord parallel to bc at height s is convex in s: golden sections.
  const auto chord = [&](double s) { return segment(a + s * (b - a), a + s * (c - a)); };
  double low = 0;
  double high = 1;
  for (int i = 0; i < 200; ++i) {
    const double s = low + (high - low) / 3;
    const double t = high - (high - low) / 3;
    (chord(s) < chord(t) ? high : low) = chord(s) < chord(t) ? t : s;
  }
  return std::min({chord(low), chord(high), segment(a, b), segment(b, c), segment(c, a)});
}

TriMesh random_soup(Random& random, std::size_t triangles) {
  TriMesh mesh;
  for (std::size_t t = 0; t < triangles; ++t) {
    const Vec3 base = random_point(random, 1);
    const Vec3 u = random_point(random, 0.3);
    const Vec3 v = random_point(random, 0.3);
    const auto first = static_cast<Index>(mesh.positions.size());
    // Every fourth one is a point, a segment or a needle.
    const std::size_t kind = t % 12;
    mesh.positions.push_back(base);
    mesh.positions.push_back(kind == 0 ? base : Vec3(base + u));
    mesh.positions.push_back(kind == 0   ? base
                             : kind == 4 ? Vec3(base + 0.5 * u)
                             : kind == 8 ? Vec3(base + u + 1e-9 * v)
                                         : Vec3(base + v));
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TEST(ClosestPoint, AgreesWithBruteForceOnSoupsWithDegenerateTriangles) {
  Random random(11);
  const TriMesh soup = random_soup(random, 120);
  const SurfaceQuery query(soup);
  for (int i = 0; i < 200; ++i) {
    const Vec3 p = random_point(random, 1.5);
    double expected = std::numeric_limits<double>::infinity();
    for (const Triangle& t : soup.triangles) {
      expected = std::min(
          expected, brute_distance(p, corner(soup, t, 0), corner(soup, t, 1), corner(soup, t, 2)));
    }
    const ClosestPoint found = query.closest_point(p);
    // The golden sections stop at the square root of the rounding error.
    EXPECT_NEAR(found.distance, expected, 1e-8);
    ASSERT_GE(found.triangle, 0);
    const Triangle& t = soup.triangles[static_cast<std::size_t>(found.triangle)];
    const Vec3 rebuilt = found.barycentric[0] * corner(soup, t, 0) +
                         found.barycentric[1] * corner(soup, t, 1) +
                         found.barycentric[2] * corner(soup, t, 2);
    EXPECT_LT((rebuilt - found.point).norm(), kDistanceTolerance);
    EXPECT_NEAR(found.barycentric.sum(), 1, kDistanceTolerance);
    EXPECT_GE(found.barycentric.minCoeff(), 0);
    EXPECT_NEAR((found.point - p).norm(), found.distance, kDistanceTolerance);
  }
}

TEST(ClosestPoint, MatchesTheClosedFormulaOfABox) {
  Box box;
  box.add(Vec3(-1, -2, -3));
  box.add(Vec3(1, 2, 3));
  const TriMesh mesh = box_surface(box);
  const SurfaceQuery query(mesh);
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = random_point(random, 5);
    const Vec3 q = p.cwiseAbs() - Vec3(1, 2, 3);
    const double expected = q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
    EXPECT_NEAR(query.signed_distance(p), expected, kDistanceTolerance);
  }
}

TEST(ClosestPoint, OfNothingIsInfinitelyFar) {
  const TriMesh nothing;
  const SurfaceQuery query(nothing);
  EXPECT_EQ(query.closest_point(Vec3::Zero()).triangle, -1);
  EXPECT_TRUE(std::isinf(query.closest_point(Vec3::Zero()).distance));
  EXPECT_EQ(query.winding_number(Vec3::Zero()), 0);
}

TEST(WindingNumber, IsOneInACubeAndZeroOutside) {
  Box box;
  box.add(Vec3(0, 0, 0));
  box.add(Vec3(1, 1, 1));
  const TriMesh mesh = box_surface(box);
  const SurfaceQuery query(mesh);
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = random_point(random, 2);
    if ((p.array() - 0.5).abs().maxCoeff() > 0.4999 && (p.array() - 0.5).abs().maxCoeff() < 0.5001)
      continue;
    const bool in = (p.array() > 0).all() && (p.array() < 1).all();
    EXPECT_NEAR(query.winding_number(p), in ? 1 : 0, kExpansionTolerance) << p.transpose();
    EXPECT_EQ(query.inside(p), in);
  }
}

TEST(WindingNumber, AgreesWithBruteForceOnRandomSoups) {
  Random random(7);
  const TriMesh soup = random_soup(random, 3000);
  const SurfaceQuery query(soup);
  // A soup of 3000 random triangles does not cancel as surfaces do: the error adds up.
  constexpr double kSoupTolerance = 0.02;
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = random_point(random, 1.5);
    EXPECT_NEAR(query.winding_number(p), brute_winding_number(soup, p), kSoupTolerance);
  }
}

/// A disc seen under half-angle theta covers (1 - cos theta) / 2 of the sphere, and the open
/// half-ball is the closed one less that disc.
TEST(WindingNumber, OfAnOpenHemisphereFollowsItsDisc) {
  const TriMesh open =
      soups::filtered(sphere_surface(1, 5), [](const Vec3& c) { return c[1] > 0; });
  const SurfaceQuery query(open);
  for (const double y : {-3.0, -1.0, -0.3, 0.3, 0.6, 0.9}) {
    const double disc = (1 - std::abs(y) / std::sqrt(1 + y * y)) / 2;
    const double expected = y > 0 ? 1 - disc : disc;
    // The rim follows triangles, not the equator: 0.02 of the radius.
    EXPECT_NEAR(query.winding_number(Vec3(0, y, 0)), expected, 0.02) << y;
  }
}

TEST(WindingNumber, CountsLayersOfOverlappingAndNestedParts) {
  const TriMesh ball = sphere_surface(1, 4);
  const TriMesh two = soups::joined(ball, soups::moved(ball, Vec3(1, 0, 0)));
  const SurfaceQuery overlapping(two);
  EXPECT_NEAR(overlapping.winding_number(Vec3(0.5, 0, 0)), 2, kExpansionTolerance);
  EXPECT_NEAR(overlapping.winding_number(Vec3(-0.5, 0, 0)), 1, kExpansionTolerance);
  EXPECT_NEAR(overlapping.winding_number(Vec3(3, 0, 0)), 0, kExpansionTolerance);

  const TriMesh hollow = soups::joined(ball, soups::flipped(sphere_surface(0.5, 4)));
  const SurfaceQuery shell(hollow);
  // Opposite layers in one group cancel in the dipole and leave the terms that are cut off.
  EXPECT_NEAR(shell.winding_number(Vec3::Zero()), 0, 0.1);
  EXPECT_NEAR(shell.winding_number(Vec3(0.75, 0, 0)), 1, kExpansionTolerance);
}

TEST(WindingNumber, OfACharacterAgreesWithBruteForce) {
  const auto human = soups::makehuman();
  if (!human) GTEST_SKIP() << "no ../shared/assets/makehuman/base.obj: character not checked";
  const SurfaceQuery query(*human);
  const Box box = bounding_box(human->positions);
  Random random(13);
  for (int i = 0; i < 40; ++i) {
    const Vec3 p = box.low + box.size().cwiseProduct(
                                 Vec3(random.uniform(), random.uniform(), random.uniform()));
    EXPECT_NEAR(query.winding_number(p), brute_winding_number(*human, p), kExpansionTolerance);
  }
}

}  // namespace
}  // namespace supple::geometry
