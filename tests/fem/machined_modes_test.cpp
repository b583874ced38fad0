// SPDX-License-Identifier: Apache-2.0
#include "geometry/machined.hpp"
#include "supple/core/random.hpp"
#include "supple/fem/solid_modes.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/geometry/volume_meshing.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace supple::fem {
namespace {

using namespace geometry;

constexpr std::size_t kElements = 3'000;
/// The error of the coarser of two meshes of 10-node elements.
constexpr double kAgreement = 0.02;

/// The first ten frequencies of a steel part, held where normal . x = offset.
Eigen::VectorXd clamped_frequencies(const TetMesh& mesh, const Vec3& normal, double offset) {
  SolidModel model;
  model.mesh = to_quadratic(mesh);
  model.materials = {{"steel", 210e9, 0.3, 7850}};
  model.fixed.assign(model.mesh.nodes.size(), 0);
  const double tolerance = 1e-6 * bounding_box(model.mesh.nodes).diagonal();
  for (std::size_t n = 0; n < model.mesh.nodes.size(); ++n)
    if (std::abs(normal.dot(model.mesh.nodes[n]) - offset) <= tolerance) model.fixed[n] = kFixAll;
  const auto modes = solve_modes(model, {.count = 10});
  EXPECT_TRUE(modes.ok()) << modes.error().describe();
  return modes.ok() ? modes->frequencies_hz() : Eigen::VectorXd();
}

void expect_agreement(const Eigen::VectorXd& found, const Eigen::VectorXd& right) {
  ASSERT_EQ(found.size(), right.size());
  for (Eigen::Index i = 0; i < right.size(); ++i)
    EXPECT_NEAR(found[i] / right[i], 1, kAgreement) << "mode " << i + 1;
}

/// A regular mesh of a box, which no mesher touched, two cells thick or more.
TetMesh regular(const Vec3& size) {
  Box box;
  box.add(Vec3::Zero());
  box.add(size);
  const double cell = std::cbrt(6 * size.prod() / kElements);
  const auto cells = [&](double length) {
    return std::max(2, static_cast<int>(std::lround(length / cell)));
  };
  return box_mesh(box, cells(size[0]), cells(size[1]), cells(size[2]));
}

TEST(MachinedModes, RandomBoxesAgreeWithRegularMeshes) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Vec3 size{1, std::pow(50, -random.uniform()), std::pow(50, -random.uniform())};
    const Mat3 turn = machined::random_turn(random);
    const auto solid =
        mesh_solid(machined::turned(machined::box(size), turn), {.target_elements = kElements});
    ASSERT_TRUE(solid.ok()) << solid.error().describe();
    expect_agreement(clamped_frequencies(solid->mesh, turn.col(0), 0),
                     clamped_frequencies(regular(size), Vec3::UnitX(), 0));
  }
}

TEST(MachinedModes, BeamsAndBracketsAgreeWithRegularMeshes) {
  const auto beam = mesh_solid(machined::box(Vec3(1, 0.01, 0.01)), {.target_elements = kElements});
  ASSERT_TRUE(beam.ok());
  expect_agreement(clamped_frequencies(beam->mesh, Vec3::UnitX(), 0),
                   clamped_frequencies(regular(Vec3(1, 0.01, 0.01)), Vec3::UnitX(), 0));
  const auto bracket =
      mesh_solid(machined::l_bracket(1, 0.25, 0.375), {.target_elements = kElements});
  ASSERT_TRUE(bracket.ok());
  expect_agreement(clamped_frequencies(bracket->mesh, Vec3::UnitY(), 1),
                   clamped_frequencies(l_bracket_mesh(0.125, 8, 2, 3), Vec3::UnitY(), 1));
}

TEST(MachinedModes, GearAgreesWithNetgensMesh) {
  const TriMesh gear = machined::gear(12, 0.3, 0.8, 1, 0.3);
  const auto right = mesh_solid(gear, {.mesher = Mesher::Netgen, .target_elements = kElements});
  if (!right.ok()) GTEST_SKIP() << "NETGEN is not installed: gear not compared";
  const auto found = mesh_solid(gear, {.target_elements = kElements});
  ASSERT_TRUE(found.ok());
  const Vec3 bottom = Vec3::UnitZ();
  expect_agreement(clamped_frequencies(found->mesh, bottom, 0),
                   clamped_frequencies(right->mesh, bottom, 0));
}

}  // namespace
}  // namespace supple::fem
