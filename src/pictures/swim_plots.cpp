// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/swim_plots.hpp"

#include "supple/plot/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace supple::pictures {
namespace {

using plot::Curve;
using swim::Recording;

constexpr std::array<const char*, 4> kSwimPlots{"speed", "forces", "torques_arms", "torques_legs"};

/// Hues ordered so that neighbours differ.
plot::Colour palette(std::size_t k) {
  constexpr std::array<float, 8> kHues{255, 27, 150, 70, 310, 200, 110, 350};
  const float dark = k < kHues.size() ? 0.55F : 0.70F;
  return plot::from_oklch(dark, 0.15F, kHues.at(k % kHues.size()));
}

/// A segment's or joint's name without its side, in words.
std::string plain_name(std::string_view name) {
  for (const std::string_view side : {"right_", "left_"}) {
    if (name.starts_with(side)) name.remove_prefix(side.size());
  }
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return text;
}

/// The group of a segment: both sides together, the trunk with the head.
std::string group_of(const swim::Segment& segment) {
  const std::string name = plain_name(segment.name);
  return name == "pelvis" || name == "torso" || name == "head" ? "trunk" : name;
}

class SwimPlotter {
 public:
  SwimPlotter(const Recording& recording, const swim::Body& body)
      : m_recording(recording),
        m_body(body),
        m_span(last_cycle(recording)),
        m_way(way_of(recording, m_span)) {}

  [[nodiscard]] plot::Drawing speed() const {
    Curve forward = curve("along the way", 0);
    Curve up = curve("upward", 1);
    Curve mean = curve("mean", 0);
    double sum = 0;
    for (std::size_t f = m_span.first; f <= m_span.last; ++f) {
      forward.y.push_back(frame(f).velocity.dot(m_way));
      up.y.push_back(frame(f).velocity.y());
      sum += forward.y.back();
    }
    mean.y.assign(mean.x.size(), sum / static_cast<double>(mean.x.size()));
    mean.dashed = true;
    return plot::draw_plot({forward, up, mean}, settings("speed of the centre of mass", "m/s"));
  }

  [[nodiscard]] plot::Drawing forces() const {
    std::vector<Curve> curves;
    Curve total = curve("all", 0);
    total.colour = plot::from_oklch(0.25F, 0, 0);
    total.y.assign(total.x.size(), 0);
    total.dashed = true;
    for (std::size_t s = 0; s < m_body.segments.size(); ++s) {
      const std::string group = group_of(m_body.segments[s]);
      auto known = std::ranges::find(curves, group, &Curve::label);
      if (known == curves.end()) {
        curves.push_back(curve(group, curves.size()));
        known = std::prev(curves.end());
        known->y.assign(known->x.size(), 0);
      }
      for (std::size_t k = 0; k < known->y.size(); ++k) {
        const double force = frame(m_span.first + k).forces[s].dot(m_way);
        known->y[k] += force;
        total.y[k] += force;
      }
    }
    curves.push_back(std::move(total));
    return plot::draw_plot(curves, settings("force of the water along the way", "newtons"));
  }

  /// Torques of the joints of some segments of the right side and the trunk.
  [[nodiscard]] plot::Drawing torques(std::string_view title,
                                      const std::vector<std::string_view>& segments) const {
    std::vector<Curve> curves;
    for (std::size_t j = 0; j < m_body.joints.size(); ++j) {
      const swim::Joint& joint = m_body.joints[j];
      if (joint.name.starts_with("left_")) continue;
      const std::string part = plain_name(m_body.segments[joint.segment].name);
      if (std::ranges::find(segments, part) == segments.end()) continue;
      Curve own = curve(plain_name(joint.name), curves.size());
      for (std::size_t f = m_span.first; f <= m_span.last; ++f) {
        own.y.push_back(frame(f).torques[j]);
      }
      curves.push_back(std::move(own));
    }
    return plot::draw_plot(curves, settings(title, "newton metres"));
  }

 private:
  [[nodiscard]] const Recording::Frame& frame(std::size_t f) const { return m_recording.frames[f]; }

  [[nodiscard]] Curve curve(std::string label, std::size_t colour) const {
    Curve result;
    result.label = std::move(label);
    result.colour = palette(colour);
    for (std::size_t f = m_span.first; f <= m_span.last; ++f) {
      result.x.push_back(frame(f).time - frame(m_span.first).time);
    }
    return result;
  }

  [[nodiscard]] plot::PlotSettings settings(std::string_view title, std::string unit) const {
    plot::PlotSettings result;
    result.title = title;
    result.x_label = m_span.whole ? "time in the cycle (s)" : "time (s)";
    result.y_label = std::move(unit);
    result.width = 860;
    return result;
  }

  const Recording& m_recording;
  const swim::Body& m_body;
  CycleSpan m_span;
  Eigen::Vector3d m_way;
};

}  // namespace

CycleSpan last_cycle(const Recording& recording) {
  const auto& frames = recording.frames;
  CycleSpan span;
  if (frames.empty()) return span;
  span.last = frames.size() - 1;
  std::vector<std::size_t> starts;
  for (std::size_t f = 1; f < frames.size(); ++f) {
    if (frames[f].cycles != frames[f - 1].cycles) starts.push_back(f);
  }
  if (starts.empty()) return span;
  span.first = starts.size() > 1 ? starts[starts.size() - 2] : 0;
  span.last = starts.back();
  span.whole = true;
  return span;
}

Eigen::Vector3d way_of(const Recording& recording, const CycleSpan& span) {
  constexpr double kStill = 0.02;  // m
  Eigen::Vector3d way = recording.frames[span.last].centre - recording.frames[span.first].centre;
  way.y() = 0;
  if (way.norm() < kStill) way = recording.frames[span.last].segments.front().axes.col(0);
  return way.normalized();
}

std::vector<std::string> swim_plot_names() {
  std::vector<std::string> names;
  for (const char* name : kSwimPlots) {
    for (std::string& file : plot::plot_file_names(name)) names.push_back(std::move(file));
  }
  return names;
}

Result<std::vector<plot::PlotFile>> swim_plot_files(const Recording& recording,
                                                    const swim::Body& body) {
  const SwimPlotter plotter(recording, body);
  const std::array<plot::Drawing, kSwimPlots.size()> plots{
      plotter.speed(), plotter.forces(),
      plotter.torques("torques of neck and right arm", {"head", "upper arm", "forearm", "hand"}),
      plotter.torques("torques of waist and right leg", {"torso", "thigh", "shin", "foot"})};
  std::vector<plot::PlotFile> files;
  for (std::size_t k = 0; k < plots.size(); ++k) {
    SUPPLE_TRY(std::vector<plot::PlotFile> made, plot::plot_files(kSwimPlots.at(k), plots.at(k)));
    for (plot::PlotFile& file : made) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace supple::pictures
