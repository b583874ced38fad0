// SPDX-License-Identifier: Apache-2.0
#include "line_plot.hpp"

#include "stroke_font.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::app {
namespace {

using Point = Eigen::Vector2f;

/// The frame of the axes in pixels, and what they span.
struct Axes {
  float left, right, top, bottom;
  double x_low, x_high, y_low, y_high;

  [[nodiscard]] Point place(double x, double y) const {
    return {left + (right - left) * static_cast<float>((x - x_low) / (x_high - x_low)),
            bottom - (bottom - top) * static_cast<float>((y - y_low) / (y_high - y_low))};
  }
};

void draw_line(Canvas& canvas, const Point& a, const Point& b, float weight, const Colour& colour) {
  const Point low = a.cwiseMin(b) - Point::Constant(weight + 1);
  const Point high = a.cwiseMax(b) + Point::Constant(weight + 1);
  const Point along = b - a;
  const float length = std::max(along.squaredNorm(), 1e-12F);
  for (int y = static_cast<int>(low.y()); y <= static_cast<int>(high.y()); ++y) {
    for (int x = static_cast<int>(low.x()); x <= static_cast<int>(high.x()); ++x) {
      const Point p(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
      const float t = std::clamp((p - a).dot(along) / length, 0.0F, 1.0F);
      const float off = (p - a - t * along).norm();
      const float cover = std::clamp(0.5F + 0.5F * weight - off, 0.0F, 1.0F);
      if (cover > 0) canvas.blend(x, y, colour, cover);
    }
  }
}

/// The coverage of a whole curve at once: joints between its pieces are not darker than the rest.
class CurvePainter {
 public:
  CurvePainter(Canvas& canvas, const Axes& axes, float weight)
      : m_canvas(canvas),
        m_axes(axes),
        m_weight(weight),
        m_cover(static_cast<std::size_t>(canvas.width()) *
                static_cast<std::size_t>(canvas.height())) {}

  void add(const Point& a, const Point& b) {
    const Point along = b - a;
    const float length = std::max(along.squaredNorm(), 1e-12F);
    const auto from_x = static_cast<int>(std::max(m_axes.left, std::min(a.x(), b.x()) - m_weight));
    const auto to_x = static_cast<int>(std::min(m_axes.right, std::max(a.x(), b.x()) + m_weight));
    const auto from_y = static_cast<int>(std::max(m_axes.top, std::min(a.y(), b.y()) - m_weight));
    const auto to_y = static_cast<int>(std::min(m_axes.bottom, std::max(a.y(), b.y()) + m_weight));
    for (int y = from_y; y <= to_y; ++y) {
      for (int x = from_x; x <= to_x; ++x) {
        const Point p(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
        const float t = std::clamp((p - a).dot(along) / length, 0.0F, 1.0F);
        const float off = (p - a - t * along).norm();
        float& cover = m_cover[index(x, y)];
        cover = std::max(cover, std::clamp(0.5F + 0.5F * m_weight - off, 0.0F, 1.0F));
      }
    }
  }

  void paint(const Colour& colour) const {
    for (int y = 0; y < m_canvas.height(); ++y) {
      for (int x = 0; x < m_canvas.width(); ++x) {
        if (m_cover[index(x, y)] > 0) m_canvas.blend(x, y, colour, m_cover[index(x, y)]);
      }
    }
  }

 private:
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(m_canvas.width()) +
           static_cast<std::size_t>(x);
  }
  Canvas& m_canvas;
  const Axes& m_axes;
  float m_weight;
  std::vector<float> m_cover;
};

void draw_curve(Canvas& canvas, const Axes& axes, const PlotCurve& curve, float weight) {
  CurvePainter painter(canvas, axes, weight);
  float travelled = 0;
  for (std::size_t k = 1; k < curve.x.size(); ++k) {
    const Point a = axes.place(curve.x[k - 1], curve.y[k - 1]);
    const Point b = axes.place(curve.x[k], curve.y[k]);
    const float length = (b - a).norm();
    if (!curve.dashed) {
      painter.add(a, b);
      continue;
    }
    // Dashes go on across the points of the curve.
    const float dash = 5 * weight;
    for (float at = 0; at < length;) {
      const float phase = std::fmod(travelled + at, 2 * dash);
      const float step = std::min(length - at, (phase < dash ? dash : 2 * dash) - phase + 0.01F);
      if (phase < dash) {
        painter.add(a + (b - a) * (at / length), a + (b - a) * ((at + step) / length));
      }
      at += step;
    }
    travelled += length;
  }
  painter.paint(curve.colour);
}

std::string tick_text(double value, double step) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
  return fmt::format("{:.{}f}", std::abs(value) < 1e-9 * step ? 0.0 : value, digits);
}

struct Label {
  float y;
  const PlotCurve* curve;
};

/// Names at the ends of the curves, moved apart where they would lie upon each other.
void draw_names(Canvas& canvas, const Axes& axes, const std::vector<PlotCurve>& curves,
                TextStyle style) {
  std::vector<Label> labels;
  labels.reserve(curves.size());
  for (const PlotCurve& curve : curves) {
    if (curve.x.empty() || curve.label.empty()) continue;
    const float y = axes.place(curve.x.back(), curve.y.back()).y();
    labels.push_back({std::clamp(y, axes.top + style.height, axes.bottom), &curve});
  }
  std::stable_sort(labels.begin(), labels.end(),
                   [](const Label& a, const Label& b) { return a.y < b.y; });
  const float gap = 1.75F * style.height;
  for (int pass = 0; pass < 40; ++pass) {
    for (std::size_t k = 1; k < labels.size(); ++k) {
      const float lack = gap - (labels[k].y - labels[k - 1].y);
      if (lack <= 0) continue;
      labels[k].y += 0.5F * lack;
      labels[k - 1].y -= 0.5F * lack;
    }
    if (!labels.empty()) {
      labels.back().y = std::min(labels.back().y, axes.bottom + 0.4F * style.height);
    }
  }
  for (const Label& label : labels) {
    style.colour = label.curve->colour;
    draw_text(canvas, axes.right + 0.8F * style.height, label.y + 0.4F * style.height,
              label.curve->label, style);
  }
}

/// A range that can be divided: without any point, or with one alone, a unit of it.
void widen(double& low, double& high) {
  if (low > high) low = 0;
  if (!(low < high)) high = low + 1;
}

void span(const std::vector<PlotCurve>& curves, const PlotSettings& settings, Axes& axes) {
  axes.x_low = axes.y_low = std::numeric_limits<double>::infinity();
  axes.x_high = axes.y_high = -axes.x_low;
  for (const PlotCurve& curve : curves) {
    for (const double x : curve.x) {
      axes.x_low = std::min(axes.x_low, x);
      axes.x_high = std::max(axes.x_high, x);
    }
    for (const double y : curve.y) {
      axes.y_low = std::min(axes.y_low, y);
      axes.y_high = std::max(axes.y_high, y);
    }
  }
  if (settings.y_low < settings.y_high) {
    axes.y_low = settings.y_low;
    axes.y_high = settings.y_high;
  }
  widen(axes.x_low, axes.x_high);
  widen(axes.y_low, axes.y_high);
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

Canvas draw_plot(const std::vector<PlotCurve>& curves, const PlotSettings& settings) {
  constexpr int kFiner = 2;
  const auto unit = static_cast<float>(kFiner);
  Canvas canvas(kFiner * settings.width, kFiner * settings.height);
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) canvas.at(x, y) = Colour::Ones();
  }
  TextStyle text;
  text.height = 11 * unit;
  text.weight = 1.35F * unit;
  text.colour = from_oklch(0.32F, 0.01F, 260);
  float names = 0;
  for (const PlotCurve& curve : curves) names = std::max(names, text_width(curve.label, text));
  Axes axes{66 * unit, static_cast<float>(canvas.width()) - names - 20 * unit,
            62 * unit, static_cast<float>(canvas.height()) - 58 * unit,
            0,         1,
            0,         1};
  span(curves, settings, axes);
  const auto y_ticks = round_ticks(axes.y_low, axes.y_high, 6);
  const auto x_ticks = round_ticks(axes.x_low, axes.x_high, 7);
  const Colour grid = from_oklch(0.90F, 0.004F, 260);
  const auto step = [](const std::vector<double>& ticks) {
    return ticks.size() > 1 ? ticks[1] - ticks[0] : 1.0;
  };
  for (const double y : y_ticks) {
    const Point at = axes.place(axes.x_low, y);
    draw_line(canvas, at, {axes.right, at.y()}, (y == 0 ? 1.6F : 1.0F) * unit,
              y == 0 ? from_oklch(0.62F, 0.004F, 260) : grid);
    const std::string label = tick_text(y, step(y_ticks));
    draw_text(canvas, axes.left - 9 * unit - text_width(label, text), at.y() + 0.5F * text.height,
              label, text);
  }
  for (const double x : x_ticks) {
    const Point at = axes.place(x, axes.y_low);
    draw_line(canvas, {at.x(), axes.bottom}, {at.x(), axes.bottom + 5 * unit}, unit,
              from_oklch(0.55F, 0, 0));
    const std::string label = tick_text(x, step(x_ticks));
    draw_text(canvas, at.x() - 0.5F * text_width(label, text), axes.bottom + 22 * unit, label,
              text);
  }
  draw_line(canvas, {axes.left, axes.bottom}, {axes.right, axes.bottom}, 1.2F * unit,
            from_oklch(0.55F, 0, 0));
  for (const PlotCurve& curve : curves) draw_curve(canvas, axes, curve, 2.4F * unit);
  draw_names(canvas, axes, curves, text);
  TextStyle title = text;
  title.height = 14 * unit;
  title.weight = 1.9F * unit;
  title.colour = from_oklch(0.22F, 0.01F, 260);
  draw_text(canvas, 16 * unit, 26 * unit, settings.title, title);
  draw_text(canvas, 16 * unit, 49 * unit, settings.y_label, text);
  draw_text(canvas, axes.right - text_width(settings.x_label, text), axes.bottom + 45 * unit,
            settings.x_label, text);
  return downsample(canvas, kFiner);
}

}  // namespace supple::app
