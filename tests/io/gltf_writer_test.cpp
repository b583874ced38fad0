// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_editor.hpp"
#include "supple/io/gltf_morph_animation.hpp"
#include "supple/io/gltf_pose.hpp"

#include "io/gltf_files.hpp"
#include "io/gltf_validator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

namespace supple::io {
namespace {

namespace fs = std::filesystem;
using geometry::Vec3;
using testing::HandMade;
using testing::is_valid;
using testing::Json;
using testing::square;
using testing::validator;

GltfAsset read_back(const Bytes& bytes) {
  auto asset = read_gltf(bytes, "back.glb");
  EXPECT_TRUE(asset.ok()) << asset.error().describe();
  return *std::move(asset);
}

geometry::TriMesh tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

MorphAnimation two_swings() {
  MorphAnimation animation;
  animation.surface = tetrahedron();
  animation.swings.push_back({"mode 1 (0.6185 Hz)", std::vector<Vec3>(4, {0.1, 0, 0}), 2});
  animation.swings.push_back(
      {"mode 2 (3 Hz)", {{0, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}, {0.1, 0, 0}}, 1});
  return animation;
}

TEST(MorphAnimation, SwingsAsASine) {
  const auto bytes = write_morph_animation(two_swings());
  ASSERT_TRUE(bytes.ok()) << bytes.error().describe();
  const GltfAsset asset = read_back(*bytes);
  ASSERT_EQ(asset.animations.size(), 2U);
  EXPECT_EQ(asset.animations[0].name, "mode 1 (0.6185 Hz)");
  EXPECT_DOUBLE_EQ(asset.animations[0].duration, 2);
  const GltfPrimitive& primitive = asset.meshes[0].primitives[0];
  ASSERT_EQ(primitive.targets.size(), 4U);
  EXPECT_EQ(asset.meshes[0].target_names[3], "mode 2 (3 Hz) -");
  // Chords of 32 keys per cycle stay within 1 - cos(pi / 32) of the sine.
  const double kChord = 1 - std::cos(std::numbers::pi / 32) + 1e-6;
  for (int i = 0; i <= 100; ++i) {
    const double time = 0.01 * i;
    const GltfPose pose = sample(asset, asset.animations[1], time);
    const auto moved = morphed_positions(primitive, pose.weights[0]);
    const double q = std::sin(2 * std::numbers::pi * time);
    for (std::size_t v = 0; v < moved.size(); ++v) {
      const Vec3 rest = primitive.positions[v];
      const Vec3 wanted = q * (rest.x() == 1   ? Vec3(0, 0.1, 0)
                               : rest.y() == 1 ? Vec3(0, 0, 0.1)
                               : rest.z() == 1 ? Vec3(0.1, 0, 0)
                                               : Vec3(0, 0, 0));
      EXPECT_LT((moved[v] - rest - wanted).norm(), 0.1 * kChord);
    }
    for (const double weight : pose.weights[0]) {
      EXPECT_GE(weight, 0);
      EXPECT_LE(weight, 1);
    }
  }
}

TEST(MorphAnimation, NormalsFollowTheDisplacedSurface) {
  const auto bytes = write_morph_animation(two_swings());
  ASSERT_TRUE(bytes.ok());
  const GltfAsset asset = read_back(*bytes);
  const GltfPrimitive& primitive = asset.meshes[0].primitives[0];
  ASSERT_EQ(primitive.positions.size(), 12U);  // all edges of a tetrahedron are sharp
  constexpr double kSinglePrecision = 1e-6;
  for (const std::size_t target : {std::size_t{2}, std::size_t{3}}) {
    const GltfMorphTarget& morph = primitive.targets[target];
    for (const geometry::Triangle& t : primitive.triangles) {
      const auto p = [&](int c) -> Vec3 {
        return primitive.positions[t[c]] + morph.positions[t[c]];
      };
      const Vec3 normal = (p(1) - p(0)).cross(p(2) - p(0)).normalized();
      for (int c = 0; c < 3; ++c) {
        EXPECT_LT((primitive.normals[t[c]] + morph.normals[t[c]] - normal).norm(),
                  kSinglePrecision);
      }
    }
  }
}

TEST(MorphAnimation, IsValid) {
  SKIP_WITHOUT_VALIDATOR();
  MorphAnimation animation = two_swings();
  const auto plain = write_morph_animation(animation);
  ASSERT_TRUE(plain.ok());
  EXPECT_TRUE(is_valid(*plain));
  animation.colours.assign(4, {1, 0.5, 0, 1});
  animation.signed_weights = true;
  const auto coloured = write_morph_animation(animation);
  ASSERT_TRUE(coloured.ok());
  EXPECT_TRUE(is_valid(*coloured));
  animation.swings.clear();
  const auto still = write_morph_animation(animation);
  ASSERT_TRUE(still.ok());
  EXPECT_TRUE(is_valid(*still));
}

TEST(MorphAnimation, RefusesWhatItCannotWrite) {
  MorphAnimation animation = two_swings();
  animation.swings[1].displacement.pop_back();
  EXPECT_FALSE(write_morph_animation(animation).ok());
  animation = two_swings();
  animation.swings[0].displacement[0].x() = std::nan("");
  EXPECT_FALSE(write_morph_animation(animation).ok());
  animation.swings[0].displacement[0].x() = 1e300;
  EXPECT_FALSE(write_morph_animation(animation).ok());
  animation = two_swings();
  animation.surface.triangles.clear();
  EXPECT_FALSE(write_morph_animation(animation).ok());
}

/// A square with a morph target, its animation, and things that Supple knows nothing about.
HandMade rich_square() {
  HandMade file = square();
  const auto up = file.floats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3", 3);
  file.json["accessors"].back()["min"] = {0, 0, 1};
  file.json["accessors"].back()["max"] = {0, 0, 1};
  file.json["accessors"][0]["min"] = {0, 0, 0};
  file.json["accessors"][0]["max"] = {1, 1, 0};
  file.json["meshes"][0]["primitives"][0]["targets"] = Json::array({{{"POSITION", up}}});
  file.json["meshes"][0]["weights"] = {0.25};
  const auto times = file.floats({0, 1}, "SCALAR", 1);
  file.json["accessors"].back()["min"] = {0};
  file.json["accessors"].back()["max"] = {1};
  const auto values = file.floats({0, 1}, "SCALAR", 1);
  file.json["animations"] = Json::array(
      {{{"name", "old"},
        {"samplers", Json::array({{{"input", times}, {"output", values}}})},
        {"channels",
         Json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}})}}});
  file.json["extensionsUsed"] = {"ACME_fur"};
  file.json["extensions"]["ACME_fur"] = {{"length", 0.1}, {"curls", {1, 2, 3}}};
  file.json["extras"] = "anything";
  file.json["materials"] = Json::array({{{"name", "skin"}, {"extras", {{"wet", true}}}}});
  return file;
}

std::vector<std::vector<GltfMorphTarget>> one_target(const Vec3& displacement) {
  GltfMorphTarget target;
  target.positions.assign(4, Vec3::Zero());
  target.positions[1] = displacement;
  return {{target}};
}

TEST(GltfEditor, AddsTargetsAndLeavesTheRestAlone) {
  const HandMade file = rich_square();
  const auto before = file.read();
  ASSERT_TRUE(before.ok()) << before.error().describe();
  for (const GltfStorage storage : {GltfStorage::Dense, GltfStorage::Sparse}) {
    GltfEditor editor(*before);
    ASSERT_TRUE(editor.add_morph_targets(0, {"flesh 0 +"}, one_target({1, 2, 3}), storage).ok());
    const auto after = std::move(editor).finish();
    ASSERT_TRUE(after.ok()) << after.error().describe();
    const auto bytes = write_gltf(*after);
    ASSERT_TRUE(bytes.ok());
    const GltfAsset back = read_back(*bytes);
    const GltfMesh& mesh = back.meshes[0];
    EXPECT_EQ(mesh.target_names, (std::vector<std::string>{"target_0", "flesh 0 +"}));
    EXPECT_EQ(mesh.weights, (std::vector<double>{0.25, 0}));
    EXPECT_EQ(mesh.primitives[0].targets[0].positions[2], Vec3(0, 0, 1));
    EXPECT_EQ(mesh.primitives[0].targets[1].positions[1], Vec3(1, 2, 3));
    EXPECT_EQ(mesh.primitives[0].targets[1].positions[2], Vec3(0, 0, 0));
    // The old clip still plays the old target, and now says nothing about the new one.
    const GltfPose pose = sample(back, back.animations[0], 0.5);
    EXPECT_EQ(pose.weights[0], (std::vector<double>{0.5, 0}));
    const Json json = testing::take_apart(*bytes).first;
    for (const char* key : {"extensions", "extensionsUsed", "extras", "materials", "nodes"}) {
      EXPECT_EQ(json[key], file.json[key]) << key;
    }
  }
}

TEST(GltfEditor, RemovesBakedTargetsAndKeepsOthers) {
  const auto before = rich_square().read();
  ASSERT_TRUE(before.ok());
  for (const GltfStorage storage : {GltfStorage::Dense, GltfStorage::Sparse}) {
    GltfEditor editor(*before);
    ASSERT_TRUE(editor
                    .add_morph_targets(
                        0, {"+", "-"},
                        {{one_target({1, 2, 3})[0][0], one_target({-1, 2, 0})[0][0]}}, storage)
                    .ok());
    editor.mark_baked_targets(0, 1);
    GltfSampler sampler;  // as a bake writes it: its own weight, then those of the flesh
    sampler.width = 3;
    sampler.times = {0, 1, 2};
    sampler.values = {0.5, 1, 0, 0.25, 0, 1, 0.125, 0, 0};
    ASSERT_TRUE(editor.set_channel(0, 0, GltfPath::Weights, sampler).ok());
    sampler.width = 3;
    const std::size_t clip = editor.add_animation("flesh alone");
    ASSERT_TRUE(editor.set_channel(clip, 0, GltfPath::Weights, sampler).ok());
    auto baked = std::move(editor).finish();
    ASSERT_TRUE(baked.ok()) << baked.error().describe();
    GltfEditor again(*baked);
    const auto removed = again.remove_baked_targets();
    ASSERT_TRUE(removed.ok()) << removed.error().describe();
    EXPECT_EQ(*removed, 2U);
    const auto plain = std::move(again).finish();
    ASSERT_TRUE(plain.ok()) << plain.error().describe();
    const GltfMesh& mesh = plain->meshes[0];
    EXPECT_EQ(mesh.target_names.size(), 1U);
    EXPECT_EQ(mesh.weights, (std::vector<double>{0.25}));
    EXPECT_EQ(mesh.primitives[0].targets.size(), 1U);
    EXPECT_EQ(mesh.primitives[0].targets[0].positions[2], Vec3(0, 0, 1));
    EXPECT_EQ(sample(*plain, plain->animations[0], 1).weights[0], (std::vector<double>{0.25}));
    GltfEditor nothing(*plain);
    EXPECT_EQ(nothing.remove_baked_targets().value(), 0U);
  }
}

TEST(GltfEditor, RemovesClipsThatOnlyMovedBakedTargets) {
  const auto before = square().read();
  ASSERT_TRUE(before.ok());
  GltfEditor editor(*before);
  ASSERT_TRUE(editor.add_morph_targets(0, {"+"}, one_target({1, 2, 3})).ok());
  editor.mark_baked_targets(0, 0);
  GltfSampler sampler;
  sampler.width = 1;
  sampler.times = {0, 1};
  sampler.values = {0, 1};
  const std::size_t clip = editor.add_animation("recorded");
  ASSERT_TRUE(editor.set_channel(clip, 0, GltfPath::Weights, sampler).ok());
  const auto baked = std::move(editor).finish();
  ASSERT_TRUE(baked.ok()) << baked.error().describe();
  GltfEditor again(*baked);
  EXPECT_EQ(again.remove_baked_targets().value(), 1U);
  const auto plain = std::move(again).finish();
  ASSERT_TRUE(plain.ok()) << plain.error().describe();
  EXPECT_TRUE(plain->animations.empty());
  EXPECT_TRUE(plain->meshes[0].target_names.empty());
  // Not an accessor, a view or a byte is left.
  EXPECT_EQ(*write_gltf(*plain), *write_gltf(GltfEditor(*before).finish().value()));
}

TEST(GltfEditor, ReplacesAndAddsChannels) {
  const auto before = rich_square().read();
  ASSERT_TRUE(before.ok());
  GltfEditor editor(*before);
  GltfSampler sampler;
  sampler.width = 1;
  sampler.times = {0, 2};
  sampler.values = {1, 0};
  ASSERT_TRUE(editor.set_channel(0, 0, GltfPath::Weights, sampler).ok());
  const std::size_t clip = editor.add_animation("new");
  sampler.width = 3;
  sampler.values = {0, 0, 0, 2, 0, 0};
  ASSERT_TRUE(editor.set_channel(clip, 0, GltfPath::Translation, sampler).ok());
  ASSERT_TRUE(editor.set_attribute(0, 0, {"_FLESH", 1, {0, 1, 0, 1}}).ok());
  const auto after = std::move(editor).finish();
  ASSERT_TRUE(after.ok()) << after.error().describe();
  EXPECT_EQ(after->animations[0].samplers.size(), 1U);
  EXPECT_EQ(sample(*after, after->animations[0], 1).weights[0][0], 0.5);
  EXPECT_EQ(sample(*after, after->animations[1], 1).locals[0].translation, Vec3(1, 0, 0));
  EXPECT_EQ(after->meshes[0].primitives[0].attributes[0].values[3], 1);
}

TEST(GltfEditor, IsValid) {
  SKIP_WITHOUT_VALIDATOR();
  const auto before = rich_square().read();
  ASSERT_TRUE(before.ok());
  for (const GltfStorage storage : {GltfStorage::Dense, GltfStorage::Sparse}) {
    GltfEditor editor(*before);
    ASSERT_TRUE(editor.add_morph_targets(0, {"a"}, one_target({1, 2, 3}), storage).ok());
    ASSERT_TRUE(editor.add_morph_targets(0, {"b"}, {{GltfMorphTarget()}}, storage).ok());
    const auto after = std::move(editor).finish();
    ASSERT_TRUE(after.ok()) << after.error().describe();
    EXPECT_TRUE(is_valid(*write_gltf(*after)));
  }
}

TEST(GltfEditor, TakesImagesAlong) {
  const fs::path root = fs::path(::testing::TempDir()) / "supple_gltf_images";
  fs::create_directories(root);
  const std::string picture = "\x89PNG\r\n\x1a\n not really";
  ASSERT_TRUE(write_file(root / "skin.png", picture).ok());
  HandMade file = square();
  file.json["images"] = Json::array({{{"uri", "skin.png"}, {"name", "skin"}}});
  ASSERT_TRUE(write_file(root / "a.glb", file.glb()).ok());
  const auto asset = read_gltf(root / "a.glb");
  ASSERT_TRUE(asset.ok());
  GltfEditor editor(*asset);
  ASSERT_TRUE(editor.embed_images().ok());
  const auto after = std::move(editor).finish();
  ASSERT_TRUE(after.ok());
  const auto [json, binary] = testing::take_apart(*write_gltf(*after));
  EXPECT_EQ(json["images"][0]["mimeType"], "image/png");
  EXPECT_FALSE(json["images"][0].contains("uri"));
  const Json& view = json["bufferViews"][json["images"][0]["bufferView"].get<std::size_t>()];
  EXPECT_EQ(as_text(std::span(binary).subspan(view["byteOffset"], view["byteLength"])), picture);
  fs::remove_all(root);
}

TEST(GltfWriter, JoinsSeveralBuffers) {
  HandMade file = square();
  // The same two views, each in a buffer of its own, the first of odd length.
  Json json = file.json;
  json["buffers"] =
      Json::array({{{"byteLength", 49}, {"uri", "a.bin"}}, {{"byteLength", 12}, {"uri", "b.bin"}}});
  json["bufferViews"][1] = {{"buffer", 1}, {"byteLength", 12}};
  const fs::path root = fs::path(::testing::TempDir()) / "supple_gltf_join";
  fs::create_directories(root);
  const Bytes& all = file.binary;
  ASSERT_TRUE(write_file(root / "a.bin", std::span(all).first(49)).ok());
  ASSERT_TRUE(write_file(root / "b.bin", std::span(all).subspan(48, 12)).ok());
  const std::string text = json.dump();
  const auto asset = read_gltf(as_bytes(text), "two.gltf", root);
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const GltfAsset back = read_back(*write_gltf(*asset));
  EXPECT_EQ(back.meshes[0].primitives[0].positions, asset->meshes[0].primitives[0].positions);
  EXPECT_EQ(back.meshes[0].primitives[0].triangles[1], (geometry::Triangle{0, 2, 3}));
  fs::remove_all(root);
}

TEST(GltfWriter, ReturnsEveryAssetUntouched) {
  if (!fs::exists(testing::assets())) GTEST_SKIP() << "SKIPPED: no " << testing::assets();
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(testing::assets())) {
    if (entry.path().extension() != ".glb") continue;
    ++files;
    const auto original = read_file(entry.path());
    ASSERT_TRUE(original.ok());
    const auto asset = read_gltf(entry.path());
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    const auto written = write_gltf(*asset);
    ASSERT_TRUE(written.ok());
    const auto [json_before, binary_before] = testing::take_apart(*original);
    const auto [json_after, binary_after] = testing::take_apart(*written);
    EXPECT_EQ(json_after, json_before) << entry.path();
    EXPECT_EQ(binary_after, binary_before) << entry.path();
    if (!validator().empty()) {
      EXPECT_TRUE(is_valid(*written, entry.path())) << entry.path();
    }
  }
  EXPECT_GE(files, 8);
  if (validator().empty()) GTEST_SKIP() << "SKIPPED in part: no gltf-validator in web/";
}

TEST(GltfEditor, AddsValidTargetsToEveryAsset) {
  SKIP_WITHOUT_VALIDATOR();
  if (!fs::exists(testing::assets())) GTEST_SKIP() << "SKIPPED: no " << testing::assets();
  for (const auto& entry : fs::recursive_directory_iterator(testing::assets())) {
    if (entry.path().extension() != ".glb") continue;
    const auto asset = read_gltf(entry.path());
    ASSERT_TRUE(asset.ok());
    GltfEditor editor(*asset);
    for (std::size_t m = 0; m < asset->meshes.size(); ++m) {
      std::vector<std::vector<GltfMorphTarget>> targets;
      for (const GltfPrimitive& primitive : asset->meshes[m].primitives) {
        GltfMorphTarget target;
        target.positions = primitive.normals.empty() ? primitive.positions : primitive.normals;
        targets.push_back({target});
      }
      ASSERT_TRUE(editor.add_morph_targets(m, {"inflate"}, targets).ok());
    }
    const auto after = std::move(editor).finish();
    ASSERT_TRUE(after.ok()) << after.error().describe();
    EXPECT_TRUE(is_valid(*write_gltf(*after), entry.path())) << entry.path();
  }
}

}  // namespace
}  // namespace supple::io
