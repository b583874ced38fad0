// SPDX-License-Identifier: Apache-2.0
#include "cli/soft_tube.hpp"

#include <gtest/gtest.h>

namespace supple::testing {
namespace {

/// The soft tube and the arguments that play it.
struct PlayStudio : SoftTube {
  [[nodiscard]] Arguments play(const Arguments& more) const {
    Arguments all{"play", flesh, "--motion", "clip:swing", "--character", soft};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST(PlayPicture, ShowsTheFlesh) {
  const PlayStudio studio;
  const auto draw = [&](const std::string& name, const Arguments& more) {
    Arguments all{"--picture", studio.directory.path(name), "--at", "0.2,0.5", "--width", "300"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = supple(studio.play(all));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return studio.directory.read(name);
  };
  const std::string soft = draw("soft.png", {});
  EXPECT_TRUE(soft.starts_with("\x89PNG"));
  EXPECT_NE(draw("rigid.png", {"--gain", "0"}), soft);
  EXPECT_NE(draw("side.png", {"--turn", "90"}), soft);
  EXPECT_NE(draw("close.png", {"--focus", "shin"}), soft);
  EXPECT_EQ(draw("one.png", {"--threads", "1"}), soft);
}

TEST(PlayPicture, ChoosesMomentsItself) {
  const PlayStudio studio;
  const std::string picture = studio.directory.path("a.png");
  const Outcome outcome = supple(studio.play({"--picture", picture, "--width", "300"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_GT(studio.directory.read("a.png").size(), 1000U);
}

TEST(PlayPicture, ExplainsWhatItCannotDrawAndWritesNothing) {
  const PlayStudio studio;
  const std::string picture = studio.directory.path("a.png");
  const std::string csv = studio.directory.path("a.csv");
  const std::vector<std::string> before = studio.directory.list();
  const auto expect = [&](const Arguments& arguments, int status, std::string_view part) {
    const Outcome outcome = supple(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
    EXPECT_EQ(studio.directory.list(), before);
  };
  expect({"play", studio.flesh, "--motion", "jump", "--picture", picture}, 2, "--character");
  expect(studio.play({"--csv", csv, "--picture", picture, "--at", "2.5"}), 2, "lasts from 0 to 2");
  expect(studio.play({"--csv", csv, "--picture", picture, "--at", "0.5,nan"}), 2, "--at");
  expect(studio.play({"--picture", picture, "--at", "soon"}), 2, "--at");
  expect(studio.play({"--picture", picture, "--at", "0,0,0,0,0,0,0,0,0,0,0,0,0"}), 2, "up to 12");
  expect(studio.play({"--at", "0.5"}), 2, "--picture");
  expect(studio.play({"--picture", studio.directory.path("a.jpg")}), 2, ".png");
  expect(studio.play({"--picture", picture, "--focus", "shim"}), 2, "did you mean 'shin'");
}

TEST(PlayPicture, RefusesAnotherCharacter) {
  const PlayStudio studio;
  const std::string other = studio.directory.write("other.glb", glb_text(sheet_character()));
  const std::string picture = studio.directory.path("a.png");
  const Outcome outcome = supple(
      {"play", studio.flesh, "--motion", "jump", "--character", other, "--picture", picture});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(picture));
}

}  // namespace
}  // namespace supple::testing
