// SPDX-License-Identifier: Apache-2.0
// Limits, signals and odd files that a program meets on a busy or hostile machine.
#include "cli/process.hpp"
#include "cli/soft_tube.hpp"

#include "supple/core/random.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <sys/stat.h>

namespace supple::testing {
namespace {

const Arguments kSmallSolve{"modes", "--sample", "creature", "--elements", "1500", "-n", "4"};

#ifdef __has_feature
#define SUPPLE_IS_SANITIZED __has_feature(address_sanitizer)
#else
#define SUPPLE_IS_SANITIZED 0
#endif

#if !SUPPLE_IS_SANITIZED  // the sanitizer itself needs terabytes of addresses
/// OpenBLAS used to wait for memory for ever.
TEST(Stress, LittleMemoryIsAnErrorWithAReason) {
  for (const char* limit : {"200000", "300000"}) {
    const Outcome outcome = supple_in_shell(
        std::string("ulimit -v ") + limit + "; exec \"$@\"",
        {"modes", "--sample", "creature", "--elements", "60000", "-n", "4", "--threads", "1"});
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("memory"), std::string::npos) << outcome.err;
  }
}

/// TBB used to abort where it could not start a thread.
TEST(Stress, ThreadsUnderAMemoryLimitWorkOrAreErrors) {
  for (const int limit : {150'000, 250'000, 400'000, 700'000}) {
    for (const char* threads : {"2", "7", "4096"}) {
      Arguments arguments = kSmallSolve;
      arguments.insert(arguments.end(), {"--threads", threads});
      const Outcome outcome =
          supple_in_shell(fmt::format("ulimit -v {}; exec \"$@\"", limit), arguments);
      if (outcome.status == 0) continue;
      EXPECT_TRUE(outcome.status == 3 || outcome.status == 5) << outcome.status << outcome.err;
      const bool explained = outcome.err.find("memory") != std::string::npos ||
                             outcome.err.find("ulimit") != std::string::npos;
      EXPECT_TRUE(explained) << limit << " kB, " << threads << " threads: " << outcome.err;
    }
  }
}
#endif

/// METIS has a handler of its own for SIGTERM; factorising 60,000 elements spends a while there.
TEST(Stress, TerminationIsAnsweredInEveryStageOfASolve) {
  Random random(11);
  for (int trial = 0; trial < 6; ++trial) {
    const double seconds = random.uniform(0, 3);
    const Outcome outcome = supple_interrupted_after(
        seconds, {"modes", "--sample", "bracket", "--elements", "60000", "-n", "30"},
        trial % 2 == 0 ? SIGTERM : SIGINT);
    EXPECT_EQ(outcome.status, 130) << "after " << seconds << " s: " << outcome.err;
  }
}

TEST(Stress, PlayAnswersAnInterrupt) {
  const SoftTube tube;
  const std::string table = tube.directory.write(
      "long.csv", "time,Hips.px,Hips.py,Hips.pz\n0,0,0,0\n1000,0,0,5\n");
  Random random(12);
  for (int trial = 0; trial < 4; ++trial) {
    const double seconds = random.uniform(0, 0.4);
    const std::string output = tube.directory.path("played.glb");
    const Outcome outcome = supple_interrupted_after(
        seconds, {"play", tube.flesh, "--character", tube.glb, "--motion", table, "--rate", "1000",
                  "-o", output});
    EXPECT_EQ(outcome.status, 130) << "after " << seconds << " s: " << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(output));
  }
}

TEST(Stress, MotionsTooLongForTheMemoryAreErrors) {
  const SoftTube tube;
  for (const char* last : {"1e6", "3e9", "1e300"}) {
    const std::string table = tube.directory.write(
        "late.csv", fmt::format("time,Hips.px,Hips.py,Hips.pz\n0,0,0,0\n{},0,0,5\n", last));
    const Outcome outcome = supple({"play", tube.flesh, "--character", tube.glb, "--motion", table,
                                    "-o", tube.directory.path("played.glb")});
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    EXPECT_NE(outcome.err.find("s long"), std::string::npos) << outcome.err;
  }
}

TEST(Stress, CachesHaveTheSameBytesInEveryRun) {
  const SoftTube tube;
  for (const char* work : {"a", "b"}) {
    ASSERT_EQ(supple({"bake", tube.glb, "--elements", "300", "--modes", "2", "--work",
                      tube.directory.path(work), "-o", tube.directory.path("again.glb")})
                  .status,
              0);
  }
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tube.directory.path("a"))) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(tube.directory.read("a/" + name) == tube.directory.read("b/" + name)) << name;
    ++files;
  }
  EXPECT_GT(files, 0U);
}

TEST(Stress, AFailedDemoLeavesNothing) {
  const TemporaryDirectory directory;
  for (const char* blocks : {"0", "16", "256"}) {
    const Outcome outcome =
        supple_in_shell(fmt::format("ulimit -f {}; exec \"$@\"", blocks),
                        {"demo", "--no-browser", "--no-pictures", "--only", "tissue", "--elements",
                         "300", "-o", directory.path("new/out")});
    EXPECT_EQ(outcome.status, 5) << outcome.err;
    EXPECT_TRUE(directory.list().empty()) << blocks;
  }
}

TEST(Stress, AnExportToAFullDiskNamesItsTarget) {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "viewer");
  directory.write("viewer/index.html", "<p>");
  directory.write("viewer/large.js", std::string(100'000, 'x'));
  const Outcome outcome = supple_in_shell(
      "ulimit -f 64; exec \"$@\"", {"view", "--export", directory.path("site"), "--viewer",
                                    directory.path("viewer")});
  EXPECT_EQ(outcome.status, 5) << outcome.err;
  EXPECT_NE(outcome.err.find(directory.path("site")), std::string::npos) << outcome.err;
  EXPECT_EQ(directory.list(), std::vector<std::string>{"viewer"});
}

TEST(Stress, TooManyThreadsAreCapped) {
  Arguments arguments = kSmallSolve;
  arguments.insert(arguments.end(), {"--threads", "4096"});
  const Outcome outcome = supple(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("eight for each core"), std::string::npos) << outcome.err;
}

TEST(Stress, EndlessFilesAndPipesAreRefused) {
  const TemporaryDirectory directory;
  ASSERT_EQ(::mkfifo(directory.path("pipe").c_str(), 0600), 0);
  directory.write("deck.inp", "*INCLUDE, INPUT=/dev/zero\n");
  for (const Arguments& arguments :
       {Arguments{"check", "/dev/zero"}, Arguments{"check", directory.path("pipe")},
        Arguments{"modes", directory.path("deck.inp")},
        Arguments{"bake", "--sample", "dyrt-man", "-c", "/dev/zero", "-o", directory.path("a.glb")},
        Arguments{"shell", "--sample", "leaf", "-c", directory.path("pipe"), "-o",
                  directory.path("a.glb")}}) {
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, 5) << outcome.err;
    EXPECT_NE(outcome.err.find("a pipe or a device"), std::string::npos) << outcome.err;
  }
}

TEST(Stress, LinksInACircleAndLongPathsAreFailedWrites) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("b.txt", directory.path("a.txt"));
  std::filesystem::create_symlink("a.txt", directory.path("b.txt"));
  for (const std::string& output : {directory.path("a"), directory.path(std::string(5000, 'n'))}) {
    Arguments arguments = kSmallSolve;
    arguments.insert(arguments.end(), {"-o", output});
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, 5) << outcome.err;
    EXPECT_EQ(outcome.err.find("unexpected"), std::string::npos) << outcome.err;
  }
}

TEST(Stress, HelpOnAFullDeviceFails) {
  EXPECT_EQ(supple_in_shell("exec \"$@\" > /dev/full", {"modes", "--help"}).status, 5);
  EXPECT_EQ(supple_in_shell("exec \"$@\" > /dev/full", {"--version"}).status, 5);
}

}  // namespace
}  // namespace supple::testing
