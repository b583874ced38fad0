// SPDX-License-Identifier: Apache-2.0
// Compressed and quantised meshes, encoded by Draco's and meshoptimizer's own encoders. Files of
// other tools are in tests/web/codecs.test.mjs.
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_editor.hpp"
#include "supple/io/gltf_pose.hpp"

#include "io/codec_samples.hpp"
#include "io/gltf_files.hpp"
#include "io/gltf_validator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace supple::io {
namespace {

using geometry::Vec3;
using testing::draco_bytes;
using testing::draco_file;
using testing::finish_meshopt;
using testing::HandMade;
using testing::is_valid;
using testing::Json;
using testing::meshopt_file;
using testing::Sheet;

/// A step of the grid of positions, over the longest side of the sheet.
constexpr double kPositionError = 8.0 / ((1 << testing::kPositionBits) - 1);
/// The encoder's grids: 10 bits of an octahedron, 12 of a square, 12 of weights,
/// which are then divided by their sum.
constexpr double kNormalError = 0.01;
constexpr double kTexcoordError = 1.0 / 4095;
constexpr double kWeightError = 2.0 / 4095;

std::size_t id_of(const GltfPrimitive& primitive, std::size_t vertex) {
  for (const GltfAttribute& attribute : primitive.attributes) {
    if (attribute.name == "_ID") return static_cast<std::size_t>(attribute.values[vertex]);
  }
  return 0;
}

template <class Vector>
double distance(const Vector& decoded, const std::vector<float>& values, std::size_t id) {
  double largest = 0;
  const auto width = static_cast<std::size_t>(decoded.size());
  for (std::size_t k = 0; k < width; ++k) {
    largest = std::max(largest, std::abs(decoded[static_cast<Eigen::Index>(k)] -
                                         static_cast<double>(values[width * id + k])));
  }
  return largest;
}

/// The triangles as sets of the original numbers, first corner least.
std::multiset<std::array<std::size_t, 3>> triangles_of(const GltfPrimitive& primitive) {
  std::multiset<std::array<std::size_t, 3>> result;
  for (const geometry::Triangle& triangle : primitive.triangles) {
    std::array<std::size_t, 3> ids{};
    for (std::size_t k = 0; k < 3; ++k) {
      ids[k] = id_of(primitive, static_cast<std::size_t>(triangle[k]));
    }
    std::rotate(ids.begin(), std::min_element(ids.begin(), ids.end()), ids.end());
    result.insert(ids);
  }
  return result;
}

std::multiset<std::array<std::size_t, 3>> triangles_of(const Sheet& sheet) {
  std::multiset<std::array<std::size_t, 3>> result;
  for (std::size_t i = 0; i < sheet.indices.size(); i += 3) {
    std::array<std::size_t, 3> ids{sheet.indices[i], sheet.indices[i + 1], sheet.indices[i + 2]};
    std::rotate(ids.begin(), std::min_element(ids.begin(), ids.end()), ids.end());
    result.insert(ids);
  }
  return result;
}

void expect_sheet(const GltfAsset& asset, const Sheet& sheet, double position_error) {
  const GltfPrimitive& primitive = asset.meshes[0].primitives[0];
  ASSERT_EQ(primitive.positions.size(), sheet.vertices());
  EXPECT_EQ(triangles_of(primitive), triangles_of(sheet));
  for (std::size_t v = 0; v < sheet.vertices(); ++v) {
    const std::size_t id = id_of(primitive, v);
    ASSERT_LT(id, sheet.vertices());
    EXPECT_LE(distance(primitive.positions[v], sheet.positions, id), position_error);
    EXPECT_LE(distance(primitive.normals[v], sheet.normals, id), kNormalError);
    EXPECT_LE(distance(primitive.texcoords[v], sheet.texcoords, id), kTexcoordError);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(primitive.colours[v][static_cast<Eigen::Index>(k)],
                  sheet.colours[4 * id + k] / 255.0, 1e-12);
      if (primitive.influences == 0) continue;
      EXPECT_EQ(primitive.joints[4 * v + k], sheet.joints[4 * id + k]);
      EXPECT_NEAR(primitive.weights[4 * v + k], static_cast<double>(sheet.weights[4 * id + k]),
                  kWeightError);
    }
  }
}

/// Nothing of the extensions is left, one line says so, and the file is as good as any other.
void expect_plain(const GltfAsset& asset, const char* extension) {
  ASSERT_EQ(asset.warnings.size(), 1U);
  EXPECT_NE(asset.warnings[0].find(extension), std::string::npos) << asset.warnings[0];
  EXPECT_NE(asset.warnings[0].find("not compressed"), std::string::npos) << asset.warnings[0];
  const auto bytes = write_gltf(asset);
  ASSERT_TRUE(bytes.ok());
  const auto [json, binary] = testing::take_apart(*bytes);
  EXPECT_EQ(json.dump().find(extension), std::string::npos);
  const auto again = read_gltf(*bytes, "again.glb");
  ASSERT_TRUE(again.ok()) << again.error().describe();
  EXPECT_TRUE(again->warnings.empty());
  EXPECT_EQ(again->meshes[0].primitives[0].positions, asset.meshes[0].primitives[0].positions);
}

std::string codec_failure(const HandMade& file) {
  const auto asset = read_gltf(file.glb(), "hand.glb");
  return asset.ok() ? std::string("it was read") : asset.error().describe();
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' in: " << text;
  }
}

TEST(GltfCodecs, DracoGivesEveryAttributeBack) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    for (const bool sequential : {false, true}) {
      const Sheet sheet(seed, 5 + seed, 3 + 2 * seed);
      const auto asset = draco_file(sheet, draco_bytes(sheet, sequential)).read();
      ASSERT_TRUE(asset.ok()) << asset.error().describe();
      expect_sheet(*asset, sheet, kPositionError);
      expect_plain(*asset, "KHR_draco_mesh_compression");
    }
  }
}

TEST(GltfCodecs, DracoWeightsSumToOne) {
  const Sheet sheet(16);
  const auto asset = draco_file(sheet, draco_bytes(sheet, false)).read();
  ASSERT_TRUE(asset.ok());
  EXPECT_LT(weight_sum_error(asset->meshes[0].primitives[0]), 3e-7);  // of floats
  // What did not sum to 1 before is left as it was.
  Sheet light(17);
  for (float& weight : light.weights) weight *= 0.5F;
  const auto other = draco_file(light, draco_bytes(light, false)).read();
  ASSERT_TRUE(other.ok());
  EXPECT_NEAR(weight_sum_error(other->meshes[0].primitives[0]), 0.5, 4 * kWeightError);
}

TEST(GltfCodecs, DracoStripsAreTriangles) {
  const Sheet sheet(5);
  HandMade file = draco_file(sheet, draco_bytes(sheet, false));
  Json& primitive = file.json["meshes"][0]["primitives"][0];
  primitive["mode"] = 5;
  file.json["accessors"][primitive["indices"].get<std::size_t>()]["count"] = 131;
  const auto asset = file.read();
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  expect_sheet(*asset, sheet, kPositionError);
  expect_plain(*asset, "KHR_draco_mesh_compression");
}

TEST(GltfCodecs, UncompressedAccessorsComeFirst) {
  const Sheet sheet(6);
  HandMade file = draco_file(sheet, draco_bytes(sheet, false));
  const auto fill = [&](const Json& accessor, const auto& values) {
    const std::size_t view = file.view(values);
    file.json["accessors"][accessor.get<std::size_t>()]["bufferView"] = view;
  };
  const Json primitive = file.json["meshes"][0]["primitives"][0];
  fill(primitive["attributes"]["POSITION"], sheet.positions);
  fill(primitive["attributes"]["NORMAL"], sheet.normals);
  fill(primitive["attributes"]["TEXCOORD_0"], sheet.texcoords);
  fill(primitive["attributes"]["COLOR_0"], sheet.colours);
  fill(primitive["attributes"]["JOINTS_0"], sheet.joints);
  fill(primitive["attributes"]["WEIGHTS_0"], sheet.weights);
  fill(primitive["attributes"]["_ID"], sheet.ids);
  fill(primitive["indices"], sheet.indices);
  file.json.erase("extensionsRequired");
  const auto asset = file.read();
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  expect_sheet(*asset, sheet, 0);
  EXPECT_EQ(write_gltf_text(*asset)->find("draco"), std::string::npos);
}

TEST(GltfCodecs, PrimitivesThatShareAccessorsGetTheirOwn) {
  const Sheet sheet(7);
  Sheet other = sheet;
  for (float& x : other.positions) x += 1;
  HandMade file = draco_file(sheet, draco_bytes(sheet, false));
  Json second = file.json["meshes"][0]["primitives"][0];
  second["extensions"]["KHR_draco_mesh_compression"]["bufferView"] =
      file.view(draco_bytes(other, true));
  file.json["meshes"][0]["primitives"].push_back(second);
  const auto asset = file.read();
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  expect_sheet(*asset, sheet, kPositionError);
  const GltfPrimitive& moved = asset->meshes[0].primitives[1];
  for (std::size_t v = 0; v < moved.positions.size(); ++v) {
    EXPECT_LE(distance(moved.positions[v], other.positions, id_of(moved, v)), kPositionError);
  }
}

TEST(GltfCodecs, MeshoptGivesEveryAttributeBack) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    for (const bool as_triangles : {false, true}) {
      const Sheet sheet(seed, 4 + seed, 2 + 3 * seed);
      HandMade file = meshopt_file(sheet, as_triangles);
      finish_meshopt(file);
      const auto asset = file.read();
      ASSERT_TRUE(asset.ok()) << asset.error().describe();
      expect_sheet(*asset, sheet, 0);
      expect_plain(*asset, "EXT_meshopt_compression");
    }
  }
}

TEST(GltfCodecs, MeshoptDecodesAnimations) {
  HandMade file = testing::square();
  const std::vector<float> times{0, 0.5, 1, 2};
  std::vector<float> turns;
  for (const float time : times) {
    turns.insert(turns.end(), {0, std::sin(time / 2), 0, std::cos(time / 2)});
  }
  std::vector<std::int16_t> filtered(16);
  meshopt_encodeFilterQuat(filtered.data(), 4, 8, 14, turns.data());
  const std::size_t input =
      testing::meshopt_view(file, testing::meshopt_attribute(times, 4), 4, 4, "ATTRIBUTES", "NONE");
  const std::size_t output = testing::meshopt_view(file, testing::meshopt_attribute(filtered, 8), 4,
                                                   8, "ATTRIBUTES", "QUATERNION");
  for (const std::size_t view : {input, output}) file.json["bufferViews"][view].erase("byteStride");
  const std::size_t first = file.json["accessors"].size();
  file.json["accessors"].push_back({{"bufferView", input},
                                    {"componentType", 5126},
                                    {"count", 4},
                                    {"type", "SCALAR"},
                                    {"min", {0}},
                                    {"max", {2}}});
  file.json["accessors"].push_back({{"bufferView", output},
                                    {"componentType", 5122},
                                    {"normalized", true},
                                    {"count", 4},
                                    {"type", "VEC4"}});
  file.json["animations"] = Json::array(
      {{{"samplers", Json::array({{{"input", first}, {"output", first + 1}}})},
        {"channels",
         Json::array({{{"sampler", 0}, {"target", {{"node", 0}, {"path", "rotation"}}}}})}}});
  finish_meshopt(file);
  const auto asset = file.read();
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  for (const float time : times) {
    const GltfPose pose = sample(*asset, asset->animations[0], static_cast<double>(time));
    const Eigen::AngleAxisd expected(static_cast<double>(time), Vec3::UnitY());
    constexpr double kQuaternionError = 5e-4;  // of 14 bits
    EXPECT_LT(pose.locals[0].rotation.angularDistance(Eigen::Quaterniond(expected)),
              kQuaternionError);
  }
}

TEST(GltfCodecs, QuantisedMeshesAreDequantisedByTheirNode) {
  // KHR_mesh_quantization: every integer type of positions, normals and texture coordinates.
  struct Kind {
    int component;
    bool normalised;
    double largest;
  };
  for (const Kind& kind :
       {Kind{5120, true, 127}, Kind{5120, false, 127}, Kind{5121, true, 255},
        Kind{5121, false, 255}, Kind{5122, true, 32767}, Kind{5122, false, 32767},
        Kind{5123, true, 65535}, Kind{5123, false, 65535}}) {
    const bool is_short = kind.component >= 5122;
    HandMade file;
    std::vector<std::uint8_t> bytes;
    std::vector<Vec3> expected;
    std::mt19937 random(static_cast<unsigned>(kind.component) + (kind.normalised ? 1U : 0U));
    for (int i = 0; i < 4; ++i) {
      Vec3 value = Vec3::Zero();
      for (int k = 0; k < 4; ++k) {
        const auto stored =
            static_cast<std::uint16_t>(random() % static_cast<unsigned>(kind.largest));
        bytes.push_back(static_cast<std::uint8_t>(stored & 0xffU));
        if (is_short) bytes.push_back(static_cast<std::uint8_t>(stored >> 8U));
        if (k < 3) value[k] = stored / (kind.normalised ? kind.largest : 1.0);
      }
      expected.push_back(value);
    }
    const std::size_t view = file.view(bytes);
    file.json["bufferViews"][view]["byteStride"] = is_short ? 8 : 4;
    file.json["accessors"].push_back({{"bufferView", view},
                                      {"componentType", kind.component},
                                      {"normalized", kind.normalised},
                                      {"count", 4},
                                      {"type", "VEC3"}});
    const std::size_t indices =
        file.accessor(std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3}, 5123, "SCALAR", 1);
    file.show({{"attributes", {{"POSITION", 0}}}, {"indices", indices}});
    file.json["nodes"][0]["scale"] = {2, 2, 2};
    file.json["nodes"][0]["translation"] = {1, -1, 3};
    file.json["extensionsUsed"] = {"KHR_mesh_quantization"};
    file.json["extensionsRequired"] = {"KHR_mesh_quantization"};
    const auto asset = file.read();
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    const auto surface = gltf_surface(*asset);
    ASSERT_TRUE(surface.ok()) << surface.error().describe();
    for (std::size_t v = 0; v < 4; ++v) {
      const Vec3 world = 2 * expected[v] + Vec3(1, -1, 3);
      EXPECT_LT((surface->positions[v] - world).norm(), 1e-9) << kind.component;
    }
  }
}

TEST(GltfCodecs, WrittenFilesAreValid) {
  SKIP_WITHOUT_VALIDATOR();
  const Sheet sheet(8);
  HandMade meshopt = meshopt_file(sheet, true);
  finish_meshopt(meshopt);
  HandMade draco = draco_file(sheet, draco_bytes(sheet, false));
  for (HandMade* file : {&draco, &meshopt}) {
    for (const char* name : {"JOINTS_0", "WEIGHTS_0"}) {  // there is no skin
      file->json["meshes"][0]["primitives"][0]["attributes"].erase(name);
      Json& primitive = file->json["meshes"][0]["primitives"][0];
      if (primitive.contains("extensions")) {
        primitive["extensions"]["KHR_draco_mesh_compression"]["attributes"].erase(name);
      }
    }
    const auto asset = file->read();
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    EXPECT_TRUE(is_valid(*write_gltf(*asset)));
  }
}

TEST(GltfCodecs, DamagedDataIsRefusedOrReadWhole) {
  const Sheet sheet(9, 5, 4);
  const Bytes whole = draco_bytes(sheet, false);
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    expect_words(codec_failure(draco_file(sheet, cut)),
                 {"hand.glb", "mesh 'part', primitive 0", "Draco"});
  }
  std::mt19937 random(10);
  for (int trial = 0; trial < 500; ++trial) {
    Bytes flipped = draco_bytes(sheet, trial % 2 == 0);
    flipped[random() % flipped.size()] ^= static_cast<std::byte>(1U << random() % 8);
    (void)codec_failure(draco_file(sheet, flipped));  // it must not crash
  }
  for (int trial = 0; trial < 500; ++trial) {
    HandMade file = meshopt_file(sheet, trial % 2 == 0);
    finish_meshopt(file);
    file.binary[random() % file.binary.size()] ^= static_cast<std::byte>(1U << random() % 8);
    (void)codec_failure(file);
  }
}

TEST(GltfCodecs, TruncatedMeshoptIsRefusedByName) {
  const Sheet sheet(11, 5, 4);
  HandMade file = meshopt_file(sheet, true);
  finish_meshopt(file);
  for (std::size_t view = 0; view < file.json["bufferViews"].size(); ++view) {
    HandMade cut = file;
    Json& extension = cut.json["bufferViews"][view]["extensions"]["EXT_meshopt_compression"];
    extension["byteLength"] = extension["byteLength"].get<std::size_t>() - 1;
    expect_words(codec_failure(cut), {"hand.glb", "mesh 'part', primitive 0", "meshopt"});
  }
}

TEST(GltfCodecs, CountsThatDisagreeAreRefused) {
  const Sheet sheet(12);
  HandMade file = draco_file(sheet, draco_bytes(sheet, false));
  const std::size_t position = file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
  file.json["accessors"][position]["count"] = sheet.vertices() + 1;
  expect_words(codec_failure(file),
               {"mesh 'part', primitive 0", "POSITION", "64 vertices", "has 63"});
  file = draco_file(sheet, draco_bytes(sheet, false));
  file.json["accessors"].back()["count"] = 3;
  expect_words(codec_failure(file), {"mesh 'part', primitive 0", "3 indices"});
  file = draco_file(sheet, draco_bytes(sheet, false));
  file.json["accessors"][position]["type"] = "VEC4";
  expect_words(codec_failure(file), {"mesh 'part', primitive 0", "components"});
  file = draco_file(sheet, draco_bytes(sheet, false));
  file.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]["attributes"]
           ["NORMAL"] = 77;
  expect_words(codec_failure(file), {"mesh 'part', primitive 0", "no attribute 77"});
  HandMade meshopt = meshopt_file(sheet, true);
  finish_meshopt(meshopt);
  meshopt.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["count"] = 64;
  expect_words(codec_failure(meshopt), {"mesh 'part', primitive 0", "64 elements of 12 bytes"});
}

TEST(GltfCodecs, UnknownModesAndFiltersAreRefused) {
  const Sheet sheet(13);
  const auto with = [&](const char* key, const Json& value) {
    HandMade file = meshopt_file(sheet, true);
    finish_meshopt(file);
    file.json["bufferViews"][1]["extensions"]["EXT_meshopt_compression"][key] = value;
    return codec_failure(file);
  };
  expect_words(with("filter", "COLOR"), {"mesh 'part', primitive 0", "'COLOR'"});
  expect_words(with("mode", "POINTS"), {"mesh 'part', primitive 0", "'POINTS'"});
  expect_words(with("mode", 3), {"mesh 'part', primitive 0", "mode"});
  HandMade file = draco_file(sheet, draco_bytes(sheet, false));
  file.json["meshes"][0]["primitives"][0]["mode"] = 6;
  expect_words(codec_failure(file), {"mesh 'part', primitive 0", "mode 6"});
}

TEST(GltfCodecs, HugeCountsInSmallFilesCostNothing) {
  const Sheet sheet(14);
  HandMade file = meshopt_file(sheet, true);
  finish_meshopt(file);
  Json& view = file.json["bufferViews"][0];
  constexpr std::size_t kHuge = 300'000'000;
  view["extensions"]["EXT_meshopt_compression"]["count"] = kHuge;
  view["byteLength"] = 12 * kHuge;
  expect_words(codec_failure(file),
               {"mesh 'part', primitive 0", "far more than the file can contain"});
  // Draco: a sequential mesh that announces 2^28 triangles; its numbers follow the 11 bytes of the
  // header, as varints.
  Bytes bytes = draco_bytes(sheet, true);
  bytes.resize(11);
  for (const unsigned byte :
       {0x80U, 0x80U, 0x80U, 0x80U, 0x01U, 0x80U, 0x80U, 0x80U, 0x80U, 0x01U}) {
    bytes.push_back(static_cast<std::byte>(byte));
  }
  bytes.resize(200);
  expect_words(codec_failure(draco_file(sheet, bytes)),
               {"mesh 'part', primitive 0", "far more than the file can contain"});
}

TEST(GltfCodecs, DecodedMeshesCanBeEdited) {
  const Sheet sheet(15);
  const auto asset = draco_file(sheet, draco_bytes(sheet, false)).read();
  ASSERT_TRUE(asset.ok());
  GltfEditor editor(*asset);
  GltfMorphTarget target;
  target.positions.assign(sheet.vertices(), Vec3(0, 0, 1));
  ASSERT_TRUE(editor.add_morph_targets(0, {"up"}, {{target}}).ok());
  const auto edited = std::move(editor).finish();
  ASSERT_TRUE(edited.ok()) << edited.error().describe();
  EXPECT_EQ(edited->meshes[0].primitives[0].targets.size(), 1U);
}

}  // namespace
}  // namespace supple::io
