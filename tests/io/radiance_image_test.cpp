// SPDX-License-Identifier: Apache-2.0
#include "supple/io/radiance_image.hpp"

#include "bad_input.hpp"
#include "radiance_samples.hpp"
#include "source_directory.hpp"
#include "supple/core/files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace supple::io {
namespace {

using samples::hdr_bytes;
using samples::hdr_header;
using samples::hdr_plain_row;
using samples::hdr_row;
using samples::hdr_run_row;
using samples::HdrPixel;

float decoded(unsigned char mantissa, unsigned char exponent) {
  return exponent == 0 ? 0.0F : std::ldexp(static_cast<float>(mantissa) + 0.5F, exponent - 136);
}

Result<RadianceImage> read_text(std::string_view text) {
  return read_hdr(as_bytes(text), kFileName);
}
const auto kRead = [](std::span<const std::byte> bytes, std::string_view name) {
  return read_hdr(bytes, name);
};

void expect_sound(const RadianceImage& image) {
  EXPECT_EQ(image.rgb.size(), 3 * image.width * image.height);
  for (const float value : image.rgb) EXPECT_TRUE(std::isfinite(value) && value >= 0);
}

void expect_sound_or_named_error(std::string_view text) {
  const std::vector<char> exact(text.begin(), text.end());
  const auto result = read_text({exact.data(), exact.size()});
  if (result.ok()) {
    expect_sound(*result);
    return;
  }
  EXPECT_EQ(result.error().code(), ErrorCode::BadInput);
  ASSERT_TRUE(result.error().place().has_value()) << result.error().message();
  EXPECT_EQ(result.error().place()->file, kFileName);
}

TEST(RadianceImage, NewRunLengthsAndPlainPixelsGiveTheSame) {
  for (const std::size_t width : {8U, 31U, 300U}) {
    std::string plain = hdr_header("-Y 2 +X " + std::to_string(width));
    std::string runs = plain;
    std::vector<HdrPixel> all;
    for (std::uint64_t y = 0; y < 2; ++y) {
      const std::vector<HdrPixel> row = hdr_row(width, 7 * y + width);
      plain += hdr_plain_row(row);
      runs += hdr_run_row(row);
      all.insert(all.end(), row.begin(), row.end());
    }
    const RadianceImage a = good(read_text(plain));
    const RadianceImage b = good(read_text(runs));
    EXPECT_EQ(a.rgb, b.rgb);
    ASSERT_EQ(a.rgb.size(), 3 * all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_EQ(a.rgb[3 * i + c], decoded(all[i][c], all[i][3]));
    }
  }
}

TEST(RadianceImage, OldRunLengthsRepeatThePixel) {
  // 3 repeats, then 1 + 256 more by two digits.
  const std::string text = hdr_header("-Y 1 +X 261") +
                           hdr_bytes({9, 8, 7, 130, 1, 1, 1, 3, 10, 20, 30, 128,  //
                                      1, 1, 1, 255, 1, 1, 1, 0}) +
                           hdr_bytes({5, 5, 5, 128});
  const RadianceImage image = good(read_text(text));
  ASSERT_EQ(image.rgb.size(), 3U * 261);
  for (std::size_t x = 0; x < 261; ++x) {
    const float expected = x < 4 ? decoded(9, 130) : x < 260 ? decoded(10, 128) : decoded(5, 128);
    EXPECT_EQ(image.rgb[3 * x], expected) << x;
  }
}

TEST(RadianceImage, EveryOrientationGivesTheSamePicture) {
  // The picture, from its top left: A B C / D E F.
  const auto pixel = [](char name) { return hdr_bytes({name, name, name, 128}); };
  const auto file = [&](const std::string& size, const std::string& names) {
    std::string text = hdr_header(size);
    for (const char name : names) text += pixel(name);
    return text;
  };
  const RadianceImage expected = good(read_text(file("-Y 2 +X 3", "ABCDEF")));
  EXPECT_EQ(expected.width, 3U);
  EXPECT_EQ(expected.rgb[0], decoded('A', 128));
  const std::vector<std::pair<std::string, std::string>> kOthers{
      {"-Y 2 -X 3", "CBAFED"}, {"+Y 2 +X 3", "DEFABC"}, {"+Y 2 -X 3", "FEDCBA"},
      {"+X 3 -Y 2", "ADBECF"}, {"+X 3 +Y 2", "DAEBFC"}, {"-X 3 -Y 2", "CFBEAD"},
      {"-X 3 +Y 2", "FCEBDA"}};
  for (const auto& [size, names] : kOthers) {
    const RadianceImage image = good(read_text(file(size, names)));
    EXPECT_EQ(image.width, 3U) << size;
    EXPECT_EQ(image.height, 2U) << size;
    EXPECT_EQ(image.rgb, expected.rgb) << size;
  }
}

TEST(RadianceImage, DividesByExposureAndCorrection) {
  const std::string pixels = hdr_bytes({100, 50, 25, 130, 0, 0, 0, 0});
  const RadianceImage image = good(
      read_text(hdr_header("-Y 1 +X 2", "EXPOSURE=2\nEXPOSURE=4.0\nCOLORCORR=1 2 0.5\n") + pixels));
  EXPECT_FLOAT_EQ(image.rgb[0], decoded(100, 130) / 8);
  EXPECT_FLOAT_EQ(image.rgb[1], decoded(50, 130) / 16);
  EXPECT_FLOAT_EQ(image.rgb[2], decoded(25, 130) / 4);
  EXPECT_EQ(image.rgb[3], 0);
}

TEST(RadianceImage, RejectsWhatIsWrong) {
  const std::string row = hdr_run_row(hdr_row(16, 3));
  expect_error(kRead, "", "does not begin with");
  expect_error(kRead, "P6\n", "does not begin with");
  expect_error(kRead, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n", "the header ends", 3);
  expect_error(kRead, replaced(hdr_header("-Y 1 +X 16") + row, "rgbe", "xyze"), "32-bit_rle_xyze",
               2);
  expect_error(kRead, hdr_header("-Y 1 +Y 16") + row, "is not a size", 4);
  expect_error(kRead, hdr_header("-Y 0 +X 16") + row, "sides from 1", 4);
  expect_error(kRead, hdr_header("-Y 1 +X 99999999") + row, "sides from 1", 4);
  expect_error(kRead, hdr_header("-Y 16384 +X 16384") + row, "million are possible", 4);
  expect_error(kRead, hdr_header("-Y 1 +X 17") + row, "16 pixels instead of 17");
  expect_error(kRead, hdr_header("-Y 2 +X 16") + row, "the file ends in row 2");
  expect_error(kRead, hdr_header("-Y 1 +X 16", "EXPOSURE=nan\n") + row, "must be a number above 0",
               3);
  expect_error(kRead, hdr_header("-Y 1 +X 16", "EXPOSURE=-1\n") + row, "must be a number above 0",
               3);
  expect_error(kRead, hdr_header("-Y 1 +X 16", "COLORCORR=1 2\n") + row, "three numbers", 3);
  const std::string bright = hdr_bytes({255, 255, 255, 255});
  expect_error(kRead, hdr_header("-Y 1 +X 1", "EXPOSURE=1e-9\n") + bright, "too bright");
  expect_error(kRead, hdr_header("-Y 1 +X 16") + hdr_bytes({2, 2, 0, 16, 128 + 17, 0}),
               "a run of 17 pixels does not fit");
  expect_error(kRead, hdr_header("-Y 1 +X 16") + hdr_bytes({2, 2, 0, 16, 0, 0}),
               "a run of 0 pixels does not fit");
  expect_error(kRead, hdr_header("-Y 1 +X 4") + hdr_bytes({1, 1, 1, 2}), "a repeat of 2 pixels");
  expect_error(kRead, hdr_header("-Y 1 +X 4") + hdr_bytes({5, 5, 5, 5, 1, 1, 1, 9}),
               "a repeat of 9");
  const auto panorama = read_hdr_panorama(as_bytes(hdr_header("-Y 1 +X 16") + row), kFileName);
  ASSERT_FALSE(panorama.ok());
  EXPECT_NE(panorama.error().message().find("twice as wide"), std::string::npos);
}

TEST(RadianceImage, SurvivesTruncationAndMutation) {
  std::string text = hdr_header("-Y 3 +X 20", "EXPOSURE=1.5\n");
  for (std::uint64_t y = 0; y < 2; ++y) text += hdr_run_row(hdr_row(20, y));
  text += hdr_plain_row(hdr_row(20, 5));
  ASSERT_TRUE(read_text(text).ok());
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(read_text(text.substr(0, size)).ok()) << size;
    expect_sound_or_named_error(std::string_view(text).substr(0, size));
  }
  Random random(11);
  constexpr int kMutations = 2000;
  for (int i = 0; i < kMutations; ++i) expect_sound_or_named_error(mutate(text, random));
}

TEST(RadianceImage, ReadsPanoramasByOthers) {
  const auto folder = supple::testing::assets() / "hdri";
  if (!std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << "SKIPPED: no panoramas in " << folder;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hdr") continue;
    const Bytes bytes = good(read_file(entry.path()));
    const RadianceImage image = good(read_hdr_panorama(bytes, entry.path().string()));
    EXPECT_EQ(image.width, 1024U);
    expect_sound(image);
    double sum = 0;
    for (const float value : image.rgb) sum += double{value};
    const double mean = sum / static_cast<double>(image.rgb.size());
    EXPECT_GT(mean, 0.01) << entry.path();
    EXPECT_LT(mean, 100) << entry.path();
  }
}

}  // namespace
}  // namespace supple::io
