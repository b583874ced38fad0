// SPDX-License-Identifier: Apache-2.0
#include "mode_sheet.hpp"

#include "canvas.hpp"
#include "colour_map.hpp"
#include "rasteriser.hpp"
#include "stroke_font.hpp"
#include "studio.hpp"

#include "supple/core/console.hpp"

#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::app {
namespace {

using Eigen::Vector3f;
using geometry::BoundarySurface;
using geometry::Index;
using geometry::Mat3;
using geometry::TriMesh;
using geometry::Vec3;

/// Displaced positions of the surface's vertices and how far each has moved, 0..1.
struct DisplacedSurface {
  std::vector<Vec3> positions;
  std::vector<float> amount;
};

DisplacedSurface displace(const BoundarySurface& surface, const Eigen::MatrixXd& shapes, int mode,
                          double peak, const Vec3& up) {
  const auto displacement = [&](std::size_t vertex) -> Vec3 {
    return shapes.col(mode).segment<3>(3 * surface.node_of_vertex[vertex]);
  };
  const std::size_t count = surface.mesh.positions.size();
  double largest = 0;
  std::size_t where = 0;
  for (std::size_t v = 0; v < count; ++v) {
    const double length = displacement(v).norm();
    if (length > largest) {
      largest = length;
      where = v;
    }
  }
  DisplacedSurface result{surface.mesh.positions, std::vector<float>(count, 0.0F)};
  if (!(largest > 0)) return result;
  // The sign of a mode is arbitrary: show the half of the swing in which its tip goes up.
  const double sign = displacement(where).dot(up) < 0 ? -1.0 : 1.0;
  for (std::size_t v = 0; v < count; ++v) {
    result.positions[v] += sign * peak / largest * displacement(v);
    result.amount[v] = static_cast<float>(displacement(v).norm() / largest);
  }
  return result;
}

std::vector<std::vector<Index>> triangles_of_vertices(const TriMesh& mesh) {
  std::vector<std::vector<Index>> result(mesh.positions.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const Index vertex : mesh.triangles[t]) {
      result[static_cast<std::size_t>(vertex)].push_back(static_cast<Index>(t));
    }
  }
  return result;
}

/// Corner normals are averaged over neighbours that bend less than this, so that round parts
/// look round and the edges of a box stay edges.
constexpr double kCreaseCosine = 0.57;  // 55 degrees

std::vector<ScreenVertex> screen_corners(const TriMesh& mesh, const DisplacedSurface& displaced,
                                         const std::vector<std::vector<Index>>& neighbours,
                                         const View& view) {
  std::vector<Vec3> face(mesh.triangles.size());  // area-weighted normals
  for (std::size_t t = 0; t < face.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const Vec3& origin = displaced.positions[static_cast<std::size_t>(a)];
    face[t] = (displaced.positions[static_cast<std::size_t>(b)] - origin)
                  .cross(displaced.positions[static_cast<std::size_t>(c)] - origin);
  }
  std::vector<ScreenVertex> corners;
  corners.reserve(3 * face.size());
  for (std::size_t t = 0; t < face.size(); ++t) {
    for (const Index vertex : mesh.triangles[t]) {
      const auto v = static_cast<std::size_t>(vertex);
      Vec3 sum = Vec3::Zero();
      for (const Index other : neighbours[v]) {
        const Vec3& n = face[static_cast<std::size_t>(other)];
        if (n.dot(face[t]) >= kCreaseCosine * n.norm() * face[t].norm()) sum += n;
      }
      ScreenVertex corner;
      corner.position = view.project(displaced.positions[v]);
      corner.normal = (view.axes * sum.normalized()).cast<float>();
      corner.value = displaced.amount[v];
      corners.push_back(corner);
    }
  }
  return corners;
}

struct Layout {
  int columns = 1, rows = 1;
  int cell_width = 0, cell_height = 0;
  int label_height = 36;
  int gap = 3;
};

/// Columns such that the sheet comes near 16:10 with few empty cells.
Layout make_layout(int modes, double aspect, const ModeSheetSettings& settings) {
  Layout layout;
  layout.cell_width = static_cast<int>(std::lround(std::sqrt(settings.cell_pixels * aspect)));
  layout.cell_height =
      static_cast<int>(std::lround(settings.cell_pixels / static_cast<double>(layout.cell_width)));
  double best = std::numeric_limits<double>::infinity();
  for (int columns = 1; columns <= modes; ++columns) {
    const int rows = (modes + columns - 1) / columns;
    const double shape = static_cast<double>(columns * layout.cell_width) /
                         static_cast<double>(rows * (layout.cell_height + layout.label_height));
    const double penalty = std::abs(std::log(shape / 1.6)) + 0.3 * (columns * rows - modes);
    if (penalty < best) {
      best = penalty;
      layout.columns = columns;
      layout.rows = rows;
    }
  }
  return layout;
}

/// One cell without its label.
Canvas draw_cell(const Fragments& mode, const Outline& ghost, int supersampling) {
  Canvas canvas(mode.width, mode.height);
  const auto extent = static_cast<float>(std::min(mode.width, mode.height));
  const std::vector<float> openness = ambient_openness(mode, 0.07F * extent);
  const Colour slate = from_oklch(0.50F, 0.02F, 260);
  for (int y = 0; y < mode.height; ++y) {
    for (int x = 0; x < mode.width; ++x) {
      const std::size_t pixel = mode.index(x, y);
      canvas.at(x, y) = background(static_cast<float>(x) / static_cast<float>(mode.width),
                                   static_cast<float>(y) / static_cast<float>(mode.height));
      const bool body = mode.covered(x, y);
      if (body) {
        canvas.at(x, y) =
            shade(mode.normal[pixel], displacement_colour(mode.value[pixel]), openness[pixel]);
      } else if (ghost.inside[pixel]) {
        canvas.blend(x, y, slate, 0.10F);
      }
      if (ghost.outline[pixel] > 0) {
        canvas.blend(x, y, body ? Colour::Ones() : slate, body ? 0.22F : 0.42F);
      }
    }
  }
  return downsample(canvas, supersampling);
}

void place_cell(Canvas& sheet, const Canvas& cell, const Layout& layout, int number,
                const std::string& label) {
  const int left = layout.gap + (number % layout.columns) * (layout.cell_width + layout.gap);
  const int top = layout.gap + (number / layout.columns) *
                                   (layout.cell_height + layout.label_height + layout.gap);
  const int height = layout.cell_height + layout.label_height;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < layout.cell_width; ++x) sheet.at(left + x, top + y) = cell.at(x, y);
  }
  TextStyle style;
  style.height = 15;
  style.weight = 1.7F;
  style.colour = from_oklch(0.36F, 0.02F, 260);
  draw_text(sheet, static_cast<float>(left) + 18, static_cast<float>(top + height) - 17, label,
            style);
}

struct Extent {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = -low;
  void add(const Mat3& axes, const std::vector<Vec3>& points) {
    for (const Vec3& point : points) {
      low = low.cwiseMin(axes * point);
      high = high.cwiseMax(axes * point);
    }
  }
  [[nodiscard]] Vec3 size() const { return (high - low).cwiseMax(1e-300); }
};

/// The same view for every cell, so that sizes compare; fits the largest swing.
View fit_view(const Mat3& axes, const Extent& extent, const Layout& layout, int supersampling) {
  constexpr double kMargin = 0.07;
  const double width = supersampling * layout.cell_width;
  const double height = supersampling * layout.cell_height;
  View view;
  view.axes = axes;
  view.centre = 0.5 * (extent.low + extent.high);
  view.scale = (1 - 2 * kMargin) * std::min(width / extent.size().x(), height / extent.size().y());
  view.x = 0.5 * width;
  view.y = 0.5 * height + 0.04 * supersampling * layout.label_height;
  return view;
}

}  // namespace

Mat3 three_quarter_view(const TriMesh& mesh) {
  // Second moments of the surface in the horizontal plane (x, z).
  double total = 0;
  Eigen::Vector2d mean = Eigen::Vector2d::Zero();
  Eigen::Matrix2d moment = Eigen::Matrix2d::Zero();
  for (const geometry::Triangle& triangle : mesh.triangles) {
    const Vec3& a = mesh.positions[static_cast<std::size_t>(triangle[0])];
    const Vec3& b = mesh.positions[static_cast<std::size_t>(triangle[1])];
    const Vec3& c = mesh.positions[static_cast<std::size_t>(triangle[2])];
    const double weight = (b - a).cross(c - a).norm();
    const Vec3 centre = (a + b + c) / 3.0;
    const Eigen::Vector2d p(centre.x(), centre.z());
    total += weight;
    mean += weight * p;
    moment += weight * p * p.transpose();
  }
  Vec3 along = Vec3::UnitX();
  if (total > 0) {
    mean /= total;
    moment = moment / total - mean * mean.transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(moment);
    constexpr double kRound = 0.75;  // above: no direction stands out, look from the front
    if (solver.eigenvalues()[0] < kRound * solver.eigenvalues()[1]) {
      const Eigen::Vector2d axis = solver.eigenvectors().col(1);
      along = Vec3(axis.x(), 0, axis.y());
      if (along.x() < 0 || (along.x() == 0 && along.z() < 0)) along = -along;
    }
  }
  constexpr double kTurn = 30 * std::numbers::pi / 180;
  constexpr double kTilt = 20 * std::numbers::pi / 180;
  const Vec3 up = Vec3::UnitY();
  const Vec3 right = std::cos(kTurn) * along - std::sin(kTurn) * along.cross(up);
  const Vec3 back = right.cross(up);
  const Vec3 towards_viewer = std::cos(kTilt) * back + std::sin(kTilt) * up;
  Mat3 axes;
  axes.row(0) = right.transpose();
  axes.row(1) = -towards_viewer.cross(right).transpose();
  axes.row(2) = -towards_viewer.transpose();
  return axes;
}

io::Image draw_mode_sheet(const BoundarySurface& surface, const Eigen::MatrixXd& shapes,
                          const Eigen::VectorXd& frequencies_hz,
                          const ModeSheetSettings& settings) {
  const int modes = std::min(settings.most_modes, static_cast<int>(shapes.cols()));
  SUPPLE_CHECK_OP(modes, >, 0);
  const Mat3 axes = three_quarter_view(surface.mesh);
  const double diagonal = geometry::bounding_box(surface.mesh.positions).diagonal();
  Extent extent;
  extent.add(axes, surface.mesh.positions);
  std::vector<DisplacedSurface> displaced;
  for (int mode = 0; mode < modes; ++mode) {
    displaced.push_back(displace(surface, shapes, mode, settings.exaggeration * diagonal,
                                 -axes.row(1).transpose()));
    extent.add(axes, displaced.back().positions);
  }

  const double aspect = std::clamp(extent.size().x() / extent.size().y(), 0.8, 1.8);
  const Layout layout = make_layout(modes, aspect, settings);
  const int factor = settings.supersampling;
  const View view = fit_view(axes, extent, layout, factor);
  const int width = factor * layout.cell_width;
  const int height = factor * (layout.cell_height + layout.label_height);
  const auto neighbours = triangles_of_vertices(surface.mesh);

  Fragments rest(width, height);
  const DisplacedSurface at_rest{surface.mesh.positions,
                                 std::vector<float>(surface.mesh.positions.size(), 0.0F)};
  rasterise(screen_corners(surface.mesh, at_rest, neighbours, view), rest);
  const Outline ghost = make_outline(rest, factor);

  Canvas sheet(layout.columns * (layout.cell_width + layout.gap) + layout.gap,
               layout.rows * (layout.cell_height + layout.label_height + layout.gap) + layout.gap);
  for (int y = 0; y < sheet.height(); ++y) {
    for (int x = 0; x < sheet.width(); ++x) sheet.at(x, y) = Colour::Constant(0.92F);
  }
  std::vector<Canvas> cells(static_cast<std::size_t>(modes), Canvas(0, 0));
  parallel_for(cells.size(), 1, [&](std::size_t mode) {
    Fragments fragments(width, height);
    rasterise(screen_corners(surface.mesh, displaced[mode], neighbours, view), fragments);
    cells[mode] = draw_cell(fragments, ghost, factor);
  });
  for (int mode = 0; mode < modes; ++mode) {
    place_cell(sheet, cells[static_cast<std::size_t>(mode)], layout, mode,
               fmt::format("mode {} · {}", mode + 1, format_frequency(frequencies_hz[mode])));
  }
  return sheet.to_image();
}

}  // namespace supple::app
