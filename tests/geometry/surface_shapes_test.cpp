// SPDX-License-Identifier: Apache-2.0
#include "geometry/measures.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace supple::geometry {
namespace {

using std::numbers::pi;

/// V - E + F for a closed manifold: 2 for a ball, 0 for a torus.
long euler_characteristic(const TriMesh& mesh) {
  const auto faces = static_cast<long>(mesh.triangles.size());
  return static_cast<long>(mesh.positions.size()) - 3 * faces / 2 + faces;
}

TEST(SurfaceShapes, BoxHasItsVolumeAndArea) {
  const TriMesh mesh = box_surface({Vec3(-1, 2, 3), Vec3(1, 5, 7)});
  EXPECT_TRUE(topology(mesh).closed_manifold());
  EXPECT_NEAR(signed_volume(mesh), 24, kRounding);
  EXPECT_NEAR(area(mesh), 2 * (6 + 12 + 8), kRounding);
}

TEST(SurfaceShapes, SphereConvergesWithSecondOrder) {
  const double exact = 4.0 / 3 * pi * 8;
  double previous = 0;
  for (int n = 2; n <= 5; ++n) {
    const TriMesh mesh = sphere_surface(2, n);
    EXPECT_TRUE(topology(mesh).closed_manifold());
    EXPECT_EQ(euler_characteristic(mesh), 2);
    const double error = exact - signed_volume(mesh);
    EXPECT_GT(error, 0) << "the polyhedron lies inside the ball";
    if (n > 2) {
      EXPECT_NEAR(previous / error, 4, 0.2);
    }
    previous = error;
  }
}

/// A regular n-gon inscribed in a circle has sin(2 pi / n) / (2 pi / n) of its area.
double polygon_part(int n) {
  return std::sin(2 * pi / n) / (2 * pi / n);
}

TEST(SurfaceShapes, CylinderIsAPrism) {
  const TriMesh mesh = cylinder_surface(1.5, 2, 40, 3);
  EXPECT_TRUE(topology(mesh).closed_manifold());
  EXPECT_EQ(euler_characteristic(mesh), 2);
  EXPECT_NEAR(signed_volume(mesh), pi * 1.5 * 1.5 * 2 * polygon_part(40), kRounding);
}

TEST(SurfaceShapes, CapsuleConverges) {
  const double exact = pi * 1.2 + 4.0 / 3 * pi;
  double previous = 0;
  for (const int n : {8, 16, 32}) {
    const TriMesh mesh = capsule_surface(1, 1.2, 4 * n, n);
    EXPECT_TRUE(topology(mesh).closed_manifold());
    EXPECT_EQ(euler_characteristic(mesh), 2);
    const double error = exact - signed_volume(mesh);
    EXPECT_GT(error, 0);
    if (n > 8) {
      EXPECT_NEAR(previous / error, 4, 0.2);
    }
    previous = error;
  }
}

TEST(SurfaceShapes, TorusFollowsPappus) {
  const TriMesh mesh = torus_surface(3, 1, 60, 30);
  EXPECT_TRUE(topology(mesh).closed_manifold());
  EXPECT_EQ(euler_characteristic(mesh), 0);
  // Pappus: area of the 30-gon times the path of its centre, itself cut into 60 prisms.
  const double exact = 2 * pi * 3 * pi * polygon_part(30) * polygon_part(60);
  EXPECT_NEAR(signed_volume(mesh) / exact, 1, 1e-3);
}

TEST(BlendedCapsules, OneCapsuleIsAnExactDistance) {
  // Independent of the closed form: the hull of two balls is the union of all balls between them.
  const BlendedCapsules shape{{{Vec3(1, 2, 3), Vec3(2, 4, 2), 0.7, 0.2}}, 0};
  constexpr int kBalls = 20000;
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const Vec3 p(random.uniform(-1, 4), random.uniform(0, 6), random.uniform(0, 5));
    double least = 1e9;
    for (int s = 0; s <= kBalls; ++s) {
      const double t = static_cast<double>(s) / kBalls;
      const auto& c = shape.capsules[0];
      const double d = (p - (1 - t) * c.a - t * c.b).norm() - (1 - t) * c.radius_a - t * c.radius_b;
      least = std::min(least, d);
    }
    // The minimum is quadratic in t, so sampling is off by about (1/kBalls)^2.
    EXPECT_NEAR(shape.signed_distance(p), least, 1e-7);
  }
}

TEST(BlendedCapsules, BallInsideTheOtherVanishes) {
  const BlendedCapsules shape{{{Vec3::Zero(), Vec3(0.1, 0, 0), 1, 0.2}}, 0};
  EXPECT_NEAR(shape.signed_distance({3, 0, 0}), 2, kRounding);
  const BlendedCapsules swapped{{{Vec3(0.1, 0, 0), Vec3::Zero(), 0.2, 1}}, 0};
  EXPECT_NEAR(swapped.signed_distance({3, 0, 0}), 2, kRounding);
}

TEST(BlendedCapsules, BlendingOnlyAddsAndStaysInBounds) {
  BlendedCapsules sharp;
  for (int i = 0; i < 6; ++i) {
    const double angle = i;
    sharp.capsules.push_back(
        {Vec3::Zero(), Vec3(std::cos(angle), std::sin(angle), 0.2 * i), 0.3, 0.15});
  }
  BlendedCapsules soft = sharp;
  soft.blend = 0.4;
  const Box bounds = soft.bounds();
  Random random(5);
  int differs = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec3 p(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3));
    EXPECT_LE(soft.signed_distance(p), sharp.signed_distance(p));
    if (soft.signed_distance(p) < sharp.signed_distance(p) - 1e-3) ++differs;
    const bool in_box =
        (p.array() >= bounds.low.array()).all() && (p.array() <= bounds.high.array()).all();
    if (!in_box) {
      EXPECT_GT(soft.signed_distance(p), 0);
    }
  }
  EXPECT_GT(differs, 0);
}

TEST(BlendedCapsules, TwoEqualDistancesSinkByAQuarterOfTheBlend) {
  const BlendedCapsules shape{
      {{Vec3(-1, 0, 0), Vec3(-1, 0, 0), 0.5, 0.5}, {Vec3(1, 0, 0), Vec3(1, 0, 0), 0.5, 0.5}}, 0.8};
  EXPECT_NEAR(shape.signed_distance(Vec3::Zero()), 0.5 - 0.2, kRounding);
}

TEST(BlendedCapsules, EmptyShapeIsInfinitelyFar) {
  const BlendedCapsules shape;
  EXPECT_EQ(shape.signed_distance(Vec3::Zero()), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(shape.bounds().empty());
}

}  // namespace
}  // namespace supple::geometry
