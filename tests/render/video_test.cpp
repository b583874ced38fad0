// SPDX-License-Identifier: Apache-2.0
#include "supple/render/video.hpp"

#include "temporary_directory.hpp"

#include "supple/core/interrupt.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace supple::render {
namespace {

using supple::testing::TemporaryDirectory;

std::string output_of(const std::string& command) {
  std::string text;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::array<char, 256> part{};
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe.get())) {
    text.append(part.data(), got);
  }
  return text;
}

bool there_is_ffmpeg() {
  if (std::system("ffmpeg -version >/dev/null 2>&1") == 0) return true;
  std::puts("SKIPPED: no ffmpeg on the path, video is not tested");
  return false;
}

io::Image flat(int width, int height, std::uint8_t red) {
  io::Image image{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
  image.rgba.resize(4 * image.width * image.height, 255);
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) image.rgba[i] = red;
  return image;
}

void expect_readable(VideoSettings::Codec codec, const std::string& name,
                     const std::string& codec_name) {
  const TemporaryDirectory directory;
  auto video = VideoWriter::start(directory / name, {96, 64, 25, codec});
  ASSERT_TRUE(video.ok()) << video.error().describe();
  for (int i = 0; i < 12; ++i) {
    const auto added = video->add(flat(96, 64, static_cast<std::uint8_t>(20 * i)));
    ASSERT_TRUE(added.ok()) << added.error().describe();
  }
  EXPECT_FALSE(std::filesystem::exists(directory / name)) << "before it is whole";
  const auto finished = video->finish();
  ASSERT_TRUE(finished.ok()) << finished.error().describe();
  EXPECT_EQ(directory.list(), std::vector<std::string>{name});
  const std::string seen =
      output_of(fmt::format("ffprobe -v error -count_frames -show_entries "
                            "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames "
                            "-of default=noprint_wrappers=1 '{}'",
                            directory.path(name)));
  EXPECT_EQ(seen, fmt::format("codec_name={}\nwidth=96\nheight=64\npix_fmt=yuv420p\n"
                              "r_frame_rate=25/1\nnb_read_frames=12\n",
                              codec_name));
  // The last frame comes back in its colour: nothing is swapped or shifted.
  const std::string pixels = output_of(
      fmt::format("ffmpeg -v error -i '{}' -vf \"select=eq(n\\,11)\" -vframes 1 -f rawvideo "
                  "-pix_fmt rgb24 -",
                  directory.path(name)));
  ASSERT_EQ(pixels.size(), 96U * 64U * 3U);
  const std::size_t middle = 3 * (32 * 96 + 48);
  constexpr int kCompression = 6;
  EXPECT_NEAR(static_cast<std::uint8_t>(pixels[middle]), 220, kCompression);
  EXPECT_NEAR(static_cast<std::uint8_t>(pixels[middle + 1]), 255, kCompression);
}

TEST(VideoWriter, WritesWhatPlayersRead) {
  if (!there_is_ffmpeg()) GTEST_SKIP();
  expect_readable(VideoSettings::Codec::H264, "a b.mp4", "h264");
  expect_readable(VideoSettings::Codec::Vp9, "a.webm", "vp9");
}

TEST(VideoWriter, AColonInAPathIsNoProtocol) {
  if (!there_is_ffmpeg()) GTEST_SKIP();
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "a:b");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(directory.path());  // only a relative path begins with "a:"
  Result<void> result;
  {
    auto video = VideoWriter::start("a:b/x.mp4", {96, 64, 25});
    result = video.ok() ? video->add(flat(96, 64, 0)) : video.error();
    if (result.ok()) result = video->finish();
  }
  std::filesystem::current_path(before);
  ASSERT_TRUE(result.ok()) << result.error().describe();
  EXPECT_TRUE(std::filesystem::exists(directory / "a:b" / "x.mp4"));
}

TEST(VideoWriter, LeavesNothingWhenAbandonedOrInterrupted) {
  if (!there_is_ffmpeg()) GTEST_SKIP();
  const TemporaryDirectory directory;
  {
    auto video = VideoWriter::start(directory / "a.mp4", {96, 64, 25});
    ASSERT_TRUE(video.ok()) << video.error().describe();
    ASSERT_TRUE(video->add(flat(96, 64, 0)).ok());
  }
  EXPECT_TRUE(directory.list().empty());
  {
    auto video = VideoWriter::start(directory / "a.mp4", {96, 64, 25});
    ASSERT_TRUE(video.ok()) << video.error().describe();
    set_interrupted(true);
    const auto added = video->add(flat(96, 64, 0));
    set_interrupted(false);
    ASSERT_FALSE(added.ok());
    EXPECT_EQ(added.error().code(), ErrorCode::Interrupted);
  }
  EXPECT_TRUE(directory.list().empty());
}

TEST(VideoWriter, PassesOnWhatFfmpegSaysLast) {
  if (!there_is_ffmpeg()) GTEST_SKIP();
  const TemporaryDirectory directory;
  auto video = VideoWriter::start(directory / "none" / "a.mp4", {96, 64, 25});
  ASSERT_TRUE(video.ok()) << video.error().describe();
  Result<void> result;
  for (int i = 0; i < 2000 && result.ok(); ++i) result = video->add(flat(96, 64, 0));
  if (result.ok()) result = video->finish();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::Io);
  EXPECT_NE(result.error().message().find("No such file or directory"), std::string::npos)
      << result.error().message();
}

TEST(VideoWriter, SaysThatFfmpegIsMissing) {
  const TemporaryDirectory directory;
  const char* before = std::getenv("PATH");
  const std::string path = before == nullptr ? "" : before;
  ::setenv("PATH", directory.path().c_str(), 1);
  const auto video = VideoWriter::start(directory / "a.mp4", {96, 64, 25});
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(video.ok());
  EXPECT_NE(video.error().message().find("Debian package ffmpeg"), std::string::npos)
      << video.error().message();
  EXPECT_TRUE(directory.list().empty());
}

}  // namespace
}  // namespace supple::render
