// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/tissue.hpp"

#include "flesh/bone_axes.hpp"
#include "flesh/region.hpp"
#include "flesh/weight_field.hpp"
#include "supple/core/console.hpp"
#include "supple/core/log.hpp"
#include "supple/core/parallel.hpp"
#include "supple/geometry/surface_query.hpp"
#include "supple/geometry/volume_meshing.hpp"

#include <fmt/format.h>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace supple::flesh {
namespace {

using geometry::Index;
using geometry::TetMesh;
using geometry::Vec3;

/// Elements stiffen towards a seam in this many steps, by up to this factor at the seam itself.
constexpr int kRampSteps = 8;
constexpr double kSeamStiffening = 30;

/// Nodes whose weight is this close to the border's belong to the seam.
constexpr double kSeamWidth = 0.02;

/// The thickest core, as a part of the way from bone to skin.
constexpr double kMostCore = 0.8;

constexpr std::size_t kGrain = 256;

/// The mean distance of the middle half of the area, neither the nearest nor the farthest quarter:
/// robust like a median, but without its jumps from one vertex to the next. 0 without area.
double middle_by_area(std::vector<std::pair<double, double>> distances) {
  std::sort(distances.begin(), distances.end());
  double total = 0;
  for (const auto& [distance, area] : distances) total += area;
  double below = 0;
  double sum = 0;
  for (const auto& [distance, area] : distances) {
    const double begin = std::max(below, 0.25 * total);
    below += area;
    sum += distance * std::max(0.0, std::min(below, 0.75 * total) - begin);
  }
  return total > 0 ? sum / (0.5 * total) : 0;
}

class TissueBuilder {
 public:
  TissueBuilder(const character::Character& character, const ObjectSettings& settings)
      : m_character(character), m_settings(settings) {}

  Result<Tissue> run() {
    SUPPLE_TRY(m_tissue.region, select_region(m_character, m_settings));
    m_tissue.frame = character::object_frame(m_character, m_tissue.region.driver);
    map_to_frame();
    const geometry::SurfaceQuery skin_query(m_skin);
    const WeightField weight_field(m_skin.positions, m_areas, m_tissue.region.weights);
    m_skin_query = &skin_query;
    m_weight_field = &weight_field;
    find_core();
    SUPPLE_TRY(TetMesh mesh, fill());
    measure(mesh);
    SUPPLE_TRY_VOID(drop_loose_parts(mesh));
    choose_materials(mesh);
    measure_thickness(mesh);
    hold(mesh);
    return std::move(m_tissue);
  }

 private:
  void map_to_frame() {
    m_skin.triangles = m_character.triangles;
    for (const Vec3& position : m_character.positions) {
      m_skin.positions.push_back(m_tissue.frame(position));
    }
    m_areas = vertex_areas(m_skin);
    for (BoneAxis axis : bone_axes(m_character, m_areas, m_tissue.region.bones)) {
      axis.from = m_tissue.frame(axis.from);
      axis.to = m_tissue.frame(axis.to);
      m_axes.push_back(axis);
    }
  }

  /// From 0 at the border to 1 where the flesh is as soft as its material. Without a step, so that
  /// weights that a file has rounded to 8 bits change little.
  [[nodiscard]] double softness(double weight) const {
    return smooth_step((weight - m_settings.border) /
                       std::max(m_settings.ramp - m_settings.border, 1e-9));
  }

  /// Balls along the bones. Outside the skin a bone holds nothing.
  void find_core() {
    constexpr int kBallsPerBone = 24;
    std::vector<std::pair<double, double>> distances;  // and areas
    for (std::size_t v = 0; v < m_skin.positions.size(); ++v) {
      const double share = m_areas[v] * softness(m_tissue.region.weights[v]);
      if (!(share > 0)) continue;
      double nearest = std::numeric_limits<double>::infinity();
      for (const BoneAxis& axis : m_axes) {
        nearest =
            std::min(nearest, (m_skin.positions[v] - closest_on(axis, m_skin.positions[v])).norm());
      }
      if (std::isfinite(nearest)) distances.emplace_back(nearest, share);
    }
    m_to_bone = middle_by_area(std::move(distances));
    if (!m_settings.core.enabled) return;
    std::vector<double> room;  // for the core
    for (const BoneAxis& axis : m_axes) {
      for (int i = 0; i <= kBallsPerBone; ++i) {
        const Vec3 centre = axis.from + i * (axis.to - axis.from) / kBallsPerBone;
        if (!m_skin_query->inside(centre)) continue;
        const double to_skin = m_skin_query->closest_point(centre).distance;
        room.push_back(kMostCore * to_skin);
        const double radius = m_settings.core.radius > 0
                                  ? std::min(m_settings.core.radius, room.back())
                                  : m_settings.core.fraction * to_skin;
        m_core.push_back({centre, radius});
      }
    }
    report_large_core(std::move(room));
  }

  void report_large_core(std::vector<double> room) const {
    if (room.empty()) return;
    const auto middle = room.begin() + static_cast<std::ptrdiff_t>(room.size() / 2);
    std::nth_element(room.begin(), middle, room.end());
    if (m_settings.core.radius <= *middle) return;
    log::warn(
        "{}: a core of {} does not fit into the limb, whose skin is {} from the bone; it is cut to "
        "{:.0f} % of the way to the skin. Use a smaller radius, or core = {{fraction = 0.4}}",
        m_settings.name, format_si(m_settings.core.radius, "m"),
        format_si(*middle / kMostCore, "m"), 100 * kMostCore);
  }

  /// Negative in the flesh: inside the skin, and where the skin's weight is above the border.
  [[nodiscard]] double outside(const Vec3& point) const {
    const double clip = (m_settings.border - (*m_weight_field)(point)) * m_length;
    if (clip > m_length * 0.05) return clip;  // far from the region: skip the expensive query
    // Flesh that reaches a side of the box is cut there, and held like any other cut.
    const double wall =
        std::max((m_bounds.low - point).maxCoeff(), (point - m_bounds.high).maxCoeff());
    return std::max({clip, wall, m_skin_query->signed_distance(point)});
  }

  Result<TetMesh> fill() {
    const std::vector<double>& weights = m_tissue.region.weights;
    for (const geometry::Triangle& t : m_skin.triangles) {
      const bool moves =
          std::any_of(t.begin(), t.end(), [&](Index v) { return weights[v] > m_settings.border; });
      if (!moves) continue;
      for (const Index v : t) m_bounds.add(m_skin.positions[v]);
    }
    geometry::Box room = m_bounds;
    const double margin = 0.02 * m_bounds.diagonal();
    room.low.array() -= margin;
    room.high.array() += margin;
    m_length = 0.5 * m_bounds.diagonal();
    return stuff(room);
  }

  /// Roughly the requested number of elements: a lattice cell contains twelve, and cuts at the skin
  /// roughly cancel out. One correction is worth a second try, a closer match is not.
  Result<TetMesh> stuff(const geometry::Box& room) const {
    constexpr double kElementsPerCell = 12;
    constexpr double kNearEnough = 1.25;
    const auto target = static_cast<double>(m_settings.elements);
    geometry::StuffingSettings stuffing;
    stuffing.spacing = std::cbrt(kElementsPerCell * estimate_volume(room) / target);
    Result<TetMesh> best = bad_input("no point of it lies inside the skin");
    double miss = std::numeric_limits<double>::infinity();
    for (int attempt = 0; attempt < 3 && stuffing.spacing > 0; ++attempt) {
      auto mesh =
          geometry::stuff([this](const Vec3& point) { return outside(point); }, room, stuffing);
      if (!mesh.ok() && mesh.error().code() == ErrorCode::Interrupted) return mesh;
      if (!mesh.ok()) {
        if (attempt == 0) best = std::move(mesh);
        break;
      }
      const double ratio = static_cast<double>(mesh->element_count()) / target;
      const double here = std::max(ratio, 1 / ratio);
      if (here < miss) {
        miss = here;
        best = std::move(mesh);
      }
      if (miss < kNearEnough) break;
      stuffing.spacing *= std::cbrt(ratio);
    }
    if (best.ok()) return best;
    return bad_input(fmt::format(
        "the region has no interior to fill ({}); choose a larger region or close the surface",
        best.error().message()));
  }

  /// By counting the points of a grid that lie inside.
  [[nodiscard]] double estimate_volume(const geometry::Box& room) const {
    constexpr int kPoints = 6000;
    const double cell = std::cbrt(room.size().prod() / kPoints);
    const Eigen::Array3i counts = (room.size().array() / cell).ceil().cast<int>().max(1);
    const auto total = static_cast<std::size_t>(counts.prod());
    const std::size_t inside = parallel_reduce(
        total, kGrain, std::size_t{0},
        [&](std::size_t begin, std::size_t end) {
          std::size_t found = 0;
          for (std::size_t i = begin; i < end; ++i) {
            const auto n = static_cast<int>(i);
            const Eigen::Array3i at(n % counts.x(), n / counts.x() % counts.y(),
                                    n / (counts.x() * counts.y()));
            const Vec3 point = room.low.array() + (at.cast<double>() + 0.5) /
                                                      counts.cast<double>() * room.size().array();
            found += outside(point) < 0 ? 1 : 0;
          }
          return found;
        },
        [](std::size_t a, std::size_t b) { return a + b; });
    return room.size().prod() * static_cast<double>(inside) / static_cast<double>(total);
  }

  /// Weight, depth under the skin and lattice spacing, at the corners.
  void measure(const TetMesh& mesh) {
    m_spacing = std::cbrt(geometry::volume(mesh) / static_cast<double>(mesh.element_count()) * 6);
    m_node_weight.resize(mesh.nodes.size());
    m_node_depth.resize(mesh.nodes.size());
    parallel_for(mesh.nodes.size(), kGrain, [&](std::size_t n) {
      m_node_weight[n] = (*m_weight_field)(mesh.nodes[n]);
      m_node_depth[n] = m_skin_query->closest_point(mesh.nodes[n]).distance;
    });
    const geometry::BoundarySurface surface = geometry::boundary(mesh);
    m_node_fixed.assign(mesh.nodes.size(), 0);
    // Boundaries of the flesh other than skin are cuts: seams, or holes in the surface.
    for (const Index node : surface.node_of_vertex) {
      if (m_node_depth[node] > 0.4 * m_spacing) m_node_fixed[node] = 1;
    }
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
      if (m_node_weight[n] < m_settings.border + kSeamWidth) m_node_fixed[n] = 1;
    }
    fix_core(mesh);
  }

  /// A bone thinner than the lattice still holds the flesh around it: the nearest node, and those
  /// that are as near, since in a symmetric limb rounding alone would choose between two sides.
  void fix_core(const TetMesh& mesh) {
    constexpr double kAsNear = 0.01;  // of the spacing
    const auto distance = [&](std::size_t node, const Ball& ball) {
      return (mesh.nodes[node] - ball.centre).norm();
    };
    for (const Ball& ball : m_core) {
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
        nearest = std::min(nearest, distance(n, ball));
      }
      const double thin = nearest < m_spacing ? nearest + kAsNear * m_spacing : 0;
      for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
        if (distance(n, ball) <= std::max(ball.radius, thin)) m_node_fixed[n] = 1;
      }
    }
  }

  /// Parts that nothing holds would fly off; parts that hang by a hinge would swing at zero
  /// frequency.
  Result<void> drop_loose_parts(TetMesh& mesh) {
    const std::vector<Index> part_of = geometry::face_components(mesh);
    const auto parts =
        static_cast<std::size_t>(1 + *std::max_element(part_of.begin(), part_of.end()));
    std::vector<std::vector<Index>> held(parts);
    std::vector<std::size_t> sizes(parts, 0);
    for (std::size_t e = 0; e < part_of.size(); ++e) {
      ++sizes[part_of[e]];
      for (const Index node : mesh.element(e)) {
        if (m_node_fixed[node] != 0) held[part_of[e]].push_back(node);
      }
    }
    std::vector<char> keep_part(parts, 0);
    std::size_t dropped = 0;
    bool any = false;
    for (std::size_t p = 0; p < parts; ++p) {
      keep_part[p] = is_held(mesh, held[p]) ? 1 : 0;
      any = any || keep_part[p] != 0;
      if (keep_part[p] == 0) dropped += sizes[p];
    }
    if (!any) {
      return bad_input(
          "nothing holds the region: it has no seam to its neighbours and no bone runs through it, "
          "or the elements are too coarse to meet them; enable its core, choose bones that lie "
          "inside, or request more elements");
    }
    if (dropped == 0) return {};
    log::info("{}: {} of {} elements are loose and were dropped", m_settings.name, dropped,
              mesh.element_count());
    std::vector<char> keep(part_of.size());
    for (std::size_t e = 0; e < keep.size(); ++e) keep[e] = keep_part[part_of[e]];
    keep_elements(mesh, keep);
    return {};
  }

  /// Three fixed nodes that are not collinear stop every rigid motion.
  [[nodiscard]] bool is_held(const TetMesh& mesh, const std::vector<Index>& nodes) const {
    if (nodes.size() < 3) return false;
    geometry::Mat3 spread = geometry::Mat3::Zero();
    Vec3 mean = Vec3::Zero();
    for (const Index node : nodes) mean += mesh.nodes[node] / static_cast<double>(nodes.size());
    for (const Index node : nodes) {
      spread += (mesh.nodes[node] - mean) * (mesh.nodes[node] - mean).transpose();
    }
    const Vec3 extents = Eigen::JacobiSVD<geometry::Mat3>(spread).singularValues();
    return extents(1) > 1e-3 * m_spacing * m_spacing;
  }

  /// Node numbers change, by first use: values measured per node are renumbered too.
  void keep_elements(TetMesh& mesh, const std::vector<char>& keep) {
    std::vector<Index> old_number;
    std::vector<char> seen(mesh.nodes.size(), 0);
    for (std::size_t e = 0; e < keep.size(); ++e) {
      if (keep[e] == 0) continue;
      for (const Index node : mesh.element(e)) {
        if (seen[node] == 0) old_number.push_back(node);
        seen[node] = 1;
      }
    }
    mesh = geometry::keep_elements(mesh, keep);
    auto carry = [&](auto& values) {
      auto moved = values;
      moved.resize(old_number.size());
      for (std::size_t n = 0; n < old_number.size(); ++n) moved[n] = values[old_number[n]];
      values = std::move(moved);
    };
    carry(m_node_weight);
    carry(m_node_depth);
    carry(m_node_fixed);
  }

  [[nodiscard]] std::size_t layer_at(double depth) const {
    for (std::size_t i = 0; i + 1 < m_settings.layers.size(); ++i) {
      if (depth < m_settings.layers[i].depth) return i;
    }
    return m_settings.layers.size() - 1;
  }

  /// One region per layer and step of the ramp. A stiffness that rises towards the seam lets the
  /// displacement fade out smoothly while the modes remain those of a real body; multiplying shapes
  /// by a window function would not preserve that.
  void choose_materials(TetMesh& mesh) {
    std::map<std::pair<std::size_t, int>, Index> regions;
    mesh.regions.resize(mesh.element_count());
    for (std::size_t e = 0; e < mesh.element_count(); ++e) {
      double weight = 0;
      double depth = 0;
      for (const Index node : mesh.element(e)) {
        weight += m_node_weight[node] / 4;
        depth += m_node_depth[node] / 4;
      }
      const double t = softness(weight);
      const std::pair key{layer_at(depth), static_cast<int>(std::lround(kRampSteps * t))};
      const auto [found, fresh] = regions.try_emplace(key, static_cast<Index>(regions.size()));
      if (fresh) add_material(mesh, key.first, key.second);
      mesh.regions[e] = found->second;
    }
  }

  void add_material(TetMesh& mesh, std::size_t layer, int step) {
    fem::Material material = m_settings.layers[layer].material;
    const double stiff = 1 - static_cast<double>(step) / kRampSteps;
    material.youngs_modulus *= 1 + (kSeamStiffening - 1) * stiff * stiff;
    mesh.region_names.push_back(fmt::format("{} {}/{}", material.name, step, kRampSteps));
    m_tissue.model.materials.push_back(material);
  }

  /// Twice volume over area is the radius of a limb and the thickness of a fin.
  void measure_thickness(const TetMesh& mesh) {
    double area = 0;
    for (std::size_t v = 0; v < m_areas.size(); ++v) {
      if (m_tissue.region.weights[v] > m_settings.border) area += m_areas[v];
    }
    const double plump = 2 * geometry::volume(mesh) / area;
    m_tissue.thickness = m_to_bone > 0 ? std::min(plump, m_to_bone) : plump;
  }

  /// A node set includes the midside nodes of 10-node elements on held edges.
  void hold(TetMesh& mesh) {
    std::vector<Index>& fixed = mesh.node_sets["fixed"];
    for (std::size_t n = 0; n < m_node_fixed.size(); ++n) {
      if (m_node_fixed[n] != 0) fixed.push_back(static_cast<Index>(n));
    }
    m_tissue.model.mesh = geometry::to_quadratic(mesh);
    m_tissue.model.fixed.assign(m_tissue.model.mesh.nodes.size(), 0);
    for (const Index node : m_tissue.model.mesh.node_sets["fixed"]) {
      m_tissue.model.fixed[node] = fem::kFixAll;
    }
  }

  struct Ball {
    Vec3 centre;
    double radius;
  };

  const character::Character& m_character;
  const ObjectSettings& m_settings;
  Tissue m_tissue;
  geometry::TriMesh m_skin;      // in the object's frame
  std::vector<double> m_areas;   // of its vertices
  std::vector<BoneAxis> m_axes;  // in the object's frame
  std::vector<Ball> m_core;
  const geometry::SurfaceQuery* m_skin_query = nullptr;
  const WeightField* m_weight_field = nullptr;
  geometry::Box m_bounds;  // of the region's skin
  double m_length = 1;     // approximate distance in metres over which the weight falls
  double m_to_bone = 0;    // usual distance in metres from skin to bone; 0: no bone inside
  double m_spacing = 0;    // of the lattice
  std::vector<double> m_node_weight;
  std::vector<double> m_node_depth;
  std::vector<char> m_node_fixed;
};

}  // namespace

Result<Tissue> build_tissue(const character::Character& character, const ObjectSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  return TissueBuilder(character, settings).run();
}

}  // namespace supple::flesh
