// SPDX-License-Identifier: Apache-2.0
#include "bake/mixed_model.hpp"
#include "io/gltf_samples.hpp"
#include "process.hpp"

#include "supple/core/files.hpp"
#include "supple/io/gltf.hpp"

#include <gtest/gtest.h>

namespace supple::testing {
namespace {

using io::testing::Json;

/// A tube with a flag on it, and settings for both.
struct Mixed {
  TemporaryDirectory directory;
  std::string glb = directory.path("hero.glb");
  std::string toml = directory.write("bake.toml", bake::testing::kMixedSettings);
  std::string out = directory.path("out.glb");
  std::string supple_file = directory.path("out.supple");

  Mixed() {
    const auto asset = io::make_gltf(bake::testing::mixed_model());
    EXPECT_TRUE(asset.ok());
    const auto bytes = io::write_gltf(*asset);
    EXPECT_TRUE(bytes.ok());
    EXPECT_TRUE(write_file(glb, *bytes).ok());
  }
  Json run(Arguments command) const {
    command.emplace_back("--json");
    const Outcome outcome = supple(command);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.status == 0 ? Json::parse(outcome.out) : Json();
  }
  Json bake(const Arguments& more = {}) const {
    Arguments command{"bake", glb, "-c", toml, "-o", out};
    command.insert(command.end(), more.begin(), more.end());
    return run(command);
  }
};

TEST(BakeMixed, OneFileHoldsFleshAndShells) {
  const Mixed mixed;
  const Json report = mixed.bake({"--motion", "jump"});
  ASSERT_EQ(report.at("objects").size(), 1U);
  ASSERT_EQ(report.at("shells").size(), 1U);
  EXPECT_EQ(report.at("shells")[0].at("name"), "flag");
  EXPECT_EQ(report.at("shells")[0].at("bone"), "tip");
  ASSERT_EQ(report.at("recorded").size(), 1U);
  EXPECT_LE(report.at("recorded")[0].at("largest_error_relative"), 1e-3);
  EXPECT_EQ(report.at("clips").size(), 2U) << "its own, and the jump";

  const Json info = mixed.run({"info", mixed.supple_file});
  ASSERT_EQ(info.at("objects").size(), 2U);
  EXPECT_EQ(info.at("objects")[0].at("kind"), "flesh");
  EXPECT_EQ(info.at("objects")[1].at("kind"), "shell");
  EXPECT_EQ(supple({"check", mixed.supple_file, "--mesh", mixed.out}).status, 0);

  const std::string played = mixed.directory.path("played.glb");
  const Json play = mixed.run(
      {"play", mixed.supple_file, "--character", mixed.out, "--motion", "clip:nod", "-o", played});
  EXPECT_EQ(play.at("modes").size(), 8U);
  ASSERT_EQ(play.at("shells").size(), 1U);
  EXPECT_GT(play.at("shells")[0].at("largest_turn"), 0.01);
  const auto written = io::read_gltf(std::filesystem::path(played));
  ASSERT_TRUE(written.ok()) << written.error().describe();
  for (const io::GltfMesh& mesh : written->meshes) EXPECT_FALSE(mesh.target_names.empty());
}

TEST(BakeMixed, WrittenSettingsGiveTheSameBytes) {
  const Mixed mixed;
  const std::string config = mixed.directory.path("all.toml");
  mixed.bake({"--write-config", config});
  const std::string again = mixed.directory.path("again.glb");
  mixed.run({"bake", mixed.glb, "-c", config, "-o", again});
  EXPECT_EQ(*read_file(mixed.supple_file), *read_file(mixed.directory.path("again.supple")));
}

TEST(BakeMixed, OnlyTakesAnObjectOrAShell) {
  const Mixed mixed;
  const Json flesh = mixed.bake({"--only", "top"});
  EXPECT_EQ(flesh.at("objects").size(), 1U);
  EXPECT_EQ(flesh.at("shells").size(), 0U);
  EXPECT_EQ(supple({"check", mixed.supple_file, "--mesh", mixed.out}).status, 0);
  const Json shell = mixed.bake({"--only", "flag"});
  EXPECT_EQ(shell.at("objects").size(), 0U);
  EXPECT_EQ(shell.at("shells").size(), 1U);
  const Outcome neither = supple({"bake", mixed.glb, "-c", mixed.toml, "--only", "flaf"});
  EXPECT_NE(neither.status, 0);
  EXPECT_NE(neither.err.find("did you mean 'flag'"), std::string::npos) << neither.err;
}

TEST(BakeMixed, AVertexOfTwoIsRefused) {
  const Mixed mixed;
  const std::string toml = mixed.directory.write(
      "both.toml", "[[object]]\nname = \"all\"\nmask = \"_SOFT\"\n[[shell]]\nmesh = \"flag\"\n");
  const Outcome outcome = supple({"bake", mixed.glb, "-c", toml, "-o", mixed.out});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("object 'all' and shell 'flag' share 65 vertices"), std::string::npos)
      << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(mixed.out));
}

}  // namespace
}  // namespace supple::testing
