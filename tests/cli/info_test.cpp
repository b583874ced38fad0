// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "small_characters.hpp"

#include <gtest/gtest.h>

namespace supple::testing {
namespace {

using io::testing::Json;

Json info(const std::string& path) {
  const Outcome outcome = supple({"info", path, "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.status == 0 ? Json::parse(outcome.out) : Json();
}

TEST(Info, TellsWhatACharacterHolds) {
  const TemporaryDirectory directory;
  const std::string glb = directory.write("hero.glb", glb_text(tube_character()));
  const Json json = info(glb);
  EXPECT_EQ(json.at("kind"), "gltf");
  EXPECT_EQ(json.at("meshes")[0].at("vertices"), 21 * 12 + 2);
  EXPECT_EQ(json.at("meshes")[0].at("triangles"), 2 * 20 * 12 + 2 * 12);
  EXPECT_EQ(json.at("meshes")[0].at("influences"), 4);
  EXPECT_EQ(json.at("skins")[0].at("bones"), (std::vector<std::string>{"Hips", "Leg", "End"}));
  EXPECT_EQ(json.at("clips")[0].at("name"), "swing");
  EXPECT_EQ(json.at("clips")[0].at("seconds"), 2);
  const Outcome text = supple({"info", glb});
  for (const char* word : {"swing", "Hips, Leg, End", "254"}) {
    EXPECT_NE(text.err.find(word), std::string::npos) << word << "\n" << text.err;
  }
}

TEST(Info, TellsWhatWasBaked) {
  const TemporaryDirectory directory;
  const std::string glb = directory.write("hero.glb", glb_text(tube_character()));
  const std::string toml =
      directory.write("bake.toml",
                      "[[object]]\nname = \"shin\"\nbone = \"Leg\"\nelements = 400\nmodes = 3\n"
                      "limit = 0.02\ndamping = {ratio = 0.25}\n");
  const Outcome baked =
      supple({"bake", glb, "-c", toml, "-o", directory.path("out.glb"), "--json"});
  ASSERT_EQ(baked.status, 0) << baked.err;
  const Json report = Json::parse(baked.out).at("objects")[0];
  const Json json = info(directory.path("out.supple"));
  EXPECT_EQ(json.at("kind"), "supple");
  EXPECT_EQ(json.at("vertices"), 254);
  EXPECT_EQ(json.at("encoding_bits"), 16);
  ASSERT_EQ(json.at("objects").size(), 1U);
  const Json& shin = json.at("objects")[0];
  EXPECT_EQ(shin.at("name"), "shin");
  EXPECT_EQ(shin.at("bone"), "Leg");
  EXPECT_EQ(shin.at("node"), 2);
  EXPECT_EQ(shin.at("joint"), 1);
  EXPECT_EQ(shin.at("limit_m"), 0.02);
  ASSERT_EQ(shin.at("modes").size(), 3U);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_NEAR(shin.at("modes")[m].at("frequency_hz").get<double>(),
                report.at("modes")[m].at("frequency_hz").get<double>(), 1e-9);
    EXPECT_EQ(shin.at("modes")[m].at("damping"), 0.25);
  }
}

TEST(Info, RefusesOtherKinds) {
  const TemporaryDirectory directory;
  const Outcome other = supple({"info", directory.write("notes.txt", "hello")});
  EXPECT_EQ(other.status, 3);
  EXPECT_NE(other.err.find("notes.txt"), std::string::npos) << other.err;
  EXPECT_EQ(supple({"info", directory.path("none.supple")}).status, 5);
  EXPECT_EQ(supple({"info"}).status, 2);
}

}  // namespace
}  // namespace supple::testing
