// SPDX-License-Identifier: Apache-2.0
#include "geometry/surface_repair.hpp"

#include "geometry/machined.hpp"
#include "geometry/soups.hpp"
#include "geometry/warnings.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace supple::geometry {
namespace {

constexpr double kVolumeRounding = 1e-9;  // by the divergence theorem, ten sizes from the origin

Vec3 random_vector(Random& random) {
  // Braces fix the order of the three draws.
  return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

/// A convex surface around the origin, of size 1 or so.
TriMesh random_convex(Random& random) {
  switch (random.below(4)) {
    case 0:
      return sphere_surface(1, static_cast<int>(random.below(3)));
    case 1:
      return cylinder_surface(0.7, 1, 5 + static_cast<int>(random.below(8)), 1);
    case 2:
      return capsule_surface(0.4, 0.8, 6, 2);
    default: {
      Box box;
      box.add(Vec3(-0.5, -0.3, -0.7));
      box.add(Vec3(0.5, 0.3, 0.7));
      return box_surface(box);
    }
  }
}

/// Shrinks a convex surface about its middle, or about a vertex or a face, which keeps touching the
/// original.
TriMesh shrunk(TriMesh mesh, double scale, Random& random) {
  Vec3 centre = Vec3::Zero();
  switch (random.below(3)) {
    case 0:
      centre = bounding_box(mesh.positions).centre();
      break;
    case 1:
      centre = mesh.positions[random.below(mesh.positions.size())];
      break;
    default: {
      const Triangle& t = mesh.triangles[random.below(mesh.triangles.size())];
      for (const Index v : t) centre += mesh.positions[static_cast<std::size_t>(v)] / 3;
    }
  }
  for (Vec3& p : mesh.positions) p = centre + scale * (p - centre);
  return mesh;
}

/// A shell in a shell in a shell ..., every second one a cavity; possibly drawn inside out.
struct Nest {
  TriMesh surface;
  double volume = 0;  ///< of the solid, positive
  std::size_t parts = 0;
};

Nest random_nest(Random& random) {
  Nest nest;
  TriMesh shell = random_convex(random);
  const std::size_t depth = 1 + random.below(6);
  for (std::size_t d = 0; d < depth; ++d) {
    if (d > 0) shell = shrunk(std::move(shell), random.uniform(0.3, 0.95), random);
    const bool cavity = d % 2 == 1;
    nest.volume += (cavity ? -1 : 1) * signed_volume(shell);
    nest.surface = soups::joined(nest.surface, cavity ? soups::flipped(shell) : shell);
    ++nest.parts;
  }
  return nest;
}

/// 1,000 files of nested and touching shells, at any scale and in any pose. The old code judged a
/// cavity by the winding number on its own triangle, which jumps there, and filled every third.
TEST(SurfaceRepair, KeepsNestedShellsOfAnyDepth) {
  std::size_t right = 0;
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const double scale = std::pow(10, random.uniform(-3, 3));
    const Mat3 turn = machined::random_turn(random);
    const Vec3 shift = 10 * random_vector(random);
    const std::size_t nests = 1 + random.below(3);
    TriMesh surface;
    double volume = 0;
    std::size_t parts = 0;
    std::size_t inside_out = 0;
    for (std::size_t n = 0; n < nests; ++n) {
      Nest nest = random_nest(random);
      const bool wrong = random.below(3) == 0;
      inside_out += wrong ? 1 : 0;
      if (wrong) nest.surface = soups::flipped(nest.surface);
      surface = soups::joined(surface,
                              soups::moved(nest.surface, Vec3(3 * static_cast<double>(n), 0, 0)));
      volume += nest.volume;
      parts += nest.parts;
    }
    for (Vec3& p : surface.positions) p = scale * (turn * p + shift);

    const testing::Warnings warnings;
    const OrientedSurface oriented = orient_outwards(surface);
    ASSERT_EQ(oriented.component_count, static_cast<Index>(parts));
    const double found = signed_volume(oriented.mesh) / std::pow(scale, 3);
    EXPECT_NEAR(found, volume, kVolumeRounding);
    right += std::abs(found - volume) < kVolumeRounding ? 1 : 0;
    if (inside_out == 0) {
      EXPECT_EQ(warnings.text(), "");
    } else if (inside_out == nests) {
      EXPECT_NE(warnings.text().find("the surface faces inwards"), std::string::npos)
          << warnings.text();
    } else {
      EXPECT_NE(warnings.text().find(fmt::format("{} of {} parts", inside_out, parts)),
                std::string::npos)
          << warnings.text();
    }
  }
  std::printf("%zu of 1000 files have the volume of the solid\n", right);
}

TEST(SurfaceRepair, FlipsASolidDrawnInsideOutWithinACavity) {
  const testing::Warnings warnings;
  const TriMesh hollow =
      soups::joined(sphere_surface(1, 3), soups::flipped(sphere_surface(0.8, 3)));
  const TriMesh wrong = soups::joined(hollow, soups::flipped(sphere_surface(0.5, 3)));
  const OrientedSurface oriented = orient_outwards(wrong);
  EXPECT_NEAR(signed_volume(oriented.mesh),
              signed_volume(hollow) + signed_volume(sphere_surface(0.5, 3)), 1e-12);
  EXPECT_NE(warnings.text().find("1 of 3 parts"), std::string::npos) << warnings.text();
}

/// Bodies that touch along a face or in a vertex say nothing about each other.
TEST(SurfaceRepair, OrientsTouchingBodiesOneByOne) {
  for (int flips = 0; flips < 8; ++flips) {
    TriMesh surface;
    for (int b = 0; b < 3; ++b) {
      Box box;
      box.add(Vec3(b, 0, 0));
      box.add(Vec3(b + 1, 1 + 0.1 * b, 1 - 0.1 * b));
      const TriMesh part = box_surface(box);
      surface = soups::joined(surface, (flips >> b & 1) != 0 ? soups::flipped(part) : part);
    }
    double expected = 0;
    for (int b = 0; b < 3; ++b) expected += (1 + 0.1 * b) * (1 - 0.1 * b);
    EXPECT_NEAR(signed_volume(orient_outwards(surface).mesh), expected, 1e-12) << flips;
  }
}

TEST(SurfaceRepair, LeavesFlatSheetsAlone) {
  const testing::Warnings warnings;
  TriMesh sheet;
  sheet.positions = {Vec3(0.1, 0.2, 0.3), Vec3(1.1, 0.2, 0.7), Vec3(1.1, 1.3, 0.7),
                     Vec3(0.1, 1.3, 0.3)};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(orient_outwards(soups::flipped(sheet)).mesh.triangles, soups::flipped(sheet).triangles);
  EXPECT_EQ(warnings.text(), "");
}

}  // namespace
}  // namespace supple::geometry
