// SPDX-License-Identifier: Apache-2.0
#include "stroke_font.hpp"

#include "mode_sheet.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace supple::app {
namespace {

TEST(StrokeFont, DrawsEveryLabelThatASheetCanHave) {
  for (const double hertz : {1e-300, 1e-5, 0.0123, 1.0, 9.9996, 1234.5, 54321.0, 2e6, 1e15}) {
    const std::string label = fmt::format("mode 12 · {}", format_frequency(hertz));
    EXPECT_TRUE(can_draw(label)) << label;
  }
  EXPECT_TRUE(can_draw("1.25 s · 34 mm"));
  EXPECT_FALSE(can_draw("Q"));
}

TEST(StrokeFont, InksOnlyTheBoxOfTheText) {
  Canvas canvas(200, 40);
  TextStyle style;
  style.colour = Colour::Ones();
  const float width = draw_text(canvas, 20, 30, "mode 8", style);
  EXPECT_FLOAT_EQ(width, text_width("mode 8", style));
  double ink = 0;
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 200; ++x) {
      const float value = canvas.at(x, y)[0];
      ink += value;
      const bool inside = x >= 18 && static_cast<float>(x) <= 22 + width && y >= 12 && y <= 31;
      EXPECT_TRUE(inside || value == 0.0F) << x << " " << y;
    }
  }
  EXPECT_GT(ink, 100.0);
}

}  // namespace
}  // namespace supple::app
