// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/interpolation.hpp"

#include "geometry/measures.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace supple::geometry {
namespace {

/// Fields of order 1 through ten shape functions of order 1.
constexpr double kExact = 1e-12;

std::vector<Vec3> random_points(std::size_t count, double low, double high) {
  Random random(11);
  std::vector<Vec3> points(count);
  for (Vec3& p : points) {
    for (int k = 0; k < 3; ++k) p[k] = random.uniform(low, high);
  }
  return points;
}

Vec3 linear_field(const Vec3& p) {
  return {1 + 2 * p.x() - p.y(), p.z() - 0.5 * p.x(), 3 - p.y() + 0.25 * p.z()};
}

Vec3 quadratic_field(const Vec3& p) {
  return {p.x() * p.x() - p.y() * p.z(), 1 + p.x() * p.y() + 2 * p.z() * p.z(),
          p.y() * p.y() + p.x() * p.z() - p.x()};
}

template <class Field>
std::vector<Vec3> at(const std::vector<Vec3>& points, Field&& field) {
  std::vector<Vec3> values;
  values.reserve(points.size());
  for (const Vec3& p : points) values.push_back(field(p));
  return values;
}

void expect_near(const std::vector<Vec3>& a, const std::vector<Vec3>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LE((a[i] - b[i]).norm(), tolerance) << i;
}

TEST(Interpolation, LinearElementsReproduceLinearFields) {
  const TetMesh mesh = box_mesh(kUnitBox, 4, 3, 5);
  const std::vector<Vec3> points = random_points(2000, 0, 1);
  const Interpolation map = interpolate_at(mesh, points);
  expect_near(map.apply(at(mesh.nodes, linear_field)), at(points, linear_field), kExact);
  for (const double d : map.distances) EXPECT_EQ(d, 0);
}

TEST(Interpolation, QuadraticElementsReproduceQuadraticFields) {
  const TetMesh mesh = to_quadratic(box_mesh(kUnitBox, 4, 3, 5));
  const std::vector<Vec3> points = random_points(2000, 0, 1);
  const Interpolation map = interpolate_at(mesh, points);
  expect_near(map.apply(at(mesh.nodes, quadratic_field)), at(points, quadratic_field), kExact);
  for (const double d : map.distances) EXPECT_EQ(d, 0);
}

TEST(Interpolation, NodesFindThemselves) {
  const TetMesh mesh = to_quadratic(ball_mesh(1, 2));
  const Interpolation map = interpolate_at(mesh, mesh.nodes);
  for (const double d : map.distances) EXPECT_EQ(d, 0);
  expect_near(map.apply(mesh.nodes), mesh.nodes, kExact);
}

/// A strongly bent mesh: elements are curved everywhere.
TetMesh curved_mesh() {
  TetMesh mesh = to_quadratic(box_mesh(kUnitBox, 2, 2, 2));
  for (Vec3& p : mesh.nodes) {
    p = Vec3(p.x() + 0.3 * p.y() * p.y(), p.y() - 0.2 * p.x() * p.z(),
             p.z() + 0.25 * p.x() * p.y());
  }
  return mesh;
}

TEST(Interpolation, CurvedElementsRoundTrip) {
  const TetMesh mesh = curved_mesh();
  ASSERT_TRUE(mesh.validate().ok());
  // Points made by the shape functions of random elements at random places.
  Random random(5);
  std::vector<Vec3> points;
  for (int i = 0; i < 2000; ++i) {
    const auto nodes = mesh.element(random.below(mesh.element_count()));
    Eigen::Vector4d L;
    for (int k = 0; k < 4; ++k) L[k] = -std::log(1 - random.uniform());
    L /= L.sum();
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < 4; ++k) x += L[k] * (2 * L[k] - 1) * mesh.nodes[nodes[k]];
    for (int k = 0; k < 6; ++k) {
      x += 4 * L[kTetEdges[k][0]] * L[kTetEdges[k][1]] * mesh.nodes[nodes[4 + k]];
    }
    points.push_back(x);
  }
  const Interpolation map = interpolate_at(mesh, points);
  for (const double d : map.distances) EXPECT_EQ(d, 0);
  expect_near(map.apply(mesh.nodes), points, kExact);
}

TEST(Interpolation, FollowsTheBulgeOfCurvedElements) {
  // One element with a midside node pushed out: a point beyond the straight edge, yet inside.
  TetMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.connectivity = {0, 1, 2, 3};
  mesh = to_quadratic(mesh);
  const Index middle = mesh.element(0)[4];
  mesh.nodes[middle] += Vec3(0, -0.1, -0.1);
  const VolumeLocator locator(mesh);
  const Location bulge = locator.locate({0.5, -0.05, -0.05});
  EXPECT_EQ(bulge.distance, 0);
  const Location beyond = locator.locate({0.5, -0.2, -0.2});
  EXPECT_NEAR(beyond.distance, 0.1 * std::sqrt(2.0), 1e-9);
}

TEST(Interpolation, OutsidePointsTakeTheClosestPlace) {
  for (const bool quadratic : {false, true}) {
    TetMesh mesh = box_mesh(kUnitBox, 3, 3, 3);
    if (quadratic) mesh = to_quadratic(mesh);
    const std::vector<Vec3> points = random_points(2000, -0.5, 1.5);
    const Interpolation map = interpolate_at(mesh, points);
    const auto clamp = [](const Vec3& p) { return Vec3(p.cwiseMax(0.0).cwiseMin(1.0)); };
    expect_near(map.apply(mesh.nodes), at(points, clamp), kExact);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_NEAR(map.distances[i], (points[i] - clamp(points[i])).norm(), kExact);
    }
  }
}

TEST(Interpolation, WeightsAreAPartitionOfUnity) {
  const TetMesh mesh = curved_mesh();
  const VolumeLocator locator(mesh);
  for (const Vec3& p : random_points(500, -1, 2)) {
    const Location location = locator.locate(p);
    ASSERT_EQ(location.count, 10);
    double sum = 0;
    Vec3 place = Vec3::Zero();
    for (int i = 0; i < location.count; ++i) {
      sum += location.weights[i];
      place += location.weights[i] * mesh.nodes[location.nodes[i]];
    }
    EXPECT_NEAR(sum, 1, kExact);
    EXPECT_NEAR((place - p).norm(), location.distance, kExact);
    EXPECT_GE(location.barycentric.minCoeff(), -kExact);
  }
}

TEST(Interpolation, NearestPlaceOfACurvedMeshBeatsItsSurfaceSamples) {
  const TetMesh mesh = curved_mesh();
  const TriMesh surface = boundary(mesh).mesh;
  const VolumeLocator locator(mesh);
  for (const Vec3& p : random_points(300, -1, 2)) {
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3& v : surface.positions) least = std::min(least, (v - p).norm());
    EXPECT_LE(locator.locate(p).distance, least + kExact);
  }
}

TEST(Interpolation, InterleavedColumnsMatchVectors) {
  const TetMesh mesh = to_quadratic(box_mesh(kUnitBox, 2, 2, 2));
  const std::vector<Vec3> points = random_points(100, 0, 1);
  const Interpolation map = interpolate_at(mesh, points);
  const auto count = static_cast<Eigen::Index>(mesh.nodes.size());
  Eigen::MatrixXd field(3 * count, 2);
  for (Eigen::Index n = 0; n < count; ++n) {
    field.block<3, 1>(3 * n, 0) = linear_field(mesh.nodes[static_cast<std::size_t>(n)]);
    field.block<3, 1>(3 * n, 1) = quadratic_field(mesh.nodes[static_cast<std::size_t>(n)]);
  }
  const Eigen::MatrixXd values = map.apply(field, 3);
  ASSERT_EQ(values.rows(), 300);
  for (Eigen::Index i = 0; i < 100; ++i) {
    const Vec3& p = points[static_cast<std::size_t>(i)];
    EXPECT_LE((values.block<3, 1>(3 * i, 0) - linear_field(p)).norm(), kExact);
    EXPECT_LE((values.block<3, 1>(3 * i, 1) - quadratic_field(p)).norm(), kExact);
  }
}

TEST(Interpolation, FindsNothingInAnEmptyMeshOrForNaN) {
  const TetMesh empty;
  EXPECT_EQ(VolumeLocator(empty).locate(Vec3::Zero()).element, -1);
  EXPECT_EQ(interpolate_at(empty, {Vec3::Zero()}).apply(std::vector<Vec3>{}).size(), 1U);
  const TetMesh mesh = box_mesh(kUnitBox, 1, 1, 1);
  const Vec3 nan(0, std::numeric_limits<double>::quiet_NaN(), 0);
  EXPECT_EQ(VolumeLocator(mesh).locate(nan).element, -1);
}

TEST(Interpolation, FoldedElementStillGivesAPlace) {
  TetMesh mesh = to_quadratic(box_mesh(kUnitBox, 1, 1, 1));
  mesh.nodes[mesh.element(0)[4]] = Vec3(3, 3, 3);
  const VolumeLocator locator(mesh);
  for (const Vec3& p : random_points(200, -1, 2)) {
    const Location location = locator.locate(p);
    EXPECT_GE(location.element, 0);
    EXPECT_TRUE(std::isfinite(location.distance));
  }
}

TEST(Interpolation, SameBitsForAnyThreadCount) {
  const TetMesh mesh = curved_mesh();
  const std::vector<Vec3> points = random_points(5000, -0.5, 1.5);
  set_thread_count(1);
  const Interpolation one = interpolate_at(mesh, points);
  const std::vector<Vec3> values_1 = one.apply(mesh.nodes);
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    const Interpolation many = interpolate_at(mesh, points);
    EXPECT_EQ(many.nodes, one.nodes);
    EXPECT_EQ(many.weights, one.weights);
    EXPECT_EQ(many.distances, one.distances);
    EXPECT_EQ(many.apply(mesh.nodes), values_1);
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace supple::geometry
