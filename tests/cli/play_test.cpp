// SPDX-License-Identifier: Apache-2.0
#include "supple/core/files.hpp"
#include "supple/io/supple_file.hpp"

#include "cli/process.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace supple::testing {
namespace {

/// One mode of 3 Hz that acceleration along y drives.
std::string belly(const TemporaryDirectory& directory) {
  soft::Mode mode;
  mode.omega = 18.85;
  mode.damping = 0.2;
  mode.transfer = {0, 0, 0, 0, -1, 0};
  mode.displacements = {Eigen::Vector3d(0, 1, 0)};
  soft::Object object;
  object.name = "belly";
  object.bone = "spine";
  object.vertices = {1};
  object.modes = {mode};
  soft::Asset asset;
  asset.vertex_count = 3;
  asset.index_count = 3;
  asset.parts = {{0, 0, 0, 3}};
  asset.objects = {object};
  const auto bytes = io::write_supple(asset);
  EXPECT_TRUE(bytes.ok());
  return directory.write("belly.supple", as_text(bytes->bytes));
}

TEST(PlayCommand, WritesCoefficientsOverTime) {
  const TemporaryDirectory directory;
  const std::string csv = directory.path("jump.csv");
  const Outcome outcome =
      supple({"play", belly(directory), "--motion", "jump", "--csv", csv, "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["times"].size(), 181U);  // 3 s at 60 Hz
  EXPECT_EQ(json["coefficients"].size(), 181U);
  EXPECT_EQ(json["modes"][0]["object"], "belly");
  EXPECT_NEAR(json["modes"][0]["frequency_hz"].get<double>(), 3, 0.01);
  const std::string text = directory.read("jump.csv");
  EXPECT_EQ(json["files"][0]["path"], csv);
  EXPECT_EQ(json["files"][0]["bytes"], text.size());
  EXPECT_TRUE(text.starts_with("time,belly 1\n0,"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 182);
}

TEST(PlayCommand, NamesTheFilesThatItWrote) {
  const TemporaryDirectory directory;
  const std::string csv = directory.path("jump.csv");
  const Arguments plain{"play", belly(directory), "--motion", "jump"};
  Arguments writing = plain;
  writing.insert(writing.end(), {"--csv", csv});
  const Outcome written = supple(writing);
  ASSERT_EQ(written.status, 0) << written.err;
  EXPECT_NE((written.out + written.err).find("\nwrote " + csv + " ("), std::string::npos);
  const Outcome silent = supple(plain);
  EXPECT_EQ((silent.out + silent.err).find("wrote"), std::string::npos);
}

TEST(PlayCommand, ExplainsWhatItCannotDo) {
  const TemporaryDirectory directory;
  const std::string file = belly(directory);
  const auto expect = [](const Arguments& arguments, int status, std::string_view part) {
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  };
  expect({"play", file}, 2, "--motion");
  expect({"play", file, "--motion", "jmup"}, 3, "did you mean 'jump'");
  expect({"play", file, "--motion", "jump", "-o", "x.glb"}, 2, "give the character's file");
  expect({"play", file, "--motion", "jump", "--rate", "0"}, 2, "--rate");
  expect({"play", file, "--motion", "jump", "--rate", "2000"}, 2, "--rate");
  expect({"play", file, "--motion", "wind"}, 2, "wind acts on shells");
  expect({"play", directory.path("none.supple"), "--motion", "jump"}, 5, "none.supple");
  const std::string text = directory.write("text.supple", "not one");
  expect({"play", text, "--motion", "jump"}, 3, "text.supple");
  const std::string table = directory.write("t.csv", "time,spin.px\n");
  expect({"play", file, "--motion", table}, 3, "t.csv:1");
}

}  // namespace
}  // namespace supple::testing
