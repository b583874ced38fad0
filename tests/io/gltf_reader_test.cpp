// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf.hpp"

#include "io/gltf_files.hpp"

#include "supple/core/random.hpp"
#include "temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include <sys/stat.h>

namespace supple::io {
namespace {

using testing::HandMade;
using testing::Json;
using testing::square;

std::string failure(const HandMade& file) {
  const auto asset = file.read();
  return asset.ok() ? "was read" : asset.error().describe();
}

::testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' does not say '" << part << "'";
}

TEST(GltfReader, ReadsIndexedTriangles) {
  const auto asset = square().read();
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const GltfPrimitive& primitive = asset->meshes[0].primitives[0];
  EXPECT_EQ(primitive.positions.size(), 4U);
  EXPECT_EQ(primitive.triangles[1], (geometry::Triangle{0, 2, 3}));
  EXPECT_EQ(asset->nodes[0].name, "body");
}

TEST(GltfReader, ReadsPlainJsonWithDataAddress) {
  // One triangle 0,0,0 / 1,0,0 / 0,1,0 in base64, as any text editor would hold it.
  const std::string text = R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":
    "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]})";
  const auto asset = read_gltf(as_bytes(text), "t.gltf");
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const auto surface = gltf_surface(*asset);
  ASSERT_TRUE(surface.ok());
  EXPECT_EQ(surface->positions[1], geometry::Vec3(1, 0, 0));
  EXPECT_EQ(surface->positions[2], geometry::Vec3(0, 1, 0));
}

TEST(GltfReader, ReadsTheSameFromTextAsFromBinary) {
  const HandMade file = testing::rigged_square();
  const std::string text = file.gltf();
  const auto binary = file.read();
  const auto plain = read_gltf(as_bytes(text), "t.gltf");
  ASSERT_TRUE(binary.ok()) << binary.error().describe();
  ASSERT_TRUE(plain.ok()) << plain.error().describe();
  EXPECT_EQ(*write_gltf(*plain), *write_gltf(*binary));
  EXPECT_EQ(gltf_surface(*plain)->positions, gltf_surface(*binary)->positions);
}

TEST(GltfReader, StripsAndFansFaceTheSameWayAsTriangles) {
  for (const int mode : {5, 6}) {
    HandMade file;
    // A strip zigzags, a fan goes round: both cover the unit square counter-clockwise.
    const std::vector<float> strip{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    const std::vector<float> fan{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const auto positions = file.floats(mode == 5 ? strip : fan, "VEC3", 3);
    file.show({{"attributes", {{"POSITION", positions}}}, {"mode", mode}});
    const auto asset = file.read();
    ASSERT_TRUE(asset.ok()) << asset.error().describe();
    ASSERT_EQ(asset->meshes[0].primitives[0].triangles.size(), 2U);
    const auto surface = gltf_surface(*asset);
    for (const auto& t : surface->triangles) {
      const auto& p = surface->positions;
      EXPECT_DOUBLE_EQ((p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).z(), 1);
    }
  }
}

TEST(GltfReader, SkipsPointsAndLinesWithAWarning) {
  HandMade file = square();
  Json points = file.json["meshes"][0]["primitives"][0];
  points["mode"] = 0;
  file.json["meshes"][0]["primitives"].push_back(points);
  const auto asset = file.read();
  ASSERT_TRUE(asset.ok());
  EXPECT_TRUE(asset->meshes[0].primitives[1].positions.empty());
  ASSERT_EQ(asset->warnings.size(), 1U);
  EXPECT_TRUE(says(asset->warnings[0], "mesh 'part', primitive 1"));
}

TEST(GltfReader, DecodesNormalisedAndQuantisedIntegers) {
  HandMade file;
  // Stride 8: three shorts and padding, as KHR_mesh_quantization writes them.
  const auto positions = file.accessor(
      std::vector<std::int16_t>{0, 0, 0, 0, 32767, 0, -32768, 0, 0, 16384, 0, 0}, 5122, "VEC3", 4);
  file.json["bufferViews"].back()["byteStride"] = 8;
  file.json["accessors"].back()["normalized"] = true;
  const auto colours = file.accessor(
      std::vector<std::uint8_t>{255, 0, 51, 0, 255, 0, 0, 0, 0, 0, 255, 0}, 5121, "VEC3", 4);
  file.json["bufferViews"].back()["byteStride"] = 4;
  file.json["accessors"].back()["normalized"] = true;
  file.show({{"attributes", {{"POSITION", positions}, {"COLOR_0", colours}}}});
  file.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  const auto asset = file.read();
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const GltfPrimitive& primitive = asset->meshes[0].primitives[0];
  EXPECT_EQ(primitive.positions[1], geometry::Vec3(1, 0, -1));
  EXPECT_DOUBLE_EQ(primitive.positions[2].y(), 16384.0 / 32767);
  EXPECT_EQ(primitive.colours[0], Eigen::Vector4d(1, 0, 0.2, 1));
}

TEST(GltfReader, OverlaysSparseValues) {
  HandMade file = square();
  const auto places = file.view(std::vector<std::uint16_t>{1, 3});
  const auto values = file.view(std::vector<float>{5, 6, 7, 8, 9, 10});
  file.json["accessors"].push_back(
      {{"componentType", 5126},
       {"count", 4},
       {"type", "VEC3"},
       {"sparse",
        {{"count", 2},
         {"indices", {{"bufferView", places}, {"componentType", 5123}}},
         {"values", {{"bufferView", values}}}}}});
  file.json["meshes"][0]["primitives"][0]["targets"] =
      Json::array({{{"POSITION", file.json["accessors"].size() - 1}}});
  file.json["meshes"][0]["extras"] = {{"targetNames", {"bulge"}}};
  const auto asset = file.read();
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const auto& moved = asset->meshes[0].primitives[0].targets[0].positions;
  EXPECT_EQ(moved[0], geometry::Vec3(0, 0, 0));
  EXPECT_EQ(moved[1], geometry::Vec3(5, 6, 7));
  EXPECT_EQ(moved[3], geometry::Vec3(8, 9, 10));
  EXPECT_EQ(asset->meshes[0].target_names[0], "bulge");
}

TEST(GltfReader, ReadsEightInfluencesAndCustomAttributes) {
  HandMade file = square();
  std::vector<std::uint8_t> joints(16, 0);
  std::vector<float> half{0.5F, 0, 0, 0, 0.5F, 0, 0, 0, 0.5F, 0, 0, 0, 0.5F, 0, 0, 0};
  Json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_0"] = file.accessor(joints, 5121, "VEC4", 4);
  joints.assign(16, 1);
  attributes["JOINTS_1"] = file.accessor(joints, 5121, "VEC4", 4);
  attributes["WEIGHTS_0"] = file.floats(half, "VEC4", 4);
  attributes["WEIGHTS_1"] = attributes["WEIGHTS_0"];
  attributes["_MASK"] = file.floats({0, 0.25, 0.5, 1}, "SCALAR", 1);
  const auto asset = file.read();
  ASSERT_TRUE(asset.ok()) << asset.error().describe();
  const GltfPrimitive& primitive = asset->meshes[0].primitives[0];
  EXPECT_EQ(primitive.influences, 8U);
  EXPECT_EQ(primitive.joints[8 + 4], 1U);
  EXPECT_TRUE(weights_normalised(primitive));
  ASSERT_EQ(primitive.attributes.size(), 1U);
  EXPECT_EQ(primitive.attributes[0].name, "_MASK");
  EXPECT_EQ(primitive.attributes[0].values, (std::vector<float>{0, 0.25, 0.5, 1}));
}

TEST(GltfReader, ReportsWeightsAsTheyAre) {
  HandMade file = square();
  Json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["JOINTS_0"] = file.accessor(std::vector<std::uint8_t>(16, 0), 5121, "VEC4", 4);
  attributes["WEIGHTS_0"] = file.floats(std::vector<float>(16, 0.5F), "VEC4", 4);
  const auto asset = file.read();
  ASSERT_TRUE(asset.ok());
  EXPECT_DOUBLE_EQ(weight_sum_error(asset->meshes[0].primitives[0]), 1);
  EXPECT_FALSE(weights_normalised(asset->meshes[0].primitives[0]));
}

TEST(GltfReader, RefusesBadGeometryAndSaysWhere) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  HandMade file = square();
  std::memcpy(file.binary.data() + 16, &nan, 4);
  EXPECT_TRUE(says(failure(file), "mesh 'part', primitive 0"));
  EXPECT_TRUE(says(failure(file), "not finite"));

  file = square();
  const std::uint16_t four = 4;
  std::memcpy(file.binary.data() + 48 + 4, &four, 2);
  EXPECT_TRUE(says(failure(file), "index 2 names vertex 4 of 4"));

  file = square();
  file.json["accessors"][0]["count"] = 5;
  EXPECT_TRUE(says(failure(file), "extend beyond the end of the buffer view"));

  file = square();
  file.json["bufferViews"][1]["byteLength"] = 1 << 20;
  EXPECT_TRUE(says(failure(file), "extends beyond the end of its buffer"));

  file = square();
  file.json["accessors"][1]["count"] = 5;
  EXPECT_TRUE(says(failure(file), "whole triangles"));

  file = square();
  file.json["bufferViews"][0]["byteStride"] = 4;
  EXPECT_TRUE(says(failure(file), "stride of 4"));

  file = square();
  file.json["accessors"][0]["type"] = "VEC9";
  EXPECT_TRUE(says(failure(file), "VEC9"));

  file = square();
  file.json["nodes"][0]["mesh"] = 7;
  EXPECT_TRUE(says(failure(file), "node 'body': 'mesh' is 7"));
}

TEST(GltfReader, RefusesHugeClaimsOfSmallFiles) {
  HandMade file = square();
  file.json["accessors"][0].erase("bufferView");
  file.json["accessors"][0]["count"] = 2'000'000'000;
  EXPECT_TRUE(says(failure(file), "far more data than the file can contain"));

  file = square();
  file.json["accessors"][0]["count"] = 1e300;
  EXPECT_TRUE(says(failure(file), "not a whole number"));

  file = square();
  file.json["accessors"][0]["byteOffset"] = -12;
  EXPECT_TRUE(says(failure(file), "not a whole number"));
}

TEST(GltfReader, RefusesBadHierarchies) {
  HandMade file = square();
  file.json["nodes"] = Json::parse(R"([{"name":"a","children":[1]},{"name":"b","children":[0]}])");
  EXPECT_TRUE(says(failure(file), "cycle"));
  file.json["nodes"] = Json::parse(R"([{"name":"a","children":[0]}])");
  EXPECT_TRUE(says(failure(file), "cycle"));
  file.json["nodes"] = Json::parse(R"([{"children":[2]},{"children":[2]},{"name":"c"}])");
  EXPECT_TRUE(says(failure(file), "node 'c' has two parents"));
  file.json["nodes"] = Json::parse(R"([{"name":"a","rotation":[0,0,0,0]}])");
  EXPECT_TRUE(says(failure(file), "not a unit quaternion"));
}

TEST(GltfReader, RefusesBadSkins) {
  HandMade file = square();
  file.json["skins"] = Json::array({{{"name", "rig"}, {"joints", Json::array()}}});
  EXPECT_TRUE(says(failure(file), "skin 'rig' has no joints"));

  file = square();
  Json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  std::vector<std::uint8_t> joints(16, 0);
  joints[8] = 3;
  attributes["JOINTS_0"] = file.accessor(joints, 5121, "VEC4", 4);
  attributes["WEIGHTS_0"] = file.floats(std::vector<float>(16, 0.25F), "VEC4", 4);
  file.json["skins"] = Json::array({{{"joints", {0}}}});
  file.json["nodes"][0]["skin"] = 0;
  EXPECT_TRUE(says(failure(file), "mesh 'part', primitive 0: vertex 2 names joint 3 of 1"));

  file.json["meshes"][0]["primitives"][0]["attributes"].erase("JOINTS_0");
  EXPECT_TRUE(says(failure(file), "must come together"));
}

TEST(GltfReader, RefusesWhatItCannotDecodeByName) {
  for (const char* name : {"EXT_mesh_gpu_instancing", "ACME_secret"}) {
    HandMade file = square();
    file.json["extensionsRequired"] = {name};
    EXPECT_TRUE(says(failure(file), name));
  }
  HandMade file = square();
  file.json["asset"]["version"] = "1.0";
  EXPECT_TRUE(says(failure(file), "version '1.0'"));
}

TEST(GltfReader, ReadsBuffersOnlyFromItsOwnDirectory) {
  const supple::testing::TemporaryDirectory directory;
  const std::filesystem::path& root = directory.path();
  std::filesystem::create_directories(root / "inside" / "more parts");
  HandMade file = square();
  const auto write = [&](const std::filesystem::path& path) {
    ASSERT_TRUE(write_file(path, file.binary).ok());
  };
  write(root / "secret.bin");
  write(root / "inside" / "more parts" / "a.bin");
  std::filesystem::create_symlink(root / "secret.bin", root / "inside" / "link.bin");
  std::filesystem::create_directories(root / "inside" / ".ssh");
  write(root / "inside" / ".ssh" / "id.bin");
  write(root / "inside" / ".env");
  std::filesystem::create_symlink(".ssh", root / "inside" / "shown");
  ASSERT_EQ(::mkfifo((root / "inside" / "pipe.bin").c_str(), 0600), 0);
  const auto read = [&](const std::string& uri) {
    file.json["buffers"][0]["uri"] = uri;
    const std::string text = file.json.dump();
    return read_gltf(as_bytes(text), "x.gltf", root / "inside");
  };
  EXPECT_TRUE(read("more%20parts/a.bin").ok());
  EXPECT_TRUE(read("./more parts/../more parts/a.bin").ok());
  for (const std::string& uri :
       {std::string("../secret.bin"), (root / "secret.bin").string(),
        std::string("%2e%2e/secret.bin"), std::string("link.bin"),
        "file://" + (root / "secret.bin").string(), std::string("missing.bin"),
        std::string("a%00.bin"), std::string(".env"), std::string(".ssh/id.bin"),
        std::string("%2essh/id.bin"), std::string("shown/id.bin"), std::string("pipe.bin")}) {
    EXPECT_FALSE(read(uri).ok()) << uri;
  }
  const std::string text = file.json.dump();
  EXPECT_FALSE(read_gltf(as_bytes(text), "x.gltf").ok());
}

TEST(GltfReader, RefusesEveryTruncation) {
  const Bytes whole = square().glb();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(read_gltf(std::span(whole).first(size), "cut.glb").ok()) << size;
  }
}

TEST(GltfReader, TellsOtherFilesFromBrokenOnes) {
  const auto other = read_gltf(as_bytes(std::string_view("v 0 0 0\n")), "leaf.obj");
  ASSERT_FALSE(other.ok());
  EXPECT_TRUE(says(other.error().describe(), "leaf.obj: not a glTF file"));
  const auto broken = read_gltf(as_bytes(std::string_view(" {\"asset\": }")), "leaf.gltf");
  ASSERT_FALSE(broken.ok());
  EXPECT_TRUE(says(broken.error().describe(), "invalid JSON: parse error at line 1"));
}

/// "{}" is two bytes of a file and a hundred in memory.
TEST(GltfReader, RefusesMoreJsonThanMemoryCanHold) {
  for (const auto& [key, entry] : {std::pair("nodes", "{}"), std::pair("extras", "[]"),
                                   std::pair("meshes", R"({"a":"[{"})")}) {
    std::string text = fmt::format(R"({{"asset":{{"version":"2.0"}},"{}":[{})", key, entry);
    for (int i = 0; i < 2'000'000; ++i) text.append(",").append(entry);
    const auto asset = read_gltf(as_bytes(text + "]}"), "many.gltf");
    ASSERT_FALSE(asset.ok()) << key;
    EXPECT_TRUE(says(asset.error().describe(), "objects and lists")) << asset.error().describe();
  }
}

/// Three bytes of text took eighty in memory.
TEST(GltfReader, RefusesMoreValuesThanMemoryCanHold) {
  for (const char* value : {"1", "\"\"", "\"a,b\"", "null"}) {
    const auto read = [&](int count) {
      std::string text = fmt::format(R"({{"asset":{{"version":"2.0"}},"extras":[{})", value);
      for (int i = 1; i < count; ++i) text.append(",").append(value);
      return read_gltf(as_bytes(text + "]}"), "values.gltf");
    };
    EXPECT_TRUE(read(100'000).ok()) << value;  // commas in texts do not count
    const auto refused = read(8'000'001);
    ASSERT_FALSE(refused.ok()) << value;
    EXPECT_TRUE(says(refused.error().describe(), "values")) << refused.error().describe();
  }
}

TEST(GltfReader, RefusesDeepJson) {
  const std::string deep(100'000, '[');
  const auto asset = read_gltf(as_bytes(deep), "deep.gltf");
  ASSERT_FALSE(asset.ok());
  EXPECT_TRUE(says(asset.error().describe(), "nested deeper"));
}

TEST(GltfReader, SurvivesRandomDamage) {
  ASSERT_EQ(failure(testing::rigged_square()), "was read");
  const Bytes whole = testing::rigged_square().glb();
  Random random(7);
  int refused = 0;
  constexpr int kRounds = 5000;
  for (int round = 0; round < kRounds; ++round) {
    Bytes damaged = whole;
    for (std::uint64_t i = 0; i <= random.below(4); ++i) {
      damaged[random.below(damaged.size())] = static_cast<std::byte>(random.below(256));
    }
    const auto asset = read_gltf(damaged, "damaged.glb");
    if (!asset.ok()) {
      ++refused;
      EXPECT_FALSE(asset.error().message().empty());
    } else if (const auto surface = gltf_surface(*asset); surface.ok()) {
      EXPECT_TRUE(surface->validate().ok());
    }
  }
  EXPECT_GT(refused, kRounds / 4);  // or the damage did not reach anything
}

}  // namespace
}  // namespace supple::io
