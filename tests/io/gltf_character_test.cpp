// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_character.hpp"

#include "supple/io/gltf_pose.hpp"

#include "io/gltf_validator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace supple::io {
namespace {

using geometry::Vec3;

constexpr double kFloat = 1e-6;  ///< glTF stores floats; lengths here are about 1

/// Two bones along +y, the upper one turned about x at rest, and a tetrahedron on each side.
SkinnedModel two_bones() {
  SkinnedModel model;
  model.name = "arm";
  model.bones = {
      {"Lower", {}, {0, 0.5, 0}, Eigen::Quaterniond::Identity()},
      {"Upper", 0, {0, 1, 0}, Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Vec3::UnitX()))}};
  SkinnedPart part;
  part.material = "skin";
  part.positions = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 1}};
  part.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  for (const Vec3& p : part.positions) part.normals.push_back((p - Vec3(.2, .5, .2)).normalized());
  part.skin = {{{0, 0, 0, 0}, {1, 0, 0, 0}},
               {{0, 1, 0, 0}, {0.3, 0.7, 0, 0}},
               {{1, 0, 0, 0}, {1, 0, 0, 0}},
               {{1, 0, 0, 0}, {1.0 / 3, 2.0 / 3, 0, 0}}};
  part.colours.assign(4, {0.5, 0.25, 1, 1});
  part.texcoords.assign(4, {0.5, 0.5});
  part.attributes = {{"_SOFT", 1, {0, 0.25F, 0.5F, 1}}};
  model.parts.push_back(part);
  SkinnedClip clip{"bend", {0, 0.5, 1}, {}};
  SkinnedTrack track{1, {}, {}};
  for (const double angle : {0.0, 0.5, 1.0}) {
    track.rotations.push_back(model.bones[1].rotation * Eigen::AngleAxisd(angle, Vec3::UnitZ()));
  }
  clip.tracks = {{0, {}, {{0, 0.5, 0}, {0, 0.6, 0}, {0, 0.7, 0}}}, track};
  model.clips.push_back(clip);
  return model;
}

TEST(GltfCharacter, ComesBackAsItWas) {
  const SkinnedModel model = two_bones();
  const auto asset = make_gltf(model);
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const GltfPrimitive& primitive = asset->meshes[0].primitives[0];
  EXPECT_EQ(primitive.triangles, model.parts[0].triangles);
  EXPECT_EQ(primitive.influences, 4U);
  EXPECT_EQ(primitive.attributes.at(0).values, model.parts[0].attributes[0].values);
  EXPECT_EQ(asset->materials.at(0), "skin");
  EXPECT_EQ(asset->nodes[1].name, "Upper");
  EXPECT_EQ(asset->nodes[1].parent, std::optional<std::size_t>(0));
  EXPECT_DOUBLE_EQ(asset->animations.at(0).duration, 1);
  EXPECT_LT(weight_sum_error(primitive), 1e-7);
}

TEST(GltfCharacter, RestsWhereItsVerticesAre) {
  const SkinnedModel model = two_bones();
  const auto asset = make_gltf(model);
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const GltfPose pose = rest_pose(*asset);
  const auto posed = posed_positions(*asset, 2, 0, pose, world_matrices(*asset, pose));
  for (std::size_t v = 0; v < posed.size(); ++v) {
    EXPECT_LT((posed[v] - model.parts[0].positions[v]).norm(), kFloat) << v;
  }
}

TEST(GltfCharacter, BendsAboutItsJoint) {
  const auto asset = make_gltf(two_bones());
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const GltfPose pose = sample(*asset, asset->animations[0], 1);
  const auto posed = posed_positions(*asset, 2, 0, pose, world_matrices(*asset, pose));
  // Vertex 2 follows the upper bone alone: lifted by 0.2, turned by 1 about that bone's own z
  // through its joint at (0, 1.5, 0).
  const Eigen::AngleAxisd rest(0.3, Vec3::UnitX());
  const Vec3 joint(0, 1.5, 0);
  const Vec3 expected =
      joint + Vec3(0, 0.2, 0) +
      rest * Eigen::AngleAxisd(1.0, Vec3::UnitZ()) * (rest.inverse() * Vec3(0, 0.5, 0));
  EXPECT_LT((posed[2] - expected).norm(), kFloat);
  EXPECT_LT((posed[0] - Vec3(0, 0.2, 0)).norm(), kFloat);
}

TEST(GltfCharacter, PassesKhronosValidator) {
  SKIP_WITHOUT_VALIDATOR();
  const auto asset = make_gltf(two_bones());
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const auto bytes = write_gltf(*asset);
  ASSERT_TRUE(bytes.ok()) << bytes.error().describe();
  EXPECT_TRUE(testing::is_valid(*bytes));
}

TEST(GltfCharacter, NamesWhatIsWrong) {
  const auto complaint = [](const auto& spoil) {
    SkinnedModel model = two_bones();
    spoil(model);
    const auto asset = make_gltf(model);
    return asset.ok() ? std::string("accepted") : asset.error().describe();
  };
  const auto expect = [&](const char* words, const auto& spoil) {
    EXPECT_NE(complaint(spoil).find(words), std::string::npos) << complaint(spoil);
  };
  expect("sum 1", [](SkinnedModel& m) { m.parts[0].skin[1].weights[0] = 0.9; });
  expect("existing bones", [](SkinnedModel& m) { m.parts[0].skin[1].bones[0] = 2; });
  expect("after its parent", [](SkinnedModel& m) { m.bones[0].parent = 1; });
  expect("names vertex 4 of 4", [](SkinnedModel& m) { m.parts[0].triangles[0][2] = 4; });
  expect("length 1", [](SkinnedModel& m) { m.parts[0].normals[3] *= 2; });
  expect("'SOFT'", [](SkinnedModel& m) { m.parts[0].attributes[0].name = "SOFT"; });
  expect("times must increase", [](SkinnedModel& m) { m.clips[0].times[1] = 1; });
  expect("3 keys", [](SkinnedModel& m) { m.clips[0].tracks[1].rotations.pop_back(); });
  expect("clip 'bend'", [](SkinnedModel& m) { m.clips[0].tracks[0].bone = 7; });
  expect("does not fit", [](SkinnedModel& m) { m.parts[0].positions[0].x() = 1e300; });
}

}  // namespace
}  // namespace supple::io
