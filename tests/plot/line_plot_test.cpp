// SPDX-License-Identifier: Apache-2.0
#include "supple/plot/line_plot.hpp"

#include "plot/pixels.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace supple::plot::testing {
namespace {

Curve flat_curve(double height, bool dashed = false) {
  return {"", Colour(1, 0, 0), {0, 10}, {height, height}, dashed};
}

PlotSettings small_plot() {
  PlotSettings settings;
  settings.width = 300;
  settings.height = 200;
  settings.y_low = 0;
  settings.y_high = 10;
  return settings;
}

Extent red_of(const std::vector<Curve>& curves, const PlotSettings& settings) {
  return extent_of(pixels_of(draw_plot(curves, settings)), is_red);
}

TEST(LinePlot, RoundTicksCoverTheRangeInRoundSteps) {
  EXPECT_EQ(round_ticks(0, 60, 6), (std::vector<double>{0, 10, 20, 30, 40, 50, 60}));
  EXPECT_EQ(round_ticks(-8, 24, 6), (std::vector<double>{0, 10, 20}));
  EXPECT_EQ(round_ticks(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
}

TEST(LinePlot, LogTicksArePowersOfTen) {
  EXPECT_EQ(log_ticks(5, 1e5), (std::vector<double>{10, 100, 1000, 10000, 100000}));
  EXPECT_EQ(log_ticks(0.5, 33), (std::vector<double>{0.5, 1, 2, 5, 10, 20}));
}

TEST(LinePlot, ACurveStandsAtItsHeight) {
  const double low = red_of({flat_curve(2)}, small_plot()).row;
  const double middle = red_of({flat_curve(5)}, small_plot()).row;
  const double high = red_of({flat_curve(8)}, small_plot()).row;
  EXPECT_GT(low, middle);
  EXPECT_NEAR(middle, 0.5 * (low + high), 1);
}

TEST(LinePlot, CutsWhatIsBeyondItsAxes) {
  EXPECT_GT(red_of({flat_curve(5)}, small_plot()).count, 200);
  EXPECT_EQ(red_of({flat_curve(30)}, small_plot()).count, 0);
}

TEST(LinePlot, DashesLeaveHalfOfACurveOut) {
  const double whole = red_of({flat_curve(5)}, small_plot()).count;
  const double dashed = red_of({flat_curve(5, true)}, small_plot()).count;
  EXPECT_NEAR(dashed / whole, 0.5, 0.2);
}

TEST(LinePlot, DecadesAreEquallyWide) {
  PlotSettings settings = small_plot();
  settings.log_x = true;
  const auto centre_of_dot = [&](double x) {
    Curve frame{"", Colour::Zero(), {1, 100}, {0, 0}};
    Curve dot{"", Colour(1, 0, 0), {x}, {5}};
    const Extent red = red_of({frame, dot}, settings);
    return 0.5 * (red.left + red.right);
  };
  EXPECT_NEAR(centre_of_dot(10), 0.5 * (centre_of_dot(1) + centre_of_dot(100)), 1);
}

TEST(LinePlot, NumbersThatAreNotFiniteLeaveAGap) {
  Curve curve = flat_curve(5);
  curve.x = {0, 4, 5, 6, 10};
  curve.y = {5, 5, std::numeric_limits<double>::quiet_NaN(), 5, 5};
  const int whole = red_of({flat_curve(5)}, small_plot()).count;
  const Extent gapped = red_of({curve}, small_plot());
  EXPECT_NEAR(gapped.count, 0.8 * whole, 0.04 * whole);
}

/// A name stands beside the right end, also of a curve that is given from right to left.
TEST(LinePlot, NamesStandAtTheRightEnds) {
  const auto row_of_name = [](const Curve& curve) {
    PlotSettings settings = small_plot();
    settings.width = 600;
    const Pixels pixels = pixels_of(draw_plot({curve}, settings));
    Extent name = extent_of(pixels, is_red);
    return name.right > 560 ? name : Extent();
  };
  Curve rising{"name", Colour(1, 0, 0), {0, 10}, {9, 1}};
  Curve backwards{"name", Colour(1, 0, 0), {10, 0}, {1, 9}};
  EXPECT_GT(row_of_name(rising).count, 0);
  EXPECT_EQ(row_of_name(backwards).count, row_of_name(rising).count);
  EXPECT_EQ(row_of_name(backwards).row, row_of_name(rising).row);
}

TEST(LinePlot, NamesKeepApart) {
  std::vector<Curve> curves;
  for (const char* name : {"one", "two", "three", "four"}) {
    curves.push_back({name, Colour(1, 0, 0), {0, 10}, {0, 0}});
  }
  const Drawing plot = draw_plot(curves, small_plot());
  const Pixels pixels = pixels_of(plot);
  // Rows with ink right of the axes: four lines of text with white between them.
  int lines = 0;
  bool inside = false;
  for (int y = 0; y < pixels.height; ++y) {
    bool ink = false;
    for (int x = pixels.width - 38; x < pixels.width; ++x) ink |= pixel(pixels, x, y)[1] < 200;
    lines += static_cast<int>(ink && !inside);
    inside = ink;
  }
  EXPECT_EQ(lines, 4);
}

TEST(LinePlot, NeedsNoCurves) {
  const Drawing drawing = draw_plot({}, PlotSettings());
  EXPECT_EQ(drawing.width(), 760);
  EXPECT_EQ(drawing.height(), 520);
}

}  // namespace
}  // namespace supple::plot::testing
