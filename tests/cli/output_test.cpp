// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"
#include "small_models.hpp"

#include "supple/core/files.hpp"
#include "supple/io/volume.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace supple::testing {
namespace {

using Names = std::vector<std::string>;

Arguments small_run(const std::string& prefix) {
  return {"modes", "--sample", "bracket", "--elements", "200", "-n", "3", "-o", prefix};
}

TEST(Output, AllFourFilesAppear) {
  const TemporaryDirectory directory;
  Arguments arguments = small_run(directory.path("b"));
  arguments.emplace_back("--json");
  const Outcome outcome = supple(arguments);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(directory.list(), (Names{"b.glb", "b.png", "b.txt", "b.vtu"}));
  EXPECT_EQ(nlohmann::json::parse(outcome.out).at("files").size(), 4U);
  EXPECT_TRUE(directory.read("b.png").starts_with("\x89PNG"));
  EXPECT_TRUE(directory.read("b.glb").starts_with("glTF"));
  EXPECT_NE(directory.read("b.txt").find("frequency_hz"), std::string::npos);
  const std::string vtu = directory.read("b.vtu");
  EXPECT_NE(vtu.find("mode 003"), std::string::npos);
  const auto mesh = io::read_vtu(as_bytes(vtu), "b.vtu");
  ASSERT_TRUE(mesh.ok());
  EXPECT_EQ(mesh->order, geometry::TetOrder::Quadratic);
}

TEST(Output, WriteChoosesFiles) {
  const TemporaryDirectory directory;
  Arguments arguments = small_run(directory.path("b"));
  arguments.insert(arguments.end(), {"--write", "txt,vtu"});
  EXPECT_EQ(supple(arguments).status, 0);
  EXPECT_EQ(directory.list(), (Names{"b.txt", "b.vtu"}));
  arguments.back() = "txt,jpg";
  EXPECT_EQ(supple(arguments).status, 2);
}

TEST(Output, PrefixWithAKnownEndingIsOneFile) {
  const TemporaryDirectory directory;
  EXPECT_EQ(supple(small_run(directory.path("sheet.png"))).status, 0);
  EXPECT_EQ(directory.list(), Names{"sheet.png"});
}

TEST(Output, SameBytesForAnyNumberOfThreads) {
  const TemporaryDirectory directory;
  for (const char* threads : {"1", "4"}) {
    Arguments arguments = small_run(directory.path(std::string("t") + threads));
    arguments.insert(arguments.end(), {"--threads", threads});
    ASSERT_EQ(supple(arguments).status, 0);
  }
  for (const char* format : {".glb", ".png", ".txt", ".vtu"}) {
    EXPECT_TRUE(directory.read(std::string("t1") + format) ==
                directory.read(std::string("t4") + format))
        << format;
  }
}

TEST(Output, UnwritablePlacesAreFoundBeforeTheWork) {
  const TemporaryDirectory directory;
  const std::string file = directory.write("file", "");
  for (const std::string& prefix :
       {directory.path("missing/x"), file + "/x", std::string("/proc/x")}) {
    // The input does not exist either: the complaint about the output has to come first.
    const Outcome outcome = supple({"modes", directory.path("none.inp"), "-o", prefix});
    EXPECT_EQ(outcome.status, 5) << outcome.err;
    EXPECT_NE(outcome.err.find(prefix), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(supple(small_run(directory.path(""))).status, 2);
  EXPECT_EQ(directory.list(), Names{"file"});
}

TEST(Output, FullDiskLeavesNothingBehind) {
  const TemporaryDirectory directory;
  // A file-size limit stands for a full disk: writes beyond it fail like those on one.
  const Outcome outcome =
      supple_in_shell("ulimit -f 8; exec \"$@\"", small_run(directory.path("b")));
  EXPECT_EQ(outcome.status, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("cannot write"), std::string::npos) << outcome.err;
  EXPECT_EQ(directory.list(), Names{});
}

TEST(Output, OldFilesSurviveAFailure) {
  const TemporaryDirectory directory;
  directory.write("b.txt", "precious");
  const Outcome outcome =
      supple_in_shell("ulimit -f 8; exec \"$@\"", small_run(directory.path("b")));
  EXPECT_EQ(outcome.status, 5);
  EXPECT_EQ(directory.list(), Names{"b.txt"});
  EXPECT_EQ(directory.read("b.txt"), "precious");
}

TEST(Output, FullStandardOutputIsAnError) {
  const Outcome outcome =
      supple_in_shell("exec \"$@\" > /dev/full",
                      {"modes", "--sample", "beam", "--elements", "60", "-n", "1", "--json"});
  EXPECT_EQ(outcome.status, 5) << outcome.err;
}

TEST(Output, InterruptLeavesNothingBehind) {
  const TemporaryDirectory directory;
  const Outcome outcome =
      supple_interrupted_after(0.5, {"modes", "--sample", "bracket", "--elements", "60000", "-n",
                                     "60", "-o", directory.path("b")});
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("interrupted"), std::string::npos) << outcome.err;
  EXPECT_EQ(directory.list(), Names{});
}

TEST(Output, QuietSaysNothing) {
  const Outcome outcome =
      supple({"modes", "--sample", "beam", "--elements", "60", "-n", "1", "--quiet"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace supple::testing
