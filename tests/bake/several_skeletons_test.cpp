// SPDX-License-Identifier: Apache-2.0
#include "bake/baked_skins.hpp"
#include "io/gltf_validator.hpp"

#include "supple/bake/node_character.hpp"

#include <gtest/gtest.h>
#include <supple.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace supple::bake::testing {
namespace {

using geometry::Vec3;

/// Two copies of a character, the second one turned and further away, its bones with the same
/// names; each in two skins.
struct TwoCharacters {
  io::GltfAsset original = sample_character();
  SkinWriter writer{5};
  SkinWriter alone{5};
  std::size_t second = 0;  ///< the first node of the second
  io::GltfAsset asset;

  TwoCharacters() {
    Random random(5);
    const auto styles = random_styles(original, random);
    alone.add(original, {SkinStyle{}});
    writer.add(original, {styles[0]});
    io::GltfAsset other = original;
    for (const std::size_t root : other.scene_roots) {
      other.nodes[root].local.translation += Vec3(2, 0, 1);
    }
    writer.add(other, {styles[1], styles[2]});
    second = writer.first_node();
    asset = writer.read();
  }
};

TEST(SeveralSkeletons, AreCharactersToChooseFrom) {
  const TwoCharacters two;
  const auto usual = character_from_gltf(two.asset);
  ASSERT_TRUE(usual.ok()) << usual.error().describe();
  ASSERT_FALSE(usual->warnings.empty());
  EXPECT_NE(usual->warnings[0].find("2 skeletons"), std::string::npos) << usual->warnings[0];
  const std::string toml = two_objects(two.alone.read());
  for (const std::size_t first : {std::size_t{0}, two.second}) {
    std::size_t top = 0;  // the highest bone
    const auto& joints = two.original.skins[0].joints;
    for (const std::size_t node : two.original.parents_first) {
      if (std::find(joints.begin(), joints.end(), node) == joints.end()) continue;
      top = node;
      break;
    }
    const std::string name = fmt::format("{} (node {})", two.original.nodes[top].name, first + top);
    const auto baked = bake(two.asset, toml, name);
    ASSERT_TRUE(baked.ok()) << baked.error().describe();
    for (const soft::Object& object : baked->file->objects()) {
      EXPECT_EQ(object.node >= two.second, first > 0);
    }
    // The other one has no targets.
    for (const WrittenVertex& at : two.writer.vertices()) {
      if ((at.node >= two.second) == (first > 0)) continue;
      EXPECT_TRUE(
          baked->asset.meshes[*baked->asset.nodes[at.node].mesh].primitives[0].targets.empty());
    }
    // A .supple finds its own character again.
    const auto moved = moved_character(baked->asset, baked->file->asset());
    ASSERT_TRUE(moved.ok());
    EXPECT_TRUE(baked->file->check_mesh(moving_surface(*moved, "").mesh_hash).ok());
    if (!io::testing::validator().empty()) {
      EXPECT_TRUE(io::testing::is_valid(baked->glb));
    }
  }
  const auto unknown = bake(two.asset, toml, "nobody");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().describe().find("available"), std::string::npos);
}

TEST(SeveralSkeletons, BakedInTurnMoveInOneFile) {
  const TwoCharacters two;
  const std::string toml = two_objects(two.alone.read());
  const auto alone = bake(two.alone.read(), toml);
  const auto usual = bake(two.asset, toml);
  ASSERT_TRUE(alone.ok() && usual.ok());
  const bool second_first = usual->file->objects().front().node >= two.second;
  const auto& joints = two.original.skins[0].joints;
  const auto top = *std::find_if(
      two.original.parents_first.begin(), two.original.parents_first.end(), [&](std::size_t node) {
        return std::find(joints.begin(), joints.end(), node) != joints.end();
      });
  const auto both = bake(usual->asset, toml,
                         fmt::format("{} (node {})", two.original.nodes[top].name,
                                     (second_first ? 0 : two.second) + top));
  ASSERT_TRUE(both.ok()) << both.error().describe();
  std::size_t moving = 0;
  for (const WrittenVertex& at : two.writer.vertices()) {
    const auto& mesh = both->asset.meshes[*both->asset.nodes[at.node].mesh];
    if (!mesh.primitives[0].targets.empty()) ++moving;
  }
  EXPECT_EQ(moving, two.writer.vertices().size());
  EXPECT_TRUE(
      usual->file
          ->check_mesh(
              moving_surface(*moved_character(both->asset, usual->file->asset()), "").mesh_hash)
          .ok());
  if (!io::testing::validator().empty()) {
    EXPECT_TRUE(io::testing::is_valid(both->glb));
  }
}

}  // namespace
}  // namespace supple::bake::testing
