// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/plot/drawing.hpp"

#include <string>
#include <vector>

namespace supple::plot {

/// A curve of a plot. Its label stands at its right end; numbers that are not finite leave a gap.
struct Curve {
  std::string label;
  Colour colour = Colour::Zero();
  std::vector<double> x, y;
  bool dashed = false;
  bool points = false;  ///< a dot at every point: for curves of few measurements
};

struct PlotSettings {
  std::string title;
  std::string x_label, y_label;  ///< with their units
  int width = 760;
  int height = 520;
  double y_low = 0, y_high = 0;  ///< what is beyond is cut; equal: all that the curves have
  bool log_x = false;            ///< decades are equally wide; every x must be above 0
};

/// Axes with round numbers, a light grid, curves with their names beside them.
[[nodiscard]] Drawing draw_plot(const std::vector<Curve>& curves, const PlotSettings& settings);

/// Round numbers that cover low to high in about `count` steps.
[[nodiscard]] std::vector<double> round_ticks(double low, double high, int count);

/// Powers of ten from low to high, with 2 and 5 times them where these are few.
[[nodiscard]] std::vector<double> log_ticks(double low, double high);

}  // namespace supple::plot
