// SPDX-License-Identifier: Apache-2.0
#include "geometry/surface_repair.hpp"

#include "geometry/triangle_bvh.hpp"
#include "geometry/union_find.hpp"
#include "geometry/winding_number.hpp"
#include "supple/core/log.hpp"
#include "supple/core/parallel.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace supple::geometry {

namespace {

/// A closed surface has at least four triangles; smaller parts contain nothing.
constexpr std::size_t kFewestAround = 4;
/// Points of a part at which another part's winding number is sampled. The median decides about
/// parts that intersect.
constexpr std::size_t kSamples = 15;
/// Depth of these points under the part's surface, as a fraction of an edge: on the surface itself
/// the winding number of a part that touches it would be undefined.
constexpr double kDepth = 1e-4;

/// Parts of less volume than this fraction of their diagonal's cube are flat and face no side.
constexpr double kFlatPart = 1e-12;

/// The data that decide the orientation of a part.
struct Part {
  std::vector<Index> triangles;
  Box bounds;
  double volume = 0;  ///< about the centroid of the area: for open parts, that of their cone
  std::vector<std::size_t> around;  ///< parts that contain this one, ascending
  bool flip = false;
};

Corners corners_of(const TriMesh& mesh, Index triangle) {
  const Triangle& t = mesh.triangles[static_cast<std::size_t>(triangle)];
  return {mesh.positions[static_cast<std::size_t>(t[0])],
          mesh.positions[static_cast<std::size_t>(t[1])],
          mesh.positions[static_cast<std::size_t>(t[2])]};
}

Vec3 centroid_of(const Corners& c) {
  return (c[0] + c[1] + c[2]) / 3;
}

double area_of(const Corners& c) {
  return (c[1] - c[0]).cross(c[2] - c[0]).norm() / 2;
}

/// Parts by shared edges: bodies that only touch in a vertex are oriented separately.
std::vector<Index> parts_by_edges(const TriMesh& mesh) {
  std::vector<std::tuple<Index, Index, Index>> edges;
  edges.reserve(mesh.triangles.size() * 3);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& v = mesh.triangles[t];
    for (std::size_t e = 0; e < 3; ++e) {
      const auto [low, high] = std::minmax(v[e], v[(e + 1) % 3]);
      edges.emplace_back(low, high, static_cast<Index>(t));
    }
  }
  std::sort(edges.begin(), edges.end());
  UnionFind sets(mesh.triangles.size());
  for (std::size_t i = 1; i < edges.size(); ++i) {
    const auto& [low, high, triangle] = edges[i];
    const auto& [last_low, last_high, last_triangle] = edges[i - 1];
    if (low == last_low && high == last_high) sets.join(triangle, last_triangle);
  }
  return number_components(sets, mesh.triangles.size(), mesh.triangles.size(),
                           [](std::size_t t) { return static_cast<Index>(t); });
}

double cone_volume(const TriMesh& mesh, const std::vector<Index>& triangles) {
  Vec3 anchor = Vec3::Zero();
  double area = 0;
  for (const Index t : triangles) {
    const Corners c = corners_of(mesh, t);
    const double a = area_of(c);
    area += a;
    anchor += a * centroid_of(c);
  }
  if (area > 0) anchor /= area;
  double volume = 0;
  for (const Index t : triangles) {
    const Corners c = corners_of(mesh, t);
    volume += (c[0] - anchor).dot((c[1] - anchor).cross(c[2] - anchor)) / 6;
  }
  return volume;
}

std::vector<Part> measure_parts(const OrientedSurface& surface) {
  std::vector<Part> parts(static_cast<std::size_t>(surface.component_count));
  for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t) {
    parts[static_cast<std::size_t>(surface.component[t])].triangles.push_back(
        static_cast<Index>(t));
  }
  for (Part& part : parts) {
    for (const Index t : part.triangles)
      for (const Vec3& corner : corners_of(surface.mesh, t)) part.bounds.add(corner);
    part.volume = cone_volume(surface.mesh, part.triangles);
    if (std::abs(part.volume) < kFlatPart * std::pow(part.bounds.diagonal(), 3)) part.volume = 0;
  }
  return parts;
}

/// Points just inside the part, under centroids of triangles spread over it by area.
std::vector<Vec3> sample_points(const TriMesh& mesh, const Part& part) {
  std::vector<double> area_up_to;
  area_up_to.reserve(part.triangles.size());
  double area = 0;
  for (const Index t : part.triangles) area_up_to.push_back(area += area_of(corners_of(mesh, t)));
  std::vector<Vec3> points;
  points.reserve(kSamples);
  for (std::size_t s = 0; s < kSamples; ++s) {
    const double at = area * (static_cast<double>(s) + 0.5) / kSamples;
    const auto found = std::lower_bound(area_up_to.begin(), area_up_to.end() - 1, at);
    const auto triangle = static_cast<std::size_t>(found - area_up_to.begin());
    const Corners c = corners_of(mesh, part.triangles[triangle]);
    const Vec3 normal = (c[1] - c[0]).cross(c[2] - c[0]).stableNormalized();
    const double depth = kDepth * (c[1] - c[0]).norm() * (part.volume < 0 ? -1 : 1);
    points.emplace_back(centroid_of(c) - depth * normal);
  }
  return points;
}

TriMesh part_mesh(const TriMesh& mesh, const Part& part) {
  TriMesh alone;
  alone.positions.reserve(3 * part.triangles.size());
  alone.triangles.reserve(part.triangles.size());
  for (const Index t : part.triangles) {
    const auto first = static_cast<Index>(alone.positions.size());
    for (const Vec3& corner : corners_of(mesh, t)) alone.positions.push_back(corner);
    alone.triangles.push_back({first, first + 1, first + 2});
  }
  return alone;
}

/// With room for rounding, because parts may touch.
bool may_contain(const Box& outer, const Box& inner) {
  const double slack = 1e-6 * outer.diagonal();
  return (outer.low.array() <= inner.low.array() + slack).all() &&
         (outer.high.array() >= inner.high.array() - slack).all();
}

/// The parts inside part number `outer`, from that part's winding number alone: on the other part's
/// own triangles the winding number of the whole surface has a jump.
std::vector<std::size_t> parts_inside(const TriMesh& mesh, const std::vector<Part>& parts,
                                      std::size_t outer) {
  std::vector<std::size_t> inside;
  if (parts[outer].triangles.size() < kFewestAround) return inside;
  std::vector<std::size_t> candidates;
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (p != outer && may_contain(parts[outer].bounds, parts[p].bounds)) candidates.push_back(p);
  if (candidates.empty()) return inside;
  const TriangleBvh bvh(part_mesh(mesh, parts[outer]));
  const WindingNumber winding(bvh);
  for (const std::size_t p : candidates) {
    std::vector<double> turns;
    turns.reserve(kSamples);
    for (const Vec3& point : sample_points(mesh, parts[p]))
      turns.push_back(std::abs(winding(point)));
    std::nth_element(turns.begin(), turns.begin() + kSamples / 2, turns.end());
    if (turns[kSamples / 2] > 0.5) inside.push_back(p);
  }
  return inside;
}

void find_nesting(const TriMesh& mesh, std::vector<Part>& parts) {
  std::vector<std::vector<std::size_t>> inside(parts.size());
  parallel_for(parts.size(), 1, [&](std::size_t p) { inside[p] = parts_inside(mesh, parts, p); });
  for (std::size_t outer = 0; outer < parts.size(); ++outer)
    for (const std::size_t p : inside[outer]) parts[p].around.push_back(outer);
}

bool faces_inwards(const Part& part) {
  return (part.volume < 0) != part.flip;
}

struct Repair {
  std::size_t wrong = 0;   ///< parts that face inwards without being cavities
  std::size_t inside = 0;  ///< parts flipped because they lie in one of those
  std::optional<std::size_t> first;
};

/// From the outside inwards, so that the surroundings of each part are already right: a part that
/// faces inwards is a cavity if those around it add up to a solid.
Repair choose_flips(std::vector<Part>& parts) {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return parts[a].around.size() < parts[b].around.size();
  });
  std::vector<bool> wrong(parts.size());
  Repair repair;
  for (const std::size_t p : order) {
    int solids = 0;
    for (const std::size_t q : parts[p].around) {
      solids += faces_inwards(parts[q]) ? -1 : 1;
      if (wrong[q]) parts[p].flip = !parts[p].flip;
    }
    wrong[p] = faces_inwards(parts[p]) && solids < 1;
    if (wrong[p]) {
      parts[p].flip = !parts[p].flip;
      ++repair.wrong;
      if (!repair.first) repair.first = p;
    } else if (parts[p].flip) {
      ++repair.inside;
    }
  }
  return repair;
}

void warn_of_flips(const Repair& repair, const std::vector<Part>& parts) {
  if (repair.wrong == 0) return;
  if (repair.wrong + repair.inside == parts.size()) {
    const double volume = std::accumulate(parts.begin(), parts.end(), 0.0,
                                          [](double sum, const Part& p) { return sum + p.volume; });
    log::warn("the surface faces inwards (signed volume {:.4g}): flipped", volume);
    return;
  }
  const Vec3 at = parts[*repair.first].bounds.centre();
  log::warn(
      "{} of {} parts of the surface face inwards without being cavities: flipped, with {} parts "
      "inside them; the first is at ({:.4g}, {:.4g}, {:.4g})",
      repair.wrong, parts.size(), repair.inside, at[0], at[1], at[2]);
}

}  // namespace

OrientedSurface orient_outwards(const TriMesh& surface) {
  OrientedSurface result;
  result.mesh = weld(surface).mesh;
  result.component = parts_by_edges(result.mesh);
  for (const Index c : result.component)
    result.component_count = std::max(result.component_count, c + 1);

  std::vector<Part> parts = measure_parts(result);
  if (std::none_of(parts.begin(), parts.end(), [](const Part& p) { return p.volume < 0; }))
    return result;
  find_nesting(result.mesh, parts);
  warn_of_flips(choose_flips(parts), parts);
  for (const Part& part : parts) {
    if (!part.flip) continue;
    for (const Index t : part.triangles) {
      Triangle& corners = result.mesh.triangles[static_cast<std::size_t>(t)];
      std::swap(corners[1], corners[2]);
    }
  }
  return result;
}

}  // namespace supple::geometry
