// SPDX-License-Identifier: Apache-2.0
#include "cli/process.hpp"

#include "temporary_directory.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace supple::testing {
namespace {

/// A built-in shell, baked, and pictures of it.
struct ShellStudio {
  TemporaryDirectory directory;
  std::string file = directory.path("shell.glb");

  explicit ShellStudio(const std::string& sample, const Arguments& more = {}) {
    Arguments all{"shell", "--sample", sample, "-o", file, "-q"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome baked = supple(all);
    EXPECT_EQ(baked.status, 0) << baked.err;
  }
  [[nodiscard]] Outcome render(const Arguments& more) const {
    Arguments all{"render", file, "--size", "96x64", "-o", directory.path("a.png")};
    all.insert(all.end(), more.begin(), more.end());
    return supple(all);
  }
  [[nodiscard]] std::string picture(const Arguments& more) const {
    const Outcome outcome = render(more);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return directory.read("a.png");
  }
};

TEST(RenderShell, HangsUnderGravityAndBlowsInTheWind) {
  const ShellStudio beam("v-beam");
  const std::string hanging = beam.picture({});
  EXPECT_EQ(beam.picture({"--gravity", "0,-9.81,0"}), hanging);
  const std::string straight = beam.picture({"--gravity", "0,0,0"});
  EXPECT_NE(straight, hanging);
  EXPECT_EQ(beam.picture({"--gravity", "0,0,0", "--linear"}), straight);
  EXPECT_EQ(beam.picture({"--no-flesh"}), straight);
  EXPECT_NE(beam.picture({"--linear"}), hanging);
  EXPECT_NE(beam.picture({"--compare", "linear"}), hanging);
  EXPECT_NE(beam.picture({"--wind", "0,0,9", "--at", "0.5"}), hanging);
  EXPECT_NE(beam.picture({"--motion", "gravity", "--at", "0.05"}), hanging);
}

/// The drop that the file holds, not a player over bones that stand still.
TEST(RenderShell, ShowsAClipAsItWasRecorded) {
  const ShellStudio beam("v-beam", {"--record", "gravity"});
  const Arguments drop{"--clip", "gravity", "--at", "0.05"};
  const auto dropping = [&](const std::string& option) {
    Arguments all = drop;
    all.push_back(option);
    return all;
  };
  EXPECT_NE(beam.picture(drop), beam.picture({}));
  EXPECT_EQ(beam.picture(drop), beam.picture(dropping("--no-flesh")));
  EXPECT_EQ(beam.render(drop).err.find("recording"), std::string::npos);
  EXPECT_NE(beam.render(dropping("--linear")).err.find("the clip is a recording of shells"),
            std::string::npos);
}

TEST(RenderShell, DrawsTheHandlesOfBones) {
  const ShellStudio dancer("dancer");
  EXPECT_NE(dancer.picture({"--handles"}), dancer.picture({}));
}

TEST(RenderShell, SaysWhatDoesNotGoTogether) {
  const ShellStudio beam("v-beam");
  const Outcome twice = beam.render({"--linear", "--compare", "linear"});
  EXPECT_EQ(twice.status, 2);
  EXPECT_NE(twice.err.find("omit --linear"), std::string::npos) << twice.err;
  const Outcome two_numbers = beam.render({"--gravity", "1,2"});
  EXPECT_EQ(two_numbers.status, 2);
  EXPECT_NE(two_numbers.err.find("--gravity"), std::string::npos) << two_numbers.err;
  const Outcome solid = beam.render({"--linear", "--no-flesh"});
  EXPECT_EQ(solid.status, 2);
  EXPECT_NE(solid.err.find("has no shells"), std::string::npos) << solid.err;
  const std::vector<std::pair<Arguments, std::string>> useless{
      {{"--handles"}, "no bone holds"},
      {{"--wind", "1,0,0", "--no-flesh"}, "forces act on flesh and shells"},
      {{"--push", "3,0,1,0"}, "push needs a motion"},
  };
  for (const auto& [options, reason] : useless) {
    const Outcome outcome = beam.render(options);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace supple::testing
