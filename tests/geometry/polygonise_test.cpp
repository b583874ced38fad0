// SPDX-License-Identifier: Apache-2.0
#include "supple/core/parallel.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace supple::geometry {
namespace {

double unit_ball(const Vec3& p) {
  return p.norm() - 1;
}
const Box kAroundBall{Vec3::Constant(-1.1), Vec3::Constant(1.1)};

TEST(Polygonise, SphereVolumeConvergesWithSecondOrder) {
  const double exact = 4.0 / 3 * std::numbers::pi;
  double previous = 0;
  for (const double cell : {0.2, 0.1, 0.05}) {
    const TriMesh mesh = polygonise(unit_ball, kAroundBall, cell);
    EXPECT_TRUE(topology(mesh).closed_manifold());
    EXPECT_EQ(topology(mesh).components, 1U);
    const double error = std::abs(exact - signed_volume(mesh));
    EXPECT_LT(error, cell * cell * exact);
    // Wide, because the lattice falls differently on the sphere each time.
    if (previous > 0) {
      EXPECT_NEAR(previous / error, 4, 1);
    }
    previous = error;
  }
}

TEST(Polygonise, TorusHasItsHole) {
  const auto torus = [](const Vec3& p) {
    return std::hypot(std::hypot(p.x(), p.z()) - 1, p.y()) - 0.4;
  };
  const TriMesh mesh = polygonise(torus, {Vec3(-1.5, -0.5, -1.5), Vec3(1.5, 0.5, 1.5)}, 0.08);
  EXPECT_TRUE(topology(mesh).closed_manifold());
  const auto faces = static_cast<long>(mesh.triangles.size());
  EXPECT_EQ(static_cast<long>(mesh.positions.size()) - faces / 2, 0) << "Euler characteristic";
  EXPECT_NEAR(signed_volume(mesh) / (2 * std::pow(std::numbers::pi * 0.4, 2)), 1, 0.02);
}

TEST(Polygonise, CutsOffAtTheBoxAndStaysClosed) {
  // A half-space and a box give half the box, but for edges rounded within a cell.
  constexpr double kCell = 0.05;
  const TriMesh mesh = polygonise([](const Vec3& p) { return p.z(); },
                                  {Vec3::Constant(-1), Vec3::Constant(1)}, kCell);
  EXPECT_TRUE(topology(mesh).closed_manifold());
  const Box bounds = bounding_box(mesh.positions);
  EXPECT_NEAR(bounds.high.x(), 1, 0.02 * kCell);
  EXPECT_NEAR(bounds.low.z(), -1, 0.02 * kCell);
  EXPECT_NEAR(bounds.high.z(), 0, 0.02 * kCell);
  EXPECT_NEAR(signed_volume(mesh), 4, 0.02);
}

TEST(Polygonise, ZeroOnLatticePointsMakesNoDegenerateTriangles) {
  // Planes through lattice points: every value there is exactly zero.
  const auto box = [](const Vec3& p) { return p.cwiseAbs().maxCoeff() - 0.5; };
  const TriMesh mesh = polygonise(box, {Vec3::Constant(-1), Vec3::Constant(1)}, 0.25);
  EXPECT_TRUE(topology(mesh).closed_manifold());
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 ab = mesh.positions[b] - mesh.positions[a];
    const Vec3 ac = mesh.positions[c] - mesh.positions[a];
    EXPECT_GT(ab.squaredNorm() * ac.squaredNorm() - std::pow(ab.dot(ac), 2), 0);
  }
}

TEST(Polygonise, EmptyWhereNothingIsInside) {
  EXPECT_TRUE(polygonise([](const Vec3&) { return 1.0; }, kAroundBall, 0.3).triangles.empty());
}

TEST(Polygonise, NotANumberCountsAsOutside) {
  const auto half_nan = [](const Vec3& p) { return p.x() > 0 ? std::nan("") : unit_ball(p); };
  const TriMesh mesh = polygonise(half_nan, kAroundBall, 0.1);
  EXPECT_TRUE(mesh.validate().ok());
  EXPECT_TRUE(topology(mesh).closed_manifold());
  EXPECT_NEAR(signed_volume(mesh), 2.0 / 3 * std::numbers::pi, 0.2);
}

TEST(Polygonise, BlendedCapsulesMeltIntoOnePiece) {
  BlendedCapsules shape{{{Vec3(-0.6, 0, 0), Vec3(-0.6, 0, 0), 0.5, 0.5},
                         {Vec3(0.6, 0, 0), Vec3(0.6, 0, 0), 0.5, 0.5}},
                        0};
  const auto pieces = [&] {
    const TriMesh mesh =
        polygonise([&](const Vec3& p) { return shape.signed_distance(p); }, shape.bounds(), 0.05);
    EXPECT_TRUE(topology(mesh).closed_manifold());
    return topology(mesh).components;
  };
  EXPECT_EQ(pieces(), 2U);
  shape.blend = 0.6;
  EXPECT_EQ(pieces(), 1U);
}

TEST(Polygonise, SameBitsForAnyThreadCount) {
  set_thread_count(1);
  const TriMesh one = polygonise(unit_ball, kAroundBall, 0.05);
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    const TriMesh many = polygonise(unit_ball, kAroundBall, 0.05);
    EXPECT_EQ(many.positions, one.positions);
    EXPECT_EQ(many.triangles, one.triangles);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace supple::geometry
