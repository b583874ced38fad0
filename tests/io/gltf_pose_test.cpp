// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_pose.hpp"

#include "io/gltf_files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace supple::io {
namespace {

using geometry::Vec3;
using testing::HandMade;
using testing::Json;
using testing::square;

constexpr double kRoundOff = 1e-12;
/// Quarter turns are stored in single precision.
constexpr double kTurnPrecision = 1e-6;

/// Adds an animation of node 0 with one channel.
void animate(HandMade& file, const char* path, const char* interpolation,
             const std::vector<float>& times, const std::vector<float>& values, const char* type,
             std::size_t width) {
  const auto input = file.floats(times, "SCALAR", 1);
  const auto output = file.floats(values, type, width);
  file.json["animations"] = Json::array(
      {{{"name", "clip"},
        {"samplers",
         Json::array({{{"input", input}, {"output", output}, {"interpolation", interpolation}}})},
        {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", path}}}}})}}});
}

GltfAsset asset_of(const HandMade& file) {
  auto asset = file.read();
  EXPECT_TRUE(asset.ok()) << asset.error().describe();
  return *std::move(asset);
}

TEST(GltfPose, RotationsGoTheShortWayAtConstantSpeed) {
  HandMade file = square();
  // From 0 to 90 degrees about z, the second key with its sign turned: still 90, not 270.
  const auto h = static_cast<float>(std::numbers::sqrt2 / 2);
  animate(file, "rotation", "LINEAR", {1, 3}, {0, 0, 0, 1, 0, 0, -h, -h}, "VEC4", 4);
  const GltfAsset asset = asset_of(file);
  for (const double t : {0.0, 0.25, 0.5, 0.9, 1.0}) {
    const GltfPose pose = sample(asset, asset.animations[0], 1 + 2 * t);
    const double angle = t * std::numbers::pi / 2;
    const Vec3 x = pose.locals[0].rotation * Vec3::UnitX();
    EXPECT_NEAR(x.x(), std::cos(angle), kTurnPrecision);
    EXPECT_NEAR(x.y(), std::sin(angle), kTurnPrecision);
  }
  EXPECT_DOUBLE_EQ(asset.animations[0].duration, 3);
}

TEST(GltfPose, ChannelsHoldTheirEnds) {
  HandMade file = square();
  animate(file, "translation", "LINEAR", {1, 2}, {1, 2, 3, 5, 6, 7}, "VEC3", 3);
  const GltfAsset asset = asset_of(file);
  const auto at = [&](double t) { return sample(asset, asset.animations[0], t).locals[0]; };
  EXPECT_EQ(at(-5).translation, Vec3(1, 2, 3));
  EXPECT_EQ(at(1.5).translation, Vec3(3, 4, 5));
  EXPECT_EQ(at(99).translation, Vec3(5, 6, 7));
  EXPECT_EQ(at(std::nan("")).translation, Vec3(1, 2, 3));
}

TEST(GltfPose, StepsHoldUntilTheNextKey) {
  HandMade file = square();
  animate(file, "scale", "STEP", {0, 1, 2}, {1, 1, 1, 2, 2, 2, 3, 3, 3}, "VEC3", 3);
  const GltfAsset asset = asset_of(file);
  EXPECT_EQ(sample(asset, asset.animations[0], 0.999).locals[0].scale, Vec3::Constant(1));
  EXPECT_EQ(sample(asset, asset.animations[0], 1).locals[0].scale, Vec3::Constant(2));
}

TEST(GltfPose, CubicSplinesReproduceACubic) {
  // x(t) = t^3 - 2 t has tangent 3 t^2 - 2: two Hermite keys at 1 and 3 give it back exactly.
  const auto x = [](double t) { return t * t * t - 2 * t; };
  const auto dx = [](double t) { return 3 * t * t - 2; };
  std::vector<float> values;
  for (const double t : {1.0, 3.0}) {
    for (const double v : {dx(t), x(t), dx(t)}) {
      values.insert(values.end(), {static_cast<float>(v), 0, 0});
    }
  }
  HandMade file = square();
  animate(file, "translation", "CUBICSPLINE", {1, 3}, values, "VEC3", 3);
  const GltfAsset asset = asset_of(file);
  for (const double t : {1.0, 1.3, 2.0, 2.9, 3.0}) {
    EXPECT_NEAR(sample(asset, asset.animations[0], t).locals[0].translation.x(), x(t), kRoundOff);
  }
}

TEST(GltfPose, WeightsAreAnimatedPerTarget) {
  HandMade file = square();
  const auto zero = file.floats(std::vector<float>(12, 0), "VEC3", 3);
  const auto up = file.floats({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3", 3);
  file.json["meshes"][0]["primitives"][0]["targets"] =
      Json::array({{{"POSITION", zero}}, {{"POSITION", up}}});
  file.json["meshes"][0]["weights"] = {0.0, 0.5};
  animate(file, "weights", "LINEAR", {0, 1}, {0, 0, 1, 4}, "SCALAR", 1);
  const GltfAsset asset = asset_of(file);
  EXPECT_EQ(rest_pose(asset).weights[0], (std::vector<double>{0, 0.5}));
  const GltfPose pose = sample(asset, asset.animations[0], 0.5);
  EXPECT_EQ(pose.weights[0], (std::vector<double>{0.5, 2}));
  const auto world = world_matrices(asset, pose);
  EXPECT_EQ(posed_positions(asset, 0, 0, pose, world)[2], Vec3(1, 1, 2));
  EXPECT_EQ(gltf_surface(asset)->positions[2], Vec3(1, 1, 0.5));  // default weights at rest
}

TEST(GltfPose, WorldMatricesChainParents) {
  HandMade file = square();
  file.json["nodes"] = Json::parse(R"([
    {"mesh":0,"translation":[1,0,0]},
    {"children":[2],"scale":[2,2,2],"translation":[0,0,5]},
    {"children":[0],"rotation":[0,0,0.70710678118654752,0.70710678118654752]}])");
  file.json["scenes"][0]["nodes"] = {1};
  const GltfAsset asset = asset_of(file);
  // Vertex (1,0,0): +x by 1, turned to +y, doubled, lifted by 5.
  const auto surface = gltf_surface(asset);
  ASSERT_TRUE(surface.ok());
  EXPECT_LT((surface->positions[1] - Vec3(0, 4, 5)).norm(), kRoundOff);
}

TEST(GltfPose, MatricesAreTakenApart) {
  HandMade file = square();
  // Columns: a turn by 90 degrees about z of scales 2, 3, 4, mirrored in x.
  file.json["nodes"][0]["matrix"] = {0, -2, 0, 0, -3, 0, 0, 0, 0, 0, 4, 0, 7, 8, 9, 1};
  const GltfAsset asset = asset_of(file);
  GltfTransform parts = asset.nodes[0].local;
  ASSERT_TRUE(parts.matrix.has_value());
  const Eigen::Matrix4d whole = parts.to_matrix();
  parts.matrix.reset();
  EXPECT_LT((parts.to_matrix() - whole).norm(), kRoundOff);
  EXPECT_EQ(parts.translation, Vec3(7, 8, 9));
}

TEST(GltfSurface, TurnsMirroredPartsRightSideOut) {
  HandMade file = square();
  file.json["nodes"][0]["scale"] = {-1, 1, 1};
  const auto surface = gltf_surface(asset_of(file));
  ASSERT_TRUE(surface.ok());
  const auto& t = surface->triangles[0];
  const auto& p = surface->positions;
  EXPECT_GT((p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).z(), 0);
}

TEST(GltfSurface, SkinsFollowJointsAndIgnoreTheirOwnNode) {
  HandMade file = square();
  Json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  std::vector<std::uint8_t> joints;
  std::vector<float> weights;
  for (int vertex = 0; vertex < 4; ++vertex) {
    joints.insert(joints.end(), {0, 1, 0, 0});
    weights.insert(weights.end(), {0.75F, 0.25F, 0, 0});
  }
  attributes["JOINTS_0"] = file.accessor(joints, 5121, "VEC4", 4);
  attributes["WEIGHTS_0"] = file.floats(weights, "VEC4", 4);
  std::vector<float> inverse(32, 0);
  for (const std::size_t i : {0, 5, 10, 15, 16, 21, 26, 31}) inverse[i] = 1;
  inverse[12] = -1;  // joint 0 was bound at x = 1
  const auto matrices = file.floats(inverse, "MAT4", 16);
  file.json["nodes"] = Json::parse(R"([{"mesh":0,"skin":0,"translation":[100,0,0]},
    {"translation":[1,0,2]},{"translation":[0,4,0]}])");
  file.json["scenes"][0]["nodes"] = {0, 1, 2};
  file.json["skins"] = Json::array({{{"joints", {1, 2}}, {"inverseBindMatrices", matrices}}});
  const auto surface = gltf_surface(asset_of(file));
  ASSERT_TRUE(surface.ok()) << surface.error().describe();
  // 3/4 of joint 0 (moved by z = 2 since binding) and 1/4 of joint 1 (moved by y = 4).
  EXPECT_LT((surface->positions[2] - Vec3(1, 1 + 1, 1.5)).norm(), kRoundOff);
}

TEST(GltfSurface, RefusesAnEmptyScene) {
  HandMade file = square();
  file.json["scenes"][0].erase("nodes");
  EXPECT_FALSE(gltf_surface(asset_of(file)).ok());
}

}  // namespace
}  // namespace supple::io
