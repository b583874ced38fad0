// SPDX-License-Identifier: Apache-2.0
#include "geometry/soups.hpp"
#include "geometry/warnings.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/geometry/surface_query.hpp"
#include "supple/geometry/volume_meshing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

namespace supple::geometry {
namespace {

/// The bounds that [LS07] prove for the parameters in use, in degrees.
constexpr double kMinDihedral = 10.78;
constexpr double kMaxDihedral = 164.74;

constexpr double kDegrees = 180 / std::numbers::pi;

Box cube(double half) {
  Box box;
  box.add(Vec3::Constant(-half));
  box.add(Vec3::Constant(half));
  return box;
}

/// Nodes move onto sharp edges as long as no sine of a dihedral angle falls below 0.1.
constexpr double kMinSnapped = 5.73;
constexpr double kMaxSnapped = 174.27;

/// Everything that holds for each mesh of this method, whatever the input.
void expect_stuffed(const Result<TetMesh>& mesh, const std::string& what,
                    double min_dihedral = kMinDihedral, double max_dihedral = kMaxDihedral) {
  SCOPED_TRACE(what);
  ASSERT_TRUE(mesh.ok()) << mesh.error().describe();
  ASSERT_GT(mesh->element_count(), 0U);
  const TetQuality q = quality(*mesh);
  EXPECT_GT(q.min_volume, 0);
  EXPECT_GE(q.min_dihedral * kDegrees, min_dihedral);
  EXPECT_LE(q.max_dihedral * kDegrees, max_dihedral);
  EXPECT_TRUE(mesh->validate().ok());
  EXPECT_TRUE(unused_nodes(*mesh).empty());
  const SurfaceTopology t = topology(boundary(*mesh).mesh);
  EXPECT_EQ(t.boundary_edges, 0U);
}

double sphere(const Vec3& p) {
  return p.norm() - 1;
}
double torus(const Vec3& p) {
  return std::hypot(std::hypot(p[0], p[2]) - 1, p[1]) - 0.4;
}

TEST(Stuffing, VolumeConvergesAtSecondOrder) {
  const double ball = 4 * std::numbers::pi / 3;
  const double ring = 2 * std::numbers::pi * std::numbers::pi * 0.4 * 0.4;
  std::array<double, 3> ball_error{};
  std::array<double, 3> ring_error{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double spacing = 0.25 / std::pow(2.0, static_cast<double>(i));
    const auto a = stuff(sphere, cube(1), {.spacing = spacing});
    const auto b = stuff(torus, cube(1.4), {.spacing = spacing / 2});
    expect_stuffed(a, "ball");
    expect_stuffed(b, "torus");
    ball_error[i] = std::abs(volume(*a) - ball);
    ring_error[i] = std::abs(volume(*b) - ring);
    EXPECT_TRUE(topology(boundary(*a).mesh).closed_manifold());
    EXPECT_TRUE(topology(boundary(*b).mesh).closed_manifold());
  }
  // Second order divides the error by 4; chords of neighbouring lattices differ a little.
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_NEAR(std::log2(ball_error[i - 1] / ball_error[i]), 2, 0.3);
    EXPECT_NEAR(std::log2(ring_error[i - 1] / ring_error[i]), 2, 0.3);
  }
}

TEST(Stuffing, BoundsHoldOnRandomSmoothShapes) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    std::array<Vec3, 4> wave;
    std::array<double, 4> phase{};
    for (std::size_t i = 0; i < 4; ++i) {
      wave[i] = Vec3(random.uniform(-12, 12), random.uniform(-12, 12), random.uniform(-12, 12));
      phase[i] = random.uniform(0, 2 * std::numbers::pi);
    }
    const auto shape = [&](const Vec3& p) {
      double sum = 0;
      for (std::size_t i = 0; i < 4; ++i) sum += std::sin(wave[i].dot(p) + phase[i]);
      return std::max(sum, p.cwiseAbs().maxCoeff() - 0.95);
    };
    expect_stuffed(stuff(shape, cube(1), {.spacing = 0.2}), "seed " + std::to_string(seed));
  }
}

/// No shape at all: every point picks its side by a hash, so that all stencils occur with cut
/// points anywhere. The proof asks nothing of the function, so the bounds must hold here too.
TEST(Stuffing, BoundsHoldOnNoise) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto noise = [seed](const Vec3& p) {
      if (p.cwiseAbs().maxCoeff() > 0.95) return 1.0;
      std::array<std::uint64_t, 3> bits{};
      std::memcpy(bits.data(), p.data(), sizeof bits);
      return Random(seed, bits[0] ^ (bits[1] * 3) ^ (bits[2] * 7)).uniform() - 0.6;
    };
    expect_stuffed(stuff(noise, cube(1), {.spacing = 0.08}), "seed " + std::to_string(seed));
  }
}

TEST(Stuffing, BoundaryLiesOnTheSurface) {
  const TriMesh surface = torus_surface(1, 0.4, 60, 30);
  constexpr double kSpacing = 0.08;
  const auto mesh = stuff(surface, {.spacing = kSpacing});
  expect_stuffed(mesh, "torus");
  const BoundarySurface skin = boundary(*mesh);
  EXPECT_TRUE(topology(skin.mesh).closed_manifold());
  EXPECT_GT(signed_volume(skin.mesh), 0);
  const SurfaceQuery query(surface);
  // Cut points come from ray hits or bisection to 1e-9 of an edge.
  for (const Vec3& p : skin.mesh.positions)
    EXPECT_LT(query.closest_point(p).distance, 1e-6 * kSpacing);
  // Chords of the tube: relative error (spacing / tube)^2 and less.
  EXPECT_NEAR(volume(*mesh) / signed_volume(surface), 1, 0.03);
}

TEST(Stuffing, ReachesTheTargetWithinAFifth) {
  Box plank;
  plank.add(Vec3::Zero());
  plank.add(Vec3(10, 1, 0.3));
  const std::vector<TriMesh> surfaces{sphere_surface(1, 4), torus_surface(1, 0.2, 60, 20),
                                      box_surface(plank), capsule_surface(0.1, 3, 16, 8)};
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    for (const std::size_t target : {1'000U, 10'000U, 60'000U}) {
      const auto mesh = stuff(surfaces[s], {.target_elements = target});
      expect_stuffed(mesh, "surface " + std::to_string(s), kMinSnapped, kMaxSnapped);
      EXPECT_NEAR(static_cast<double>(mesh->element_count()) / static_cast<double>(target), 1, 0.2)
          << "surface " << s;
    }
  }
}

TEST(Stuffing, GivesTheSameBitsForAnyNumberOfThreads) {
  const TriMesh surface = soups::joined(torus_surface(1, 0.3, 40, 20),
                                        soups::moved(sphere_surface(0.6, 3), Vec3(1, 0, 0)));
  std::vector<TetMesh> meshes;
  for (const int threads : {1, 2, 4}) {
    set_thread_count(threads);
    auto mesh = stuff(surface, {.target_elements = 8'000});
    ASSERT_TRUE(mesh.ok());
    meshes.push_back(*std::move(mesh));
  }
  set_thread_count(0);
  for (std::size_t i = 1; i < meshes.size(); ++i) {
    EXPECT_EQ(meshes[i].connectivity, meshes[0].connectivity);
    ASSERT_EQ(meshes[i].nodes.size(), meshes[0].nodes.size());
    EXPECT_EQ(std::memcmp(meshes[i].nodes.data(), meshes[0].nodes.data(),
                          meshes[0].nodes.size() * sizeof(Vec3)),
              0);
  }
}

TEST(Stuffing, ClosesAnOpenHemisphere) {
  const TriMesh open =
      soups::filtered(sphere_surface(1, 4), [](const Vec3& c) { return c[1] > 0; });
  const auto mesh = stuff(open, {.spacing = 0.1});
  expect_stuffed(mesh, "hemisphere");
  // The level set 1/2 of a half-ball is a bowl that bulges inwards by some tenths of the radius.
  const double half_ball = 2 * std::numbers::pi / 3;
  EXPECT_GT(volume(*mesh), 0.6 * half_ball);
  EXPECT_LT(volume(*mesh), 1.02 * half_ball);
}

TEST(Stuffing, ClosesABoxWithMissingFaces) {
  TriMesh open = box_surface(cube(0.5));
  open.triangles.pop_back();
  const auto mesh = stuff(open, {.spacing = 0.05});
  expect_stuffed(mesh, "box without a triangle");
  EXPECT_NEAR(volume(*mesh), 1, 0.1);
}

TEST(Stuffing, UnitesOverlappingParts) {
  const TriMesh ball = sphere_surface(1, 5);
  const auto mesh =
      stuff(soups::joined(ball, soups::moved(ball, Vec3(1, 0, 0))), {.spacing = 0.06});
  expect_stuffed(mesh, "two balls");
  // Two balls less their lens: pi (4 + d) (2 - d)^2 / 12 for unit balls at distance d = 1.
  const double exact = 8 * std::numbers::pi / 3 - 5 * std::numbers::pi / 12;
  EXPECT_NEAR(volume(*mesh) / exact, 1, 0.01);
}

TEST(Stuffing, IgnoresDuplicatedTrianglesAndSplitVertices) {
  const TriMesh ball = sphere_surface(1, 4);
  const auto clean = stuff(ball, {.spacing = 0.1});
  const auto split = stuff(soups::shattered(ball), {.spacing = 0.1});
  const auto twice = stuff(soups::joined(ball, ball), {.spacing = 0.1});
  expect_stuffed(clean, "clean");
  expect_stuffed(split, "split");
  expect_stuffed(twice, "twice");
  EXPECT_EQ(split->element_count(), clean->element_count());
  EXPECT_NEAR(volume(*twice), volume(*clean), 1e-6);
}

TEST(Stuffing, TurnsInwardSurfacesAroundAndSaysSo) {
  const testing::Warnings warnings;
  const TriMesh ball = sphere_surface(1, 4);
  const auto inward = stuff(soups::flipped(ball), {.spacing = 0.1});
  expect_stuffed(inward, "inward");
  EXPECT_NEAR(volume(*inward), signed_volume(ball), 0.05);
  EXPECT_NE(warnings.text().find("faces inwards"), std::string::npos) << warnings.text();

  const TriMesh small = soups::moved(soups::flipped(sphere_surface(0.5, 3)), Vec3(3, 0, 0));
  const auto both = stuff(soups::joined(ball, small), {.spacing = 0.1});
  expect_stuffed(both, "one flipped part");
  EXPECT_NEAR(volume(*both), signed_volume(ball) - signed_volume(small), 0.1);
  EXPECT_NE(warnings.text().find("1 of 2 parts"), std::string::npos) << warnings.text();
}

TEST(Stuffing, KeepsCavities) {
  const TriMesh hollow =
      soups::joined(sphere_surface(1, 4), soups::flipped(sphere_surface(0.6, 4)));
  for (const TriMesh& surface : {hollow, soups::flipped(hollow)}) {
    const auto mesh = stuff(surface, {.spacing = 0.07});
    expect_stuffed(mesh, "hollow ball");
    EXPECT_NEAR(volume(*mesh), signed_volume(hollow), 0.05);
  }
}

TEST(Stuffing, WarnsOfPartsThinnerThanTheSpacing) {
  const testing::Warnings warnings;
  Box sheet;
  sheet.add(Vec3(3, 0.011, 0));
  sheet.add(Vec3(5, 0.012, 2));
  const auto mesh =
      stuff(soups::joined(sphere_surface(1, 3), box_surface(sheet)), {.spacing = 0.2});
  expect_stuffed(mesh, "ball and sheet");
  EXPECT_NE(warnings.text().find("1 of 2 parts"), std::string::npos) << warnings.text();
}

TEST(Stuffing, RefusesASpacingThatLosesEverything) {
  Box sheet;
  sheet.add(Vec3(0, 0.013, 0));
  sheet.add(Vec3(2, 0.043, 2));
  const auto mesh = stuff(box_surface(sheet), {.spacing = 0.5});
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code(), ErrorCode::BadInput);
  EXPECT_NE(mesh.error().message().find("0.5"), std::string::npos) << mesh.error().message();
}

TEST(Stuffing, RefusesSurfacesThatEncloseNothing) {
  TriMesh flat;
  flat.positions = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  flat.triangles = {{0, 1, 2}};
  EXPECT_FALSE(stuff(flat).ok());
  EXPECT_FALSE(stuff(TriMesh{}).ok());
  TriMesh broken = flat;
  broken.triangles = {{0, 1, 7}};
  EXPECT_FALSE(stuff(broken).ok());
}

TEST(Stuffing, RefusesSolidsLargerThanTheirBox) {
  const auto mesh = stuff(sphere, cube(0.5), {.spacing = 0.1});
  ASSERT_FALSE(mesh.ok());
  EXPECT_NE(mesh.error().message().find("larger than its box"), std::string::npos);
}

TEST(Stuffing, RefusesLatticesThatDoNotFit) {
  const auto mesh = stuff(sphere_surface(1, 2), {.spacing = 1e-6});
  ASSERT_FALSE(mesh.ok());
  EXPECT_EQ(mesh.error().code(), ErrorCode::BadInput);
}

TEST(Stuffing, RefusesSettingsOutOfRange) {
  EXPECT_FALSE(StuffingSettings{.target_elements = 0}.validate().ok());
  EXPECT_FALSE(StuffingSettings{.spacing = -1}.validate().ok());
  EXPECT_FALSE(StuffingSettings{.spacing = std::nan("")}.validate().ok());
  EXPECT_FALSE(StuffingSettings{.inside_threshold = 1.5}.validate().ok());
}

TEST(Stuffing, FillsACharacterOfManyOpenParts) {
  const auto human = soups::makehuman();
  if (!human) GTEST_SKIP() << "no ../shared/assets/makehuman/base.obj: character not meshed";
  for (const std::size_t target : {2'000U, 30'000U}) {
    const auto mesh = stuff(*human, {.target_elements = target});
    expect_stuffed(mesh, "human", kMinSnapped, kMaxSnapped);
    EXPECT_NEAR(static_cast<double>(mesh->element_count()) / static_cast<double>(target), 1, 0.2);
  }
}

}  // namespace
}  // namespace supple::geometry
