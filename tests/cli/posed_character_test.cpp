// SPDX-License-Identifier: Apache-2.0
#include "posed_character.hpp"

#include "cli/small_characters.hpp"

#include "supple/io/gltf_pose.hpp"

#include <gtest/gtest.h>

namespace supple::app {
namespace {

using geometry::Vec3;

/// The tube in its clip, with one mode that moves vertex `kMoved` by `kShape` alone.
struct Scene {
  static constexpr std::uint32_t kMoved = 5;
  const Eigen::Vector3f kShape{0.01F, 0.02F, -0.03F};
  io::GltfAsset asset;
  bake::GltfCharacter source;
  std::optional<bake::BakedFile> file;
  bake::Motion motion;
  bake::Tracks tracks;

  Scene() {
    const std::string text = testing::glb_text(testing::tube_character());
    asset = io::read_gltf(std::as_bytes(std::span(text)), "tube").value();
    source = bake::character_from_gltf(asset).value();
    io::SuppleMode mode;
    mode.omega = 20;
    mode.damping = 0.2;
    mode.displacements = {kShape};
    mode.normals = {Eigen::Vector3f::Zero()};
    io::SuppleObject object;
    object.name = "spot";
    object.bone = "Leg";
    object.vertices = {kMoved};
    object.modes = {mode};
    io::SuppleAsset flesh = bake::flesh_asset(asset, source, {}, "test");
    flesh.objects = {object};
    file = bake::BakedFile::open(io::write_supple(flesh).value().bytes, "spot").value();
    motion = bake::motion_from_clip(asset, source, 0, 60);
    tracks.duration = motion.duration;
    tracks.values = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(motion.frames.size()), 1);
    tracks.values(30, 0) = 2;
  }
};

TEST(PosedCharacter, FollowsTheBonesAsGltfSays) {
  const Scene scene;
  const PosedCharacter character(*scene.file, scene.source, scene.motion, scene.tracks);
  for (const std::size_t frame : {std::size_t{0}, std::size_t{30}, std::size_t{77}}) {
    const io::GltfPose pose =
        io::sample(scene.asset, scene.asset.animations[0], scene.motion.time(frame));
    const auto world = io::world_matrices(scene.asset, pose);
    const auto expected = io::posed_positions(scene.asset, 0, 0, pose, world);
    const PosedSkin skin = character.rigid(frame);
    ASSERT_EQ(skin.positions.size(), expected.size());
    for (std::size_t v = 0; v < expected.size(); ++v) {
      EXPECT_NEAR((skin.positions[v] - expected[v]).norm(), 0, 1e-9);
      EXPECT_NEAR(skin.normals[v].norm(), 1, 1e-9);
    }
  }
}

TEST(PosedCharacter, TurnsTheFleshWithItsBones) {
  const Scene scene;
  const PosedCharacter character(*scene.file, scene.source, scene.motion, scene.tracks);
  EXPECT_EQ(character.liveliest_frame(), 30U);
  EXPECT_EQ(character.vertices_of(0), std::vector<std::size_t>{Scene::kMoved});
  const PosedSkin soft = character.with_flesh(30);
  const PosedSkin rigid = character.rigid(30);
  // Blended as the vertex is: sum of weight * rotation of (world * inverse bind).
  const character::Character& tube = scene.source.character;
  Eigen::Matrix3d blended = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < tube.influences; ++i) {
    const std::size_t at = Scene::kMoved * tube.influences + i;
    const std::size_t bone = tube.joints[at];
    blended +=
        tube.weights[at] *
        (scene.motion.frames[30][bone] * tube.bones[bone].inverse_bind).topLeftCorner<3, 3>();
  }
  for (std::size_t v = 0; v < soft.positions.size(); ++v) {
    const Vec3 moved = soft.positions[v] - rigid.positions[v];
    const Vec3 expected =
        v == Scene::kMoved ? Vec3(2 * blended * scene.kShape.cast<double>()) : Vec3(Vec3::Zero());
    EXPECT_NEAR((moved - expected).norm(), 0, 1e-5) << v;  // shapes are rounded to 16 bits
  }
}

}  // namespace
}  // namespace supple::app
