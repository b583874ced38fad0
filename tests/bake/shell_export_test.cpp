// SPDX-License-Identifier: Apache-2.0
#include "bake/shell_models.hpp"
#include "io/gltf_validator.hpp"

#include "supple/bake/node_character.hpp"
#include "supple/bake/record.hpp"
#include "supple/core/console.hpp"
#include "supple/core/parallel.hpp"
#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <array>

namespace supple::bake::testing {
namespace {

/// A strip that hangs at one end, its file, and what gravity does to it.
struct Recording {
  io::GltfAsset asset = strip();
  BakedShells baked;
  BakedFile file = *BakedFile::open(baked.supple.bytes, "strip.supple");
  std::vector<BakedClip> clips;

  explicit Recording(std::vector<std::string> motions = {}, const std::string& material = kStiff)
      : baked(bake_shells(asset, settings_of(material + "fix = [\"x<0.013\"]\n"))) {
    RecordSettings settings;
    settings.seconds = 1.5;
    auto recorded = record_motions(std::move(motions), asset, baked.scene.source, file, settings);
    EXPECT_TRUE(recorded.ok()) << recorded.error().describe();
    clips = *std::move(recorded);
  }
  [[nodiscard]] ClipExport write(const ShellExportSettings& settings = {}) const {
    auto result =
        export_clips(asset, baked.scene.source, file.objects(), clips, export_settings(settings));
    EXPECT_TRUE(result.ok()) << result.error().describe();
    return *std::move(result);
  }
};

std::vector<Eigen::Vector3f> rest_positions(const io::GltfAsset& asset) {
  std::vector<Eigen::Vector3f> rest;
  for (const auto& p : asset.meshes[0].primitives[0].positions) rest.push_back(p.cast<float>());
  return rest;
}

/// The player itself, dropped and stepped: positions of every frame.
std::vector<std::vector<Eigen::Vector3f>> drop_by_hand(const Recording& recording,
                                                       std::size_t frames, double dt) {
  const std::vector<Eigen::Vector3f> rest = rest_positions(recording.asset);
  supple_player* player = nullptr;
  EXPECT_EQ(supple_player_create(recording.file.asset(), &player), SUPPLE_OK);
  const Eigen::Matrix4f at = Eigen::Matrix4f::Identity();
  const std::array<double, 3> none{0, 0, 0};
  const std::array<double, 3> gravity{0, -9.81, 0};
  supple_player_set_gravity(player, none.data());
  supple_player_set_bone_matrix(player, 0, at.data());
  supple_player_step(player, 1e-6);
  supple_player_set_gravity(player, gravity.data());
  std::vector<std::vector<Eigen::Vector3f>> result;
  for (std::size_t f = 0; f < frames; ++f) {
    if (f > 0) supple_player_step(player, dt);
    result.emplace_back(rest.size());
    supple_deformation deformation{};
    deformation.rest_positions = {rest[0].data(), 0};
    deformation.positions = {result.back()[0].data(), 0};
    EXPECT_EQ(supple_player_deform(player, &deformation), SUPPLE_OK);
  }
  supple_player_destroy(player);
  return result;
}

TEST(ClipExport, TheFileShowsWhatThePlayerDoesWithinTheStatedError) {
  const Recording recording;
  ASSERT_EQ(recording.clips.size(), 1U);
  EXPECT_EQ(recording.clips[0].tracks.name, "gravity") << "without clips it falls";
  const ClipExport result = recording.write();
  ASSERT_EQ(result.shells.size(), 1U);
  const RecordedShell& shell = result.shells[0];
  EXPECT_LE(shell.largest_error, 1e-3 * shell.size);
  EXPECT_LE(shell.rms_error, shell.largest_error);
  EXPECT_GT(shell.rms_error, 0);
  const auto frames = static_cast<std::size_t>(recording.clips[0].tracks.values.rows());
  const auto played = drop_by_hand(recording, frames, recording.clips[0].motion.step());
  const io::GltfAsset& shown = result.asset;
  ASSERT_EQ(shown.animations.size(), 1U);
  double largest = 0;
  double moved = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    const double time = recording.clips[0].tracks.time(static_cast<Eigen::Index>(f));
    const io::GltfPose pose = io::sample(shown, shown.animations[0], time);
    const auto positions = io::morphed_positions(shown.meshes[0].primitives[0], pose.weights[0]);
    for (std::size_t v = 0; v < positions.size(); ++v) {
      largest = std::max(largest, (positions[v] - played[f][v].cast<double>()).norm());
      moved = std::max(moved, (positions[v] - shown.meshes[0].primitives[0].positions[v]).norm());
    }
  }
  const double rounding = 2e-6;  // floats in the player and in the file
  EXPECT_NEAR(largest, shell.largest_error, rounding);
  EXPECT_GT(moved, 0.02) << "it did fall";
}

TEST(ClipExport, NormalsTurnAlong) {
  const Recording recording;
  const ClipExport result = recording.write();
  const io::GltfAsset& shown = result.asset;
  const io::GltfPrimitive& primitive = shown.meshes[0].primitives[0];
  const double time = recording.clips[0].tracks.duration;
  const std::vector<double> weights = io::sample(shown, shown.animations[0], time).weights[0];
  const auto positions = io::morphed_positions(primitive, weights);
  geometry::TriMesh bent{positions, primitive.triangles};
  const auto expected = geometry::vertex_normals(bent);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    geometry::Vec3 normal = primitive.normals[v];
    for (std::size_t k = 0; k < weights.size(); ++k) {
      normal += weights[k] * primitive.targets[k].normals[v];
    }
    EXPECT_GT(normal.normalized().dot(expected[v]), 0.99) << v;
  }
}

TEST(ClipExport, FewerTargetsMeanALargerErrorThatIsStated) {
  const Recording recording;
  ShellExportSettings one;
  one.targets = 1;
  const ClipExport rough = recording.write(one);
  const ClipExport fine = recording.write();
  EXPECT_EQ(rough.shells[0].shapes, 1U);
  EXPECT_GT(rough.shells[0].largest_error, fine.shells[0].largest_error);
  ASSERT_FALSE(rough.warnings.empty());
  EXPECT_NE(rough.warnings[0].find("1 shapes reproduce its motion with an error"),
            std::string::npos);
  ShellExportSettings exact;
  exact.tolerance = 1e-5;
  EXPECT_LE(recording.write(exact).shells[0].largest_error, 1e-5 * fine.shells[0].size);
}

TEST(ClipExport, SaysHowLittleMovedWhereNothingIsShown) {
  // Ten times as thick as the others: it sinks by a millimetre.
  const Recording recording({},
                            "material = {youngs_modulus = 3e9, poisson_ratio = 0.3, "
                            "density = 800, thickness = 0.003}\n");
  ShellExportSettings settings;
  settings.tolerance = 0.05;
  const ClipExport coarse = recording.write(settings);
  EXPECT_TRUE(coarse.shells.empty());
  ASSERT_EQ(coarse.warnings.size(), 1U);
  double fall = 0;
  for (const auto& frame : drop_by_hand(recording, 91, 1.0 / 60)) {
    const std::vector<Eigen::Vector3f> rest = rest_positions(recording.asset);
    for (std::size_t v = 0; v < rest.size(); ++v) {
      fall = std::max(fall, static_cast<double>((frame[v] - rest[v]).norm()));
    }
  }
  const std::string expected = fmt::format("'strip', by {} of", format_si(fall, "m"));
  EXPECT_NE(coarse.warnings[0].find(expected), std::string::npos)
      << expected << ": " << coarse.warnings[0];
}

TEST(ClipExport, TargetsAreKnownAsOurs) {
  const Recording recording;
  for (const bool alone : {false, true}) {
    ShellExportSettings settings;
    settings.signed_weights = alone;
    const ClipExport result = recording.write(settings);
    const std::size_t shapes = result.shells[0].shapes;
    const auto& names = result.asset.meshes[0].target_names;
    EXPECT_EQ(names.size(), alone ? shapes : 2 * shapes);
    for (const std::string& name : names) {
      EXPECT_TRUE(is_baked_target(name, recording.file.objects())) << name;
    }
  }
  EXPECT_FALSE(is_baked_target("strip recorded smile", recording.file.objects()));
  EXPECT_FALSE(is_baked_target("strap recorded 1", recording.file.objects()));
}

TEST(ClipExport, PassesKhronosValidator) {
  SKIP_WITHOUT_VALIDATOR();
  const Recording recording({"gravity", "wind", "jump"});
  EXPECT_EQ(recording.clips.size(), 3U);
  const auto bytes = io::write_gltf(recording.write().asset);
  ASSERT_TRUE(bytes.ok());
  EXPECT_TRUE(io::testing::is_valid(*bytes));
}

TEST(ClipExport, ThreadsDoNotMatter) {
  std::vector<Bytes> files;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    const Recording recording({"wind"});
    auto bytes = io::write_gltf(recording.write().asset);
    ASSERT_TRUE(bytes.ok());
    files.push_back(*std::move(bytes));
  }
  set_thread_count(0);
  EXPECT_EQ(files[0], files[1]);
}

TEST(ShellRecord, WarnsBeyondWhatTheModesFollow) {
  const io::GltfAsset asset = strip(0.6, 0.1);
  const BakedShells baked = bake_shells(asset, settings_of("fix = [\"x<0.04\"]\n"));
  const auto file = BakedFile::open(baked.supple.bytes, "strip.supple");
  ASSERT_TRUE(file.ok());
  RecordSettings settings;
  const auto clip = record_motion("gravity", nullptr, baked.scene.source, *file, settings);
  ASSERT_TRUE(clip.ok()) << clip.error().describe();
  ASSERT_EQ(clip->tracks.shells.size(), 1U);
  EXPECT_GT(clip->tracks.shells[0].largest_turn, clip->tracks.shells[0].follow_turn);
  ASSERT_FALSE(clip->tracks.warnings.empty());
  EXPECT_NE(clip->tracks.warnings[0].find("degrees; beyond"), std::string::npos);
}

/// Bone "tip" rises by 2 cm within a second and stays.
Motion lift_tip(const BakedShells& baked) {
  Motion motion;
  motion.name = "lift";
  motion.duration = 2;
  for (const character::Bone& bone : baked.scene.source.character.bones) {
    motion.bones.push_back(bone.name);
  }
  for (int f = 0; f <= 120; ++f) {
    motion.frames.emplace_back();
    for (const character::Bone& bone : baked.scene.source.character.bones) {
      Eigen::Matrix4d at = bone.rest_world;
      if (bone.name == "tip") at(1, 3) += 0.02 * std::min(1.0, f / 60.0);
      motion.frames.back().push_back(at);
    }
  }
  return motion;
}

TEST(ShellRecord, AHandleFollowsItsBone) {
  const io::GltfAsset asset = skinned_strip();
  const BakedShells baked = bake_shells(
      asset, settings_of(std::string(kStiff) + "gravity = \"modelled\"\nfix = [\"x<0.013\"]\n"
                                               "[[shell.handle]]\nbone = \"tip\"\n"
                                               "at = \"nearest:0.2,0,0.025\"\nhold = \"y\"\n"));
  const auto file = BakedFile::open(baked.supple.bytes, "strip.supple");
  ASSERT_TRUE(file.ok());
  const auto tracks = play(*file, lift_tip(baked));
  ASSERT_TRUE(tracks.ok()) << tracks.error().describe();
  EXPECT_TRUE(tracks->warnings.empty()) << tracks->warnings[0];
  const soft::Asset exported = shell_asset(baked.scene, baked.objects, "");
  const soft::Object& object = exported.objects[0];
  const std::uint32_t vertex = baked.scene.shells[0].attachments[0].vertex;
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Vector3d w = Eigen::Vector3d::Zero();
  for (std::size_t m = 0; m < object.modes.size(); ++m) {
    const double q = tracks->values(120, static_cast<Eigen::Index>(m));
    p += q * object.modes[m].displacements[vertex];
    w += q * object.modes[m].turns[vertex];
  }
  EXPECT_NEAR((shell::mean_rotation(w) * p).y(), 0.02, 1e-4);
}

/// One vertex cannot stay with one bone and rise with another: half of it is missed by both.
TEST(ShellRecord, SaysByHowMuchHandlesMissTheirBones) {
  const auto warnings = [](const std::string& stiffness) {
    const std::string at = "at = \"nearest:0.2,0,0.025\"\nhold = \"y\"\n";
    const BakedShells baked = bake_shells(
        skinned_strip(),
        settings_of(std::string(kStiff) + "gravity = \"modelled\"\nfix = [\"x<0.013\"]\n" +
                    "[[shell.handle]]\nbone = \"tip\"\n" + at + stiffness +
                    "[[shell.handle]]\nbone = \"base\"\n" + at));
    const auto file = BakedFile::open(baked.supple.bytes, "strip.supple");
    EXPECT_TRUE(file.ok());
    const auto tracks = play(*file, lift_tip(baked));
    EXPECT_TRUE(tracks.ok()) << tracks.error().describe();
    return tracks->warnings;
  };
  const std::vector<std::string> hard = warnings("");
  ASSERT_EQ(hard.size(), 1U);
  EXPECT_NE(hard[0].find("'strip' is up to 10.0 mm away from its bone"), std::string::npos)
      << hard[0];
  EXPECT_TRUE(warnings("stiffness = 0.01\n").empty()) << "a soft handle may give way";
}

TEST(ShellRecord, BonesStandApartWithoutTheGltfFile) {
  const BakedShells baked =
      bake_shells(skinned_strip(), settings_of("fix = [\"x<0.013\"]\n[[shell.handle]]\n"
                                               "bone = \"tip\"\nat = \"nearest:0.2,0,0.025\"\n"));
  const auto file = BakedFile::open(baked.supple.bytes, "strip.supple");
  ASSERT_TRUE(file.ok());
  const character::Character bones = file->bones();
  ASSERT_EQ(bones.bones.size(), 2U);
  const Eigen::Matrix4d apart = bones.bones[1].rest_world - bones.bones[0].rest_world;
  EXPECT_EQ(bones.bones[1].name, "tip");
  EXPECT_LT((apart.topRightCorner<3, 1>() - Eigen::Vector3d(0.2, 0, 0)).norm(), 1e-6);
}

}  // namespace
}  // namespace supple::bake::testing
