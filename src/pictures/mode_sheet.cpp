// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/mode_sheet.hpp"

#include "pictures/outline.hpp"

#include "supple/core/check.hpp"
#include "supple/core/console.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/units.hpp"
#include "supple/plot/sheet.hpp"
#include "supple/render/drawn_asset.hpp"

#include <fmt/format.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::pictures {
namespace {

using geometry::BoundarySurface;
using geometry::Index;
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

/// The corners of all triangles, each with its own normal and colour.
io::GltfPrimitive corners_of(const TriMesh& mesh, const DisplacedSurface& displaced,
                             const std::vector<std::vector<Index>>& neighbours) {
  std::vector<Vec3> face(mesh.triangles.size());  // area-weighted normals
  for (std::size_t t = 0; t < face.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const Vec3& origin = displaced.positions[static_cast<std::size_t>(a)];
    face[t] = (displaced.positions[static_cast<std::size_t>(b)] - origin)
                  .cross(displaced.positions[static_cast<std::size_t>(c)] - origin);
  }
  io::GltfPrimitive primitive;
  primitive.material = 0;
  for (std::size_t t = 0; t < face.size(); ++t) {
    const auto first = static_cast<Index>(primitive.positions.size());
    primitive.triangles.push_back({first, first + 1, first + 2});
    for (const Index vertex : mesh.triangles[t]) {
      const auto v = static_cast<std::size_t>(vertex);
      Vec3 sum = Vec3::Zero();
      for (const Index other : neighbours[v]) {
        const Vec3& n = face[static_cast<std::size_t>(other)];
        if (n.dot(face[t]) >= kCreaseCosine * n.norm() * face[t].norm()) sum += n;
      }
      const plot::Colour colour = plot::ramp_colour(displaced.amount[v]);
      primitive.positions.push_back(displaced.positions[v]);
      primitive.normals.push_back(sum.normalized());
      primitive.colours.emplace_back(colour.x(), colour.y(), colour.z(), 1);
    }
  }
  return primitive;
}

io::GltfAsset asset_of(io::GltfPrimitive primitive) {
  io::GltfAsset asset;
  asset.name = "mode";
  asset.meshes.emplace_back().primitives.push_back(std::move(primitive));
  asset.nodes.emplace_back().mesh = 0;
  asset.parents_first = {0};
  asset.scene_roots = {0};
  return asset;
}

io::GltfMaterials mode_material() {
  io::GltfMaterials materials;
  io::GltfMaterial& look = materials.materials.emplace_back();
  look.metallic = 0;
  look.roughness = 0.5;
  return materials;
}

struct ModeTiles {
  std::size_t columns = 1;
  int width = 0, height = 0;  ///< of a tile, pixels
};

/// The number of columns that brings the sheet close to 16:10 with few empty places.
ModeTiles arrange(int modes, double aspect, const ModeSheetSettings& settings) {
  ModeTiles tiles;
  tiles.width = static_cast<int>(std::lround(std::sqrt(settings.tile_pixels * aspect)));
  tiles.height =
      static_cast<int>(std::lround(settings.tile_pixels / static_cast<double>(tiles.width)));
  constexpr int kCaption = 36;
  double best = std::numeric_limits<double>::infinity();
  for (int columns = 1; columns <= modes; ++columns) {
    const int rows = (modes + columns - 1) / columns;
    const double shape = static_cast<double>(columns * tiles.width) /
                         static_cast<double>(rows * (tiles.height + kCaption));
    const double penalty = std::abs(std::log(shape / 1.6)) + 0.3 * (columns * rows - modes);
    if (penalty >= best) continue;
    best = penalty;
    tiles.columns = static_cast<std::size_t>(columns);
  }
  return tiles;
}

/// The aspect ratio of the model seen from there.
double aspect_of(const std::vector<Vec3>& points, const render::Direction& direction) {
  const geometry::Mat3 axes = render::view_axes(direction);
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(Vec3(axes * p));
  return std::clamp(box.sizes().x() / std::max(box.sizes().y(), 1e-300), 0.8, 1.8);
}

/// The same view for every tile, so that sizes are comparable; fits the largest displacement.
render::View mode_view(const std::vector<Vec3>& points, const render::Direction& direction,
                       double aspect) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(p);
  render::View view;
  view.camera = render::frame(points, direction, aspect, 0.06);
  view.key_direction = render::key_direction(direction);
  view.centre = box.center();
  view.radius = 0.5 * box.diagonal().norm();
  view.floor = box.min().y();
  view.camera.far_plane =
      std::max(view.camera.far_plane, (view.camera.eye - view.centre).norm() + 8 * view.radius);
  return view;
}

render::RendererSettings mode_look(const ModeTiles& tiles, int samples) {
  render::RendererSettings settings;
  settings.width = tiles.width;
  settings.height = tiles.height;
  settings.samples = samples;
  settings.look.backdrop.kind = render::Backdrop::Kind::Colour;
  settings.look.backdrop.colour = plot::from_oklch(0.95F, 0.004F, 250).cast<double>();
  settings.look.ground = false;
  settings.look = even_light(settings.look);
  return settings;
}

/// Draws one mode after another.
class ModePainter {
 public:
  ModePainter(Studio& studio, render::Renderer& renderer, const BoundarySurface& surface,
              const render::View& view)
      : m_studio(studio),
        m_renderer(renderer),
        m_mesh(surface.mesh),
        m_neighbours(triangles_of_vertices(surface.mesh)),
        m_view(view) {}

  Result<void> remember_rest() {
    const DisplacedSurface at_rest{m_mesh.positions,
                                   std::vector<float>(m_mesh.positions.size(), 0.0F)};
    SUPPLE_TRY(const render::DrawnAsset scene, make_scene(at_rest));
    SUPPLE_TRY(m_rest, m_renderer.coverage(scene, m_view));
    return {};
  }

  [[nodiscard]] Result<plot::Drawing> draw(const DisplacedSurface& displaced) {
    SUPPLE_TRY(const render::DrawnAsset scene, make_scene(displaced));
    SUPPLE_TRY(io::Image image, m_renderer.draw(scene, m_view));
    SUPPLE_TRY(const std::vector<std::uint8_t> body, m_renderer.coverage(scene, m_view));
    draw_outline(image, m_rest, body, {0.12F, 0.45F, 0.3F});
    return tile_of(image);
  }

 private:
  [[nodiscard]] Result<render::DrawnAsset> make_scene(const DisplacedSurface& displaced) const {
    const io::GltfAsset asset = asset_of(corners_of(m_mesh, displaced, m_neighbours));
    SUPPLE_TRY(render::DrawnAsset scene,
               render::DrawnAsset::create(m_studio.context(), asset, mode_material(), nullptr));
    render::Moment moment;
    moment.world = {Eigen::Matrix4d::Identity()};
    moment.weights.resize(1);
    scene.show(moment);
    return scene;
  }

  Studio& m_studio;
  render::Renderer& m_renderer;
  const TriMesh& m_mesh;
  std::vector<std::vector<Index>> m_neighbours;
  const render::View& m_view;
  std::vector<std::uint8_t> m_rest;
};

/// Second moments of the surface in the horizontal plane (x, z) about its centre.
Eigen::Matrix2d horizontal_moments(const TriMesh& mesh) {
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
  if (!(total > 0)) return Eigen::Matrix2d::Identity();
  mean /= total;
  return moment / total - mean * mean.transpose();
}

/// The longest horizontal direction; x where none stands out.
Vec3 long_direction(const TriMesh& mesh) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(horizontal_moments(mesh));
  constexpr double kRound = 0.75;
  if (!(solver.eigenvalues()[0] < kRound * solver.eigenvalues()[1])) return Vec3::UnitX();
  const Eigen::Vector2d axis = solver.eigenvectors().col(1);
  const Vec3 along(axis.x(), 0, axis.y());
  return along.x() < 0 || (along.x() == 0 && along.z() < 0) ? Vec3(-along) : along;
}

}  // namespace

render::Direction three_quarter_view(const TriMesh& mesh) {
  constexpr double kTurn = 30;
  constexpr double kTilt = 20;
  const Vec3 along = long_direction(mesh);
  // If `along` runs across the picture, the viewer stands in the direction of along x up.
  const Vec3 front = along.cross(Vec3::UnitY());
  return {std::atan2(front.x(), front.z()) / kDegree + kTurn, kTilt};
}

Result<plot::Drawing> draw_mode_sheet(Studio& studio, const BoundarySurface& surface,
                                      const Eigen::MatrixXd& shapes,
                                      const Eigen::VectorXd& frequencies_hz,
                                      const ModeSheetSettings& settings) {
  const int modes = std::min(settings.most_modes, static_cast<int>(shapes.cols()));
  SUPPLE_CHECK_OP(modes, >, 0);
  const render::Direction direction = three_quarter_view(surface.mesh);
  const Vec3 up = render::view_axes(direction).row(1).transpose();
  const double peak =
      settings.exaggeration * geometry::bounding_box(surface.mesh.positions).diagonal();
  std::vector<Vec3> points = surface.mesh.positions;
  std::vector<DisplacedSurface> displaced;
  for (int mode = 0; mode < modes; ++mode) {
    displaced.push_back(displace(surface, shapes, mode, peak, up));
    points.insert(points.end(), displaced.back().positions.begin(),
                  displaced.back().positions.end());
  }
  const ModeTiles layout = arrange(modes, aspect_of(points, direction), settings);
  const render::View view =
      mode_view(points, direction, static_cast<double>(layout.width) / layout.height);
  SUPPLE_TRY(render::Renderer * renderer, studio.renderer(mode_look(layout, settings.samples)));
  ModePainter painter(studio, *renderer, surface, view);
  SUPPLE_TRY_VOID(painter.remember_rest());
  std::vector<plot::Tile> tiles;
  for (int mode = 0; mode < modes; ++mode) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(plot::Drawing tile, painter.draw(displaced[static_cast<std::size_t>(mode)]));
    tiles.push_back({std::move(tile), fmt::format("mode {} · {}", mode + 1,
                                                  format_frequency(frequencies_hz[mode]))});
  }
  plot::SheetSettings sheet;
  sheet.columns = layout.columns;
  sheet.border = sheet.gap;
  const plot::Drawing rows = plot::draw_sheet(tiles, sheet);
  return plot::stack({rows, plot::draw_colour_bar("0", "largest displacement", rows.width())},
                     plot::Align::Right);
}

}  // namespace supple::pictures
