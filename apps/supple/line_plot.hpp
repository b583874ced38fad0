// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "canvas.hpp"

#include <string>
#include <vector>

namespace supple::app {

/// A curve of a plot; its label stands at its end.
struct PlotCurve {
  std::string label;
  Colour colour = Colour::Zero();
  std::vector<double> x, y;
  bool dashed = false;
};

struct PlotSettings {
  std::string title;
  std::string x_label, y_label;  ///< with their units
  int width = 760;
  int height = 520;
  double y_low = 0, y_high = 0;  ///< what is beyond is cut; equal: all that the curves have
};

/// Axes with round numbers, a light grid, curves with their names beside them. Labels keep to what
/// `can_draw` accepts.
[[nodiscard]] Canvas draw_plot(const std::vector<PlotCurve>& curves, const PlotSettings& settings);

/// Round numbers that cover low to high in about `count` steps.
[[nodiscard]] std::vector<double> round_ticks(double low, double high, int count);

}  // namespace supple::app
