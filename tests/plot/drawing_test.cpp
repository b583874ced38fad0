// SPDX-License-Identifier: Apache-2.0
#include "supple/plot/drawing.hpp"

#include "cli/process.hpp"
#include "plot/pixels.hpp"
#include "supple/plot/line_plot.hpp"
#include "supple/plot/sheet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace supple::plot::testing {
namespace {

/// What Python's XML parser, an outside one, reads: the texts, one per line.
supple::testing::Outcome parsed_texts(const Drawing& drawing) {
  const supple::testing::TemporaryDirectory directory;
  const std::string file = directory.write("a.svg", drawing.svg());
  return supple::testing::run_program(
      {"/usr/bin/env", "python3", "-c",
       "import sys, xml.etree.ElementTree as e\n"
       "root = e.parse(sys.argv[1]).getroot()\n"
       "assert root.tag == '{http://www.w3.org/2000/svg}svg', root.tag\n"
       "for t in root.iter('{http://www.w3.org/2000/svg}text'):\n"
       "  sys.stdout.buffer.write((t.text + '\\n').encode())\n",
       file});
}

TEST(Drawing, IsWellFormedWhateverItSays) {
  Drawing drawing(100, 100);
  drawing.text({0, 10}, "a < b && \"c\" > 'd' ]]>", {});
  drawing.text({0, 20}, "m/s² · ünïcode 漢 𝄞", {});
  drawing.text({0, 30}, std::string("bell \x07, half \xC3, lone \x80, surrogate \xED\xA0\x80."),
               {});
  drawing.text({0, 40}, "", {});
  const auto outcome = parsed_texts(drawing);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "a < b && \"c\" > 'd' ]]>\n"
            "m/s² · ünïcode 漢 𝄞\n"
            "bell ?, half ?, lone ?, surrogate ???.\n");
}

TEST(Drawing, PlotsAndSheetsAreWellFormed) {
  const double infinite = std::numeric_limits<double>::infinity();
  Curve curve{"a & b", Colour(1, 0, 0), {0, 1, 2, 3, 4}, {1, std::nan(""), infinite, 2, 3}, true};
  PlotSettings settings;
  settings.title = "<title>";
  const Drawing plot = draw_plot({curve}, settings);
  const auto png = to_png(plot);
  ASSERT_TRUE(png.ok()) << png.error().describe();
  const Drawing sheet =
      stack({draw_sheet({{plot, "first"}, {picture_of(*png, 76, 52), "2 > 1"}}, {.columns = 2}),
             draw_legend({{"word", Colour(0, 0, 1)}}), draw_colour_bar("0", "12 mm")});
  const auto outcome = parsed_texts(sheet);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* text : {"<title>\n", "a & b\n", "first\n", "2 > 1\n", "word\n", "12 mm\n"}) {
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << "\n" << outcome.out;
  }
  EXPECT_EQ(sheet.svg().find("nan"), std::string::npos);
  EXPECT_EQ(sheet.svg().find("inf\""), std::string::npos);
}

TEST(Drawing, KnowsHowWideItsLettersAre) {
  for (const bool bold : {false, true}) {
    for (const char* text : {"mode 12 · 2.559 kHz", "time in the cycle (s)", "WWWW", "iiii.,"}) {
      Drawing drawing(600, 60);
      TextStyle style;
      style.size = 30;
      style.bold = bold;
      drawing.text({20, 40}, text, style);
      const Extent ink = extent_of(pixels_of(drawing), is_inked);
      // Letters have white sides, at most a fifth of the size at both ends together.
      const double width = ink.right - ink.left + 1;
      EXPECT_LE(width, 1.03 * text_width(text, style) + 2) << text;
      EXPECT_GE(width, 0.9 * text_width(text, style) - 0.2 * style.size) << text;
      EXPECT_GT(ink.top, 5) << text;
      EXPECT_LT(ink.bottom, 50) << text;
    }
  }
}

TEST(Drawing, AnchorsTextWhereItIsTold) {
  const auto ink = [](TextStyle::Anchor anchor) {
    Drawing drawing(300, 40);
    TextStyle style;
    style.anchor = anchor;
    drawing.text({150, 25}, "anchored", style);
    return extent_of(pixels_of(drawing), is_inked);
  };
  EXPECT_GE(ink(TextStyle::Anchor::Start).left, 149);
  EXPECT_LE(ink(TextStyle::Anchor::End).right, 151);
  const Extent middle = ink(TextStyle::Anchor::Middle);
  EXPECT_NEAR(middle.left + middle.right, 300, 4);
}

TEST(Drawing, CutsWhatIsBeyondAPlacedDrawing) {
  Drawing inner(20, 20);
  inner.rectangle({-50, -50}, {200, 200}, Colour(1, 0, 0));
  Drawing outer(60, 60);
  outer.place({10, 30}, inner);
  const Extent red = extent_of(pixels_of(outer), is_red);
  EXPECT_EQ(red.count, 400);
  EXPECT_EQ(red.left, 10);
  EXPECT_EQ(red.top, 30);
}

}  // namespace
}  // namespace supple::plot::testing
