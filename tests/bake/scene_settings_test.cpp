// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/scene_settings.hpp"

#include "bake/settings_samples.hpp"

#include <gtest/gtest.h>

namespace supple::bake {
namespace {

std::string palette_error(const std::string& toml) {
  const auto read = parse_scene_settings(toml, "scene.toml");
  return read.ok() ? "accepted" : read.error().describe();
}

TEST(SceneSettings, ReadPalettesAndRecordings) {
  const auto bodies = parse_scene_settings(samples::kPaletteScene, "scene.toml");
  ASSERT_TRUE(bodies.ok()) << bodies.error().describe();
  EXPECT_EQ(bodies->simulation.rate, 30);
  EXPECT_FALSE(bodies->recording.has_value());
  ASSERT_EQ(bodies->entries.size(), 2U);
  EXPECT_EQ(bodies->entries[0].strengths, (std::vector<double>{0.5, 1, 2}));
  EXPECT_EQ(bodies->entries[0].impulse->spin.y(), 90);
  EXPECT_EQ(bodies->entries[1].forcing->wind.x(), 3);
  EXPECT_EQ(bodies->sampling.seed, 7U);
  const auto recorded = parse_scene_settings(samples::kRecordedScene, "scene.toml");
  ASSERT_TRUE(recorded.ok()) << recorded.error().describe();
  ASSERT_TRUE(recorded->recording.has_value());
  EXPECT_EQ(recorded->recording->rest, 3U);
  EXPECT_EQ(recorded->recording->scale, 0.01);
  ASSERT_EQ(recorded->recording->runs.size(), 2U);
  EXPECT_EQ(recorded->recording->runs[1].body, "flag");
  EXPECT_EQ(recorded->recording->runs[1].actions, "two.csv");
}

TEST(SceneSettings, PrintWhatTheyRead) {
  for (const char* toml : {samples::kPaletteScene, samples::kRecordedScene}) {
    const auto read = parse_scene_settings(toml, "scene.toml");
    ASSERT_TRUE(read.ok());
    const std::string text = print_scene_settings(*read);
    const auto again = parse_scene_settings(text, "printed");
    ASSERT_TRUE(again.ok()) << again.error().describe() << "\n" << text;
    EXPECT_EQ(print_scene_settings(*again), text);
  }
}

TEST(SceneSettings, RefuseScenesThatMakeNoSense) {
  const auto refused = [](const std::string& toml, const std::string& part) {
    const std::string error = palette_error(toml);
    EXPECT_NE(error.find(part), std::string::npos) << toml << "\n" << error;
  };
  const std::string run = "[[recording.run]]\nframes = \"a.pc2\"\nactions = \"a.csv\"\n";
  EXPECT_EQ(palette_error("[recording]\n" + run), "accepted");
  refused("[[entry]]\nname = \"a\"\n", "nothing can move");
  refused("[recording]\n", "at least one [[recording.run]]");
  refused("[recording]\n[[recording.run]]\nframes = \"a.pc2\"\n", "actions");
  refused("[recording]\n[[recording.run]]\nactions = \"a.csv\"\n", "frames");
  refused("[recording]\n[[recording.runs]]\n", "did you mean 'run'");
  refused("[recording]\nscale = 0\n" + run, "scale");
  refused("[recording]\n" + run + "[[cloth]]\n", "no bodies of its own");
  refused("[recording]\n" + run + "[[entry]]\nname = \"a\"\n[entry.impulse]\n",
          "entry 'a': a recording moves the scene");
  refused("[recording]\n" + run + "[[entry]]\nname = \"a\"\nstrengths = [1, 2]\n",
          "make each of them an entry");
  refused("[[cloth]]\n[sampling]\nshortest = 2\nlongest = 1\n",
          "the shortest response, 2 s, is longer than the longest, 1 s");
  refused("[[cloth]]\n[[entry]]\nname = \"a\"\nfolowed_by = []\n", "did you mean 'followed_by'");
  EXPECT_TRUE(palette_error("[[cloth]]\n[samplin]\n").starts_with("scene.toml:2:"));
}

}  // namespace
}  // namespace supple::bake
