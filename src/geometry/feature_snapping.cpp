// SPDX-License-Identifier: Apache-2.0
#include "geometry/feature_snapping.hpp"

#include "geometry/triangle_bvh.hpp"
#include "supple/core/parallel.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace supple::geometry {

namespace {

/// Sines of dihedral angles: a change is made if it leaves no element below the first, and at once
/// if none is below the second.
constexpr double kLeastSine = 0.1;
constexpr double kGoodSine = 0.2;
/// Farthest move of a node, and height below which an element of one patch is flat, in spacings.
constexpr double kFarthest = 0.8;
constexpr double kFlatHeight = 0.02;
/// Nodes closer than this to a sharp edge lie on it, in spacings.
constexpr double kOnEdge = 1e-6;
constexpr int kMaxPasses = 6;

using PatchSet = std::vector<Index>;  // ascending

bool share_a_patch(const PatchSet& a, const PatchSet& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](Index p) { return std::binary_search(b.begin(), b.end(), p); });
}

PatchSet common_patches(const PatchSet& a, const PatchSet& b) {
  PatchSet both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

/// The smallest sine of a dihedral angle, with the sign of the volume: 3 V l / (2 A B) at the edge
/// of length l between faces of areas A and B.
double least_sine(const std::array<Vec3, 4>& x) {
  const double six_volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]);
  std::array<double, 4> twice_area{};
  for (std::size_t f = 0; f < 4; ++f) {
    const auto& face = kTetFaces[f];
    twice_area[f] = (x[face[1]] - x[face[0]]).cross(x[face[2]] - x[face[0]]).norm();
  }
  double least = 1;
  for (std::size_t f = 0; f < 4; ++f) {
    for (std::size_t g = f + 1; g < 4; ++g) {
      std::array<int, 2> shared{};
      int count = 0;
      for (const int v : kTetFaces[f]) {
        if (std::find(kTetFaces[g].begin(), kTetFaces[g].end(), v) != kTetFaces[g].end())
          shared[count++] = v;
      }
      const double scale = twice_area[f] * twice_area[g];
      const double length = (x[shared[0]] - x[shared[1]]).norm();
      least = std::min(least, scale > 0 ? six_volume * length / scale : -1.0);
    }
  }
  return least;
}

/// Where a node may go, and the patches that meet there.
struct Target {
  Vec3 point = Vec3::Zero();
  PatchSet patches;
};

/// Closest points on the sharp edges of a surface.
class FeatureLines {
 public:
  FeatureLines(const TriMesh& surface, const SurfaceFeatures& features)
      : m_features(features),
        m_bvh(segments(surface, features)),
        m_around(surface.positions.size()) {
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
      for (const Index v : surface.triangles[t]) m_around[v].push_back(features.patch[t]);
    for (PatchSet& around : m_around) {
      std::sort(around.begin(), around.end());
      around.erase(std::unique(around.begin(), around.end()), around.end());
    }
  }

  [[nodiscard]] Target closest(const Vec3& query) const {
    const ClosestPoint found = m_bvh.closest_point(query);
    const auto& [a, b] = m_features.edges[found.triangle];
    return {found.point, common_patches(m_around[a], m_around[b])};
  }
  [[nodiscard]] const PatchSet& around(Index vertex) const { return m_around[vertex]; }

 private:
  /// A triangle without area acts as a segment.
  static TriMesh segments(const TriMesh& surface, const SurfaceFeatures& features) {
    TriMesh lines;
    lines.positions = surface.positions;
    lines.triangles.reserve(features.edges.size());
    for (const auto& [a, b] : features.edges) lines.triangles.push_back({a, b, b});
    return lines;
  }

  const SurfaceFeatures& m_features;
  TriangleBvh m_bvh;
  std::vector<PatchSet> m_around;  ///< patches around each vertex of the surface
};

class FeatureSnapper {
 public:
  FeatureSnapper(TetMesh mesh, const TriMesh& surface, const SurfaceFeatures& features,
                 double spacing)
      : m_mesh(std::move(mesh)),
        m_surface(surface),
        m_features(features),
        m_lines(surface, features),
        m_spacing(spacing),
        m_patches(m_mesh.nodes.size()),
        m_tets(m_mesh.nodes.size()) {
    for (std::size_t e = 0; e < m_mesh.element_count(); ++e)
      for (const Index node : m_mesh.element(e)) m_tets[node].push_back(static_cast<Index>(e));
    m_removed.assign(m_mesh.element_count(), 0);
    find_patches();
  }

  TetMesh run() {
    snap_corners();
    for (int pass = 0; pass < kMaxPasses && snap_edges(); ++pass) {
    }
    std::vector<char> keep(m_removed.size());
    for (std::size_t e = 0; e < keep.size(); ++e) keep[e] = m_removed[e] == 0 ? 1 : 0;
    return keep_elements(m_mesh, keep);
  }

 private:
  using Edge = std::array<Index, 2>;
  using Points = std::array<Vec3, 4>;

  void find_patches() {
    const TriangleBvh bvh(m_surface);
    const std::vector<Index> nodes = boundary(m_mesh).node_of_vertex;
    parallel_for(nodes.size(), 256, [&](std::size_t i) {
      const Vec3& point = m_mesh.nodes[nodes[i]];
      const Target line = m_lines.closest(point);
      m_patches[nodes[i]] = (line.point - point).norm() <= kOnEdge * m_spacing
                                ? line.patches
                                : PatchSet{m_features.patch[bvh.closest_point(point).triangle]};
    });
  }

  /// Boundary edges of the remaining elements, each once, ascending.
  [[nodiscard]] std::vector<Edge> boundary_edges() const {
    std::vector<std::array<Index, 3>> faces;
    for (std::size_t e = 0; e < m_removed.size(); ++e) {
      if (m_removed[e] != 0) continue;
      const auto node = m_mesh.element(e);
      for (const auto& f : kTetFaces) {
        std::array<Index, 3> face{node[f[0]], node[f[1]], node[f[2]]};
        // Faces with a corner inside the solid are not boundary faces.
        if (std::any_of(face.begin(), face.end(), [&](Index n) { return m_patches[n].empty(); }))
          continue;
        std::sort(face.begin(), face.end());
        faces.push_back(face);
      }
    }
    std::sort(faces.begin(), faces.end());
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < faces.size();) {
      const bool inner = i + 1 < faces.size() && faces[i + 1] == faces[i];
      if (!inner) {
        const auto& [a, b, c] = faces[i];
        edges.insert(edges.end(), {Edge{a, b}, Edge{b, c}, Edge{a, c}});
      }
      i += inner ? 2 : 1;
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
  }

  [[nodiscard]] Points points_of(Index element) const {
    const auto node = m_mesh.element(static_cast<std::size_t>(element));
    return {m_mesh.nodes[node[0]], m_mesh.nodes[node[1]], m_mesh.nodes[node[2]],
            m_mesh.nodes[node[3]]};
  }

  /// Whether an element whose nodes lie on these patches has shrunk into the surface.
  [[nodiscard]] bool is_flat(const Points& x, const std::array<const PatchSet*, 4>& patches) const {
    PatchSet all = *patches[0];
    for (std::size_t v = 1; v < 4 && !all.empty(); ++v) all = common_patches(all, *patches[v]);
    if (all.empty()) return false;
    const double six_volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]);
    double twice_area = 0;
    for (const auto& f : kTetFaces)
      twice_area = std::max(twice_area, (x[f[1]] - x[f[0]]).cross(x[f[2]] - x[f[0]]).norm());
    return std::abs(six_volume) <= kFlatHeight * m_spacing * twice_area;
  }

  /// The quality of one element after node number `v` went to `target`: nothing if it is then flat.
  [[nodiscard]] std::optional<double> sine_with(Index element, std::size_t v,
                                                const Target& target) const {
    Points x = points_of(element);
    const auto node = m_mesh.element(static_cast<std::size_t>(element));
    std::array<const PatchSet*, 4> patches{};
    for (std::size_t i = 0; i < 4; ++i) patches[i] = &m_patches[node[i]];
    x[v] = target.point;
    patches[v] = &target.patches;
    const double sine = least_sine(x);
    if (sine < kLeastSine && is_flat(x, patches)) return std::nullopt;
    return sine;
  }

  [[nodiscard]] std::size_t place_of(Index node, Index element) const {
    const auto nodes = m_mesh.element(static_cast<std::size_t>(element));
    return static_cast<std::size_t>(std::find(nodes.begin(), nodes.end(), node) - nodes.begin());
  }

  /// The worst element around a node after a move; negative if the move must not be made.
  [[nodiscard]] double quality_of_move(Index node, const Target& target) const {
    if ((target.point - m_mesh.nodes[node]).norm() > kFarthest * m_spacing) return -1;
    double worst = 1;
    bool any = false;
    for (const Index e : m_tets[node]) {
      if (m_removed[e] != 0) continue;
      const auto sine = sine_with(e, place_of(node, e), target);
      if (!sine) continue;
      any = true;
      worst = std::min(worst, *sine);
    }
    return any ? worst : -1;
  }

  void move(Index node, Target target) {
    for (const Index e : m_tets[node])
      if (m_removed[e] == 0 && !sine_with(e, place_of(node, e), target)) m_removed[e] = 1;
    m_mesh.nodes[node] = target.point;
    m_patches[node] = std::move(target.patches);
  }

  [[nodiscard]] std::vector<Index> tets_around(const Edge& edge) const {
    std::vector<Index> around;
    for (const Index e : m_tets[edge[0]]) {
      if (m_removed[e] == 0 && place_of(edge[1], e) < 4) around.push_back(e);
    }
    return around;
  }

  /// The worst element after an edge was split at `target`.
  [[nodiscard]] double quality_of_split(const Edge& edge, const Target& target) const {
    double worst = 1;
    bool any = false;
    for (const Index e : tets_around(edge)) {
      for (const Index end : edge) {
        const auto sine = sine_with(e, place_of(end, e), target);
        if (!sine) continue;
        any = true;
        worst = std::min(worst, *sine);
      }
    }
    return any ? worst : -1;
  }

  void split(const Edge& edge, const Target& target) {
    const auto middle = static_cast<Index>(m_mesh.nodes.size());
    const std::vector<Index> around = tets_around(edge);
    m_mesh.nodes.push_back(target.point);
    m_patches.push_back(target.patches);
    m_tets.emplace_back();
    for (const Index e : around) {
      std::array<Index, 4> halves{};
      for (const Index end : edge) {
        const std::size_t v = place_of(end, e);
        if (!sine_with(e, v, target)) continue;
        const auto nodes = m_mesh.element(static_cast<std::size_t>(e));
        std::copy(nodes.begin(), nodes.end(), halves.begin());
        halves[v] = middle;
        const auto fresh = static_cast<Index>(m_removed.size());
        m_mesh.connectivity.insert(m_mesh.connectivity.end(), halves.begin(), halves.end());
        m_removed.push_back(0);
        for (const Index node : halves) m_tets[node].push_back(fresh);
      }
      m_removed[e] = 1;
    }
  }

  /// Each corner takes the closest boundary node that can go there.
  void snap_corners() {
    std::vector<Index> nodes;
    for (std::size_t n = 0; n < m_patches.size(); ++n)
      if (!m_patches[n].empty()) nodes.push_back(static_cast<Index>(n));
    const double reach = kFarthest * m_spacing;
    std::vector<bool> taken(m_patches.size());
    for (const Index corner : m_features.corners) {
      const Target target{m_surface.positions[corner], m_lines.around(corner)};
      std::vector<std::pair<double, Index>> near;
      for (const Index n : nodes) {
        const double distance = (m_mesh.nodes[n] - target.point).norm();
        if (distance < reach && !taken[n] && share_a_patch(m_patches[n], target.patches))
          near.emplace_back(distance, n);
      }
      std::sort(near.begin(), near.end());
      for (const auto& [distance, n] : near) {
        if (quality_of_move(n, target) < kLeastSine) continue;
        move(n, target);
        taken[n] = true;
        break;
      }
    }
  }

  /// Whether going to `target` would end the cut of an edge and keep the node on its patch.
  [[nodiscard]] bool mends(const Edge& edge, const Target& target) const {
    return share_a_patch(target.patches, m_patches[edge[0]]) &&
           share_a_patch(target.patches, m_patches[edge[1]]);
  }

  bool mend(const Edge& edge) {
    const Vec3 middle = 0.5 * (m_mesh.nodes[edge[0]] + m_mesh.nodes[edge[1]]);
    double best = kLeastSine;
    std::optional<Index> mover;
    Target where;
    for (const Index end : edge) {
      if (m_patches[end].size() > 1) continue;  // stays on its own edge or corner
      for (const Vec3& from : {m_mesh.nodes[end], middle}) {
        Target target = m_lines.closest(from);
        if (!mends(edge, target)) continue;
        const double quality = quality_of_move(end, target);
        if (quality <= best) continue;
        best = quality;
        mover = end;
        where = std::move(target);
      }
    }
    if (mover && best >= kGoodSine) {
      move(*mover, std::move(where));
      return true;
    }
    const Target target = m_lines.closest(middle);
    if (mends(edge, target) && quality_of_split(edge, target) > best) {
      split(edge, target);
      return true;
    }
    if (!mover) return false;
    move(*mover, std::move(where));
    return true;
  }

  bool snap_edges() {
    bool any = false;
    for (const Edge& edge : boundary_edges()) {
      if (share_a_patch(m_patches[edge[0]], m_patches[edge[1]])) continue;
      if (tets_around(edge).empty()) continue;  // an earlier split replaced it
      any = mend(edge) || any;
    }
    return any;
  }

  TetMesh m_mesh;
  const TriMesh& m_surface;
  const SurfaceFeatures& m_features;
  FeatureLines m_lines;
  double m_spacing;
  std::vector<PatchSet> m_patches;         ///< of boundary nodes; empty inside
  std::vector<std::vector<Index>> m_tets;  ///< around each node, removed ones included
  std::vector<char> m_removed;             ///< elements that became flat or were split
};

}  // namespace

TetMesh snap_to_features(TetMesh mesh, const TriMesh& surface, const SurfaceFeatures& features,
                         double spacing) {
  if (features.edges.empty() || mesh.element_count() == 0) return mesh;
  return FeatureSnapper(std::move(mesh), surface, features, spacing).run();
}

}  // namespace supple::geometry
