// SPDX-License-Identifier: Apache-2.0
#include "supple/plot/sheet.hpp"

#include "plot/pixels.hpp"

#include <gtest/gtest.h>

namespace supple::plot::testing {
namespace {

Drawing red_tile(int width, int height) {
  Drawing drawing(width, height);
  drawing.fill(Colour(1, 0, 0));
  return drawing;
}

bool is_dark(const Pixel& p) {
  return p[0] < 140 && p[1] < 140 && p[2] < 140;
}

TEST(Sheet, ColumnsAndRowsFitTheirTiles) {
  SheetSettings settings;
  settings.columns = 2;
  settings.gap = 5;
  settings.border = 7;
  const Drawing sheet = draw_sheet(
      {{red_tile(40, 30), ""}, {red_tile(60, 20), ""}, {red_tile(50, 10), ""}}, settings);
  EXPECT_EQ(sheet.width(), 7 + 50 + 5 + 60 + 7);
  EXPECT_EQ(sheet.height(), 7 + 30 + 5 + 10 + 7);
  const Pixels pixels = pixels_of(sheet);
  EXPECT_EQ(extent_of(pixels, is_red).count, 40 * 30 + 60 * 20 + 50 * 10);
  EXPECT_EQ(pixel(pixels, 7, 10), (Pixel{255, 255, 255, 255}));  // the narrower one is centred
  EXPECT_TRUE(is_red(pixel(pixels, 12, 10)));
}

TEST(Sheet, OnlyRowsWithCaptionsHaveRoomForThem) {
  SheetSettings settings;
  settings.columns = 1;
  const Drawing without = draw_sheet({{red_tile(80, 30), ""}, {red_tile(80, 30), ""}}, settings);
  const Drawing with = draw_sheet({{red_tile(80, 30), ""}, {red_tile(80, 30), "two"}}, settings);
  EXPECT_EQ(with.height() - without.height(), 33);
  const Extent text = extent_of(pixels_of(with), is_dark);
  EXPECT_GT(text.count, 20);
  EXPECT_GT(text.top, 64);
  EXPECT_NEAR(text.left + text.right, 80, 3);
}

TEST(Sheet, LongCaptionsStayBelowTheirTile) {
  SheetSettings settings;
  settings.columns = 2;
  settings.gap = 40;
  const std::string caption = "a caption that is much too long for its tile";
  const Drawing sheet =
      draw_sheet({{red_tile(100, 30), caption}, {red_tile(100, 30), ""}}, settings);
  const Extent text = extent_of(pixels_of(sheet), is_dark);
  EXPECT_LE(text.right, 100);
  EXPECT_GE(text.left, 0);
}

TEST(Sheet, StacksAlign) {
  const auto left_of = [](Align align) {
    return extent_of(pixels_of(stack({Drawing(100, 10), red_tile(40, 10)}, align, 3)), is_red).left;
  };
  EXPECT_EQ(left_of(Align::Left), 0);
  EXPECT_EQ(left_of(Align::Centre), 30);
  EXPECT_EQ(left_of(Align::Right), 60);
}

TEST(Sheet, ColourBarRunsFromTheFirstToTheLastColour) {
  const Drawing bar = draw_colour_bar("0", "12 mm");
  const Pixels pixels = pixels_of(bar);
  const int middle = bar.height() / 2;
  const auto is_colour = [](const Pixel& p) { return p[3] > 200 && std::abs(p[0] - p[2]) > 25; };
  const Extent coloured = extent_of(pixels, is_colour);
  EXPECT_GT(coloured.right - coloured.left, 150);
  for (const auto& [x, t] : {std::pair(coloured.left, 0.0F), std::pair(coloured.right, 1.0F)}) {
    const Pixel shown = pixel(pixels, x, middle);
    for (Eigen::Index c = 0; c < 3; ++c) {
      EXPECT_NEAR(shown.at(static_cast<std::size_t>(c)), to_srgb8(ramp_colour(t)[c]), 6);
    }
  }
}

TEST(Sheet, LegendHasEveryWordInItsColour) {
  const Drawing legend = draw_legend({{"first", Colour(1, 0, 0)}, {"second", Colour(0, 0, 1)}});
  const Pixels pixels = pixels_of(legend);
  const Extent red = extent_of(pixels, is_red);
  const Extent blue = extent_of(pixels, [](const Pixel& p) { return p[3] > 200 && p[2] > 200; });
  EXPECT_GT(red.count, 30);
  EXPECT_GT(blue.left, red.right + 10);
  EXPECT_LT(blue.right, legend.width());
}

}  // namespace
}  // namespace supple::plot::testing
