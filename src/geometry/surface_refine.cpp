// SPDX-License-Identifier: Apache-2.0
#include "geometry/surface_refine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace supple::geometry {

namespace {

constexpr std::size_t kMaxTriangles = 20'000'000;

using EdgeKey = std::pair<Index, Index>;

/// The edges longer than `limit`, sorted; the midpoint of edge number i becomes vertex
/// positions.size() + i.
std::vector<EdgeKey> long_edges(const TriMesh& mesh, double limit) {
  std::vector<EdgeKey> edges;
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t e = 0; e < 3; ++e) {
      const EdgeKey edge = std::minmax(t[e], t[(e + 1) % 3]);
      const Vec3 span = mesh.positions[static_cast<std::size_t>(edge.first)] -
                        mesh.positions[static_cast<std::size_t>(edge.second)];
      if (span.squaredNorm() > limit * limit) edges.push_back(edge);
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

/// Splits a triangle by the midpoints m[e] of its edges (e, e+1); -1 where an edge stays whole.
void split(Triangle t, std::array<Index, 3> m, const TriMesh& mesh, std::vector<Triangle>& out) {
  const auto count = std::count_if(m.begin(), m.end(), [](Index i) { return i >= 0; });
  if (count == 0) {
    out.push_back(t);
    return;
  }
  if (count == 3) {
    out.insert(out.end(), {Triangle{t[0], m[0], m[2]}, Triangle{m[0], t[1], m[1]},
                           Triangle{m[2], m[1], t[2]}, Triangle{m[0], m[1], m[2]}});
    return;
  }
  // Turn it so that edge 0 is halved, and for two halved edges so that edge 2 is whole.
  while (m[0] < 0 || (count == 2 && m[2] >= 0)) {
    std::rotate(t.begin(), t.begin() + 1, t.end());
    std::rotate(m.begin(), m.begin() + 1, m.end());
  }
  if (count == 1) {
    out.insert(out.end(), {Triangle{t[0], m[0], t[2]}, Triangle{m[0], t[1], t[2]}});
    return;
  }
  // The quadrilateral t0, m0, m1, t2 by its shorter diagonal.
  const auto at = [&](Index i) { return mesh.positions[static_cast<std::size_t>(i)]; };
  out.push_back({m[0], t[1], m[1]});
  if ((at(t[0]) - at(m[1])).squaredNorm() <= (at(m[0]) - at(t[2])).squaredNorm()) {
    out.insert(out.end(), {Triangle{t[0], m[0], m[1]}, Triangle{t[0], m[1], t[2]}});
  } else {
    out.insert(out.end(), {Triangle{t[0], m[0], t[2]}, Triangle{m[0], m[1], t[2]}});
  }
}

}  // namespace

Result<TriMesh> split_long_edges(const TriMesh& surface, double max_edge) {
  TriMesh mesh = surface;
  for (;;) {
    const std::vector<EdgeKey> edges = long_edges(mesh, max_edge);
    if (edges.empty()) return mesh;
    if (mesh.triangles.size() + 2 * edges.size() > kMaxTriangles) {
      return bad_input(fmt::format("edges of at most {:.4g} need more than {} surface triangles",
                                   max_edge, kMaxTriangles));
    }
    const auto old_count = static_cast<Index>(mesh.positions.size());
    for (const EdgeKey& edge : edges) {
      mesh.positions.push_back(0.5 * (mesh.positions[static_cast<std::size_t>(edge.first)] +
                                      mesh.positions[static_cast<std::size_t>(edge.second)]));
    }
    std::vector<Triangle> triangles;
    triangles.reserve(mesh.triangles.size() + 2 * edges.size());
    for (const Triangle& t : mesh.triangles) {
      std::array<Index, 3> middle{-1, -1, -1};
      for (std::size_t e = 0; e < 3; ++e) {
        const EdgeKey edge = std::minmax(t[e], t[(e + 1) % 3]);
        const auto found = std::lower_bound(edges.begin(), edges.end(), edge);
        if (found != edges.end() && *found == edge)
          middle[e] = old_count + static_cast<Index>(found - edges.begin());
      }
      split(t, middle, mesh, triangles);
    }
    mesh.triangles = std::move(triangles);
  }
}

}  // namespace supple::geometry
