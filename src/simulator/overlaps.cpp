// SPDX-License-Identifier: Apache-2.0
#include "simulator/pair_energy.hpp"
#include "simulator/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace supple::simulator {
namespace {

using Eigen::VectorXd;

constexpr std::size_t kMostNamed = 20;

/// The first triangle of every edge and of every vertex.
struct Owners {
  std::map<contact::Edge, Index> of_edge;
  std::map<Index, Index> of_vertex;

  explicit Owners(const contact::ContactMesh& mesh) {
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      const geometry::Triangle& t = mesh.triangles[i];
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
        of_edge.emplace(contact::Edge{low, high}, static_cast<Index>(i));
        of_vertex.emplace(t[k], static_cast<Index>(i));
      }
    }
  }
};

class OverlapList {
 public:
  explicit OverlapList(const Scene& scene) : m_scene(scene), m_owners(scene.surface.mesh) {}

  [[nodiscard]] Index of_edge(Index edge) const {
    return m_owners.of_edge.at(m_scene.surface.mesh.edges[static_cast<std::size_t>(edge)]);
  }
  [[nodiscard]] Index of_vertex(Index vertex) const { return m_owners.of_vertex.at(vertex); }

  void add(Index a, Index b, bool intersects, double distance, double thickness) {
    const auto [low, high] = std::minmax(a, b);
    const auto [place, is_new] = m_found.try_emplace({low, high});
    Overlap& overlap = place->second;
    if (is_new) {
      overlap = {{side(low), side(high)}, intersects, distance, thickness};
      return;
    }
    overlap.intersects = overlap.intersects || intersects;
    overlap.distance = std::min(overlap.distance, distance);
  }

  [[nodiscard]] std::vector<Overlap> take() const {
    std::vector<Overlap> list;
    for (const auto& [triangles, overlap] : m_found) list.push_back(overlap);
    return list;
  }

 private:
  [[nodiscard]] Overlap::Side side(Index triangle) const {
    const auto place = static_cast<std::size_t>(triangle);
    Overlap::Side result;
    result.body = m_scene.body_of_triangle[place];
    result.element = m_scene.element_of_triangle[place];
    for (std::size_t k = 0; k < 3; ++k) {
      const Index vertex = m_scene.surface.mesh.triangles[place][k];
      result.corners[k] = m_scene.start.segment<3>(3 * Eigen::Index{vertex});
    }
    return result;
  }

  const Scene& m_scene;
  Owners m_owners;
  std::map<std::array<Index, 2>, Overlap> m_found;
};

/// Calls visit(pair, distance, thickness) for all pairs within `reach` beyond the largest
/// thickness.
template <class Visit>
void for_each_near_pair(const Scene& scene, const VectorXd& x, double reach, const Visit& visit) {
  const ContactSurface& surface = scene.surface;
  const double largest = surface.offset.empty()
                             ? 0.0
                             : *std::max_element(surface.offset.begin(), surface.offset.end());
  contact::BroadPhase broad_phase(surface.mesh);
  const contact::Candidates candidates = broad_phase.find(x, x, 2 * largest + reach);
  const auto measure = [&](const ContactPair& pair) {
    const double distance = closest_of(pair.kind, gather(pair.vertices, x)).distance;
    visit(pair, distance,
          surface.offset[static_cast<std::size_t>(pair.vertices[0])] +
              surface.offset[static_cast<std::size_t>(pair.vertices[3])]);
  };
  for (const auto& pair : candidates.point_triangle) {
    const geometry::Triangle& t = surface.mesh.triangles[static_cast<std::size_t>(pair[1])];
    measure({PairKind::PointTriangle, pair, {pair[0], t[0], t[1], t[2]}, 0, 0});
  }
  for (const auto& pair : candidates.edge_edge) {
    const contact::Edge& a = surface.mesh.edges[static_cast<std::size_t>(pair[0])];
    const contact::Edge& b = surface.mesh.edges[static_cast<std::size_t>(pair[1])];
    measure({PairKind::EdgeEdge, pair, {a[0], a[1], b[0], b[1]}, 0, 0});
  }
}

std::string describe(const Scene& scene, const Overlap& overlap) {
  const auto name = [&](const Overlap::Side& side) {
    const Body& body = scene.bodies[side.body];
    return fmt::format("{} {} of '{}'", body.kind == BodyKind::Solid ? "element" : "triangle",
                       side.element + 1, body.name);
  };
  std::string text = fmt::format("{} and {}", name(overlap.sides[0]), name(overlap.sides[1]));
  if (!overlap.intersects) text += fmt::format(" ({:.3g} m apart)", overlap.distance);
  return text;
}

std::string describe_some(const Scene& scene, const std::vector<Overlap>& overlaps) {
  std::string text;
  for (std::size_t i = 0; i < std::min(overlaps.size(), kMostNamed); ++i) {
    text += (i == 0 ? "" : "; ") + describe(scene, overlaps[i]);
  }
  if (overlaps.size() > kMostNamed) {
    text += fmt::format("; and {} more", overlaps.size() - kMostNamed);
  }
  return text;
}

}  // namespace

std::vector<Overlap> overlaps_at_start(const Scene& scene) {
  OverlapList list(scene);
  for (const auto& pair : intersections(scene, scene.start)) {
    list.add(list.of_edge(pair[0]), pair[1], true, 0, 0);
  }
  for_each_near_pair(
      scene, scene.start, 0, [&](const ContactPair& pair, double distance, double thickness) {
        if (distance > thickness) return;
        const bool point = pair.kind == PairKind::PointTriangle;
        list.add(point ? list.of_vertex(pair.primitives[0]) : list.of_edge(pair.primitives[0]),
                 point ? pair.primitives[1] : list.of_edge(pair.primitives[1]), distance == 0,
                 distance, thickness);
      });
  return list.take();
}

Error overlap_error(const Scene& scene, const std::vector<Overlap>& overlaps) {
  std::vector<Overlap> crossing;
  double fits = 1;
  double thickness = 0;
  for (const Overlap& overlap : overlaps) {
    if (overlap.intersects) {
      crossing.push_back(overlap);
    } else if (overlap.distance / overlap.thickness < fits) {
      fits = overlap.distance / overlap.thickness;
      thickness = overlap.thickness;
    }
  }
  if (!crossing.empty()) {
    return bad_input(
        fmt::format("{} pairs of elements intersect at the start; move the bodies "
                    "apart: {}",
                    crossing.size(), describe_some(scene, crossing)));
  }
  constexpr double kRoom = 0.9;  // a gap of nothing would not do either
  return bad_input(fmt::format(
      "the thickness of {:.3g} m leaves no gap between {} pairs of elements at the start; the "
      "largest that fits is {:.3g} m: {}",
      thickness, overlaps.size(), kRoom * fits * thickness, describe_some(scene, overlaps)));
}

Room smallest_room(const Scene& scene, double limit) {
  Room least{limit, 0, 0};
  for_each_near_pair(scene, scene.rest, limit,
                     [&](const ContactPair& pair, double distance, double thickness) {
                       const std::size_t body = scene.body_of_vertex(pair.vertices[0]);
                       if (body != scene.body_of_vertex(pair.vertices[3])) return;
                       if (distance - thickness < least.gap) {
                         least = {distance - thickness, thickness, body};
                       }
                     });
  return least;
}

}  // namespace supple::simulator
