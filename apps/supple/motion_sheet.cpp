// SPDX-License-Identifier: Apache-2.0
#include "motion_sheet.hpp"

#include "canvas.hpp"
#include "rasteriser.hpp"
#include "stroke_font.hpp"
#include "studio.hpp"

#include "supple/core/parallel.hpp"
#include "supple/core/suggest.hpp"
#include "supple/core/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <supple.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::app {
namespace {

using Eigen::Vector3f;
using geometry::Mat3;
using geometry::Vec3;

constexpr std::size_t kMostMoments = 12;  ///< more would be too small to look at

/// What one column shows.
struct Panel {
  Moment moment;
  PosedSkin soft;
  PosedSkin rigid;
  std::vector<float> metres;  ///< from rigid to soft
  Vec3 anchor;                ///< the picture is centred on it; world units
};

Result<std::vector<std::size_t>> frames_of(const std::vector<double>& times,
                                           const bake::Motion& motion,
                                           const PosedCharacter& character) {
  const auto frame_at = [&](double time) {
    const double step = motion.step();
    return step > 0 ? static_cast<std::size_t>(std::lround(time / step)) : std::size_t{0};
  };
  std::vector<std::size_t> frames;
  if (times.empty()) {
    const double liveliest = motion.time(character.liveliest_frame());
    for (const double offset : {-0.12, -0.06, 0.0, 0.06, 0.12, 0.24}) {
      const std::size_t frame = frame_at(std::clamp(liveliest + offset, 0.0, motion.duration));
      if (frames.empty() || frames.back() != frame) frames.push_back(frame);
    }
    return frames;
  }
  if (times.size() > kMostMoments) {
    return Error(ErrorCode::Usage,
                 fmt::format("--at takes up to {} moments, not {}", kMostMoments, times.size()));
  }
  for (const double time : times) {
    constexpr double kRounding = 1e-6;  // a duration copied from a printed line
    if (!(time >= 0 && time <= motion.duration + kRounding)) {
      return Error(ErrorCode::Usage, fmt::format("--at {:g}: '{}' lasts from 0 to {:.6g} s", time,
                                                 motion.name, motion.duration));
    }
    frames.push_back(std::min(frame_at(time), motion.frames.size() - 1));
  }
  return frames;
}

Result<std::vector<std::size_t>> focus_vertices(const std::string& name,
                                                const bake::BakedFile& file,
                                                const PosedCharacter& character) {
  if (name.empty()) return std::vector<std::size_t>();
  std::uint32_t object = 0;
  if (supple_asset_find_object(file.asset(), name.c_str(), &object) == SUPPLE_OK) {
    return character.vertices_of(object);
  }
  std::vector<std::string> names;
  for (const soft::Object& known : file.objects()) names.push_back(known.name);
  return Error(ErrorCode::Usage,
               fmt::format("--focus: '{}' has no object '{}'{}; there are {}", file.name(), name,
                           did_you_mean(name, names), fmt::join(names, ", ")));
}

Panel make_panel(const PosedCharacter& character, std::size_t frame, double time,
                 double metres_per_unit) {
  Panel panel{{frame, time, 0}, character.with_flesh(frame), character.rigid(frame), {}, {}};
  panel.anchor = Vec3::Zero();
  for (std::size_t v = 0; v < panel.soft.positions.size(); ++v) {
    const double moved = (panel.soft.positions[v] - panel.rigid.positions[v]).norm();
    panel.metres.push_back(static_cast<float>(moved * metres_per_unit));
    panel.moment.largest = std::max(panel.moment.largest, moved * metres_per_unit);
    panel.anchor += panel.rigid.positions[v];
  }
  panel.anchor /= static_cast<double>(std::max<std::size_t>(1, panel.soft.positions.size()));
  return panel;
}

/// Rows: right, down, away, seen from `turn` degrees around and `tilt` degrees above.
Mat3 camera(double turn, double tilt) {
  const double angle = turn * kDegree;
  const double above = tilt * kDegree;
  const Vec3 back(std::sin(angle), 0, std::cos(angle));
  const Vec3 right = Vec3::UnitY().cross(back);
  const Vec3 towards_viewer = std::cos(above) * back + std::sin(above) * Vec3::UnitY();
  Mat3 axes;
  axes.row(0) = right.transpose();
  axes.row(1) = -towards_viewer.cross(right).transpose();
  axes.row(2) = -towards_viewer.transpose();
  return axes;
}

/// What all panels must hold, in view axes around their anchors.
struct Frame {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;

  void add(const Vec3& point) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  [[nodiscard]] Vec3 size() const { return (high - low).cwiseMax(1e-300); }
};

Frame frame_around(const std::vector<Panel>& panels, const std::vector<std::size_t>& focus,
                   const Mat3& axes) {
  Frame frame;
  for (const Panel& panel : panels) {
    for (const PosedSkin* skin : {&panel.soft, &panel.rigid}) {
      if (focus.empty()) {
        for (const Vec3& p : skin->positions) frame.add(axes * (p - panel.anchor));
      } else {
        for (const std::size_t v : focus) frame.add(axes * (skin->positions[v] - panel.anchor));
      }
    }
  }
  return frame;
}

/// A close-up follows its object. The whole character is followed sideways; up and down as well
/// only where it goes far, because leaving the floor is part of the picture.
Frame place_anchors(std::vector<Panel>& panels, const std::vector<std::size_t>& focus,
                    const Mat3& axes, double floor) {
  constexpr double kFar = 1.7;
  if (!focus.empty()) {
    for (Panel& panel : panels) {
      panel.anchor = Vec3::Zero();
      for (const std::size_t v : focus) panel.anchor += panel.rigid.positions[v];
      panel.anchor /= static_cast<double>(focus.size());
    }
    return frame_around(panels, focus, axes);
  }
  Frame followed = frame_around(panels, focus, axes);
  std::vector<Vec3> centres;
  for (Panel& panel : panels) {
    centres.push_back(panel.anchor);
    panel.anchor.y() = floor;
  }
  Frame still = frame_around(panels, focus, axes);
  still.add(Vec3::Zero());
  if (still.size().y() <= kFar * followed.size().y()) return still;
  for (std::size_t p = 0; p < panels.size(); ++p) panels[p].anchor = centres[p];
  return followed;
}

struct MotionLayout {
  int gap = 3;
  int panel_width = 0, panel_height = 0;
  int caption_height = 34, legend_height = 46;
  double scale = 1;  ///< pixels per world unit
};

MotionLayout make_motion_layout(const Frame& frame, std::size_t columns, int width) {
  constexpr double kMargin = 0.06;
  constexpr double kWidest = 520;   // pixels; one moment alone need not fill the sheet
  constexpr double kTallest = 560;  // and two rows fit on a screen
  MotionLayout layout;
  const int count = static_cast<int>(columns);
  layout.panel_width = static_cast<int>(
      std::min<double>(kWidest, (width - layout.gap) / static_cast<double>(count) - layout.gap));
  const double inner = (1 - 2 * kMargin) * layout.panel_width;
  const double aspect = std::clamp(frame.size().y() / frame.size().x(), 0.6, 1.9);
  layout.panel_height =
      static_cast<int>(std::lround(std::min(kTallest, layout.panel_width * aspect)));
  layout.scale = std::min(inner / frame.size().x(),
                          (1 - 2 * kMargin) * layout.panel_height / frame.size().y());
  return layout;
}

View motion_view(const Panel& panel, const Frame& frame, const Mat3& axes,
                 const MotionLayout& layout, int supersampling) {
  View view;
  view.axes = axes;
  view.centre = axes * panel.anchor + 0.5 * (frame.low + frame.high);
  view.scale = supersampling * layout.scale;
  view.x = 0.5 * supersampling * layout.panel_width;
  view.y = 0.5 * supersampling * layout.panel_height;
  return view;
}

struct MotionStage {
  const character::Character* character;
  std::vector<Colour> colours;
  double floor = 0;       ///< world height
  double full_scale = 1;  ///< metres at the end of the colour scale
};

std::vector<ScreenVertex> corners(const MotionStage& stage, const PosedSkin& skin,
                                  const std::vector<float>& metres, const View& view) {
  std::vector<ScreenVertex> result;
  result.reserve(3 * stage.character->triangles.size());
  for (const geometry::Triangle& triangle : stage.character->triangles) {
    for (const geometry::Index index : triangle) {
      const auto v = static_cast<std::size_t>(index);
      result.push_back({view.project(skin.positions[v]),
                        (view.axes * skin.normals[v]).cast<float>(),
                        static_cast<float>(metres[v] / stage.full_scale), stage.colours[v]});
    }
  }
  return result;
}

/// Means over 2 * reach + 1 numbers in a row, `count` of them `stride` apart.
void box_blur(float* numbers, int count, int stride, int reach) {
  std::vector<float> source(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) source[static_cast<std::size_t>(i)] = numbers[i * stride];
  double sum = 0;
  const auto at = [&](int i) {
    return i < 0 || i >= count ? 0.0F : source[static_cast<std::size_t>(i)];
  };
  for (int i = -reach; i < reach; ++i) sum += at(i);
  for (int i = 0; i < count; ++i) {
    sum += at(i + reach);
    numbers[i * stride] = static_cast<float>(sum / (2 * reach + 1));
    sum -= at(i - reach);
  }
}

/// The soft shadow under the character of a light straight above, 0..1 per pixel.
std::vector<float> floor_shadow(const MotionStage& stage, const PosedSkin& skin, const View& view,
                                int width, int height) {
  PosedSkin flat = skin;
  for (Vec3& p : flat.positions) p.y() = stage.floor;
  Fragments fragments(width, height);
  rasterise(corners(stage, flat, std::vector<float>(flat.positions.size(), 0.0F), view), fragments);
  std::vector<float> shadow(fragments.depth.size());
  for (std::size_t i = 0; i < shadow.size(); ++i) shadow[i] = fragments.depth[i] < 1e30F ? 1 : 0;
  const int reach = std::max(1, width / 40);
  for (int pass = 0; pass < 2; ++pass) {
    for (int y = 0; y < height; ++y) box_blur(&shadow[fragments.index(0, y)], width, 1, reach);
    for (int x = 0; x < width; ++x) {
      box_blur(&shadow[fragments.index(x, 0)], height, width, std::max(1, reach / 3));
    }
  }
  return shadow;
}

enum class Row { Colours, Displacement };

/// Rows of one colour each: nothing to look at, and nothing to store.
Colour wall(float y) {
  static const Colour top = from_oklch(0.91F, 0.008F, 255);
  static const Colour bottom = from_oklch(0.97F, 0.003F, 250);
  return top + y * (bottom - top);
}

void draw_backdrop(Canvas& canvas, const MotionStage& stage, const Panel& panel, const View& view) {
  const std::vector<float> shadow =
      floor_shadow(stage, panel.soft, view, canvas.width(), canvas.height());
  // The floor ends behind the character; its edge is the line that shows where it lands.
  Vec3 on_floor = panel.anchor;
  on_floor.y() = stage.floor;
  const double edge = view.project(on_floor).y() - 0.055 * canvas.height();
  const Colour floor = from_oklch(0.80F, 0.008F, 70);
  double height = std::numeric_limits<double>::infinity();
  for (const Vec3& p : panel.soft.positions) height = std::min(height, p.y() - stage.floor);
  const double reach = 0.25 * canvas.height() / view.scale;  // world units until it has faded
  const auto strength =
      static_cast<float>(0.55 * std::clamp(1 - std::max(0.0, height) / reach, 0.25, 1.0));
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) {
      canvas.at(x, y) = wall(static_cast<float>(y) / static_cast<float>(canvas.height()));
      const auto below = static_cast<float>(y + 0.5 - edge);
      if (below > 0) canvas.blend(x, y, floor, 0.75F);
      const std::size_t pixel =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(canvas.width()) +
          static_cast<std::size_t>(x);
      if (shadow[pixel] > 0 && below > 0) canvas.at(x, y) *= 1 - strength * shadow[pixel];
    }
  }
}

Canvas draw_panel(const MotionStage& stage, const Panel& panel, const View& view, Row row,
                  const MotionLayout& layout, int supersampling) {
  Canvas canvas(supersampling * layout.panel_width, supersampling * layout.panel_height);
  draw_backdrop(canvas, stage, panel, view);
  Fragments soft(canvas.width(), canvas.height());
  rasterise(corners(stage, panel.soft, panel.metres, view), soft);
  Fragments bare(canvas.width(), canvas.height());
  if (row == Row::Displacement) rasterise(corners(stage, panel.rigid, panel.metres, view), bare);
  const Outline outline = make_outline(bare, supersampling);
  const auto extent = static_cast<float>(std::min(canvas.width(), canvas.height()));
  const float reach = 0.05F * extent;
  const std::vector<float> openness =
      smoothed(soft, ambient_openness(soft, reach), static_cast<int>(0.2F * reach) + 1, reach);
  const Colour slate = from_oklch(0.40F, 0.02F, 260);
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) {
      const std::size_t pixel = soft.index(x, y);
      const bool body = soft.covered(x, y);
      if (body) {
        const Colour albedo =
            row == Row::Colours ? soft.colour[pixel] : displacement_colour(soft.value[pixel]);
        canvas.at(x, y) = shade(soft.normal[pixel], albedo, openness[pixel]);
      }
      if (outline.outline[pixel] > 0) {
        canvas.blend(x, y, body ? Colour::Ones() : slate, body ? 0.75F : 0.8F);
      }
    }
  }
  return downsample(canvas, supersampling);
}

/// The next rounder number above, in millimetres.
double round_up(double millimetres) {
  if (!(millimetres > 0)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(millimetres)));
  for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0}) {
    if (millimetres <= step * power * (1 + 1e-9)) return step * power;
  }
  return 10 * power;
}

TextStyle label_style() {
  TextStyle style;
  style.height = 13;
  style.weight = 1.5F;
  style.colour = from_oklch(0.36F, 0.02F, 260);
  return style;
}

std::string motion_caption(const Moment& moment) {
  const double millimetres = 1000 * moment.largest;
  return fmt::format("{:.2f} s · {:.{}f} mm", moment.time, millimetres, millimetres < 9.95 ? 1 : 0);
}

void draw_legend(Canvas& sheet, const MotionLayout& layout, double full_scale) {
  constexpr int kLength = 260;
  constexpr int kThickness = 12;
  const TextStyle style = label_style();
  const std::string most = fmt::format("{:g} mm", 1000 * full_scale);
  const int middle = sheet.height() - layout.legend_height / 2;
  const int right = sheet.width() - layout.gap - 18 - static_cast<int>(text_width(most, style));
  const int left = std::max(layout.gap, right - 10 - kLength);
  for (int x = left; x < right - 10; ++x) {
    const float t = (static_cast<float>(x - left) + 0.5F) / static_cast<float>(right - 10 - left);
    for (int y = 0; y < kThickness; ++y) {
      sheet.blend(x, middle - kThickness / 2 + y, displacement_colour(t), 1);
    }
  }
  const float base = static_cast<float>(middle) + 0.5F * style.height;
  draw_text(sheet, static_cast<float>(left) - 10 - text_width("0", style), base, "0", style);
  draw_text(sheet, static_cast<float>(right), base, most, style);
}

Canvas draw_sheet(const MotionStage& stage, const std::vector<Panel>& panels, const Frame& frame,
                  const Mat3& axes, const MotionSheetSettings& settings) {
  const MotionLayout layout = make_motion_layout(frame, panels.size(), settings.width);
  const int columns = static_cast<int>(panels.size());
  Canvas sheet(
      columns * (layout.panel_width + layout.gap) + layout.gap,
      2 * (layout.panel_height + layout.gap) + layout.caption_height + layout.legend_height);
  for (int y = 0; y < sheet.height(); ++y) {
    for (int x = 0; x < sheet.width(); ++x) sheet.at(x, y) = Colour::Constant(0.92F);
  }
  std::vector<Canvas> cells(2 * panels.size(), Canvas(0, 0));
  parallel_for(cells.size(), 1, [&](std::size_t cell) {
    const Panel& panel = panels[cell / 2];
    cells[cell] = draw_panel(
        stage, panel, motion_view(panel, frame, axes, layout, settings.supersampling),
        cell % 2 == 0 ? Row::Colours : Row::Displacement, layout, settings.supersampling);
  });
  const TextStyle style = label_style();
  for (int column = 0; column < columns; ++column) {
    const int left = layout.gap + column * (layout.panel_width + layout.gap);
    for (int row = 0; row < 2; ++row) {
      const Canvas& cell =
          cells[2 * static_cast<std::size_t>(column) + static_cast<std::size_t>(row)];
      const int top = layout.gap + row * (layout.panel_height + layout.gap);
      for (int y = 0; y < cell.height(); ++y) {
        for (int x = 0; x < cell.width(); ++x) sheet.at(left + x, top + y) = cell.at(x, y);
      }
    }
    const std::string text = motion_caption(panels[static_cast<std::size_t>(column)].moment);
    const float indent = 0.5F * (static_cast<float>(layout.panel_width) - text_width(text, style));
    draw_text(sheet, static_cast<float>(left) + indent,
              static_cast<float>(2 * (layout.panel_height + layout.gap) + 26), text, style);
  }
  draw_legend(sheet, layout, stage.full_scale);
  return sheet;
}

}  // namespace

Result<MotionSheet> draw_motion_sheet(const bake::BakedFile& file, const io::GltfAsset& asset,
                                      const bake::GltfCharacter& source, const bake::Motion& motion,
                                      const bake::Tracks& tracks,
                                      const MotionSheetSettings& settings) {
  const PosedCharacter character(file, source, motion, tracks);
  SUPPLE_TRY(const std::vector<std::size_t> frames, frames_of(settings.times, motion, character));
  SUPPLE_TRY(const std::vector<std::size_t> focus, focus_vertices(settings.focus, file, character));
  std::vector<Panel> panels(frames.size());
  parallel_for(panels.size(), 1, [&](std::size_t p) {
    panels[p] =
        make_panel(character, frames[p], motion.time(frames[p]), source.character.metres_per_unit);
  });

  MotionStage stage{&source.character, surface_colours(asset, source), 0, 1};
  stage.floor = std::numeric_limits<double>::infinity();
  for (const Vec3& p : character.at_rest().positions) stage.floor = std::min(stage.floor, p.y());
  MotionSheet sheet;
  double largest = 0;
  for (const Panel& panel : panels) {
    sheet.moments.push_back(panel.moment);
    largest = std::max(largest, panel.moment.largest);
  }
  stage.full_scale = 1e-3 * round_up(1e3 * largest);
  const Mat3 axes = camera(settings.turn, settings.tilt);
  const Frame frame = place_anchors(panels, focus, axes, stage.floor);
  sheet.image = draw_sheet(stage, panels, frame, axes, settings).to_image(Canvas::Dither::None);
  return sheet;
}

}  // namespace supple::app
