// SPDX-License-Identifier: Apache-2.0
#include "samples/tissue.hpp"

#include "samples/skinned_checks.hpp"
#include "samples/tube.hpp"
#include "supple/bake/settings.hpp"

#include "io/gltf_validator.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace supple::samples {
namespace {

using geometry::Vec3;
using testing::find_bone;
using testing::surface;

const io::SkinnedModel& small_patch() {
  static const auto model = tissue(2000);
  return *model;
}

TEST(Tissue, IsMadeOfClosedSurfaces) {
  for (const io::SkinnedPart& part : small_patch().parts) {
    const auto topology = geometry::topology(surface(part));
    EXPECT_TRUE(topology.closed_manifold()) << part.material;
    EXPECT_EQ(topology.components, 1U) << part.material;
    EXPECT_GT(geometry::signed_volume(surface(part)), 0) << part.material;
  }
  const io::SkinnedPart& patch = small_patch().parts.at(0);
  EXPECT_NEAR(static_cast<double>(patch.positions.size()), 2000, 200);
  const Vec3 size = geometry::bounding_box(patch.positions).size();
  EXPECT_NEAR(size.x(), 0.2, 0.002);
  EXPECT_NEAR(size.z(), 0.2, 0.002);
  EXPECT_NEAR(size.y(), 0.05, 0.01);
}

TEST(Tissue, IsAttachedAtItsRimAndBelow) {
  const io::SkinnedPart& patch = small_patch().parts.at(0);
  ASSERT_EQ(patch.attributes.at(0).name, "_TISSUE");
  std::size_t free = 0;
  for (std::size_t v = 0; v < patch.positions.size(); ++v) {
    const Vec3& p = patch.positions[v];
    const float mask = patch.attributes[0].values[v];
    if (p.y() < 0.01 || std::abs(p.x()) > 0.095 || std::abs(p.z()) > 0.095) {
      EXPECT_EQ(mask, 0) << p.transpose();
    }
    if (mask > 0.99F) ++free;
  }
  EXPECT_GT(free, patch.positions.size() / 10);
}

TEST(Tissue, IsProbedInALoopWithoutBeingPierced) {
  const io::SkinnedModel& model = small_patch();
  ASSERT_EQ(model.clips.size(), 1U);
  testing::expect_closed_loop(model.clips[0]);
  const auto asset = io::make_gltf(model);
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  // The hook may touch: two millimetres.
  for (int key = 0; key <= 240; key += 4) {
    const auto pose = io::sample(*asset, asset->animations[0], key / 60.0);
    const auto world = io::world_matrices(*asset, pose);
    const auto skin = io::posed_positions(*asset, 3, 0, pose, world);
    for (const Vec3& p : io::posed_positions(*asset, 3, 1, pose, world)) {
      double over = 1;
      double nearest = std::numeric_limits<double>::infinity();
      for (const Vec3& s : skin) {
        const double distance = (s - p).norm();
        if (distance < nearest && s.y() > 0.03) {
          nearest = distance;
          over = p.y() - s.y();
        }
      }
      if (nearest < 0.01) {
        EXPECT_GT(over, -0.002) << key / 60.0;
      }
    }
  }
}

TEST(Tissue, PassesKhronosValidator) {
  SKIP_WITHOUT_VALIDATOR();
  const auto asset = io::make_gltf(small_patch());
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const auto bytes = io::write_gltf(*asset);
  ASSERT_TRUE(bytes.ok()) << bytes.error().describe();
  EXPECT_TRUE(io::testing::is_valid(*bytes));
}

TEST(Tissue, ComesWithBakeSettings) {
  const auto settings = bake::parse_bake_settings(tissue_bake_toml(), "tissue.toml");
  ASSERT_TRUE(settings.ok()) << settings.error().describe();
  EXPECT_EQ(settings->objects.at(0).region.mask, "_TISSUE");
  find_bone(small_patch(), settings->objects[0].driver);
}

TEST(Tube, EnclosesACylinder) {
  const Tube tube = make_tube({{{0, 0, 0}, 0.1}, {{0, 0, 0.5}, 0.1}, {{0, 0, 1}, 0.1}}, 64);
  EXPECT_TRUE(geometry::topology(tube.mesh).closed_manifold());
  // The cylinder and a cone of height 0.07 at each end; 64 sides lose 0.2 percent.
  const double expected = std::numbers::pi * 0.01 * (1 + 2 * 0.07 / 3);
  EXPECT_NEAR(geometry::signed_volume(tube.mesh), expected, 0.003 * expected);
}

}  // namespace
}  // namespace supple::samples
