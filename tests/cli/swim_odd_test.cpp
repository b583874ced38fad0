// SPDX-License-Identifier: Apache-2.0
// What other people give to `supple swim`: a sensible result, or an error with the remedy and
// nothing written.
#include "process.hpp"
#include "small_characters.hpp"

#include "temporary_directory.hpp"
#include "text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <string>

namespace supple::testing {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Names = std::vector<std::string>;

struct OddSwim : ::testing::Test {
  TemporaryDirectory given;    ///< what people give
  TemporaryDirectory written;  ///< where results go

  [[nodiscard]] Json swims(Arguments arguments) const {
    arguments.insert(arguments.begin(), "swim");
    arguments.emplace_back("--json");
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.status == 0 ? Json::parse(outcome.out) : Json();
  }
  void fails(Arguments arguments, int status, const std::string& part) const {
    arguments.insert(arguments.begin(), "swim");
    if (std::find(arguments.begin(), arguments.end(), "-o") == arguments.end()) {
      arguments.insert(arguments.end(), {"-o", written.path("out.csv")});
    }
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "error: ")) << outcome.err;
    EXPECT_EQ(written.list(), Names{});
  }
};

TEST_F(OddSwim, BodiesOfAllSizesStayInControl) {
  for (const char* body : {"height = 0.3\n", "height = 3\n", "mass = 1\n", "mass = 300\n",
                           "height = 0.3\nmass = 300\n", "height = 3\nmass = 1\n"}) {
    const Json json = swims({"--body", given.write("body.toml", body), "--seconds", "3"});
    ASSERT_TRUE(json.is_object()) << body;
    EXPECT_TRUE(std::isfinite(json.at("distance_m").get<double>())) << body;
    EXPECT_LT(json.at("distance_m"), 10) << body;
    EXPECT_LT(json.at("energy_error"), 0.05) << body;
  }
}

TEST_F(OddSwim, TimesThatAreNone) {
  for (const char* seconds : {"0", "-1", "nan", "inf"}) {
    fails({"--seconds", seconds}, 3, "give a finite time above zero");
  }
  fails({"--seconds", "1e9"}, 3, "shorten the run");
  fails({"--seconds", "1e-9"}, 3, "give at least");
  fails({"--seconds", "10", "--step", "1e-12"}, 3, "longer step");
  fails({"--seconds", "ten"}, 2, "--seconds");
  fails({"--rate", "0"}, 3, "above zero");
  fails({"--rate", "nan"}, 3, "above zero");
  fails({"--step", "0"}, 3, "above zero");
  fails({"--step", "-0.1"}, 3, "above zero");
  fails({"--step", "1"}, 3, "too long");
}

TEST_F(OddSwim, TargetsAndObstaclesInItsOwnPlace) {
  EXPECT_EQ(swims({"--target", "0,0,0", "--seconds", "1"}).at("targets_reached"), 1);
  fails({"--target", "1e300,0,0"}, 3, "target[1].position is [1e+300, 0, 0]");
  fails({"--target", "nan,0,0"}, 2, "three numbers");
  const std::string enclosed = given.write(
      "course.toml",
      "[[target]]\nposition = [9, 0, 0]\n[[obstacle]]\ncentre = [0, 0, 0]\nradius = 3\n");
  fails({"--course", enclosed}, 3, "inside obstacle 1");
}

TEST_F(OddSwim, FlowsThatAreNoVelocity) {
  const auto flow = [&](const std::string& text) {
    return given.write("water.toml", "[flow]\n" + text + "\n");
  };
  fails({"--water", flow("expression = [\"1/x\", \"0\", \"0\"]")}, 3, "must be finite");
  fails({"--water", flow("expression = [\"log(0.5-t)\", \"0\", \"0\"]")}, 3, "must be finite");
  // Seen by no look beforehand: within a second, and only where the swimmer is.
  fails({"--water", flow("expression = [\"0/max(0, abs(x-0.1)-0.05)\", \"0\", \"0\"]"), "--seconds",
         "5"},
        4, "correct the flow");
  given.write("grid.txt", "counts 1 1 2\nvelocities\n0 0 nan\n1 1 1\n");
  fails({"--water", flow("grid = \"grid.txt\"")}, 3, "not finite");
  given.write("grid.txt", "counts 99999 99999 99999\nvelocities\n0 0 0\n");
  fails({"--water", flow("grid = \"grid.txt\"")}, 3, "at most");
  given.write("grid.txt", "");
  fails({"--water", flow("grid = \"grid.txt\"")}, 3, "velocities");
  fails({"--water", flow("grid = \"none.txt\"")}, 5, "none.txt");
  fails({"--water", flow("grid = \"/dev/zero\"")}, 5, "a pipe or a device");
}

TEST_F(OddSwim, SaysWhenItsFiguresAreDoubtful) {
  int doubtful = 0;
  // Surges shorter than a step, ever stronger, until the swimmer loses control.
  for (const char* speed : {"10", "40", "50", "60", "70", "80"}) {
    const std::string surge =
        given.write("water.toml", std::string("[flow]\nexpression = [\"") + speed +
                                      "*exp(-(200*(t-0.5))^2)\", \"0\", \"0\"]\n");
    const Outcome outcome = supple({"swim", "--water", surge, "--seconds", "1", "--json"});
    if (outcome.status == 4) break;
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    const bool warned = contains(json.at("warnings").dump(), "doubtful");
    EXPECT_EQ(warned, json.at("energy_error") > 0.05) << speed;
    doubtful += warned ? 1 : 0;
  }
  EXPECT_GT(doubtful, 0);
}

TEST_F(OddSwim, SaysThatABodyIsNone) {
  const auto warnings = [&](const std::string& body, const std::string& water) {
    const std::string file = given.write("body.toml", body);
    const std::string pool = given.write("water.toml", water);
    const Outcome outcome =
        supple({"swim", "--body", file, "--water", pool, "--seconds", "4", "--json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const Json json = Json::parse(outcome.out);
    for (const auto& warning : json.at("warnings")) {
      EXPECT_TRUE(contains(outcome.err, warning.get<std::string>().substr(0, 20))) << outcome.err;
    }
    return json.at("warnings").dump();
  };
  EXPECT_EQ(warnings("height = 1.2\nmass = 25\n", "gravity = 9.81\n"), "[]");
  const std::string stone = warnings("height = 0.3\nmass = 75\n", "");
  EXPECT_TRUE(contains(stone, "5.8 times the height")) << stone;
  EXPECT_TRUE(contains(stone, "makes no headway")) << stone;
  EXPECT_TRUE(contains(warnings("buoyancy = 2\n", "gravity = 9.81\n"), "floats like a cork"));
}

TEST_F(OddSwim, CharactersThatAreNone) {
  const auto character = [&](const std::string& file, int status, const char* part) {
    fails({"--character", file, "--seconds", "0.1", "-o", written.path("out.glb")}, status, part);
    fails({"--body-from", file, "--seconds", "0.1"}, status, part);
  };
  character(given.write("tube.glb", glb_text(tube_character())), 3, "bone map");
  const std::string naked = given.write("naked.glb", glb_text(io::testing::square()));
  character(naked, 3, "no skinned mesh");
  character(given.write("text.glb", "height = 1\n"), 3, "text.glb");
  character(given.path("none.glb"), 5, "none.glb");
  const std::string map = given.write("bones.txt", "pelvis = Hips\nright_thigh = Knee\n");
  fails({"--character", given.path("tube.glb"), "--bone-map", map, "--seconds", "0.1", "-o",
         written.path("out.glb")},
        3, "has no bone 'Knee'");
}

TEST_F(OddSwim, OutputsThatCannotBe) {
  const std::string missing = written.path("none/out.glb");
  fails({"-o", missing}, 5, "there is no directory");
  fails({"-o", written.path("out")}, 2, "written as .glb");
  fails({"-o", written.path("out.fbx")}, 2, "written as .glb");
  fails({"-o", ""}, 2, "written as .glb");
  fails({"-o", written.path("a.glb"), "-o", missing}, 5, "there is no directory");
  fails({"--plot", given.write("file", "") + "/plots"}, 5, "cannot make the directory");
  const Json json = swims({"--seconds", "0.2", "-o", written.path("a.GLB"), "-o",
                           written.path("a.csv"), "--plot", written.path("p/q/")});
  EXPECT_EQ(json.at("files").size(), 10U);  // two files, four plots as SVG and PNG
  EXPECT_EQ(written.list(), (Names{"a.GLB", "a.csv", "p"}));
}

/// A file that cannot be written at the very end takes the plots with it, but nothing else.
TEST_F(OddSwim, PlotsOfAFailedSwimLeaveNothingBehind) {
  fs::create_symlink("/dev/full", given / "full.csv");
  const auto plots = [&](const std::string& directory) {
    const Outcome outcome = supple({"swim", "--seconds", "0.2", "-o", given.path("full.csv"),
                                    "--plot", written.path(directory)});
    EXPECT_EQ(outcome.status, 5) << outcome.err;
  };
  plots("p/q/r");
  EXPECT_EQ(written.list(), Names{});
  fs::create_directory(written / "mine");
  written.write("mine/speed.png", "before");
  written.write("mine/notes.txt", "keep");
  plots("mine");
  plots("mine/new");
  EXPECT_EQ(written.list(), Names{"mine"});
  EXPECT_EQ(written.read("mine/speed.png"), "before");
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(written / "mine")) ++count;
  EXPECT_EQ(count, 2U);
}

}  // namespace
}  // namespace supple::testing
