// SPDX-License-Identifier: Apache-2.0
#include "bake/baked_skins.hpp"
#include "bake/mixed_model.hpp"
#include "bake/rigs.hpp"
#include "io/gltf_validator.hpp"

#include "supple/bake/node_character.hpp"
#include "supple/bake/play_file.hpp"
#include "supple/bake/swim_export.hpp"
#include "supple/core/files.hpp"
#include "supple/swim/swimmer.hpp"

#include <gtest/gtest.h>
#include <supple.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace supple::bake::testing {
namespace {

using geometry::Vec3;

/// How much the flesh of one skin changes when its matrices and positions are rounded otherwise: by
/// 0 if no element of its volume begins or ends to exist by that.
double change_by_rounding(const io::GltfAsset& asset, const std::string& toml, const Baked& whole,
                          const SkinWriter& whole_writer) {
  double most = 0;
  for (const double larger : {1e-6, -1e-6, 3e-7}) {
    SkinStyle style;
    style.to_original.topLeftCorner<3, 3>() *= 1 + larger;
    SkinWriter writer(1);
    writer.add(asset, {style});
    const auto again = bake(writer.read(), toml);
    if (again.ok()) most = std::max(most, compare(whole, whole_writer, *again, writer).position);
  }
  return most;
}

void expect_same_flesh(const io::GltfAsset& asset, std::uint64_t seed,
                       const std::vector<SkinStyle>& styles) {
  SkinWriter whole_writer(seed);
  whole_writer.add(asset, {SkinStyle{}});
  SkinWriter split_writer(seed);
  split_writer.add(asset, styles);
  const io::GltfAsset whole_asset = whole_writer.read();
  const io::GltfAsset split_asset = split_writer.read();
  EXPECT_GE(split_asset.skins.size(), 2U);
  EXPECT_EQ(proposed(whole_asset), proposed(split_asset));
  const std::string toml = two_objects(whole_asset);
  const auto whole = bake(whole_asset, toml);
  const auto split = bake(split_asset, toml);
  ASSERT_EQ(whole.ok(), split.ok()) << (whole.ok() ? split : whole).error().describe();
  if (!whole.ok()) {  // a stick that nothing holds has no flesh, in one skin or three
    std::printf("%s: %s\n", asset.name.c_str(), whole.error().describe().c_str());
    EXPECT_EQ(whole.error().message(), split.error().message());
    return;
  }
  const Difference difference = compare(*whole, whole_writer, *split, split_writer);
  std::printf("%s: flesh moves by %.2g of the size, differs by %.2g, normals by %.2g",
              asset.name.c_str(), difference.motion, difference.position, difference.normal);
  double allowed = kSameFlesh;
  if (difference.position >= allowed) {
    const double own = change_by_rounding(asset, toml, *whole, whole_writer);
    std::printf("; that of one skin, rounded otherwise, by %.2g", own);
    allowed = std::max(allowed, 2 * own);
  } else {
    EXPECT_LT(difference.normal, 1e-2);
  }
  std::printf("\n");
  EXPECT_LT(difference.position, allowed) << "at node " << difference.node;
  if (!io::testing::validator().empty()) {
    EXPECT_TRUE(io::testing::is_valid(split->glb));
  }
}

TEST(SeveralSkins, GiveTheSameFleshAsOne) {
  const io::GltfAsset asset = sample_character();
  for (const std::uint64_t seed : {1, 2}) {
    SCOPED_TRACE(seed);
    Random random(seed);
    expect_same_flesh(asset, seed, random_styles(asset, random));
  }
}

TEST(SeveralSkins, OfOtherCharactersGiveTheSameFlesh) {
  std::size_t found = 0;
  for (const char* file :
       {"khronos/CesiumMan/CesiumMan.glb", "khronos/Fox/Fox.glb",
        "khronos/RiggedFigure/RiggedFigure.glb", "khronos/RiggedSimple/RiggedSimple.glb",
        "makehuman/human.glb", "quaternius/Dolphin.glb", "quaternius/RobotExpressive.glb",
        "kaykit/Knight.glb"}) {
    if (!std::filesystem::exists(assets() / file)) continue;
    SCOPED_TRACE(file);
    const auto asset = io::read_gltf(assets() / file);
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    Random random(++found);
    expect_same_flesh(*asset, found, exact_styles(random));
    expect_same_flesh(*asset, found, shared_styles());
  }
  if (found == 0) GTEST_SKIP() << "SKIPPED: no kept characters";
}

/// The largest displacement of any vertex after a push, in metres.
double pushed(const BakedFile& file, std::uint32_t vertex, const std::array<double, 3>& force) {
  supple_player* player = nullptr;
  EXPECT_EQ(supple_player_create(file.asset(), &player), SUPPLE_OK);
  supple_asset_info info{};
  (void)supple_asset_describe(file.asset(), &info);
  const std::array<double, 3> weightless{};
  const std::array<double, 3> origin{};
  const std::array<double, 4> upright{0, 0, 0, 1};
  (void)supple_player_set_gravity(player, weightless.data());
  for (int step = 0; step < 12; ++step) {
    for (std::uint32_t o = 0; o < info.object_count; ++o) {
      (void)supple_player_set_bone_pose(player, o, origin.data(), upright.data());
    }
    if (step > 0) {
      EXPECT_EQ(supple_player_push(player, vertex, force.data()), SUPPLE_OK);
    }
    (void)supple_player_step(player, 1.0 / 60);
  }
  const float* q = supple_player_coefficients(player);
  double sum = 0;
  for (std::uint32_t m = 0; m < info.mode_count; ++m) {
    supple_mode_info mode{};
    (void)supple_asset_mode(file.asset(), m, &mode);
    sum += std::pow(q[m] * mode.largest_displacement, 2);
  }
  supple_player_destroy(player);
  return std::sqrt(sum);
}

TEST(SeveralSkins, AnswerPushesAsOne) {
  const io::GltfAsset asset = sample_character();
  SkinWriter whole_writer(3);
  whole_writer.add(asset, {SkinStyle{}});
  SkinWriter split_writer(3);
  Random random(3);
  split_writer.add(asset, random_styles(asset, random));
  // As floats: the least shapes count as much as the largest.
  const std::string toml = "[output]\nfloat32 = true\n" + two_objects(whole_writer.read());
  const auto whole = bake(whole_writer.read(), toml);
  const auto split = bake(split_writer.read(), toml);
  ASSERT_TRUE(whole.ok() && split.ok());
  // Vertices are numbered in the order in which they were written: parts follow the nodes.
  std::map<std::size_t, std::uint32_t> place;
  for (std::size_t v = 0; v < whole_writer.vertices().size(); ++v) {
    place[whole_writer.vertices()[v].original] = static_cast<std::uint32_t>(v);
  }
  std::size_t compared = 0;
  for (std::size_t v = 0; v < split_writer.vertices().size(); v += 97) {
    const std::array<double, 3> force{random.uniform(-3, 3), random.uniform(-3, 3),
                                      random.uniform(-3, 3)};
    const double one = pushed(*whole->file, place[split_writer.vertices()[v].original], force);
    const double several = pushed(*split->file, static_cast<std::uint32_t>(v), force);
    EXPECT_NEAR(one, several, 1e-3 * one) << v;
    if (one > 0) ++compared;
  }
  EXPECT_GT(compared, 5U);
}

/// Both ways of writing one character, baked with the same settings.
struct BothWays {
  SkinWriter whole_writer;
  SkinWriter split_writer;
  io::GltfAsset whole_asset, split_asset;

  BothWays(const io::GltfAsset& asset, std::uint64_t seed)
      : whole_writer(seed), split_writer(seed) {
    whole_writer.add(asset, {SkinStyle{}});
    Random random(seed);
    split_writer.add(asset, random_styles(asset, random));
    whole_asset = whole_writer.read();
    split_asset = split_writer.read();
  }

  [[nodiscard]] Difference compare(const io::GltfAsset& whole, const io::GltfAsset& split) const {
    Baked a;
    a.asset = whole;
    Baked b;
    b.asset = split;
    return testing::compare(a, whole_writer, b, split_writer);
  }
};

/// The .glb that `supple play` writes of a character without clips.
Result<io::GltfAsset> played(const io::GltfAsset& asset, const SkinWriter& writer,
                             const std::string& toml) {
  const supple::testing::TemporaryDirectory directory;
  BakeRequest request;
  request.model = CharacterModel{"test", asset, toml, {}};
  request.output = (directory / "out.glb").string();
  OutputSet baked;
  SUPPLE_TRY_VOID(bake_character(request, baked));
  SUPPLE_TRY_VOID(baked.commit());
  PlayRequest play;
  play.file = (directory / "out.supple").string();
  play.character = (directory / "plain.glb").string();
  SUPPLE_TRY_VOID(write_file(play.character, writer.glb()));
  play.motion = "jump";
  play.glb = (directory / "played.glb").string();
  OutputSet output;
  SUPPLE_TRY_VOID(play_file(play, output));
  SUPPLE_TRY_VOID(output.commit());
  return io::read_gltf(std::filesystem::path(play.glb));
}

TEST(SeveralSkins, PlayAsOne) {
  io::GltfAsset asset = sample_character();
  asset.animations.clear();
  const BothWays both(asset, 8);
  const std::string toml = two_objects(both.whole_asset);
  const auto whole = played(both.whole_asset, both.whole_writer, toml);
  const auto split = played(both.split_asset, both.split_writer, toml);
  ASSERT_TRUE(whole.ok()) << whole.error().describe();
  ASSERT_TRUE(split.ok()) << split.error().describe();
  EXPECT_LT(both.compare(*whole, *split).position, kSameFlesh);
}

TEST(SeveralSkins, SwimAsOne) {
  const BothWays both(sample_character(), 9);
  const auto body = swim::build_body({});
  ASSERT_TRUE(body.ok());
  swim::Recording recording;
  recording.stroke = "poses";
  for (int f = 0; f < 4; ++f) {
    swim::StartState start;
    start.position = {0.5 * f, 0.1, -0.2};
    for (const auto& joint : body->joints) {
      start.angles.push_back(joint.low + (0.3 + 0.1 * f) * (joint.high - joint.low));
    }
    const auto swimmer = swim::Swimmer::create(*body, {}, start);
    ASSERT_TRUE(swimmer.ok()) << swimmer.error().describe();
    swim::Recording::Frame frame;
    frame.time = 0.1 * f;
    for (std::size_t i = 0; i < body->segments.size(); ++i) {
      frame.segments.push_back(swimmer->segment(i));
    }
    frame.centre = swimmer->centre_of_mass();
    recording.frames.push_back(std::move(frame));
  }
  auto whole = swim_character(recording, *body, both.whole_asset);
  auto split = swim_character(recording, *body, both.split_asset);
  ASSERT_TRUE(whole.ok()) << whole.error().describe();
  ASSERT_TRUE(split.ok()) << split.error().describe();
  for (io::GltfAsset* asset : {&whole->asset, &split->asset}) {  // only the swim
    asset->animations.erase(asset->animations.begin(), asset->animations.end() - 1);
  }
  EXPECT_LT(both.compare(whole->asset, split->asset).position, kSameFlesh);
}

TEST(SeveralSkins, RigidMeshesUnderBonesRideAlong) {
  const io::GltfAsset asset = sample_character();
  SkinWriter writer(4);
  Random random(4);
  writer.add(asset, random_styles(asset, random));
  const std::size_t bone = asset.skins[0].joints[asset.skins[0].joints.size() / 2];
  const std::size_t box = writer.add_rigid_box(bone, 0.05);
  const io::GltfAsset before = writer.read();
  const auto baked = bake(before, two_objects(before));
  ASSERT_TRUE(baked.ok()) << baked.error().describe();
  const io::GltfAsset& after = baked->asset;
  EXPECT_TRUE(after.meshes[*after.nodes[box].mesh].primitives[0].targets.empty());
  ASSERT_FALSE(before.animations.empty());
  for (const double time : {0.0, 0.3, 0.7}) {
    const auto old_pose = io::sample(before, before.animations[0], time);
    const auto new_pose = io::sample(after, after.animations[0], time);
    const auto a =
        io::posed_positions(before, box, 0, old_pose, io::world_matrices(before, old_pose));
    const auto b =
        io::posed_positions(after, box, 0, new_pose, io::world_matrices(after, new_pose));
    for (std::size_t v = 0; v < a.size(); ++v) EXPECT_EQ(a[v], b[v]);
  }
}

/// A mast and its flag: one bone each, and no joint in common.
io::SkinnedModel mast_and_flag() {
  io::SkinnedModel model = mixed_model();
  for (io::SkinnedVertex& vertex : model.parts[1].skin) vertex = {{0, 0, 0, 0}, {1, 0, 0, 0}};
  return model;
}

TEST(SeveralSkins, WithoutCommonJointsAreOneCharacter) {
  const io::GltfAsset asset = *io::make_gltf(mast_and_flag());
  const auto usual = character_from_gltf(asset);
  ASSERT_TRUE(usual.ok());
  Random random(6);
  for (int i = 0; i < 5; ++i) {
    std::vector<SkinStyle> styles(2);
    for (SkinStyle& style : styles) style.only_used_joints = true;
    styles[1].to_original = random_bind_space(random, 1, 100);
    SkinWriter writer(6);
    writer.keep_primitives_whole();
    writer.add(asset, styles);
    const io::GltfAsset split = writer.read();
    ASSERT_EQ(split.skins[0].joints.size(), 1U);
    ASSERT_NE(split.skins[0].joints, split.skins[1].joints);
    const auto several = character_from_gltf(split);
    ASSERT_TRUE(several.ok()) << several.error().describe();
    EXPECT_EQ(several->character.bones.size(), 2U);
    for (std::size_t v = 0; v < writer.vertices().size(); ++v) {
      const Vec3& at = several->character.positions[v];
      const Vec3& same = usual->character.positions[writer.vertices()[v].original];
      EXPECT_LT((at - same).norm(), 1e-5) << v;
    }
  }
}

TEST(SeveralSkins, HaveFleshAndShellsTogether) {
  const io::GltfAsset asset = *io::make_gltf(mixed_model());
  SkinWriter whole_writer(7);
  whole_writer.keep_primitives_whole();
  whole_writer.add(asset, {SkinStyle{}});
  SkinWriter split_writer(7);
  split_writer.keep_primitives_whole();
  Random random(7);
  std::vector<SkinStyle> styles(2);
  styles[0].to_original = random_bind_space(random, 1, 0.01);
  styles[1].only_used_joints = styles[1].shuffled = true;
  styles[1].to_original = random_bind_space(random, 1, 3);
  split_writer.add(asset, styles);
  std::string toml = kMixedSettings;
  const std::string flag =
      fmt::format("surface {}", split_writer.vertices().front().node);  // written first
  toml.replace(toml.find("mesh = \"flag\""), 13, "mesh = \"" + flag + "\"");
  const auto whole = bake(whole_writer.read(), toml);
  const auto split = bake(split_writer.read(), toml);
  ASSERT_TRUE(whole.ok()) << whole.error().describe();
  ASSERT_TRUE(split.ok()) << split.error().describe();
  const Difference difference = compare(*whole, whole_writer, *split, split_writer);
  // Shapes of shells are chosen to within shell_tolerance, a thousandth.
  EXPECT_LT(difference.position, 1e-3) << "at node " << difference.node;
  EXPECT_GT(difference.motion, 1e-2);
  if (!io::testing::validator().empty()) {
    EXPECT_TRUE(io::testing::is_valid(split->glb));
  }
}

}  // namespace
}  // namespace supple::bake::testing
