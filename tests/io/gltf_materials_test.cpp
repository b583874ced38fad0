// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_materials.hpp"

#include "io/gltf_samples.hpp"
#include "io/vtu_samples.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace supple::io::testing {
namespace {

Image one_pixel(std::uint8_t red) {
  return {1, 1, {red, 2, 3, 255}};
}

/// A triangle with one material, and images in a buffer, in an address, and beside the file.
HandMade painted(const Json& material, const Json& images) {
  HandMade file;
  const std::size_t positions = file.floats({0, 0, 0, 1, 0, 0, 0, 1, 0}, "VEC3", 3);
  file.show({{"attributes", {{"POSITION", positions}}}, {"material", 0}});
  file.json["materials"] = Json::array({material});
  file.json["images"] = images;
  file.json["samplers"] = Json::parse(R"([{"wrapS": 33071, "wrapT": 33648, "magFilter": 9728}])");
  Json textures = Json::array();
  for (std::size_t i = 0; i < images.size(); ++i) {
    textures.push_back({{"source", i}, {"sampler", 0}});
  }
  file.json["textures"] = textures;
  return file;
}

GltfMaterials materials_of(const HandMade& file, const std::filesystem::path& directory = {}) {
  const auto asset = read_gltf(file.glb(), "test", directory);
  EXPECT_TRUE(asset.ok()) << asset.error().describe();
  return read_materials(*asset);
}

TEST(GltfMaterials, ReadsEveryFactor) {
  const Json material = Json::parse(R"({
    "name": "paint", "doubleSided": true, "alphaMode": "MASK", "alphaCutoff": 0.3,
    "emissiveFactor": [0.1, 0.2, 0.3],
    "pbrMetallicRoughness": {
      "baseColorFactor": [0.4, 0.5, 0.6, 0.7], "metallicFactor": 0.2, "roughnessFactor": 0.8},
    "extensions": {"KHR_materials_unlit": {},
                   "KHR_materials_emissive_strength": {"emissiveStrength": 2}}})");
  const GltfMaterials read_back = materials_of(painted(material, Json::array()));
  ASSERT_EQ(read_back.materials.size(), 1U);
  const GltfMaterial& look = read_back.materials[0];
  EXPECT_EQ(look.name, "paint");
  EXPECT_EQ(look.base_colour, Eigen::Vector4d(0.4, 0.5, 0.6, 0.7));
  EXPECT_EQ(look.metallic, 0.2);
  EXPECT_EQ(look.roughness, 0.8);
  EXPECT_EQ(look.emissive, Eigen::Vector3d(0.2, 0.4, 0.6));
  EXPECT_EQ(look.alpha, GltfAlpha::Mask);
  EXPECT_EQ(look.alpha_cutoff, 0.3);
  EXPECT_TRUE(look.double_sided);
  EXPECT_TRUE(look.unlit);
  EXPECT_FALSE(look.base_colour_texture.has_value());
  EXPECT_TRUE(read_back.warnings.empty());
}

TEST(GltfMaterials, FindsImagesWhereverTheyAre) {
  const supple::testing::TemporaryDirectory directory;
  const auto png = [](std::uint8_t red) { return *write_png(one_pixel(red)); };
  directory.write("beside.png", as_text(png(30)));
  const Json material = Json::parse(R"({
    "pbrMetallicRoughness": {
      "baseColorTexture": {"index": 0, "extensions": {"KHR_texture_transform":
        {"offset": [0.5, 0.25], "scale": [2, 3], "rotation": 1.5707963267948966}}},
      "metallicRoughnessTexture": {"index": 2}},
    "normalTexture": {"index": 1, "scale": 0.5},
    "occlusionTexture": {"index": 1, "strength": 0.25}})");
  HandMade file = painted(material, Json::array({{{"mimeType", "image/png"}}, {}, {}}));
  const Bytes inside = png(10);
  file.json["images"][0]["bufferView"] = file.view(inside);
  file.json["images"][1]["uri"] = "data:image/png;base64," + samples::base64(as_text(png(20)));
  file.json["images"][2]["uri"] = "beside.png";
  const GltfMaterials result = materials_of(file, directory.path());
  EXPECT_TRUE(result.warnings.empty()) << result.warnings.front();
  ASSERT_EQ(result.images.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(result.images[i].rgba, one_pixel(static_cast<std::uint8_t>(10 * (i + 1))).rgba);
  const GltfMaterial& look = result.materials[0];
  EXPECT_EQ(look.base_colour_texture->image, 0U);
  EXPECT_EQ(look.base_colour_texture->wrap_u, GltfWrap::Clamp);
  EXPECT_EQ(look.base_colour_texture->wrap_v, GltfWrap::Mirror);
  EXPECT_TRUE(look.base_colour_texture->nearest);
  EXPECT_EQ(look.normal_scale, 0.5);
  EXPECT_EQ(look.occlusion_strength, 0.25);
  // Scaled, then a quarter turn counter-clockwise as one sees it with v down, then moved.
  const Eigen::Vector2d moved = look.base_colour_texture->transform * Eigen::Vector3d(0.1, 0, 1);
  EXPECT_LT((moved - Eigen::Vector2d(0.5, 0.25 - 0.2)).norm(), 1e-12);
}

TEST(GltfMaterials, UnreadableImagesAndOddNumbersAreWarningsAtMost) {
  const Json material = Json::parse(R"({
    "alphaMode": 7, "doubleSided": "yes", "emissiveFactor": [1],
    "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": "much",
                             "metallicRoughnessTexture": {"index": 99}},
    "normalTexture": {"index": 1, "texCoord": 1}, "occlusionTexture": 3,
    "emissiveTexture": {"index": 1}})");
  const Json images = Json::parse(R"([{"uri": "missing.png", "name": "skin"},
                                      {"uri": "data:image/png;base64,AAAA"}])");
  const GltfMaterials result = materials_of(painted(material, images));
  EXPECT_EQ(result.materials[0].metallic, 1);
  EXPECT_EQ(result.materials[0].alpha, GltfAlpha::Opaque);
  EXPECT_FALSE(result.materials[0].metallic_roughness_texture.has_value());
  EXPECT_FALSE(result.materials[0].normal_texture.has_value());
  EXPECT_EQ(result.images[0].width, 0U);
  std::string all;
  for (const std::string& warning : result.warnings) all += warning + "\n";
  EXPECT_NE(all.find("image 'skin' is shown white"), std::string::npos) << all;
  EXPECT_NE(all.find("second set of texture coordinates"), std::string::npos) << all;
}

}  // namespace
}  // namespace supple::io::testing
