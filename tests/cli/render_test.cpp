// SPDX-License-Identifier: Apache-2.0
#include "cli/soft_tube.hpp"

#include "supple/io/image_reader.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <string>

namespace supple::testing {
namespace {

/// The soft tube and the calls that draw it.
struct RenderStudio : SoftTube {
  [[nodiscard]] Outcome render(const std::string& file, const Arguments& more) const {
    Arguments all{"render", file};
    all.insert(all.end(), more.begin(), more.end());
    const bool sized = std::find(more.begin(), more.end(), "--size") != more.end();
    if (!sized) all.insert(all.end(), {"--size", "96x64"});
    return supple(all);
  }
  /// The picture's bytes.
  [[nodiscard]] std::string picture(const std::string& file, const Arguments& more) const {
    Arguments all{"-o", directory.path("a.png")};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = render(file, all);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const std::string bytes = directory.read("a.png");
    std::filesystem::remove(directory / "a.png");
    return bytes;
  }
};

bool there_is_ffmpeg() {
  if (run_program({"/usr/bin/env", "ffprobe", "-version"}).status == 0) return true;
  std::puts("SKIPPED: no ffmpeg on the path, 'supple render -o x.mp4' is not tested");
  return false;
}

TEST(Render, ShowsTheFleshOfTheFileBeside) {
  const RenderStudio studio;
  const Arguments moment{"--clip", "swing", "--at", "0.3"};
  const auto with = [&](Arguments more) {
    more.insert(more.begin(), moment.begin(), moment.end());
    return studio.picture(studio.soft, more);
  };
  const std::string soft = with({});
  const auto image = io::read_image(as_bytes(soft));
  ASSERT_TRUE(image.ok()) << image.error().describe();
  EXPECT_EQ(image->width, 96U);
  EXPECT_EQ(image->height, 64U);
  EXPECT_NE(with({"--gain", "0"}), soft);
  EXPECT_NE(with({"--camera", "90,30"}), soft);
  EXPECT_NE(with({"--focus", "shin"}), soft);
  EXPECT_NE(with({"--background", "dark"}), soft);
  EXPECT_NE(with({"--compare", "undeformed"}), soft);
  EXPECT_EQ(with({"--threads", "1"}), soft);
  EXPECT_EQ(with({"--flesh", studio.flesh}), soft);
  // The same from the flesh's side.
  EXPECT_EQ(studio.picture(studio.flesh,
                           {"--character", studio.soft, "--motion", "clip:swing", "--at", "0.3"}),
            soft);
  // Without its .supple the baked file plays its morph targets, which hold the same shapes.
  const std::string baked = with({"--no-flesh"});
  const auto morphed = io::read_image(as_bytes(baked));
  ASSERT_TRUE(morphed.ok());
  std::size_t far = 0;
  for (std::size_t i = 0; i < image->rgba.size(); ++i) {
    if (std::abs(int{image->rgba[i]} - int{morphed->rgba[i]}) > 24) ++far;
  }
  EXPECT_LT(far, image->rgba.size() / 100);
}

/// The only clip need not be named: by its name, by its number and by the time alone it is the
/// same.
TEST(Render, ATimeIsThatOfTheFirstClip) {
  const RenderStudio studio;
  const std::string named = studio.picture(studio.soft, {"--clip", "swing", "--at", "0.3"});
  EXPECT_EQ(studio.picture(studio.soft, {"--at", "0.3"}), named);
  EXPECT_EQ(studio.picture(studio.soft, {"--clip", "1", "--at", "0.3"}), named);
  EXPECT_NE(studio.picture(studio.soft, {"--at", "0.9"}), named);
}

TEST(Render, TellsWhatItDidAsJson) {
  const RenderStudio studio;
  const Outcome outcome = studio.render(
      studio.soft,
      {"-o", studio.directory.path("a.png"), "--motion", "jump", "--samples", "1", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["width"], 96);
  EXPECT_EQ(json["frames"], 1);
  EXPECT_EQ(json["samples"], 1);
  EXPECT_EQ(json["motion"], "jump");
  EXPECT_EQ(json["flesh"], studio.flesh);
  EXPECT_FALSE(json["renderer"].get<std::string>().empty());
}

TEST(Render, WritesVideoOfTheSizeAndLengthAskedFor) {
  if (!there_is_ffmpeg()) GTEST_SKIP();
  const RenderStudio studio;
  const auto probe = [&](const std::string& name) {
    return run_program({"/usr/bin/env", "ffprobe", "-v", "error", "-count_frames", "-show_entries",
                        "stream=width,height,pix_fmt,nb_read_frames", "-of", "csv=p=0",
                        studio.directory.path(name)})
        .out;
  };
  const Outcome clip =
      studio.render(studio.soft, {"-o", studio.directory.path("a.mp4"), "--clip", "swing", "--from",
                                  "0.5", "--to", "1.5", "--fps", "10", "--compare", "undeformed"});
  EXPECT_EQ(clip.status, 0) << clip.err;
  EXPECT_EQ(probe("a.mp4"), "96,64,yuv420p,10\n");
  // Without words about the motion it is the first clip; a loop goes on for about four seconds.
  const Outcome loop =
      studio.render(studio.glb, {"-o", studio.directory.path("b.webm"), "--fps", "4", "--json"});
  EXPECT_EQ(loop.status, 0) << loop.err;
  const auto json = nlohmann::json::parse(loop.out);
  EXPECT_EQ(json["motion"], "swing");
  EXPECT_EQ(json["frames"], json["loops"].get<bool>() ? 16 : 8);
  EXPECT_EQ(probe("b.webm").substr(0, 14), "96,64,yuv420p,");
}

TEST(Render, InterruptedLeavesNothing) {
  if (!there_is_ffmpeg()) GTEST_SKIP();
  const RenderStudio studio;
  const std::vector<std::string> before = studio.directory.list();
  const Outcome outcome = supple_interrupted_after(
      2.0, {"render", studio.soft, "-o", studio.directory.path("a.mp4"), "--motion", "jump",
            "--fps", "240", "--to", "2", "--size", "1920x1080"});
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_EQ(studio.directory.list(), before);
}

TEST(Render, ExplainsWhatItCannotDrawAndWritesNothing) {
  const RenderStudio studio;
  const std::string picture = studio.directory.path("a.png");
  const std::string video = studio.directory.path("a.mp4");
  const std::vector<std::string> before = studio.directory.list();
  const auto expect = [&](const std::string& file, const Arguments& more, int status,
                          std::string_view part) {
    const Outcome outcome = studio.render(file, more);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << part << "\n" << outcome.err;
    EXPECT_EQ(studio.directory.list(), before);
  };
  expect(studio.soft, {"-o", picture, "--clip", "swang"}, 3, "did you mean 'swing'");
  expect(studio.soft, {"-o", picture, "--motion", "jumo"}, 3, "did you mean 'jump'");
  expect(studio.soft, {"-o", studio.directory.path("a.jpg")}, 2, ".png, .mp4 or .webm");
  expect(studio.soft, {"-o", studio.soft}, 2, "");
  expect(studio.soft, {"-o", picture, "--size", "0x720"}, 2, "WIDTHxHEIGHT");
  expect(studio.soft, {"-o", picture, "--size", "99999x9"}, 2, "WIDTHxHEIGHT");
  expect(studio.soft, {"-o", picture, "--size", "wide"}, 2, "WIDTHxHEIGHT");
  expect(studio.soft, {"-o", video, "--size", "97x64"}, 2, "98x64");
  expect(studio.soft, {"-o", picture, "--size", "98x64", "--compare", "undeformed"}, 2, "100x64");
  expect(studio.soft, {"-o", picture, "--background", "blue"}, 2, "#203040");
  expect(studio.soft, {"-o", video, "--background", "transparent"}, 2, "not for video");
  expect(studio.soft, {"-o", picture, "--camera", "10"}, 2, "YAW,PITCH");
  expect(studio.soft, {"-o", picture, "--camera", "10,95"}, 2, "pitch from");
  expect(studio.soft, {"-o", picture, "--camera", "10,nan"}, 2, "pitch from");
  expect(studio.soft, {"-o", picture, "--clip", "swing", "--at", "-1"}, 2, "lasts from 0 to 2");
  expect(studio.soft, {"-o", picture, "--at", "-1"}, 2, "'swing' lasts from 0 to 2");
  for (const char* number : {"0", "2", "17"}) {
    expect(studio.soft, {"-o", picture, "--clip", number}, 3, "clips are numbered from 1 to 1");
  }
  expect(studio.soft, {"-o", picture, "--from", "1"}, 2, "--at");
  expect(studio.soft, {"-o", video, "--clip", "swing", "--from", "1", "--to", "0.5"}, 2, "after");
  expect(studio.soft, {"-o", picture, "--focus", "shim"}, 2, "did you mean 'shin'");
  expect(studio.glb, {"-o", picture, "--focus", "shin"}, 2, "has none");
  expect(studio.glb, {"-o", picture, "--compare", "undeformed"}, 2, "neither soft parts nor morph");
  expect(studio.flesh, {"-o", picture}, 2, "--character");
  expect(studio.directory.path("none.glb"), {"-o", picture}, 5, "none.glb");
}

TEST(Render, RefusesFleshOfAnotherMesh) {
  const RenderStudio studio;
  const std::string other = studio.directory.write("other.glb", glb_text(sheet_character()));
  const std::string picture = studio.directory.path("a.png");
  const Outcome asked =
      studio.render(other, {"-o", picture, "--flesh", studio.flesh, "--motion", "jump"});
  EXPECT_EQ(asked.status, 3) << asked.err;
  std::filesystem::copy_file(studio.flesh, studio.directory / "other.supple");
  const Outcome found = studio.render(other, {"-o", picture});
  EXPECT_EQ(found.status, 3) << found.err;
  EXPECT_NE(found.err.find("--no-flesh"), std::string::npos) << found.err;
  EXPECT_FALSE(std::filesystem::exists(picture));
}

TEST(Render, SaysWhichGpuItMisses) {
  const RenderStudio studio;
  const Outcome outcome = supple_in_shell(
      "SUPPLE_GPU=99 \"$@\"", {"render", studio.glb, "-o", studio.directory.path("a.png")});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("SUPPLE_GPU"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(studio.directory / "a.png"));
}

TEST(Render, SaysThatFfmpegIsMissing) {
  const RenderStudio studio;
  const Outcome outcome = supple_in_shell(
      "PATH=/nonexistent exec \"$@\"",
      {"render", studio.glb, "-o", studio.directory.path("a.mp4"), "--size", "64x64"});
  EXPECT_EQ(outcome.status, 5) << outcome.err;
  EXPECT_NE(outcome.err.find("ffmpeg"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace supple::testing
