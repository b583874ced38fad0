// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "small_characters.hpp"

#include <gtest/gtest.h>

namespace supple::testing {
namespace {

using io::testing::Json;
using Names = std::vector<std::string>;

const char* const kLeg = "[[object]]\nbone = \"Leg\"\nelements = 300\n";

/// The message of a bake that must fail as bad input and leave nothing behind.
std::string refusal(const HandMade& character, const std::string& settings = kLeg) {
  const TemporaryDirectory directory;
  const std::string glb = directory.write("hero.glb", glb_text(character));
  const std::string toml = directory.write("bake.toml", settings);
  const Outcome outcome = supple({"bake", glb, "-c", toml, "-o", directory.path("out.glb"),
                                  "--write-config", directory.path("written.toml"), "--json"});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(directory.list(), (Names{"bake.toml", "hero.glb"}));
  return outcome.err;
}

void expect_words(const std::string& text, const Names& words) {
  for (const std::string& word : words) {
    EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' in: " << text;
  }
}

TEST(BadCharacter, NoSkin) {
  expect_words(refusal(io::testing::square()), {"hero.glb", "no skinned mesh"});
}

/// The tube with a second skin, of which one thing is wrong.
HandMade with_second_skin(const std::vector<float>& second_inverse_bind) {
  HandMade file = tube_character();
  Json& skin = file.json["skins"][0];
  std::vector<float> matrices;
  for (std::size_t j = 0; j < skin["joints"].size(); ++j) {
    const std::vector<float> unit{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const auto& matrix = j == 1 ? second_inverse_bind : unit;
    matrices.insert(matrices.end(), matrix.begin(), matrix.end());
  }
  Json second = skin;
  second["inverseBindMatrices"] = file.floats(matrices, "MAT4", 16);
  file.json["skins"].push_back(second);
  file.json["meshes"].push_back(file.json["meshes"][0]);
  file.json["nodes"].push_back({{"name", "twin"}, {"mesh", 1}, {"skin", 1}});
  file.json["scenes"][0]["nodes"].push_back(file.json["nodes"].size() - 1);
  return file;
}

TEST(BadCharacter, FlattenedOrMirroredJointOfAFurtherSkin) {
  const std::string bone =
      tube_character()
          .json["nodes"][tube_character().json["skins"][0]["joints"][1].get<std::size_t>()]["name"];
  expect_words(refusal(with_second_skin({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})),
               {"hero.glb", "'" + bone + "'", "flattened"});
  expect_words(refusal(with_second_skin({1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})),
               {"hero.glb", "'" + bone + "'", "mirrored"});
}

TEST(BadCharacter, UnknownSkeletonListsThoseThatExist) {
  expect_words(refusal(tube_character(), "skeleton = \"Hisp\"\n" + std::string(kLeg)),
               {"hero.glb", "no skeleton 'Hisp'", "available: 'Hips'", "vertices"});
}

TEST(BadCharacter, UnknownBoneOffersTheNearest) {
  expect_words(refusal(tube_character(), "[[object]]\nbone = \"Lge\"\n"),
               {"no bone is named 'Lge'", "'Leg'"});
  expect_words(refusal(tube_character(), "[[object]]\nbone = \"Leg\"\ndriver = \"Hipz\"\n"),
               {"no bone is named 'Hipz'", "'Hips'"});
}

TEST(BadCharacter, UnknownSurfaceMaterialOrMask) {
  expect_words(refusal(tube_character(), "[[object]]\nname = \"a\"\nsurface_material = \"x\"\n"),
               {"no surface material is named 'x'"});
  expect_words(refusal(tube_character(), "[[object]]\nname = \"a\"\nmask = \"_SOFT\"\n"),
               {"mask '_SOFT'"});
}

TEST(BadCharacter, RegionWithoutVertices) {
  expect_words(refusal(tube_character(), "[[object]]\nbone = \"End\"\n"), {"'End'", "no vertices"});
}

TEST(BadCharacter, RegionWithoutInterior) {
  expect_words(refusal(sheet_character()), {"'Leg'", "no interior"});
}

TEST(BadCharacter, RegionThatNothingHolds) {
  expect_words(refusal(one_bone_character(), std::string(kLeg) + "core = false\n"),
               {"'Leg'", "nothing holds"});
}

TEST(BadCharacter, MirroredBone) {
  HandMade file = tube_character();
  file.json["nodes"][2]["scale"] = {-1, 1, 1};
  expect_words(refusal(file), {"'Leg'", "mirrored"});
}

TEST(BadCharacter, DamagedCompressedMesh) {
  HandMade file = tube_character();
  file.json["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  file.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  file.json["meshes"][0]["primitives"][0]["extensions"] = {
      {"KHR_draco_mesh_compression", {{"bufferView", 0}, {"attributes", {{"POSITION", 0}}}}}};
  const std::size_t position = file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"];
  file.json["accessors"][position].erase("bufferView");
  expect_words(refusal(file), {"hero.glb", "mesh", "primitive 0", "Draco"});
}

TEST(BadCharacter, NotAFileOfThatKind) {
  const TemporaryDirectory directory;
  const std::string noise = directory.write("hero.glb", "this is no glTF");
  EXPECT_EQ(supple({"bake", noise, "-o", directory.path("out.glb")}).status, 3);
  const Outcome missing = supple({"bake", directory.path("none.glb")});
  EXPECT_EQ(missing.status, 5) << missing.err;
  EXPECT_EQ(directory.list(), Names{"hero.glb"});
}

TEST(BadCharacter, WrongSettingsNameFileLineAndColumn) {
  expect_words(refusal(tube_character(), "[[object]]\nbone = \"Leg\"\nmodse = 3\n"),
               {"bake.toml:3:1: there is no key object[1].modse: did you mean 'modes'?"});
  expect_words(refusal(tube_character(), "[[object]\n"), {"bake.toml:1:"});
}

}  // namespace
}  // namespace supple::testing
