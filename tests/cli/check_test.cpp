// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "small_characters.hpp"

#include "supple/format/layout.hpp"

#include <gtest/gtest.h>

namespace supple::testing {
namespace {

using io::testing::Json;

/// A baked character.
class Check : public ::testing::Test {
 protected:
  void SetUp() override {
    glb = directory.write("hero.glb", glb_text(tube_character()));
    const std::string toml =
        directory.write("bake.toml", "[[object]]\nbone = \"Leg\"\nelements = 400\nmodes = 2\n");
    const Outcome outcome = supple({"bake", glb, "-c", toml, "-o", directory.path("out.glb")});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    baked = directory.path("out.supple");
  }

  /// The message about a file with these bytes, which both commands must refuse.
  [[nodiscard]] std::string refusal(const std::string& bytes) const {
    const std::string path = directory.write("bad.supple", bytes);
    const Outcome outcome = supple({"check", path});
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_EQ(supple({"info", path}).status, 3);
    const Outcome json = supple({"check", path, "--json"});
    EXPECT_EQ(json.status, 3);
    EXPECT_FALSE(Json::parse(json.out).at("intact").get<bool>());
    EXPECT_NE(outcome.err.find("bad.supple"), std::string::npos) << outcome.err;
    return outcome.err;
  }

  TemporaryDirectory directory;
  std::string glb;
  std::string baked;
};

TEST_F(Check, AcceptsWhatBakeWrote) {
  const Outcome outcome = supple({"check", baked});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("intact"), std::string::npos) << outcome.err;
  const Outcome json = supple({"check", baked, "--mesh", glb, "--json"});
  ASSERT_EQ(json.status, 0) << json.err;
  EXPECT_TRUE(Json::parse(json.out).at("intact").get<bool>());
  EXPECT_TRUE(Json::parse(json.out).at("mesh").at("matches").get<bool>());
}

TEST_F(Check, TheExportedCharacterHasTheSameMesh) {
  const Outcome outcome = supple({"check", baked, "--mesh", directory.path("out.glb")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

/// A killed bake can leave a new .glb beside an old .supple, with the same mesh.
TEST_F(Check, RefusesFilesOfDifferentBakes) {
  for (const char* modes : {"1", "3", "4"}) {
    const std::string other = directory.path(std::string("other") + modes);
    ASSERT_EQ(
        supple({"bake", glb, "--elements", "300", "--modes", modes, "-o", other + ".glb"}).status,
        0);
    EXPECT_EQ(supple({"check", other + ".supple", "--mesh", other + ".glb"}).status, 0);
    for (const auto& [file, mesh] : {std::pair(baked, other + ".glb"),
                                     std::pair(other + ".supple", directory.path("out.glb"))}) {
      const Outcome outcome = supple({"check", file, "--mesh", mesh, "--json"});
      EXPECT_EQ(outcome.status, 3);
      EXPECT_NE(outcome.err.find("another bake"), std::string::npos) << outcome.err;
      const Json json = Json::parse(outcome.out);
      EXPECT_TRUE(json.at("mesh").at("matches").get<bool>());
      EXPECT_FALSE(json.at("mesh").at("same_bake").get<bool>());
      EXPECT_NE(supple({"render", mesh, "--flesh", file, "-o", directory.path("a.png"), "--size",
                        "64x64"})
                    .err.find("another bake"),
                std::string::npos);
    }
  }
}

TEST_F(Check, RefusesTruncatedFiles) {
  const std::string bytes = directory.read("out.supple");
  for (const double part : {0.001, 0.1, 0.5, 0.99}) {
    (void)refusal(
        bytes.substr(0, static_cast<std::size_t>(part * static_cast<double>(bytes.size()))));
  }
  (void)refusal(bytes.substr(0, bytes.size() - 1));
  (void)refusal("");
}

TEST_F(Check, RefusesFlippedBits) {
  const std::string bytes = directory.read("out.supple");
  for (std::size_t i = 0; i < 16; ++i) {
    std::string flipped = bytes;
    char& byte = flipped[i * (bytes.size() - 1) / 15];
    byte = static_cast<char>(byte ^ (1 << i % 8));
    (void)refusal(flipped);
  }
}

TEST_F(Check, RefusesNewerVersions) {
  std::string bytes = directory.read("out.supple");
  // The major version is the 16-bit number after the eight letters of the magic.
  bytes[8] = static_cast<char>(format::kVersionMajor + 1);
  const std::string text = refusal(bytes);
  EXPECT_NE(text.find("newer"), std::string::npos) << text;
}

TEST_F(Check, RefusesAnotherMesh) {
  const std::string other = directory.write("other.glb", glb_text(sheet_character()));
  const Outcome outcome = supple({"check", baked, "--mesh", other, "--json"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find("a different mesh"), std::string::npos) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_TRUE(json.at("intact").get<bool>());
  EXPECT_FALSE(json.at("mesh").at("matches").get<bool>());
}

/// The tube with its first vertex moved along x.
std::string moved_tube(float x) {
  HandMade moved = tube_character();
  const auto* raw = reinterpret_cast<const std::byte*>(&x);
  std::copy(raw, raw + sizeof x, moved.binary.begin());  // the first accessor is POSITION
  return glb_text(moved);
}

TEST_F(Check, RefusesAMeshWithAMovedVertex) {
  const Outcome outcome =
      supple({"check", baked, "--mesh", directory.write("moved.glb", moved_tube(0.14F))});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find("no primitive has its vertices where those of mesh 0"),
            std::string::npos)
      << outcome.err;
}

TEST_F(Check, SaysHowItMatchedAMeshThatWasRounded) {
  const Outcome outcome = supple(
      {"check", baked, "--mesh", directory.write("rounded.glb", moved_tube(0.1201F)), "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json mesh = Json::parse(outcome.out).at("mesh");
  EXPECT_TRUE(mesh.at("matches").get<bool>());
  const auto how = mesh.at("matched").get<std::string>();
  EXPECT_NE(how.find("matched in their order, within 100 um"), std::string::npos) << how;
}

}  // namespace
}  // namespace supple::testing
