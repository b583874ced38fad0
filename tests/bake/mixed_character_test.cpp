// SPDX-License-Identifier: Apache-2.0
#include "bake/mixed_model.hpp"
#include "io/gltf_validator.hpp"

#include "supple/bake/mixed_character.hpp"
#include "supple/bake/node_character.hpp"
#include "supple/bake/record.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/flesh/tissue.hpp"
#include "supple/io/gltf_pose.hpp"

#include <gtest/gtest.h>
#include <supple.h>

#include <algorithm>

namespace supple::bake::testing {
namespace {

BakeSettings mixed_settings(const std::string& toml) {
  auto settings = parse_bake_settings(toml, "test.toml");
  EXPECT_TRUE(settings.ok()) << settings.error().describe();
  return *std::move(settings);
}

/// The model baked, as the command does it.
struct Mixed {
  io::GltfAsset asset = *io::make_gltf(mixed_model());
  GltfCharacter source = *character_from_gltf(asset);
  BakeSettings settings = mixed_settings(kMixedSettings);
  MixedCharacter scene;
  std::vector<flesh::FleshObject> flesh;
  std::vector<shell::ShellObject> shells;
  io::SuppleBytes bytes;

  Mixed() {
    auto made = mixed_character(asset, source, settings);
    EXPECT_TRUE(made.ok()) << made.error().describe();
    scene = *std::move(made);
    auto object = flesh::bake_object(scene.flesh, settings.objects[0]);
    EXPECT_TRUE(object.ok()) << object.error().describe();
    flesh.push_back(*std::move(object));
    const auto discrete = fem::DiscreteShell::create(scene.shells.shells[0].model);
    EXPECT_TRUE(discrete.ok()) << discrete.error().describe();
    shells.push_back(*shell::bake_shell(*discrete, scene.shells.shells[0].settings.object));
    io::SuppleWriteSettings floats;
    floats.float32 = true;
    auto written = io::write_supple(mixed_asset(source, scene, flesh, shells, "test"), floats);
    EXPECT_TRUE(written.ok()) << written.error().describe();
    bytes = *std::move(written);
  }
  [[nodiscard]] BakedFile file() const { return *BakedFile::open(bytes.bytes, "mixed.supple"); }
};

TEST(MixedCharacter, FleshDoesNotSeeTheVerticesOfShells) {
  const Mixed mixed;
  const std::size_t tube = tube_part().positions.size();
  EXPECT_EQ(mixed.scene.flesh.positions.size(), tube);
  for (std::size_t v = 0; v < tube; ++v) {
    const auto all = static_cast<std::size_t>(mixed.scene.vertex_of_flesh[v]);
    EXPECT_EQ(mixed.scene.flesh.positions[v], mixed.source.character.positions[all]);
  }
  // Alone, the bone would have the flag as well.
  const auto region = flesh::select_region(mixed.source.character, mixed.settings.objects[0]);
  ASSERT_TRUE(region.ok());
  EXPECT_GT(region->weights[mixed.source.parts[0].first_vertex], 0.9);
}

TEST(MixedCharacter, EveryVertexMovesWithOneObject) {
  const Mixed mixed;
  const BakedFile file = mixed.file();
  const auto objects = file.objects();
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects[0].name, "top");
  EXPECT_EQ(objects[1].name, "flag");
  std::vector<geometry::Index> both;
  std::set_intersection(objects[0].vertices.begin(), objects[0].vertices.end(),
                        objects[1].vertices.begin(), objects[1].vertices.end(),
                        std::back_inserter(both));
  EXPECT_TRUE(both.empty());
  EXPECT_GT(objects[0].vertices.size(), 50U);
  EXPECT_GT(objects[1].vertices.size(), 50U);
  supple_object_info info{};
  ASSERT_EQ(supple_asset_object(file.asset(), 0, &info), SUPPLE_OK);
  EXPECT_EQ(info.kind, SUPPLE_FLESH);
  ASSERT_EQ(supple_asset_object(file.asset(), 1, &info), SUPPLE_OK);
  EXPECT_EQ(info.kind, SUPPLE_SHELL);
}

/// Positions in bind space as a viewer blends the morph targets at a moment of a clip.
std::vector<geometry::Vec3> blended(const io::GltfAsset& asset, const soft::Part& part,
                                    double time) {
  const io::GltfPrimitive& primitive = asset.meshes[part.mesh].primitives[part.primitive];
  std::vector<geometry::Vec3> positions = primitive.positions;
  const io::GltfPose pose = io::sample(asset, asset.animations[0], time);
  for (std::size_t n = 0; n < asset.nodes.size(); ++n) {
    if (asset.nodes[n].mesh != part.mesh) continue;
    for (std::size_t t = 0; t < primitive.targets.size(); ++t) {
      const auto& moved = primitive.targets[t].positions;
      for (std::size_t v = 0; v < moved.size(); ++v) {
        positions[v] += pose.weights[n][t] * moved[v];
      }
    }
  }
  return positions;
}

/// The player's own vertices for these coefficients.
std::vector<Eigen::Vector3f> deformed(const BakedFile& file, const GltfCharacter& source,
                                      const Motion& motion, std::size_t frame) {
  supple_player* player = nullptr;
  EXPECT_EQ(supple_player_create(file.asset(), &player), SUPPLE_OK);
  std::vector<Eigen::Vector3f> rest;
  for (const auto& p : source.character.positions) rest.push_back(p.cast<float>());
  std::vector<Eigen::Vector3f> result(rest.size());
  const auto step = [&](std::size_t f, double dt) {
    for (std::uint32_t o = 0; o < 2; ++o) {
      const auto bone = std::find(motion.bones.begin(), motion.bones.end(), "tip");
      const Eigen::Matrix4f world =
          motion.frames[f][static_cast<std::size_t>(bone - motion.bones.begin())].cast<float>();
      supple_player_set_bone_matrix(player, o, world.data());
    }
    supple_player_step(player, dt);
  };
  for (int i = 0; i < 60 * 20; ++i) step(0, 1.0 / 60);
  for (std::size_t f = 1; f <= frame; ++f) step(f, motion.step());
  supple_deformation deformation{};
  deformation.rest_positions = {rest[0].data(), 0};
  deformation.positions = {result[0].data(), 0};
  EXPECT_EQ(supple_player_deform(player, &deformation), SUPPLE_OK);
  supple_player_destroy(player);
  return result;
}

/// Stands still for a while, from which playback takes its start, and then speeds up.
void begin_from_rest(Motion& motion) {
  const auto frames = motion.frames;
  constexpr double kStill = 8;
  constexpr double kFrames = 16;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const double at = std::max(static_cast<double>(f) - kStill, 0.0);
    const double place =
        at < kFrames ? at * at * at / (3 * kFrames * kFrames) : at - 2 * kFrames / 3;
    const auto first = static_cast<std::size_t>(place);
    const double share = place - static_cast<double>(first);
    for (std::size_t b = 0; b < frames[f].size(); ++b) {
      motion.frames[f][b] = (1 - share) * frames[first][b] + share * frames[first + 1][b];
    }
  }
}

TEST(MixedCharacter, MorphTargetsShowBothKindsAsThePlayerDoes) {
  const Mixed mixed;
  const BakedFile file = mixed.file();
  const auto followed = follow_bones(mixed.asset, mixed.scene.shells);
  ASSERT_TRUE(followed.ok()) << followed.error().describe();
  const GltfCharacter& moved = mixed.scene.shells.source;
  BakedClip clip;
  clip.animation = 0;
  clip.motion = motion_from_clip(*followed, moved, 0, 60).value();
  clip.motion.loops = false;
  begin_from_rest(clip.motion);
  const auto tracks = play(file, clip.motion);
  ASSERT_TRUE(tracks.ok()) << tracks.error().describe();
  clip.tracks = *tracks;
  const auto written =
      export_clips(*followed, moved, file.objects(), {clip}, mixed.settings.output);
  ASSERT_TRUE(written.ok()) << written.error().describe();
  ASSERT_EQ(written->shells.size(), 1U);
  EXPECT_EQ(written->shells[0].name, "flag");
  const auto bytes = io::write_gltf(written->asset);
  ASSERT_TRUE(bytes.ok());
  const auto read = io::read_gltf(*bytes, "mixed.glb");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  double moved_most = 0;
  for (const std::size_t frame : {13U, 28U, 47U}) {
    const auto expected = deformed(file, moved, clip.motion, frame);
    for (const soft::Part& part : moved.parts) {
      const auto shown = blended(*read, part, clip.motion.time(frame));
      for (std::size_t v = 0; v < shown.size(); ++v) {
        const geometry::Vec3 want = expected[part.first_vertex + v].cast<double>();
        EXPECT_LT((shown[v] - want).norm(), 6e-4) << "mesh " << part.mesh << ", vertex " << v;
        moved_most =
            std::max(moved_most, (want - moved.character.positions[part.first_vertex + v]).norm());
      }
    }
  }
  EXPECT_GT(moved_most, 0.02) << "else nothing is compared";
  // Who opens the two files finds that they belong together.
  const auto opened = moved_character(*read, file.asset());
  ASSERT_TRUE(opened.ok());
  EXPECT_TRUE(file.check_mesh(moving_surface(*opened, "").mesh_hash).ok());
}

TEST(MixedCharacter, FleshThatNamesVerticesOfAShellIsRefused) {
  const io::GltfAsset asset = *io::make_gltf(mixed_model());
  const GltfCharacter source = *character_from_gltf(asset);
  const std::string shell = "[[shell]]\nname = \"flag\"\nmesh = \"flag\"\n";
  const auto error_of = [&](const std::string& toml) {
    const auto scene = mixed_character(asset, source, mixed_settings(toml));
    return scene.ok() ? std::string("none") : scene.error().describe();
  };
  const std::string material =
      error_of("[[object]]\nname = \"a\"\nsurface_material = \"cloth\"\n" + shell);
  EXPECT_NE(material.find("object 'a' and shell 'flag' share 65 vertices"), std::string::npos)
      << material;
  EXPECT_NE(material.find("name another surface_material"), std::string::npos) << material;
  const std::string mask = error_of("[[object]]\nname = \"a\"\nmask = \"_SOFT\"\n" + shell);
  EXPECT_NE(mask.find("set the mask to 0 on that mesh"), std::string::npos) << mask;
  EXPECT_EQ(error_of("[[object]]\nname = \"a\"\nbone = \"tip\"\n" + shell), "none");
  const std::string all = error_of(
      "[[object]]\nname = \"a\"\nbone = \"tip\"\n[[shell]]\nname = \"all\"\nmesh = \"\"\n");
  EXPECT_NE(all.find("leave no flesh"), std::string::npos) << all;
}

TEST(MixedCharacter, SettingsPrintAndReadTheSame) {
  const BakeSettings settings = mixed_settings(kMixedSettings);
  ASSERT_EQ(settings.shells.size(), 1U);
  const std::string text = print_bake_settings(settings);
  EXPECT_NE(text.find("[[shell]]"), std::string::npos);
  EXPECT_EQ(print_bake_settings(mixed_settings(text)), text);
  const auto twice = parse_bake_settings(
      "[[object]]\nname = \"a\"\nbone = \"b\"\n[[shell]]\nname = \"a\"\n", "test.toml");
  ASSERT_FALSE(twice.ok());
  EXPECT_NE(twice.error().describe().find("test.toml:5"), std::string::npos)
      << twice.error().describe();
}

}  // namespace
}  // namespace supple::bake::testing
