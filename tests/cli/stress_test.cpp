// SPDX-License-Identifier: Apache-2.0
// Limits, signals and odd files that a program meets on a busy or hostile machine.
#include "cli/process.hpp"

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
#endif

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
