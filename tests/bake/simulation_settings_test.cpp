// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/simulation_settings.hpp"

#include "bake/settings_samples.hpp"

#include <gtest/gtest.h>

namespace supple::bake {
namespace {

std::string scene_error(const std::string& toml) {
  const auto read = parse_simulation_settings(toml, "scene.toml");
  return read.ok() ? "accepted" : read.error().describe();
}

TEST(SimulationSettings, ReadsEveryKindOfBody) {
  const auto read = parse_simulation_settings(samples::kScene, "scene.toml");
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(read->seconds, 1.5);
  EXPECT_EQ(read->rate, 120);
  ASSERT_TRUE(read->wind.has_value());
  EXPECT_EQ(read->wind->velocity.x(), 2);
  EXPECT_FALSE(read->contact.logarithmic);
  EXPECT_TRUE(read->solver.bdf2);
  ASSERT_EQ(read->solids.size(), 2U);
  EXPECT_EQ(read->solids[0].material.name, "silicone");
  EXPECT_EQ(read->solids[1].material.youngs_modulus, 5e4);
  EXPECT_EQ(read->solids[1].nodes, 10);
  EXPECT_TRUE(read->solids[1].st_venant_kirchhoff);
  ASSERT_EQ(read->cloths.size(), 1U);
  EXPECT_EQ(read->cloths[0].name, "cloth 1");  // by its number
  EXPECT_EQ(read->cloths[0].geometry.shape, SimulatedShape::Sheet);
  EXPECT_EQ(read->cloths[0].material.solid.name, "paper");
  ASSERT_EQ(read->obstacles.size(), 1U);
  ASSERT_EQ(read->obstacles[0].motions.size(), 3U);
  EXPECT_TRUE(read->obstacles[0].motions[0].turn.has_value());
  EXPECT_EQ(read->obstacles[0].motions[1].keys.size(), 2U);
  EXPECT_EQ(read->obstacles[0].motions[2].swing->frequency, 2);
  ASSERT_EQ(read->pins.size(), 1U);
  EXPECT_EQ(read->pins[0].where.size(), 2U);
  ASSERT_EQ(read->impulses.size(), 1U);
}

TEST(SimulationSettings, PrintsWhatItReads) {
  const auto read = parse_simulation_settings(samples::kScene, "scene.toml");
  ASSERT_TRUE(read.ok());
  const std::string text = print_simulation_settings(*read);
  const auto again = parse_simulation_settings(text, "printed");
  ASSERT_TRUE(again.ok()) << again.error().describe() << "\n" << text;
  EXPECT_EQ(print_simulation_settings(*again), text);
}

TEST(SimulationSettings, NameUnknownKeysWithPlaceAndSuggestion) {
  const std::string error = scene_error("[[solid]]\nname = \"a\"\nmatrial = \"silicone\"\n");
  EXPECT_TRUE(error.starts_with("scene.toml:3:")) << error;
  EXPECT_NE(error.find("material"), std::string::npos) << error;
  EXPECT_NE(scene_error("secnds = 2\n[[solid]]\n").find("seconds"), std::string::npos);
}

TEST(SimulationSettings, RefuseScenesThatMakeNoSense) {
  const auto refused = [](const std::string& toml, const std::string& part) {
    const std::string error = scene_error(toml);
    EXPECT_NE(error.find(part), std::string::npos) << toml << "\n" << error;
  };
  refused("", "nothing can move");
  refused("[[obstacle]]\n", "nothing can move");
  refused("[[solid]]\nname = \"a\"\n[[cloth]]\nname = \"a\"\n", "two bodies have the name 'a'");
  refused("[[solid]]\nshape = \"sheet\"\n", "no volume");
  refused("[[solid]]\nsize = [1, 0, 1]\n", "longer than 0");
  refused("[[solid]]\nsize = [1, -1, 1]\n", "size");
  refused("[[solid]]\n[[pin]]\nbody = \"b\"\nwhere = [\"x<0\"]\n", "there are: solid 1");
  refused("[[solid]]\n[[pin]]\nbody = \"solid 1\"\nwhere = [\"near me\"]\n", "near me");
  refused("[[solid]]\n[[pin]]\nbody = \"solid 1\"\nwhere = []\n", "needs vertices");
  refused("[[solid]]\n[[impulse]]\ntime = 0\nbody = \"floor\"\nvelocity = [1, 0, 0]\n", "floor");
  refused("[[solid]]\n[[obstacle]]\n[[obstacle.motion]]\n", "one of drift, turn, swing and keys");
  refused("[[solid]]\n[[obstacle]]\n[[obstacle.motion]]\nturn = {speed = 1, axis = [0, 0, 0]}\n",
          "no length");
  refused("[[solid]]\n[[obstacle]]\n[[obstacle.motion]]\nkeys = [{time = 1}, {time = 1}]\n",
          "must ascend");
  refused(
      "[[solid]]\n[[obstacle]]\n[[obstacle.motion]]\ndrift = {velocity = [1, 0, 0], begin = 2, "
      "end = 1}\n",
      "end after it begins");
  refused("seconds = 500\nrate = 9000\n[[solid]]\n", "a million steps");
  refused("seconds = 0\n[[solid]]\n", "seconds");
  refused("[[solid]]\nmaterial = {youngs_modulus = 0, poisson_ratio = 0.3, density = 1}\n",
          "youngs_modulus");
  refused("[[solid]]\nmaterial = {youngs_modulus = 1e5, poisson_ratio = 0.5, density = 1}\n",
          "poisson_ratio");
  refused("[[cloth]]\nmaterial = \"papr\"\n", "paper");
}

}  // namespace
}  // namespace supple::bake
