// SPDX-License-Identifier: Apache-2.0
// Limits, signals and odd files that a program meets on a busy or hostile machine.
#include "cli/process.hpp"
#include "cli/sanitized.hpp"
#include "cli/soft_tube.hpp"

#include "supple/core/random.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace supple::testing {
namespace {

const Arguments kSmallSolve{"modes", "--sample", "creature", "--elements", "1500", "-n", "4"};

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

/// TBB used to abort where it could not start a thread, and OpenBLAS to wait for ever for the
/// buffer of a second one.
TEST(Stress, ThreadsUnderAMemoryLimitWorkOrAreErrors) {
  // In less than about 160,000 kB OpenBLAS cannot even be loaded: it ends the program before main.
  for (const int limit : {180'000, 250'000, 400'000, 700'000}) {
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
      "long.csv", std::string(kHipsColumns) + "0,0,0,0,0,0,0,1\n400,0,0,5,0,0,0,1\n");
  Random random(12);
  for (int trial = 0; trial < 4; ++trial) {
    const double seconds = random.uniform(0, 0.4);
    const std::string output = tube.directory.path("played.glb");
    const Outcome outcome =
        supple_interrupted_after(seconds, {"play", tube.flesh, "--character", tube.glb, "--motion",
                                           table, "--rate", "1000", "-o", output});
    EXPECT_EQ(outcome.status, 130) << "after " << seconds << " s: " << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(output));
  }
}

/// Nobody reads from the pipe, so that the program cannot ask for signals while it writes.
TEST(Stress, AWriteThatNeverEndsIsInterrupted) {
  const SoftTube tube;
  const std::string pipe = tube.directory.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  const auto is_full = [&] {
    pollfd room{reader, POLLOUT, 0};
    return ::poll(&room, 1, 0) == 0;
  };
  const std::string table = tube.directory.write(
      "long.csv", std::string(kHipsColumns) + "0,0,0,0,0,0,0,1\n40,0,0,5,0,0,0,1\n");
  const std::vector<std::string> before = tube.directory.list();
  const Outcome outcome = supple_in_shell_interrupted(
      "exec \"$@\" 1<>" + pipe,
      {"play", tube.flesh, "--character", tube.glb, "--motion", table, "--csv", "/dev/stdout"},
      is_full);
  ::close(reader);
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("interrupted"), std::string::npos) << outcome.err;
  EXPECT_EQ(tube.directory.list(), before);
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
      "ulimit -f 64; exec \"$@\"",
      {"view", "--export", directory.path("site"), "--viewer", directory.path("viewer")});
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

/// Every command reports the warning about threads, which only the log has.
TEST(Stress, JsonContainsEveryWarning) {
  const SoftTube tube;
  const std::string out = tube.directory.path("out");
  for (Arguments arguments : {
           kSmallSolve,
           Arguments{"bake", "--sample", "tissue", "--elements", "300"},
           Arguments{"shell", "--sample", "leaf", "--modes", "2", "-o", out + ".glb"},
           Arguments{"play", tube.flesh, "--motion", "turn"},
           Arguments{"swim", "crawl", "--seconds", "1"},
           Arguments{"simulate", "--sample", "cubes", "--small", "--seconds", "0.05", "-o",
                     out + ".glb"},
           Arguments{"info", tube.flesh},
           Arguments{"check", tube.flesh},
       }) {
    const std::string command = arguments.front();
    arguments.insert(arguments.end(), {"--threads", "4096", "--json"});
    const Outcome outcome = supple(arguments);
    ASSERT_EQ(outcome.status, 0) << command << ": " << outcome.err;
    const auto json = nlohmann::json::parse(outcome.out);
    const bool logged = outcome.err.find("eight for each core") != std::string::npos;
    EXPECT_TRUE(logged) << command << ": " << outcome.err;
    EXPECT_NE(json.at("warnings").dump().find("eight for each core"), std::string::npos) << command;
  }
}

TEST(Stress, LinksInACircleAndLongPathsAreFailedWrites) {
  const TemporaryDirectory directory;
  std::filesystem::create_symlink("b.txt", directory.path("a.txt"));
  std::filesystem::create_symlink("a.txt", directory.path("b.txt"));
  std::filesystem::create_symlink("d.glb", directory.path("c.glb"));
  std::filesystem::create_symlink("c.glb", directory.path("d.glb"));
  const std::string name(300, 'n');
  const std::string path(5000, 'n');
  const Arguments bake{"bake", "--sample", "tissue", "--elements", "300"};
  const Arguments simulate{"simulate", "--sample", "cubes", "--small", "--seconds", "0.05"};
  const std::vector<std::pair<Arguments, std::string>> cases{
      {kSmallSolve, "a"},    {kSmallSolve, name},   {kSmallSolve, path}, {bake, "c.glb"},
      {bake, name + ".glb"}, {bake, path + ".glb"}, {simulate, "c.glb"}, {simulate, path + ".glb"}};
  for (auto [arguments, output] : cases) {
    arguments.insert(arguments.end(), {"-o", directory.path(output)});
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, 5) << arguments.front() << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find("unexpected"), std::string::npos) << outcome.err;
  }
}

TEST(Stress, HelpOnAFullDeviceFails) {
  EXPECT_EQ(supple_in_shell("exec \"$@\" > /dev/full", {"modes", "--help"}).status, 5);
  EXPECT_EQ(supple_in_shell("exec \"$@\" > /dev/full", {"--version"}).status, 5);
}

}  // namespace
}  // namespace supple::testing
