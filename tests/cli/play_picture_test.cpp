// SPDX-License-Identifier: Apache-2.0
#include "bake/mixed_model.hpp"
#include "cli/soft_tube.hpp"

#include "supple/core/files.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/image_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

/// Pixels that are far from grey in the upper row of a picture, which shows things as they are, and
/// in the lower one, which shows how far they moved.
struct Coloured {
  std::size_t above = 0, below = 0;
};

Coloured coloured(const std::string& png) {
  Coloured count;
  const auto image = io::read_image(as_bytes(png));
  EXPECT_TRUE(image.ok());
  for (std::size_t i = 0; image.ok() && i < image->rgba.size(); i += 4) {
    const std::size_t row = i / 4 / image->width;
    if (row + 50 > image->height) break;  // the colour scale
    const auto [low, high] = std::minmax({image->rgba[i], image->rgba[i + 1], image->rgba[i + 2]});
    if (high - low < 40) continue;
    (2 * (row + 50) < image->height ? count.above : count.below) += 1;
  }
  return count;
}

TEST(PlayPicture, ShowsShells) {
  const TemporaryDirectory directory;
  const std::string glb = directory.path("leaf.glb");
  ASSERT_EQ(supple({"shell", "--sample", "leaf", "-o", glb, "-q"}).status, 0);
  const auto draw = [&](const std::string& name, const Arguments& more) {
    Arguments all{"play",        directory.path("leaf.supple"),
                  "--character", glb,
                  "--picture",   directory.path(name),
                  "--at",        "0.4,0.8",
                  "--width",     "400"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = supple(all);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return directory.read(name);
  };
  const std::string blown = draw("wind.png", {"--motion", "wind", "--wind", "4,0,0,0.5"});
  EXPECT_GT(coloured(blown).above, 800U);  // a green leaf
  EXPECT_GT(coloured(blown).below, 800U);  // in the colours of its displacement
  EXPECT_NE(draw("gravity.png", {"--motion", "gravity"}), blown);
}

TEST(PlayPicture, ShowsFleshAndShellsOfOneFile) {
  const TemporaryDirectory directory;
  const auto asset = io::make_gltf(bake::testing::mixed_model());
  ASSERT_TRUE(asset.ok());
  const std::string glb = directory.path("hero.glb");
  ASSERT_TRUE(write_file(glb, *io::write_gltf(*asset)).ok());
  const std::string toml = directory.write("bake.toml", bake::testing::kMixedSettings);
  const std::string out = directory.path("out.glb");
  ASSERT_EQ(supple({"bake", glb, "-c", toml, "-o", out, "-q"}).status, 0);
  const auto draw = [&](const std::string& name, const Arguments& more) {
    Arguments all{
        "play",      directory.path("out.supple"), "--character", out,       "--motion", "clip:nod",
        "--picture", directory.path(name),         "--at",        "0.3,0.6", "--width",  "400"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = supple(all);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return directory.read(name);
  };
  const std::string all = draw("all.png", {});
  EXPECT_GT(coloured(all).below, 800U);
  const std::string flag = draw("flag.png", {"--focus", "flag"});
  EXPECT_GT(coloured(flag).below, 800U);
  EXPECT_NE(flag, all);
  EXPECT_NE(draw("top.png", {"--focus", "top"}), flag);
}

TEST(PlayPicture, WritesSvgToo) {
  const PlayStudio studio;
  const std::string picture = studio.directory.path("a.svg");
  const Outcome outcome =
      supple(studio.play({"--picture", picture, "--at", "0.2", "--width", "200"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::string svg = studio.directory.read("a.svg");
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_NE(svg.find("0.20 s"), std::string::npos);
  EXPECT_NE(svg.find("data:image/png;base64,"), std::string::npos);
}

TEST(PlayPicture, SaysWhichGpuItMissesAndWritesNothing) {
  const PlayStudio studio;
  const Outcome outcome = supple_in_shell(
      "SUPPLE_GPU=99 \"$@\"", studio.play({"--picture", studio.directory.path("a.png"), "--csv",
                                           studio.directory.path("a.csv")}));
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("SUPPLE_GPU"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(studio.directory / "a.png"));
  EXPECT_FALSE(std::filesystem::exists(studio.directory / "a.csv"));
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
