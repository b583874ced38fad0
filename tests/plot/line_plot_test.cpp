// SPDX-License-Identifier: Apache-2.0
#include "line_plot.hpp"

#include <gtest/gtest.h>

namespace supple::app {
namespace {

bool is_red(const Colour& c) {
  return c.x() > 0.6F && c.y() < 0.2F && c.z() < 0.2F;
}

/// Pixels of the curve, those of its label left out.
int red_pixels(const Canvas& canvas) {
  int count = 0;
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) count += static_cast<int>(is_red(canvas.at(x, y)));
  }
  return count;
}

PlotCurve flat_curve(double height, bool dashed = false) {
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

TEST(LinePlot, RoundTicksCoverTheRangeInRoundSteps) {
  EXPECT_EQ(round_ticks(0, 60, 6), (std::vector<double>{0, 10, 20, 30, 40, 50, 60}));
  EXPECT_EQ(round_ticks(-8, 24, 6), (std::vector<double>{0, 10, 20}));
  EXPECT_EQ(round_ticks(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
}

TEST(LinePlot, ACurveStandsAtItsHeight) {
  const auto row_of = [](const Canvas& canvas) {
    double sum = 0;
    for (int y = 0; y < canvas.height(); ++y) {
      for (int x = 0; x < canvas.width(); ++x) {
        if (is_red(canvas.at(x, y))) sum += y;
      }
    }
    return sum / red_pixels(canvas);
  };
  const double low = row_of(draw_plot({flat_curve(2)}, small_plot()));
  const double middle = row_of(draw_plot({flat_curve(5)}, small_plot()));
  const double high = row_of(draw_plot({flat_curve(8)}, small_plot()));
  EXPECT_GT(low, middle);
  EXPECT_NEAR(middle, 0.5 * (low + high), 1);
}

TEST(LinePlot, CutsWhatIsBeyondItsAxes) {
  EXPECT_GT(red_pixels(draw_plot({flat_curve(5)}, small_plot())), 200);
  EXPECT_EQ(red_pixels(draw_plot({flat_curve(30)}, small_plot())), 0);
}

TEST(LinePlot, DashesLeaveHalfOfACurveOut) {
  const double whole = red_pixels(draw_plot({flat_curve(5)}, small_plot()));
  const double dashed = red_pixels(draw_plot({flat_curve(5, true)}, small_plot()));
  EXPECT_NEAR(dashed / whole, 0.5, 0.2);
}

TEST(LinePlot, NeedsNoCurves) {
  const Canvas canvas = draw_plot({}, PlotSettings());
  EXPECT_EQ(canvas.width(), 760);
  EXPECT_EQ(canvas.height(), 520);
}

}  // namespace
}  // namespace supple::app
