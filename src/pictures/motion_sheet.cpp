// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/motion_sheet.hpp"

#include "pictures/outline.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/pictures/framing.hpp"
#include "supple/plot/sheet.hpp"
#include "supple/render/drawn_asset.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::pictures {
namespace {

using geometry::Vec3;

constexpr std::size_t kMostMoments = 12;  ///< more would be too small

Result<std::vector<double>> moments_of(const std::vector<double>& asked, const Subject& subject) {
  const double duration = subject.duration();
  std::vector<double> times;
  if (asked.empty()) {
    for (const double offset : {-0.12, -0.06, 0.0, 0.06, 0.12, 0.24}) {
      const double time = std::clamp(subject.liveliest_time() + offset, 0.0, duration);
      if (times.empty() || times.back() != time) times.push_back(time);
    }
    return times;
  }
  if (asked.size() > kMostMoments) {
    return Error(ErrorCode::Usage, fmt::format("a picture shows up to {} moments, not {}",
                                               kMostMoments, asked.size()));
  }
  for (const double time : asked) {
    constexpr double kRounding = 1e-6;  // a duration copied from a printed line
    if (!(time >= 0 && time <= duration + kRounding)) {
      return Error(ErrorCode::Usage,
                   fmt::format("the time {:g} s is out of range: '{}' lasts from 0 to {:.6g} s",
                               time, subject.motion_name(), duration));
    }
    times.push_back(std::min(time, duration));
  }
  return times;
}

/// What one column shows.
struct MotionPanel {
  double time = 0;
  std::vector<double> metres;  ///< per vertex, from its position under the bones alone
  double largest = 0;
};

MotionPanel make_panel(const Subject& subject, double time) {
  const std::vector<Vec3> soft = subject.points(time, Deformation::Full);
  const std::vector<Vec3> rigid = subject.points(time, Deformation::None);
  MotionPanel panel;
  panel.time = time;
  panel.metres.reserve(soft.size());
  for (std::size_t v = 0; v < soft.size(); ++v) {
    panel.metres.push_back(subject.metres_per_unit() * (soft[v] - rigid[v]).norm());
    panel.largest = std::max(panel.largest, panel.metres.back());
  }
  return panel;
}

std::vector<Eigen::Vector3f> colours_of(const MotionPanel& panel, double full_scale) {
  std::vector<Eigen::Vector3f> colours;
  colours.reserve(panel.metres.size());
  for (const double metres : panel.metres) {
    colours.push_back(plot::ramp_colour(static_cast<float>(metres / full_scale)));
  }
  return colours;
}

/// Height over width of the area that must fit every panel, each around its own centre.
double shape_of(const Subject& subject, const std::vector<double>& times,
                const render::Direction& direction, std::optional<std::size_t> focus) {
  const geometry::Mat3 axes = render::view_axes(direction);
  Vec3 size = Vec3::Constant(1e-300);
  for (const double time : times) {
    Eigen::AlignedBox3d box;
    for (const Vec3& p : subject.points(time, Deformation::Full, focus)) box.extend(Vec3(axes * p));
    size = size.cwiseMax(box.sizes());
  }
  return size.y() / size.x();
}

render::RendererSettings panel_size(double shape, std::size_t columns,
                                    const MotionSheetSettings& settings, int gap) {
  constexpr double kWidest = 520;   // pixels; a single moment need not fill the sheet
  constexpr double kTallest = 560;  // and two rows fit on a screen
  const double width =
      std::min(kWidest, (settings.width - gap) / static_cast<double>(columns) - gap);
  render::RendererSettings size;
  size.width = std::max(16, static_cast<int>(width));
  size.height = std::max(16, static_cast<int>(std::lround(std::min(
                                 kTallest, size.width * std::clamp(shape + 0.05, 0.6, 1.9)))));
  size.samples = settings.samples;
  return size;
}

/// The next larger round number, in millimetres.
double round_up(double millimetres) {
  if (!(millimetres > 0)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(millimetres)));
  for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (millimetres <= step * power * (1 + 1e-9)) return step * power;
  }
  return 10 * power;
}

std::string motion_caption(const MotionPanel& panel) {
  const double millimetres = 1000 * panel.largest;
  return fmt::format("{:.2f} s · {:.{}f} mm", panel.time, millimetres, millimetres < 9.95 ? 1 : 0);
}

/// Draws both pictures of each panel in turn.
class PanelPainter {
 public:
  PanelPainter(const Subject& subject, render::DrawnAsset& scene, render::Renderer& renderer,
               const Framing& framing, double full_scale)
      : m_subject(subject),
        m_scene(scene),
        m_renderer(renderer),
        m_framing(framing),
        m_full_scale(full_scale) {}

  [[nodiscard]] Result<plot::Drawing> as_it_is(const MotionPanel& panel) {
    m_scene.paint({});
    m_renderer.set_look({});
    m_scene.show(m_subject.moment(panel.time, Deformation::Full));
    SUPPLE_TRY(const io::Image image, m_renderer.draw(m_scene, m_framing.view(panel.time)));
    return tile_of(image);
  }

  [[nodiscard]] Result<plot::Drawing> displacement(const MotionPanel& panel) {
    const render::View view = m_framing.view(panel.time);
    m_scene.paint(colours_of(panel, m_full_scale));
    m_renderer.set_look(even_light({}));
    m_scene.show(m_subject.moment(panel.time, Deformation::Full));
    SUPPLE_TRY(io::Image image, m_renderer.draw(m_scene, view));
    SUPPLE_TRY(const std::vector<std::uint8_t> soft, m_renderer.coverage(m_scene, view));
    m_scene.show(m_subject.moment(panel.time, Deformation::None));
    SUPPLE_TRY(const std::vector<std::uint8_t> rigid, m_renderer.coverage(m_scene, view));
    draw_outline(image, rigid, soft, {0.06F, 0.6F, 0.6F});
    return tile_of(image);
  }

 private:
  const Subject& m_subject;
  render::DrawnAsset& m_scene;
  render::Renderer& m_renderer;
  const Framing& m_framing;
  double m_full_scale;
};

FramingSettings sheet_framing(const render::RendererSettings& size,
                              const render::Direction& direction,
                              std::optional<std::size_t> focus) {
  FramingSettings framing;
  framing.direction = direction;
  framing.aspect = static_cast<double>(size.width) / size.height;
  framing.focus = focus;
  framing.shown = {Deformation::None, Deformation::Full};
  framing.each_moment = true;
  return framing;
}

}  // namespace

Result<plot::Drawing> draw_motion_sheet(Studio& studio, const Subject& subject,
                                        const MotionSheetSettings& settings) {
  SUPPLE_TRY(const std::vector<double> times, moments_of(settings.times, subject));
  std::optional<std::size_t> focus;
  if (!settings.focus.empty()) {
    SUPPLE_TRY(focus, subject.find_object(settings.focus));
  }
  std::vector<MotionPanel> panels;
  double largest = 0;
  for (const double time : times) {
    panels.push_back(make_panel(subject, time));
    largest = std::max(largest, panels.back().largest);
  }
  const double full_scale = 1e-3 * round_up(1e3 * largest);

  plot::SheetSettings sheet;
  sheet.columns = panels.size();
  sheet.border = sheet.gap;
  const render::Direction direction = subject.from_front(settings.direction);
  const render::RendererSettings size =
      panel_size(shape_of(subject, times, direction, focus), panels.size(), settings, sheet.gap);
  const Framing framing(subject, times, sheet_framing(size, direction, focus));
  SUPPLE_TRY(render::DrawnAsset scene, studio.make_scene(subject));
  SUPPLE_TRY(render::Renderer * renderer, studio.renderer(size));
  PanelPainter painter(subject, scene, *renderer, framing, full_scale);
  std::vector<plot::Tile> tiles;
  for (const MotionPanel& panel : panels) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(plot::Drawing tile, painter.as_it_is(panel));
    tiles.push_back({std::move(tile), ""});
  }
  for (const MotionPanel& panel : panels) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(plot::Drawing tile, painter.displacement(panel));
    tiles.push_back({std::move(tile), motion_caption(panel)});
  }
  const plot::Drawing rows = plot::draw_sheet(tiles, sheet);
  const std::string most = fmt::format("{:g} mm", 1000 * full_scale);
  return plot::stack({rows, plot::draw_colour_bar("0", most, rows.width())}, plot::Align::Right);
}

}  // namespace supple::pictures
