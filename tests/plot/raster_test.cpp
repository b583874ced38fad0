// SPDX-License-Identifier: Apache-2.0
#include "supple/plot/raster.hpp"

#include "plot/pixels.hpp"
#include "supple/plot/sheet.hpp"

#include <gtest/gtest.h>

namespace supple::plot::testing {
namespace {

/// A number of a PNG file's header, big-endian.
int header_number(const Bytes& png, std::size_t at) {
  int value = 0;
  for (std::size_t i = at; i < at + 4; ++i) value = 256 * value + std::to_integer<int>(png[i]);
  return value;
}

TEST(Raster, HasTheSizeAndTheColours) {
  Drawing drawing(40, 30);
  drawing.rectangle({10, 0}, {30, 30}, Colour(from_srgb8(200), from_srgb8(100), from_srgb8(50)));
  const Pixels pixels = pixels_of(drawing);
  ASSERT_EQ(pixels.width, 40);
  ASSERT_EQ(pixels.height, 30);
  EXPECT_EQ(pixel(pixels, 5, 5), (Pixel{0, 0, 0, 0}));
  EXPECT_EQ(pixel(pixels, 20, 5), (Pixel{200, 100, 50, 255}));
}

TEST(Raster, PngIsOpaqueAndAsLargeAsAskedFor) {
  Drawing drawing(40, 30);
  for (const double scale : {1.0, 2.0, 2.5}) {
    const auto png = to_png(drawing, scale);
    ASSERT_TRUE(png.ok()) << png.error().describe();
    EXPECT_EQ(header_number(*png, 16), 40 * scale);
    EXPECT_EQ(header_number(*png, 20), 30 * scale);
    EXPECT_EQ(std::to_integer<int>((*png)[25]), 2);  // red, green, blue
  }
}

TEST(Raster, DrawsTextAtEveryScale) {
  Drawing drawing(200, 40);
  drawing.text({10, 25}, "text", {});
  const int once = extent_of(pixels_of(drawing), is_inked).count;
  const int doubled = extent_of(pixels_of(drawing, 2), is_inked).count;
  EXPECT_GT(once, 60);
  EXPECT_NEAR(doubled, 4 * once, 0.25 * 4 * once);  // edges count more at the smaller size
}

TEST(Raster, EmbeddedPicturesKeepEveryPixel) {
  Drawing source(64, 48);
  source.fill(Colour::Ones());
  for (int k = 0; k < 48; ++k) {
    source.rectangle({k, k}, {1, 1}, ramp_colour(static_cast<float>(k) / 47));
  }
  source.text({4, 40}, "abc", {});
  const auto png = to_png(source);
  ASSERT_TRUE(png.ok());
  Drawing outer(100, 80);
  outer.place({20, 30}, picture_of(*png, 64, 48));
  const Pixels expected = pixels_of(source);
  const Pixels shown = pixels_of(outer);
  for (int y = 0; y < 48; ++y) {
    for (int x = 0; x < 64; ++x) {
      ASSERT_EQ(pixel(shown, 20 + x, 30 + y), pixel(expected, x, y)) << x << " " << y;
    }
  }
}

/// XML parsers take no attribute beyond 10 MB unless they are told to.
TEST(Raster, TakesLargePictures) {
  Drawing red(10, 10);
  red.fill(Colour(1, 0, 0));
  auto png = to_png(red);
  ASSERT_TRUE(png.ok()) << png.error().describe();
  png->resize(std::size_t{9} << 20U);  // what follows the end of a PNG file is not read
  const Pixels pixels = pixels_of(picture_of(*png, 10, 10));
  EXPECT_EQ(extent_of(pixels, is_red).count, 100);
}

TEST(Raster, NamesBothFilesOfAPlot) {
  const auto files = plot_files("speed", Drawing(20, 10));
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->size(), 2U);
  EXPECT_EQ((*files)[0].name, "speed.svg");
  EXPECT_TRUE(as_text((*files)[0].bytes).starts_with("<svg"));
  EXPECT_EQ((*files)[1].name, "speed.png");
  EXPECT_TRUE(as_text((*files)[1].bytes).starts_with("\x89PNG"));
  EXPECT_EQ(plot_file_names("speed"), (std::vector<std::string>{"speed.svg", "speed.png"}));
}

TEST(Raster, ThingsTooLargeAreAnError) {
  const auto pixels = rasterise(Drawing(100000, 10));
  ASSERT_FALSE(pixels.ok());
  EXPECT_NE(pixels.error().message().find("cannot turn a drawing into pixels"), std::string::npos);
}

}  // namespace
}  // namespace supple::plot::testing
