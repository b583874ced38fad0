// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/shell_surface.hpp"

#include "geometry/union_find.hpp"
#include "supple/geometry/half_edges.hpp"
#include "supple/geometry/offenders.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace supple::geometry {
namespace {

class Preparation {
 public:
  Preparation(const TriMesh& input, std::size_t first_number)
      : m_input(input), m_first_number(first_number) {}

  Result<ShellSurface> run() {
    SUPPLE_TRY_VOID(m_input.validate());
    WeldedMesh welded = weld(m_input);
    m_surface.mesh.positions = std::move(welded.mesh.positions);
    m_surface.node_of_vertex = std::move(welded.vertex_of_input);
    keep_good_triangles();
    drop_copies();
    if (m_surface.mesh.triangles.empty()) {
      return bad_input(
          "the surface has no triangle with a nonzero area, so it cannot become a shell");
    }
    compact_nodes();
    SUPPLE_TRY_VOID(find_neighbours());
    SUPPLE_TRY_VOID(orient());
    find_pieces();
    return std::move(m_surface);
  }

 private:
  [[nodiscard]] std::string triangle_list(const std::vector<Index>& triangles) const {
    Offenders names;
    for (const Index t : triangles) names.add(std::to_string(t + m_first_number));
    return names.list();
  }

  void warn(std::string text) { m_surface.warnings.push_back(std::move(text)); }

  [[nodiscard]] bool degenerate(const Triangle& corner) const {
    const auto& x = m_surface.mesh.positions;
    return !(flatness(x[corner[0]], x[corner[1]], x[corner[2]]) > kDroppedBelow);
  }

  void keep_good_triangles() {
    std::vector<Index> dropped;
    m_surface.mesh.triangles.reserve(m_input.triangles.size());
    m_surface.input_triangle.reserve(m_input.triangles.size());
    for (std::size_t t = 0; t < m_input.triangles.size(); ++t) {
      Triangle corner = m_input.triangles[t];
      for (Index& v : corner) v = m_surface.node_of_vertex[v];
      if (degenerate(corner)) {
        dropped.push_back(static_cast<Index>(t));
      } else {
        m_surface.mesh.triangles.push_back(corner);
        m_surface.input_triangle.push_back(static_cast<Index>(t));
      }
    }
    if (!dropped.empty()) {
      warn(fmt::format(
          "dropped {} of {} triangles: their corners coincide or lie on a line. The shell is now "
          "open where neighbours met along one of them; clean the mesh to close it (triangle {})",
          dropped.size(), m_input.triangles.size(), triangle_list(dropped)));
    }
    m_dropped = std::move(dropped);
  }

  /// Double-sided models contain every triangle twice.
  void drop_copies() {
    auto& triangles = m_surface.mesh.triangles;
    std::vector<std::pair<Triangle, Index>> sorted(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      sorted[t] = {triangles[t], static_cast<Index>(t)};
      std::sort(sorted[t].first.begin(), sorted[t].first.end());
    }
    std::sort(sorted.begin(), sorted.end());
    std::vector<char> copy(triangles.size(), 0);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i].first == sorted[i - 1].first) copy[sorted[i].second] = 1;
    }
    std::vector<Index> dropped;
    std::size_t kept = 0;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      if (copy[t] != 0) {
        dropped.push_back(m_surface.input_triangle[t]);
        continue;
      }
      triangles[kept] = triangles[t];
      m_surface.input_triangle[kept++] = m_surface.input_triangle[t];
    }
    triangles.resize(kept);
    m_surface.input_triangle.resize(kept);
    if (dropped.empty()) return;
    warn(fmt::format("dropped {} duplicate triangles (a shell always has both sides): triangle {}",
                     dropped.size(), triangle_list(dropped)));
  }

  /// Numbers the used nodes in order; vertices of dropped triangles move with the nearest remaining
  /// corner, otherwise a sliver would open into a visible triangle.
  void compact_nodes() {
    auto& mesh = m_surface.mesh;
    std::vector<Index> number(mesh.positions.size(), -1);
    for (const Triangle& corner : mesh.triangles) {
      for (const Index node : corner) number[node] = 0;
    }
    Index next = 0;
    for (Index& n : number) n = n < 0 ? -1 : next++;
    std::vector<Index> stand_in = number;
    for (const Index t : m_dropped) adopt(m_input.triangles[t], number, stand_in);
    for (Index& node : m_surface.node_of_vertex) node = stand_in[node];
    for (Triangle& corner : mesh.triangles) {
      for (Index& node : corner) node = number[node];
    }
    m_vertex_of_node.assign(static_cast<std::size_t>(next), -1);
    for (std::size_t old = 0; old < number.size(); ++old) {
      if (number[old] >= 0) mesh.positions[number[old]] = mesh.positions[old];
    }
    mesh.positions.resize(static_cast<std::size_t>(next));
    for (std::size_t v = 0; v < m_input.positions.size(); ++v) {
      const Index node = m_surface.node_of_vertex[v];
      if (node >= 0 && m_vertex_of_node[node] < 0) {
        m_vertex_of_node[node] = static_cast<Index>(v);
      }
    }
  }

  void adopt(const Triangle& vertices, const std::vector<Index>& number,
             std::vector<Index>& stand_in) const {
    for (const Index v : vertices) {
      Index& adopted = stand_in[m_surface.node_of_vertex[v]];
      if (adopted >= 0) continue;
      double nearest = std::numeric_limits<double>::infinity();
      for (const Index other : vertices) {
        const Index there = number[m_surface.node_of_vertex[other]];
        const double away = (m_input.positions[other] - m_input.positions[v]).squaredNorm();
        if (there >= 0 && away < nearest) {
          nearest = away;
          adopted = there;
        }
      }
    }
  }

  [[nodiscard]] std::string describe_node(Index node) const {
    const Vec3& x = m_surface.mesh.positions[node];
    return fmt::format("{} at ({:.6g}, {:.6g}, {:.6g})", m_vertex_of_node[node] + m_first_number,
                       x.x(), x.y(), x.z());
  }

  Result<void> find_neighbours() {
    m_sides = half_edges(m_surface.mesh);
    Offenders crowded;
    for_each_edge(m_sides, [&](const HalfEdge* side, std::size_t count) {
      if (count <= 2) return;
      crowded.add(fmt::format("vertex {} to vertex {} ({} triangles)", describe_node(side->low),
                              describe_node(side->high), count));
    });
    if (!crowded.any()) return {};
    return bad_input(fmt::format(
        "{} edge{} of the surface {} more than two triangles, and a shell cannot branch: {}. "
        "Remove the extra triangles or separate the sheets",
        crowded.count(), crowded.count() == 1 ? "" : "s", crowded.count() == 1 ? "has" : "have",
        crowded.list()));
  }

  /// Flips triangles so that neighbours agree, patch by patch; the larger part of a patch stays.
  Result<void> orient() {
    auto& triangles = m_surface.mesh.triangles;
    struct Link {
      Index triangle;
      bool agrees;
    };
    std::vector<std::array<Link, 3>> links(triangles.size(),
                                           {Link{-1, true}, {-1, true}, {-1, true}});
    std::vector<std::uint8_t> link_count(triangles.size(), 0);
    for_each_edge(m_sides, [&](const HalfEdge* side, std::size_t count) {
      if (count < 2) return;
      const bool agrees = side[0].forward != side[1].forward;
      const Index a = side[0].triangle;
      const Index b = side[1].triangle;
      links[a][link_count[a]++] = {b, agrees};
      links[b][link_count[b]++] = {a, agrees};
    });
    constexpr std::int8_t kUnseen = -1;
    std::vector<std::int8_t> turned(triangles.size(), kUnseen);
    std::size_t flips = 0;
    for (std::size_t seed = 0; seed < triangles.size(); ++seed) {
      if (turned[seed] != kUnseen) continue;
      std::vector<Index> patch{static_cast<Index>(seed)};
      turned[seed] = 0;
      std::size_t count = 0;
      for (std::size_t i = 0; i < patch.size(); ++i) {
        const Index t = patch[i];
        count += static_cast<std::size_t>(turned[t]);
        for (std::uint8_t k = 0; k < link_count[t]; ++k) {
          const Link& link = links[t][k];
          const auto wanted = static_cast<std::int8_t>(link.agrees ? turned[t] : 1 - turned[t]);
          if (turned[link.triangle] == kUnseen) {
            turned[link.triangle] = wanted;
            patch.push_back(link.triangle);
          } else if (turned[link.triangle] != wanted) {
            return one_sided(patch);
          }
        }
      }
      const bool rest = 2 * count > patch.size();
      flips += rest ? patch.size() - count : count;
      for (const Index t : patch) {
        if ((turned[t] != 0) != rest) std::swap(triangles[t][1], triangles[t][2]);
      }
    }
    if (flips > 0) {
      warn(fmt::format(
          "flipped {} of {} triangles: they faced the opposite way from most of their neighbours",
          flips, triangles.size()));
    }
    return {};
  }

  [[nodiscard]] Error one_sided(const std::vector<Index>& patch) const {
    const Index node = m_surface.mesh.triangles[patch.front()][0];
    return bad_input(
        fmt::format("the piece of the surface around vertex {} is one-sided, like a Moebius strip, "
                    "so its triangles cannot all face the same way; cut it along a line of edges",
                    describe_node(node)));
  }

  void find_pieces() {
    m_surface.piece = components(m_surface.mesh);
    for (const Index p : m_surface.piece) {
      m_surface.piece_count = std::max(m_surface.piece_count, static_cast<std::size_t>(p) + 1);
    }
    warn_about_pinches();
  }

  /// Sheets that touch at a single node turn about it as on a ball joint.
  void warn_about_pinches() {
    const auto& mesh = m_surface.mesh;
    // The corners around a node, joined across the edges that end there: more than one set, or fan,
    // is a pinch.
    UnionFind corners(3 * mesh.triangles.size());
    const auto corner_at = [&](Index t, Index node) {
      const auto& c = mesh.triangles[t];
      return static_cast<Index>(3 * t + (c[0] == node ? 0 : c[1] == node ? 1 : 2));
    };
    for_each_edge(m_sides, [&](const HalfEdge* side, std::size_t count) {
      if (count < 2) return;
      for (const Index node : {side->low, side->high}) {
        corners.join(corner_at(side[0].triangle, node), corner_at(side[1].triangle, node));
      }
    });
    std::vector<Index> fan(mesh.positions.size(), -1);
    std::vector<char> pinched(mesh.positions.size(), 0);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Index node = mesh.triangles[t][k];
        const Index root = corners.find(static_cast<Index>(3 * t + k));
        if (fan[node] >= 0 && fan[node] != root) pinched[node] = 1;
        fan[node] = root;
      }
    }
    Offenders names;
    for (std::size_t node = 0; node < pinched.size(); ++node) {
      if (pinched[node] != 0) names.add(describe_node(static_cast<Index>(node)));
    }
    if (!names.any()) return;
    warn(fmt::format(
        "sheets of the shell meet only at single vertices and turn freely about them: vertex {}",
        names.list()));
  }

  const TriMesh& m_input;
  std::size_t m_first_number;
  ShellSurface m_surface;
  std::vector<Index> m_dropped;         // degenerate triangles of the input
  std::vector<Index> m_vertex_of_node;  // the first input vertex, for messages
  std::vector<HalfEdge> m_sides;
};

}  // namespace

double flatness(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double longest2 =
      std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return longest2 > 0 ? (b - a).cross(c - a).norm() / longest2 : 0;
}

Result<ShellSurface> prepare_shell_surface(const TriMesh& mesh, std::size_t first_number) {
  return Preparation(mesh, first_number).run();
}

}  // namespace supple::geometry
