// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include "bake/soft_block.hpp"
#include "supple/core/files.hpp"
#include "supple/core/random.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <string>

namespace supple::testing {
namespace {

namespace fs = std::filesystem;
using SceneJson = nlohmann::json;

class SceneCommand : public ::testing::Test {
 protected:
  SceneCommand() { m_directory.write("block.toml", bake::samples::soft_block()); }
  [[nodiscard]] std::string path(const std::string& name) const { return m_directory.path(name); }
  [[nodiscard]] Arguments arguments(const std::string& output) const {
    return {"scene", path("block.toml"), "-o", path(output)};
  }
  TemporaryDirectory m_directory;
};

TEST_F(SceneCommand, ListsItsSamples) {
  const Outcome listed = supple({"scene", "--list-samples"});
  EXPECT_EQ(listed.status, 0);
  for (const char* name : {"door", "plant", "dinosaur"}) {
    EXPECT_NE(listed.out.find(name), std::string::npos) << name;
  }
}

TEST_F(SceneCommand, JsonHasTheFiguresOfAScene) {
  fs::create_directory(path("mine"));
  m_directory.write("mine/chain_saw.bin", "not a chain of samples");
  Arguments call = arguments("block.glb");
  call.insert(call.end(), {"--json", "--work", path("mine")});
  const Outcome done = supple(call);
  ASSERT_EQ(done.status, 0) << done.err;
  // The work folder may be somebody's: only the samples in it go.
  EXPECT_EQ(std::distance(fs::directory_iterator(path("mine")), fs::directory_iterator()), 1);
  EXPECT_TRUE(fs::exists(path("mine/chain_saw.bin")));
  const auto json = SceneJson::parse(done.out);
  EXPECT_GE(json["sampled_states"], 150);
  EXPECT_GT(json["states"], 0);
  EXPECT_GT(json["responses"], 1);
  EXPECT_GT(json["rank"], 0);
  EXPECT_GT(json["relative_error"].get<double>(), 0);
  EXPECT_LE(json["relative_error"].get<double>(), 0.05);
  EXPECT_EQ(json["intersections_samples"], 0);
  EXPECT_EQ(json["failed_responses"], 0);
  EXPECT_EQ(json["bytes"], fs::file_size(path("block.supple")));
  for (const char* stage : {"settle", "sample", "shapes", "portrait", "write", "total"}) {
    EXPECT_TRUE(json["seconds"][stage].is_number()) << stage;
  }
  EXPECT_GE(json["intersections_transitions"], 0);
  EXPECT_LT(json["pop_score"].get<double>(), 1e-6);
  EXPECT_GT(json["coverage"]["mean"].get<double>(), 0);
  EXPECT_EQ(json["files"].size(), 3U);
  EXPECT_TRUE(fs::exists(path("block.report.html")));
  EXPECT_FALSE(fs::exists(path("block.glb.work")));
}

TEST_F(SceneCommand, PrintedScenesGiveTheSameFiles) {
  ASSERT_EQ(supple(arguments("a.glb")).status, 0);
  const Outcome printed = supple({"scene", path("block.toml"), "--print-config"});
  ASSERT_EQ(printed.status, 0) << printed.err;
  m_directory.write("block.toml", printed.out);
  ASSERT_EQ(supple(arguments("b.glb")).status, 0);
  EXPECT_EQ(m_directory.read("a.supple"), m_directory.read("b.supple"));
  EXPECT_EQ(m_directory.read("a.glb"), m_directory.read("b.glb"));
  const Outcome again = supple({"scene", path("block.toml"), "--print-config"});
  EXPECT_EQ(again.out, printed.out);
}

TEST_F(SceneCommand, WrongUseIsExplained) {
  const auto fails = [&](const Arguments& call, int status, const std::string& part) {
    const Outcome done = supple(call);
    EXPECT_EQ(done.status, status) << done.err;
    EXPECT_NE(done.err.find(part), std::string::npos) << done.err;
    EXPECT_FALSE(fs::exists(path("a.glb")));
  };
  const auto bad_file = [&](const std::string& toml, int status, const std::string& part) {
    m_directory.write("bad.toml", toml);
    fails({"scene", path("bad.toml"), "-o", path("a.glb")}, status, part);
  };
  fails({"scene", "-o", path("a.glb")}, 2, "scene.toml or --sample");
  fails({"scene", path("block.toml"), "--sample", "door", "-o", path("a.glb")}, 2, "not both");
  fails({"scene", path("block.toml")}, 2, "name a result");
  fails({"scene", path("block.toml"), "-o", path("a.obj")}, 2, "OUT.glb");
  fails({"scene", path("block.toml"), "--small", "-o", path("a.glb")}, 2, "--small");
  fails({"scene", "--sample", "dor", "-o", path("a.glb")}, 2, "door");
  fails({"scene", path("missing.toml"), "-o", path("a.glb")}, 5, "missing.toml");
  fails({"scene", path("block.toml"), "-o", path("no/such/folder/a.glb")}, 5, "folder");
  bad_file("[[cloth]]\n[sampling]\nstats = 100\n", 3, "bad.toml:3:1");
  bad_file("[[cloth]]\n[sampling]\nstats = 100\n", 3, "states");
  bad_file("[[cloth]]\n[sampling]\nshortest = 2\nlongest = 1\n", 3, "bad.toml:3:");
  bad_file("[[cloth]]\n", 3, "palette is empty");
  bad_file(
      "[recording]\n[[recording.run]]\nframes = \"a_*.obj\"\nactions = \"a.csv\"\n"
      "[[entry]]\nname = \"a\"\n",
      5, "no file is called");
}

TEST_F(SceneCommand, InterruptsLeaveTheSamples) {
  std::string longer = bake::samples::soft_block();
  longer.replace(longer.find("states = 150"), 12, "states = 100000");
  m_directory.write("block.toml", longer);
  const Outcome stopped =
      supple_interrupted_at("chain_000000.bin", m_directory.path(), arguments("a.glb"));
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_NE(stopped.err.find("a.glb.work"), std::string::npos) << stopped.err;
  EXPECT_TRUE(fs::exists(path("a.glb.work/chain_000000.bin")));
  EXPECT_FALSE(fs::exists(path("a.glb")));
}

// Killed at ten random moments of all stages, and called again each time: the same files.
TEST_F(SceneCommand, SurvivesKills) {
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(supple(arguments("whole.glb")).status, 0);
  const double whole =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Random random(17);
  int kills = 0;
  const auto expect_same = [&] {
    EXPECT_EQ(m_directory.read("killed.glb"), m_directory.read("whole.glb"));
    EXPECT_EQ(m_directory.read("killed.supple"), m_directory.read("whole.supple"));
    EXPECT_FALSE(fs::exists(path("killed.glb.work")));
    fs::remove(path("killed.glb"));
    fs::remove(path("killed.supple"));
  };
  // Runs that get to the end before they are killed start the next round.
  while (kills < 10) {
    const std::string seconds = std::to_string(random.uniform(0.05, 0.9) * whole);
    const Outcome done =
        supple_in_shell("timeout -s KILL " + seconds + " \"$@\"", arguments("killed.glb"));
    if (done.status == 0) {
      expect_same();
      continue;
    }
    ASSERT_EQ(done.status, 128 + SIGKILL) << done.err;
    ++kills;
  }
  ASSERT_EQ(supple(arguments("killed.glb")).status, 0);
  expect_same();
}

}  // namespace
}  // namespace supple::testing
