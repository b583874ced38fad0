// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/embedded_surface.hpp"

#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace supple::geometry {
namespace {

/// A ball of coarse elements inside a fine surface: 10,242 of its points are outside.
TetMesh coarse_ball(TetOrder order) {
  const TetMesh mesh = ball_mesh(1, 3);
  return order == TetOrder::Linear ? mesh : to_quadratic(mesh, sphere_surface(1, 4));
}

struct Affine {
  Mat3 linear;
  Vec3 shift;
  [[nodiscard]] std::vector<Vec3> operator()(const std::vector<Vec3>& points) const {
    std::vector<Vec3> result;
    result.reserve(points.size());
    for (const Vec3& p : points) result.emplace_back(linear * p + shift);
    return result;
  }
};

Affine some_affine(Random& random) {
  Affine affine;
  do {
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) affine.linear(r, c) = random.uniform(-2, 2);
    }
  } while (affine.linear.determinant() < 0.3);
  for (int c = 0; c < 3; ++c) affine.shift(c) = random.uniform(-5, 5);
  return affine;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
  return worst;
}

TEST(EmbeddedSurface, FollowsAffineMotionsExactlyInsideAndOutside) {
  Random random(91);
  for (const TetOrder order : {TetOrder::Linear, TetOrder::Quadratic}) {
    const TetMesh mesh = coarse_ball(order);
    TriMesh surface = sphere_surface(1.05, 5);
    const std::vector<Vec3> normals = vertex_normals(surface);
    // And points anywhere, some of them far out.
    std::vector<Vec3> all = surface.positions;
    std::vector<Vec3> all_normals = normals;
    for (int i = 0; i < 2000; ++i) {
      all.emplace_back(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3));
      all_normals.push_back(normals[static_cast<std::size_t>(i)]);
    }
    const EmbeddedSurface embedded(mesh, all, all_normals);
    const auto& distances = embedded.interpolation().distances;
    EXPECT_GT(std::count_if(distances.begin(), distances.end(), [](double d) { return d > 0; }),
              10000);
    EXPECT_LT(largest_difference(embedded.positions(mesh.nodes), all), 1e-12);
    EXPECT_LT(largest_difference(embedded.normals(mesh.nodes), all_normals), 1e-12);
    for (int round = 0; round < 5; ++round) {
      const Affine affine = some_affine(random);
      const std::vector<Vec3> nodes = affine(mesh.nodes);
      EXPECT_LT(largest_difference(embedded.positions(nodes), affine(all)), 1e-11);
      // Normals by the textbook: the transposed inverse.
      std::vector<Vec3> expected;
      for (const Vec3& n : all_normals) {
        expected.emplace_back((affine.linear.inverse().transpose() * n).normalized());
      }
      EXPECT_LT(largest_difference(embedded.normals(nodes), expected), 1e-10);
    }
  }
}

TEST(EmbeddedSurface, BendsWithTheSecondOrderOfTheMesh) {
  const auto bend = [](const Vec3& p) {
    return Vec3(p.x() + 0.2 * p.y() * p.y(), p.y() + 0.1 * std::sin(2 * p.z()),
                p.z() + 0.2 * p.x() * p.y());
  };
  // The normal of a bent surface: cofactors of the derivative.
  const auto slope = [](const Vec3& p) {
    Mat3 f;
    f << 1, 0.4 * p.y(), 0, 0, 1, 0.2 * std::cos(2 * p.z()), 0.2 * p.y(), 0.2 * p.x(), 1;
    return f;
  };
  const TriMesh surface = sphere_surface(0.9, 4);
  const std::vector<Vec3> normals = vertex_normals(surface);
  std::vector<double> place_errors;
  std::vector<double> normal_errors;
  for (const int cells : {2, 4, 8}) {
    const TetMesh mesh = ball_mesh(1, cells);
    const EmbeddedSurface embedded(mesh, surface.positions, normals);
    std::vector<Vec3> nodes;
    std::vector<Vec3> places;
    std::vector<Vec3> turned;
    for (const Vec3& p : mesh.nodes) nodes.push_back(bend(p));
    for (std::size_t i = 0; i < normals.size(); ++i) {
      const Vec3& p = surface.positions[i];
      places.push_back(bend(p));
      turned.emplace_back((slope(p).inverse().transpose() * normals[i]).normalized());
    }
    place_errors.push_back(largest_difference(embedded.positions(nodes), places));
    normal_errors.push_back(largest_difference(embedded.normals(nodes), turned));
  }
  EXPECT_GT(std::log2(place_errors[1] / place_errors[2]), 1.7);
  // Between the first and the second order: nodes at the border have elements on one side only.
  EXPECT_GT(std::log2(normal_errors[1] / normal_errors[2]), 0.8);
  EXPECT_LT(normal_errors[2], 0.03);
}

TEST(ExtendTo, KeepsInterpolationInsideAndSaysHowFarOut) {
  Random random(92);
  for (const TetOrder order : {TetOrder::Linear, TetOrder::Quadratic}) {
    const TetMesh mesh = coarse_ball(order);
    std::vector<Vec3> points;
    for (int i = 0; i < 3000; ++i) {
      points.emplace_back(random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5),
                          random.uniform(-1.5, 1.5));
    }
    const Interpolation clamped = interpolate_at(mesh, points);
    const Interpolation extended = extend_to(mesh, points);
    EXPECT_EQ(clamped.distances, extended.distances);
    EXPECT_EQ(clamped.elements, extended.elements);
    for (std::size_t i = 0; i < points.size(); ++i) {
      double sum = 0;
      for (std::size_t k = i * extended.per_point; k < (i + 1) * extended.per_point; ++k) {
        sum += extended.weights[k];
        EXPECT_TRUE(clamped.distances[i] > 0 || clamped.weights[k] == extended.weights[k]);
      }
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

TEST(EmbeddedSurface, LeavesLostPointsAlone) {
  const EmbeddedSurface empty(TetMesh{}, {Vec3(1, 2, 3)}, {Vec3::UnitX()});
  EXPECT_EQ(empty.interpolation().elements[0], -1);
  EXPECT_EQ(empty.normals({})[0], Vec3(Vec3::UnitX()));
}

}  // namespace
}  // namespace supple::geometry
