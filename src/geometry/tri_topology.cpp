// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/tri_mesh.hpp"

#include "geometry/union_find.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace supple::geometry {
namespace {

/// The surface with every vertex replaced by its group's first member.
WeldedMesh collapse(const TriMesh& mesh, const std::vector<Index>& first_of_group) {
  WeldedMesh welded;
  welded.vertex_of_input.resize(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    if (first_of_group[v] == static_cast<Index>(v)) {
      welded.vertex_of_input[v] = static_cast<Index>(welded.mesh.positions.size());
      welded.mesh.positions.push_back(mesh.positions[v]);
    } else {
      welded.vertex_of_input[v] = welded.vertex_of_input[first_of_group[v]];
    }
  }
  for (const Triangle& corner : mesh.triangles) {
    const Triangle joined{welded.vertex_of_input[corner[0]], welded.vertex_of_input[corner[1]],
                          welded.vertex_of_input[corner[2]]};
    if (joined[0] != joined[1] && joined[1] != joined[2] && joined[2] != joined[0]) {
      welded.mesh.triangles.push_back(joined);
    }
  }
  return welded;
}

/// For each vertex the first one with the same coordinates; -0 equals +0.
std::vector<Index> first_at_same_place(const std::vector<Vec3>& positions) {
  struct Entry {
    std::array<std::uint64_t, 3> bits;
    Index vertex;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> entries(positions.size());
  for (std::size_t v = 0; v < positions.size(); ++v) {
    for (int k = 0; k < 3; ++k) {
      entries[v].bits[k] = std::bit_cast<std::uint64_t>(positions[v][k] + 0.0);
    }
    entries[v].vertex = static_cast<Index>(v);
  }
  std::sort(entries.begin(), entries.end());
  std::vector<Index> first(positions.size());
  Index group = -1;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 0 || entries[i].bits != entries[i - 1].bits) group = entries[i].vertex;
    first[entries[i].vertex] = group;
  }
  return first;
}

/// A uniform grid of the kept vertices. Kept vertices are further apart than a cell is wide, so a
/// cell contains a few at most and a search checks 27 cells.
class KeptVertices {
 public:
  KeptVertices(const std::vector<Vec3>& positions, double distance)
      : m_positions(positions), m_low(bounding_box(positions).low), m_distance(distance) {
    const Vec3 size = bounding_box(positions).size();
    m_cell = std::max(distance, size.maxCoeff() / kCellsPerAxis);
    m_keys.reserve(positions.size());
    for (const Vec3& position : positions) m_keys.push_back(key(cell_of(position)));
    std::sort(m_keys.begin(), m_keys.end());
    m_keys.erase(std::unique(m_keys.begin(), m_keys.end()), m_keys.end());
    m_head.assign(m_keys.size(), -1);
    m_next.assign(positions.size(), -1);
  }

  /// The earliest kept vertex within the distance, or -1.
  [[nodiscard]] Index near(const Vec3& point) const {
    const Cell cell = cell_of(point);
    Index best = -1;
    for (std::int64_t i = cell[0] - 1; i <= cell[0] + 1; ++i) {
      for (std::int64_t j = cell[1] - 1; j <= cell[1] + 1; ++j) {
        const std::uint64_t last = key({i, j, cell[2] + 1});
        auto it = std::lower_bound(m_keys.begin(), m_keys.end(), key({i, j, cell[2] - 1}));
        for (; it != m_keys.end() && *it <= last; ++it) {
          for (Index v = m_head[it - m_keys.begin()]; v >= 0; v = m_next[v]) {
            const bool close = (m_positions[v] - point).norm() <= m_distance;
            if (close && (best < 0 || v < best)) best = v;
          }
        }
      }
    }
    return best;
  }

  void keep(Index vertex) {
    const auto it =
        std::lower_bound(m_keys.begin(), m_keys.end(), key(cell_of(m_positions[vertex])));
    Index& head = m_head[it - m_keys.begin()];
    m_next[vertex] = head;
    head = vertex;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  static constexpr double kCellsPerAxis = 1 << 20;  // 21 bits each, three in a key

  [[nodiscard]] Cell cell_of(const Vec3& point) const {
    // From 1, so that a neighbour's coordinates never turn negative.
    Cell cell;
    for (int k = 0; k < 3; ++k) {
      cell[k] = 1 + static_cast<std::int64_t>((point[k] - m_low[k]) / m_cell);
    }
    return cell;
  }
  [[nodiscard]] static std::uint64_t key(const Cell& cell) {
    return static_cast<std::uint64_t>(cell[0]) << 42U | static_cast<std::uint64_t>(cell[1]) << 21U |
           static_cast<std::uint64_t>(cell[2]);
  }

  const std::vector<Vec3>& m_positions;
  Vec3 m_low;
  double m_distance;
  double m_cell;
  std::vector<std::uint64_t> m_keys;  // of occupied cells, ascending
  std::vector<Index> m_head;          // first kept vertex of each
  std::vector<Index> m_next;          // the one after
};

}  // namespace

WeldedMesh weld(const TriMesh& mesh, double distance) {
  if (!(distance > 0)) return collapse(mesh, first_at_same_place(mesh.positions));
  // Greedy in the order of the input: no vertex moves further than the distance, however long
  // the chain of close neighbours is.
  KeptVertices kept(mesh.positions, distance);
  std::vector<Index> first(mesh.positions.size());
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Index found = kept.near(mesh.positions[v]);
    first[v] = found >= 0 ? found : static_cast<Index>(v);
    if (found < 0) kept.keep(static_cast<Index>(v));
  }
  return collapse(mesh, first);
}

std::vector<Index> components(const TriMesh& mesh) {
  UnionFind sets(mesh.positions.size());
  for (const Triangle& corner : mesh.triangles) {
    sets.join(corner[0], corner[1]);
    sets.join(corner[0], corner[2]);
  }
  return number_components(sets, mesh.positions.size(), mesh.triangles.size(),
                           [&](std::size_t t) { return mesh.triangles[t][0]; });
}

SurfaceTopology topology(const TriMesh& mesh) {
  SurfaceTopology result;
  // Edges as (low vertex, high vertex, direction) in 31 + 31 + 1 bits.
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const Triangle& corner : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = static_cast<std::uint64_t>(corner[k]);
      const auto b = static_cast<std::uint64_t>(corner[(k + 1) % 3]);
      if (a != b) edges.push_back(std::min(a, b) << 32U | std::max(a, b) << 1U | (a < b ? 0U : 1U));
    }
  }
  std::sort(edges.begin(), edges.end());
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i;
    while (end < edges.size() && edges[end] >> 1U == edges[i] >> 1U) ++end;
    const std::size_t uses = end - i;
    if (uses == 1) ++result.boundary_edges;
    if (uses == 2 && edges[i] == edges[i + 1]) ++result.flipped_edges;
    if (uses > 2) ++result.non_manifold_edges;
    i = end;
  }
  const std::vector<Index> component = components(mesh);
  for (const Index c : component) {
    result.components = std::max(result.components, static_cast<std::size_t>(c) + 1);
  }
  return result;
}

}  // namespace supple::geometry
