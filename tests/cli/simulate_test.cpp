// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "supple/core/files.hpp"
#include "supple/core/random.hpp"
#include "supple/io/gltf.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace supple::testing {
namespace {

using SimulateJson = nlohmann::json;

std::string content(const std::filesystem::path& path) {
  const auto bytes = read_file(path);
  return bytes.ok() ? std::string(as_text(*bytes)) : "no file";
}

TEST(SimulateCommand, ListsItsSamples) {
  const Outcome listed = supple({"simulate", "--list-samples"});
  EXPECT_EQ(listed.status, 0);
  for (const char* name : {"cloth-on-sphere", "cubes", "ribbon", "cards", "table-cloth"}) {
    EXPECT_NE(listed.out.find(name), std::string::npos) << name;
  }
}

// Every sample begins without overlaps and takes its first steps.
TEST(SimulateCommand, SamplesStart) {
  const TemporaryDirectory directory;
  for (const char* name : {"cloth-on-sphere", "cubes", "ribbon", "cards", "table-cloth"}) {
    const std::string glb = (directory.path() / (std::string(name) + ".glb")).string();
    const Outcome done =
        supple({"simulate", "--sample", name, "--small", "--seconds", "0.05", "-o", glb, "--json"});
    ASSERT_EQ(done.status, 0) << name << ": " << done.err;
    const auto json = SimulateJson::parse(done.out);
    EXPECT_EQ(json["steps"], 3) << name;
    EXPECT_EQ(json["intersections"], 0) << name;
    EXPECT_TRUE(io::read_gltf(std::filesystem::path(glb)).ok()) << name;
  }
}

TEST(SimulateCommand, JsonHasTheFiguresOfARun) {
  const TemporaryDirectory directory;
  const std::string glb = (directory.path() / "cubes.glb").string();
  const Outcome done =
      supple({"simulate", "--sample", "cubes", "--small", "--seconds", "0.2", "-o", glb, "--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const auto json = SimulateJson::parse(done.out);
  EXPECT_EQ(json["steps"], 12);
  EXPECT_GT(json["newton_iterations"].get<int>(), 0);
  EXPECT_GT(json["contacts_max"].get<int>(), 0);
  EXPECT_GT(json["smallest_distance_m"].get<double>(), 0);
  EXPECT_EQ(json["intersections"], 0);
  for (const char* energy : {"kinetic", "elastic", "gravity", "contact"}) {
    EXPECT_TRUE(json["energy_j"][energy].is_number()) << energy;
  }
  EXPECT_GT(json["seconds"]["total"].get<double>(), 0);
  EXPECT_EQ(json["digest"].get<std::string>().size(), 32U);
  EXPECT_TRUE(json["reduction_error"].is_number());
  EXPECT_EQ(json["files"][0]["path"], glb);
}

TEST(SimulateCommand, PrintedScenesRunTheSame) {
  const TemporaryDirectory directory;
  const std::string scene = (directory.path() / "scene.toml").string();
  const Outcome printed = supple({"simulate", "--sample", "cubes", "--small", "--print-config"});
  ASSERT_EQ(printed.status, 0) << printed.err;
  ASSERT_TRUE(write_file(scene, printed.out).ok());
  std::vector<std::string> digests;
  const std::string glb = (directory.path() / "a.glb").string();
  for (const Arguments& source :
       {Arguments{"simulate", scene}, Arguments{"simulate", "--sample", "cubes", "--small"}}) {
    Arguments arguments = source;
    arguments.insert(arguments.end(), {"--seconds", "0.1", "-o", glb, "--json"});
    const Outcome done = supple(arguments);
    ASSERT_EQ(done.status, 0) << done.err;
    digests.push_back(SimulateJson::parse(done.out)["digest"]);
  }
  EXPECT_EQ(digests[0], digests[1]);
}

TEST(SimulateCommand, WrongUseIsExplained) {
  const TemporaryDirectory directory;
  const std::string glb = (directory.path() / "a.glb").string();
  const std::string scene = (directory.path() / "scene.toml").string();
  const auto fails = [&](const Arguments& arguments, int status, const std::string& part) {
    const Outcome done = supple(arguments);
    EXPECT_EQ(done.status, status) << done.err;
    EXPECT_NE(done.err.find(part), std::string::npos) << done.err;
    EXPECT_FALSE(std::filesystem::exists(glb));
  };
  fails({"simulate", "-o", glb}, 2, "scene.toml or --sample");
  fails({"simulate", "--sample", "cube", "-o", glb}, 2, "cubes");
  fails({"simulate", "--sample", "cubes"}, 2, "name a result");
  fails({"simulate", scene, "--small", "-o", glb}, 2, "--small");
  fails({"simulate", "--sample", "cubes", "-o", "a.obj"}, 2, ".glb");
  fails({"simulate", scene, "-o", glb}, 5, "scene.toml");
  ASSERT_TRUE(write_file(scene, "[[solid]]\nmaterial = \"silicon\"\n").ok());
  fails({"simulate", scene, "-o", glb}, 3, "scene.toml:2:");
  ASSERT_TRUE(write_file(scene, "[[solid]]\nmesh = \"missing.ply\"\n").ok());
  fails({"simulate", scene, "-o", glb}, 5, "missing.ply");
  ASSERT_TRUE(write_file(scene, "[[solid]]\n[[obstacle]]\n").ok());
  fails({"simulate", scene, "-o", glb}, 3, "overlap");
}

// Killed without warning at ten random moments and resumed each time: the file is the same.
TEST(SimulateCommand, SurvivesKills) {
  const TemporaryDirectory directory;
  const std::filesystem::path killed = directory.path() / "killed.glb";
  const auto arguments = [&](const std::string& name) {
    return Arguments{"simulate",  "--sample", "cubes", "--small",
                     "--seconds", "0.4",      "-o",    (directory.path() / name).string()};
  };
  const Outcome whole = supple(arguments("whole.glb"));
  ASSERT_EQ(whole.status, 0);
  Arguments resumed = arguments("killed.glb");
  resumed.emplace_back("--resume");
  const auto expect_same = [&] {
    EXPECT_EQ(content(killed), content(directory.path() / "whole.glb"));
    EXPECT_FALSE(std::filesystem::exists(killed.string() + ".work"));
    std::filesystem::remove(killed);
  };
  Random random(29);
  // Runs that get to the end before they are killed start the next round.
  for (int kills = 0; kills < 10;) {
    const double moment = random.uniform(0.1, 0.9) * whole.processor_seconds;
    const Outcome done = supple_interrupted_after(moment, resumed, SIGKILL);
    if (done.status == 0) {
      expect_same();
      continue;
    }
    ASSERT_EQ(done.status, 128 + SIGKILL) << done.err;
    ++kills;
  }
  ASSERT_EQ(supple(resumed).status, 0);
  expect_same();
}

TEST(SimulateCommand, InterruptsLeaveACheckpoint) {
  const TemporaryDirectory directory;
  const std::string glb = (directory.path() / "a.glb").string();
  const Arguments arguments{"simulate", "--sample", "cubes", "--small", "-o", glb};
  const Outcome stopped = supple_interrupted_at("frames.bin", directory.path(), arguments);
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("a.glb.work"), std::string::npos) << stopped.err;
  EXPECT_FALSE(std::filesystem::exists(glb));
  EXPECT_TRUE(std::filesystem::exists(glb + ".work/state.bin"));
}

}  // namespace
}  // namespace supple::testing
