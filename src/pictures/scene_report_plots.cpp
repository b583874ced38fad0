// SPDX-License-Identifier: Apache-2.0
#include "pictures/scene_report_plots.hpp"

#include "pictures/value_picture.hpp"

#include "supple/core/console.hpp"
#include "supple/plot/line_plot.hpp"
#include "supple/plot/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace supple::pictures {
namespace {

using plot::Colour;
using plot::Curve;

constexpr int kPlotWidth = 620;
constexpr int kPlotHeight = 420;
/// Points of a curve, at most; a page of megabytes would help nobody.
constexpr std::size_t kMostPoints = 400;
constexpr std::size_t kMostPortraitPoints = 8000;

Colour report_blue() {
  return plot::from_oklch(0.55F, 0.16F, 255);
}

Colour entry_colour(std::size_t entry, std::size_t entries) {
  return plot::from_oklch(0.62F, 0.15F,
                          30 + 360 * static_cast<float>(entry) / static_cast<float>(entries));
}

plot::PlotSettings plot_settings(const char* title, const char* x, const char* y) {
  plot::PlotSettings settings;
  settings.title = title;
  settings.x_label = x;
  settings.y_label = y;
  settings.width = kPlotWidth;
  settings.height = kPlotHeight;
  return settings;
}

/// An SVG element of this class inside of HTML, which knows its namespace.
std::string inline_svg(const plot::Drawing& drawing, const char* look) {
  std::string svg = drawing.svg();
  constexpr std::string_view kNamespace = " xmlns=\"http://www.w3.org/2000/svg\"";
  const std::size_t at = svg.find(kNamespace);
  if (at != std::string::npos) svg.erase(at, kNamespace.size());
  return svg.insert(4, fmt::format(" class=\"{}\" role=\"img\"", look));
}

ReportFigure error_by_rank(const bake::SceneReport& report) {
  Curve curve{"", report_blue(), {}, {}, false, report.error_by_rank.size() < 60};
  for (std::size_t r = 0; r < report.error_by_rank.size(); ++r) {
    curve.x.push_back(static_cast<double>(r));
    curve.y.push_back(100 * report.error_by_rank[r]);
  }
  const auto kept = static_cast<double>(report.rank);
  Curve used{"", plot::from_oklch(0.6F, 0.17F, 50), {kept, kept}, {0, 100}, true, false};
  plot::PlotSettings settings =
      plot_settings("Error by number of shapes", "shapes", "of the motion, %");
  settings.y_low = 0;
  settings.y_high = 100;
  // Where the first shapes do nearly everything, the rest of the curve is what counts.
  if (report.error_by_rank.size() > 1) {
    settings.y_high = std::max(1.0, 110 * report.error_by_rank[1]);
  }
  used.y[1] = settings.y_high;
  return {inline_svg(plot::draw_plot({curve, used}, settings), "plot"),
          fmt::format("What is left of the motion, relative, in the Frobenius norm; without a "
                      "shape 100 %. The dashed line: {} shapes are used.",
                      report.rank)};
}

/// The largest value of each of at most kMostPoints parts.
Curve largest_of_parts(const std::vector<float>& values, double unit) {
  Curve curve{"", report_blue(), {}, {}, false, false};
  const std::size_t step =
      std::max<std::size_t>(1, (values.size() + kMostPoints - 1) / kMostPoints);
  for (std::size_t first = 0; first < values.size(); first += step) {
    const std::size_t end = std::min(values.size(), first + step);
    float largest = 0;
    for (std::size_t i = first; i < end; ++i) largest = std::max(largest, values[i]);
    curve.x.push_back(static_cast<double>(first));
    curve.y.push_back(unit * static_cast<double>(largest));
  }
  return curve;
}

ReportFigure error_by_frame(const bake::SceneReport& report) {
  constexpr double kMillimetres = 1000;
  const std::vector<float>& errors = report.certificate.error_by_frame;
  plot::PlotSettings settings = plot_settings("Error by frame", "sampled frame", "RMS, mm");
  const Curve curve = largest_of_parts(errors, kMillimetres);
  settings.y_high = 1.05 * *std::max_element(curve.y.begin(), curve.y.end());
  return {inline_svg(plot::draw_plot({curve}, settings), "plot"),
          fmt::format("RMS over the vertices, in all {} sampled frames, chain after chain. Where "
                      "many frames share a place, the largest is drawn.",
                      format_count(errors.size()))};
}

ColouredMesh coloured(const geometry::TriMesh& mesh, const Colour& colour) {
  return {mesh.positions, mesh.triangles, std::vector<Colour>(mesh.positions.size(), colour)};
}

/// Obstacles, as far as they are in the picture.
ColouredMesh obstacles(const bake::SceneCertificate& certificate) {
  ColouredMesh mesh = coloured(certificate.still, Colour::Constant(0.42F));
  mesh.context = true;
  return mesh;
}

Result<ReportFigure> error_by_vertex(const bake::SceneReport& report) {
  const bake::SceneCertificate& certificate = report.certificate;
  const float largest =
      *std::max_element(certificate.error_by_vertex.begin(), certificate.error_by_vertex.end());
  ColouredMesh mesh = coloured(certificate.deforming, Colour::Zero());
  for (std::size_t i = 0; i < mesh.colours.size(); ++i) {
    const float share = largest > 0 ? certificate.error_by_vertex[i] / largest : 0;
    mesh.colours[i] = plot::ramp_colour(share);
  }
  SUPPLE_TRY(const plot::Drawing picture, draw_values({obstacles(certificate), std::move(mesh)}));
  const plot::Drawing bar =
      plot::draw_colour_bar("0", format_si(static_cast<double>(largest), "m"), 480);
  return ReportFigure{inline_svg(picture, "picture") + inline_svg(bar, "bar"),
                      "Where the shapes are off: RMS over all sampled frames, for each vertex, on "
                      "the scene at rest."};
}

ReportFigure coverage_histogram(const bake::SceneReport& report) {
  const bake::Coverage& coverage = report.certificate.coverage;
  constexpr std::size_t kBins = 40;
  const double width = std::max(coverage.largest, 1e-12) / static_cast<double>(kBins);
  std::vector<double> share(kBins, 0.0);
  for (const double off : coverage.off) {
    const auto bin = std::min(kBins - 1, static_cast<std::size_t>(off / width));
    share[bin] += 100 / static_cast<double>(coverage.off.size());
  }
  Curve steps{"", report_blue(), {0}, {0}, false, false};
  for (std::size_t b = 0; b < kBins; ++b) {
    for (const std::size_t edge : {b, b + 1}) {
      steps.x.push_back(100 * width * static_cast<double>(edge));
      steps.y.push_back(share[b]);
    }
  }
  const double top = *std::max_element(share.begin(), share.end());
  Curve most{"",
             plot::from_oklch(0.6F, 0.17F, 50),
             {100 * coverage.most, 100 * coverage.most},
             {0, top},
             true,
             false};
  plot::PlotSettings settings = plot_settings("How far play is from the samples",
                                              "distance, % of the portrait's size", "frames, %");
  settings.y_high = 1.05 * top;
  return {
      inline_svg(plot::draw_plot({steps, most}, settings), "plot"),
      fmt::format("{} frames of random play with {} triggers. The distance counts position and "
                  "velocity; it is 0 on a sample. The dashed line has 95 % of the frames on its "
                  "left.",
                  format_count(coverage.off.size()), report.certificate.play_triggers)};
}

std::vector<Curve> portrait_curves(const bake::SceneCertificate& certificate) {
  const std::size_t states = certificate.first_state.back();
  const std::size_t step = std::max<std::size_t>(1, states / kMostPortraitPoints);
  std::vector<Curve> curves;
  for (std::size_t r = 0; r < certificate.entry_of_response.size(); ++r) {
    Curve curve{"",    entry_colour(certificate.entry_of_response[r], certificate.entries.size()),
                {},    {},
                false, false};
    const std::size_t last = certificate.first_state[r + 1] - 1;
    for (std::size_t s = certificate.first_state[r]; s <= last; s += step) {
      const auto column = static_cast<Eigen::Index>(s);
      curve.x.push_back(static_cast<double>(certificate.portrait(0, column)));
      curve.y.push_back(static_cast<double>(certificate.portrait(1, column)));
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

ReportFigure portrait_figure(const bake::SceneReport& report) {
  const bake::SceneCertificate& certificate = report.certificate;
  const plot::Drawing drawing = plot::draw_plot(
      portrait_curves(certificate),
      plot_settings("Phase portrait", "first coordinate, m", "second coordinate, m"));
  std::vector<plot::Word> words;
  for (std::size_t e = 0; e < certificate.entries.size(); ++e) {
    words.push_back({certificate.entries[e], entry_colour(e, certificate.entries.size())});
  }
  const plot::Drawing both =
      plot::stack({drawing, plot::draw_legend(words)}, plot::Align::Centre, 4);
  return {inline_svg(both, "plot"),
          fmt::format("All {} responses in their first two coordinates, coloured by the entry that "
                      "they answer.",
                      report.responses)};
}

Result<std::optional<ReportFigure>> worst_transition(const bake::SceneReport& report) {
  const bake::SceneCertificate& certificate = report.certificate;
  const bake::TestedTransition& worst = certificate.transitions.worst;
  if (worst.positions.empty()) return std::optional<ReportFigure>();
  geometry::TriMesh moved{worst.positions, certificate.deforming.triangles};
  ColouredMesh crossed;
  for (const auto& corners : worst.triangles) {
    const auto first = static_cast<geometry::Index>(crossed.positions.size());
    crossed.positions.insert(crossed.positions.end(), corners.begin(), corners.end());
    crossed.triangles.push_back({first, first + 1, first + 2});
  }
  crossed.on_top = true;
  crossed.colours.assign(crossed.positions.size(), plot::from_oklch(0.62F, 0.22F, 27));
  SUPPLE_TRY(const plot::Drawing picture,
             draw_values({obstacles(certificate),
                          coloured(moved, plot::from_oklch(0.75F, 0.06F, 240)), crossed}));
  return std::optional(ReportFigure{
      inline_svg(picture, "picture"),
      fmt::format("The worst tested transition: '{}' after '{}', frame {}. {} pairs intersect; "
                  "crossed triangles are red.",
                  worst.to, worst.from, worst.frame, worst.intersections)});
}

}  // namespace

Result<std::vector<ReportFigure>> scene_report_figures(const bake::SceneReport& report) {
  std::vector<ReportFigure> figures;
  const bake::SceneCertificate& certificate = report.certificate;
  if (!report.error_by_rank.empty()) figures.push_back(error_by_rank(report));
  if (!certificate.error_by_frame.empty()) figures.push_back(error_by_frame(report));
  if (!certificate.error_by_vertex.empty()) {
    SUPPLE_TRY(ReportFigure figure, error_by_vertex(report));
    figures.push_back(std::move(figure));
  }
  if (!certificate.coverage.off.empty()) figures.push_back(coverage_histogram(report));
  if (certificate.first_state.size() > 1) figures.push_back(portrait_figure(report));
  SUPPLE_TRY(std::optional<ReportFigure> worst, worst_transition(report));
  if (worst) figures.push_back(*std::move(worst));
  return figures;
}

}  // namespace supple::pictures
