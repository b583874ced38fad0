// SPDX-License-Identifier: Apache-2.0
#include "supple/plot/line_plot.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace supple::plot {
namespace {

constexpr double kCurveWidth = 2.2;
constexpr double kDotRadius = 3.6;

TextStyle plain_text() {
  TextStyle style;
  style.size = 14;
  style.colour = from_oklch(0.32F, 0.01F, 260);
  return style;
}

TextStyle title_text() {
  TextStyle style;
  style.size = 17;
  style.colour = from_oklch(0.22F, 0.01F, 260);
  style.bold = true;
  return style;
}

/// A line of numbers and where its ticks are.
struct Axis {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  bool logarithmic = false;
  std::vector<double> ticks;

  void add(const std::vector<double>& values) {
    for (const double value : values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  /// A range that can be divided: without any point, or with one alone, a unit of it.
  void widen() {
    if (low > high) low = high = logarithmic ? 1 : 0;
    if (!(low < high)) high = logarithmic ? 10 * low : low + 1;
  }
  /// To the next ticks where they are near: curves that end beside a round number reach it.
  void round_ends() {
    if (ticks.size() < 2) return;
    constexpr double kNear = 0.25;
    const double step = ticks[1] - ticks[0];
    const double below = ticks.front() - step;
    const double above = ticks.back() + step;
    if (low - below < kNear * step) ticks.insert(ticks.begin(), low = below);
    if (above - high < kNear * step) ticks.push_back(high = above);
  }
  /// 0 at the lower end, 1 at the upper one.
  [[nodiscard]] double place(double value) const {
    if (logarithmic) return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
  }
  [[nodiscard]] std::string label(double value) const {
    if (logarithmic) return fmt::format("{:g}", value);
    const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1.0;
    int digits = 0;  // as few as tell two ticks apart: 0.25 needs two
    while (digits < 6 && std::abs(step - std::round(step * std::pow(10, digits)) /
                                             std::pow(10, digits)) > 1e-6 * step) {
      ++digits;
    }
    return fmt::format("{:.{}f}", std::abs(value) < 1e-9 * step ? 0.0 : value, digits);
  }
};

/// The axes of a plot and the frame between them, in pixels.
struct PlotFrame {
  Axis x, y;
  double left = 0, right = 0, top = 0, bottom = 0;

  [[nodiscard]] Point place(double px, double py) const {
    return {left + (right - left) * x.place(px), bottom - (bottom - top) * y.place(py)};
  }
  [[nodiscard]] Point size() const { return {right - left, bottom - top}; }
};

void span_axes(const std::vector<Curve>& curves, const PlotSettings& settings, PlotFrame& frame) {
  frame.x.logarithmic = settings.log_x;
  for (const Curve& curve : curves) {
    SUPPLE_CHECK_OP(curve.x.size(), ==, curve.y.size());
    frame.x.add(curve.x);
    frame.y.add(curve.y);
  }
  const bool fixed = settings.y_low < settings.y_high;
  if (fixed) {
    frame.y.low = settings.y_low;
    frame.y.high = settings.y_high;
  }
  frame.x.widen();
  frame.y.widen();
  frame.x.ticks = settings.log_x ? log_ticks(frame.x.low, frame.x.high)
                                 : round_ticks(frame.x.low, frame.x.high, 7);
  frame.y.ticks = round_ticks(frame.y.low, frame.y.high, 6);
  if (!fixed) frame.y.round_ends();
}

/// Room for the numbers to the left, the names to the right and the lines of text above and below.
void make_room(const std::vector<Curve>& curves, const PlotSettings& settings, PlotFrame& frame) {
  const TextStyle text = plain_text();
  double names = 0;
  for (const Curve& curve : curves) names = std::max(names, text_width(curve.label, text));
  double numbers = 0;
  for (const double tick : frame.y.ticks) {
    numbers = std::max(numbers, text_width(frame.y.label(tick), text));
  }
  frame.left = 16 + numbers + 10;
  // Half of the last number may stand beyond the axis.
  frame.right = settings.width - std::max(names > 0 ? names + 22 : 0, 30.0);
  frame.top = 64;
  frame.bottom = settings.height - 58;
}

void draw_axes(Drawing& drawing, const PlotFrame& frame) {
  const Colour grid = from_oklch(0.90F, 0.004F, 260);
  const Colour dark = from_oklch(0.55F, 0, 0);
  TextStyle text = plain_text();
  text.anchor = TextStyle::Anchor::End;
  for (const double tick : frame.y.ticks) {
    const double y = frame.place(frame.x.low, tick).y();
    const bool zero = std::abs(tick) < 1e-9 * (frame.y.high - frame.y.low);
    drawing.line({frame.left, y}, {frame.right, y}, {zero ? dark : grid, zero ? 1.4 : 1.0});
    drawing.text({frame.left - 8, y + 0.36 * text.size}, frame.y.label(tick), text);
  }
  text.anchor = TextStyle::Anchor::Middle;
  for (const double tick : frame.x.ticks) {
    const double x = frame.place(tick, frame.y.low).x();
    drawing.line({x, frame.bottom}, {x, frame.bottom + 5}, {dark, 1});
    drawing.text({x, frame.bottom + 21}, frame.x.label(tick), text);
  }
  drawing.line({frame.left, frame.bottom}, {frame.right, frame.bottom}, {dark, 1.2});
}

void draw_curve(Drawing& area, const PlotFrame& frame, const Curve& curve) {
  const LineStyle style{curve.colour, kCurveWidth, curve.dashed};
  std::vector<Point> run;
  const auto end_run = [&] {
    area.line(run, style);
    if (curve.points || run.size() == 1) {
      for (const Point& p : run) area.circle(p, kDotRadius, curve.colour);
    }
    run.clear();
  };
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const Point p = frame.place(curve.x[k], curve.y[k]);
    if (p.allFinite()) {
      run.push_back(p);
    } else {
      end_run();
    }
  }
  end_run();
}

/// Curves end at the frame, but a line or a dot on its edge is drawn whole.
void draw_curves(Drawing& drawing, const PlotFrame& frame, const std::vector<Curve>& curves) {
  constexpr int kBeyond = 4;
  PlotFrame inner = frame;
  inner.left = inner.top = kBeyond;
  inner.right = kBeyond + frame.size().x();
  inner.bottom = kBeyond + frame.size().y();
  Drawing area(static_cast<int>(std::ceil(inner.right)) + kBeyond,
               static_cast<int>(std::ceil(inner.bottom)) + kBeyond);
  for (const Curve& curve : curves) draw_curve(area, inner, curve);
  drawing.place({frame.left - kBeyond, frame.top - kBeyond}, area);
}

struct CurveLabel {
  double y;
  const Curve* curve;
};

/// Moves labels apart until each has its own line.
void spread(std::vector<CurveLabel>& labels, double gap, double lowest) {
  constexpr int kPasses = 60;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (std::size_t k = 1; k < labels.size(); ++k) {
      const double lack = gap - (labels[k].y - labels[k - 1].y);
      if (lack <= 0) continue;
      labels[k].y += 0.5 * lack;
      labels[k - 1].y -= 0.5 * lack;
    }
    if (!labels.empty()) labels.back().y = std::min(labels.back().y, lowest);
  }
}

/// The height of a curve's right end; the axis where it has none.
double right_end(const Curve& curve, const PlotFrame& frame) {
  std::optional<std::size_t> last;
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    const bool finite = std::isfinite(curve.x[k]) && std::isfinite(curve.y[k]);
    if (finite && (!last || curve.x[k] >= curve.x[*last])) last = k;
  }
  return frame.place(frame.x.high, last ? curve.y[*last] : frame.y.low).y();
}

/// Names at the right ends of the curves.
void draw_names(Drawing& drawing, const PlotFrame& frame, const std::vector<Curve>& curves) {
  TextStyle text = plain_text();
  std::vector<CurveLabel> labels;
  labels.reserve(curves.size());
  for (const Curve& curve : curves) {
    if (curve.label.empty()) continue;
    labels.push_back({std::clamp(right_end(curve, frame), frame.top, frame.bottom), &curve});
  }
  std::ranges::stable_sort(labels, {}, &CurveLabel::y);
  spread(labels, 1.25 * text.size, frame.bottom);
  for (const CurveLabel& label : labels) {
    text.colour = label.curve->colour;
    drawing.text({frame.right + 12, label.y + 0.36 * text.size}, label.curve->label, text);
  }
}

void draw_titles(Drawing& drawing, const PlotFrame& frame, const PlotSettings& settings) {
  drawing.text({16, 28}, settings.title, title_text());
  TextStyle text = plain_text();
  drawing.text({16, 50}, settings.y_label, text);
  text.anchor = TextStyle::Anchor::End;
  drawing.text({frame.right, frame.bottom + 44}, settings.x_label, text);
}

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 2.5, 5.0}) {
    if (rough <= nice * power * (1 + 1e-9)) {
      step = nice * power;
      break;
    }
  }
  std::vector<double> ticks;
  const auto first = static_cast<long>(std::ceil(low / step - 1e-9));
  const auto last = static_cast<long>(std::floor(high / step + 1e-9));
  for (long k = first; k <= last; ++k) ticks.push_back(static_cast<double>(k) * step);
  return ticks;
}

std::vector<double> log_ticks(double low, double high) {
  constexpr double kRounding = 1 + 1e-9;
  const bool few = high / low < 500;
  std::vector<double> ticks;
  for (int power = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, power) <= high;
       ++power) {
    for (const double times : {1.0, 2.0, 5.0}) {
      const double tick = times * std::pow(10.0, power);
      if ((few || times == 1) && tick * kRounding >= low && tick <= high * kRounding) {
        ticks.push_back(tick);
      }
    }
  }
  return ticks;
}

Drawing draw_plot(const std::vector<Curve>& curves, const PlotSettings& settings) {
  PlotFrame frame;
  span_axes(curves, settings, frame);
  make_room(curves, settings, frame);
  Drawing drawing(settings.width, settings.height);
  drawing.fill(Colour::Ones());
  draw_axes(drawing, frame);
  draw_curves(drawing, frame, curves);
  draw_names(drawing, frame, curves);
  draw_titles(drawing, frame, settings);
  return drawing;
}

}  // namespace supple::plot
