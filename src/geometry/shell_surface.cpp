// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/shell_surface.hpp"

#include "geometry/union_find.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace supple::geometry {
namespace {

/// A triangle lower than this part of its longest side counts as collinear: its rotation is noise
/// in coordinates of single precision.
constexpr double kFlattest = 2e-6;

/// So many offenders are named, then counted.
constexpr std::size_t kNamed = 10;

/// "12, 17, 20 and 4 more".
std::string list_of(const std::vector<std::string>& items) {
  const std::size_t named = std::min(items.size(), kNamed);
  std::string text = fmt::format("{}", fmt::join(items.begin(), items.begin() + named, ", "));
  if (items.size() > named) text += fmt::format(" and {} more", items.size() - named);
  return text;
}

std::string triangle_list(const std::vector<Index>& triangles) {
  std::vector<std::string> names;
  names.reserve(triangles.size());
  for (const Index t : triangles) names.push_back(std::to_string(t + 1));
  return list_of(names);
}

/// One triangle's use of an edge.
struct EdgeUse {
  Index low, high;  ///< nodes
  Index triangle;
  bool forward;  ///< from low to high
  [[nodiscard]] bool same_edge(const EdgeUse& other) const {
    return low == other.low && high == other.high;
  }
};

std::vector<EdgeUse> edge_uses(const std::vector<Triangle>& triangles) {
  std::vector<EdgeUse> uses;
  uses.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = triangles[t][k];
      const Index b = triangles[t][(k + 1) % 3];
      uses.push_back({std::min(a, b), std::max(a, b), static_cast<Index>(t), a < b});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return uses;
}

class Preparation {
 public:
  explicit Preparation(const TriMesh& input) : m_input(input) {}

  Result<ShellSurface> run() {
    SUPPLE_TRY_VOID(m_input.validate());
    WeldedMesh welded = weld(m_input);
    m_surface.mesh.positions = std::move(welded.mesh.positions);
    m_surface.node_of_vertex = std::move(welded.vertex_of_input);
    keep_good_triangles();
    drop_copies();
    if (m_surface.mesh.triangles.empty()) {
      return bad_input(
          "the surface has no triangle with an area: nothing is left of it to make a shell of");
    }
    compact_nodes();
    SUPPLE_TRY_VOID(find_neighbours());
    SUPPLE_TRY_VOID(orient());
    find_pieces();
    return std::move(m_surface);
  }

 private:
  void warn(std::string text) { m_surface.warnings.push_back(std::move(text)); }

  [[nodiscard]] bool degenerate(const Triangle& corner) const {
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) return true;
    const auto& x = m_surface.mesh.positions;
    const Vec3 u = x[corner[1]] - x[corner[0]];
    const Vec3 v = x[corner[2]] - x[corner[0]];
    const double longest2 = std::max({u.squaredNorm(), v.squaredNorm(), (u - v).squaredNorm()});
    return !(u.cross(v).norm() > kFlattest * longest2);
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
          "dropped {} of {} triangles: their corners coincide or lie on a line. Where neighbours "
          "met along one of them the shell is open now; clean the mesh to close it (triangle {})",
          dropped.size(), m_input.triangles.size(), triangle_list(dropped)));
    }
    m_dropped = std::move(dropped);
  }

  /// Double-sided models hold every triangle twice.
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
    warn(fmt::format(
        "dropped {} triangles that repeat others (a shell has both sides by itself): triangle {}",
        dropped.size(), triangle_list(dropped)));
  }

  /// Numbers the nodes that are used, in their order; vertices of dropped triangles move with the
  /// nearest corner that is still there, or a sliver would open into a visible triangle.
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
    return fmt::format("{} at ({:.6g}, {:.6g}, {:.6g})", m_vertex_of_node[node] + 1, x.x(), x.y(),
                       x.z());
  }

  Result<void> find_neighbours() {
    m_uses = edge_uses(m_surface.mesh.triangles);
    std::vector<std::string> crowded;
    for (std::size_t i = 0; i < m_uses.size();) {
      std::size_t end = i;
      while (end < m_uses.size() && m_uses[end].same_edge(m_uses[i])) ++end;
      if (end - i > 2) {
        crowded.push_back(fmt::format("vertex {} to vertex {} ({} triangles)",
                                      describe_node(m_uses[i].low), describe_node(m_uses[i].high),
                                      end - i));
      }
      i = end;
    }
    if (crowded.empty()) return {};
    return bad_input(fmt::format(
        "{} edge{} of the surface {} more than two triangles, and a shell cannot branch: {}. "
        "Remove the extra triangles or separate the sheets",
        crowded.size(), crowded.size() == 1 ? "" : "s", crowded.size() == 1 ? "has" : "have",
        list_of(crowded)));
  }

  /// Turns triangles so that neighbours agree, patch by patch; the larger part of a patch stays.
  Result<void> orient() {
    auto& triangles = m_surface.mesh.triangles;
    struct Link {
      Index triangle;
      bool agrees;
    };
    std::vector<std::array<Link, 3>> links(triangles.size(),
                                           {Link{-1, true}, {-1, true}, {-1, true}});
    std::vector<std::uint8_t> link_count(triangles.size(), 0);
    for (std::size_t i = 0; i + 1 < m_uses.size(); ++i) {
      const EdgeUse& a = m_uses[i];
      const EdgeUse& b = m_uses[i + 1];
      if (!a.same_edge(b)) continue;
      const bool agrees = a.forward != b.forward;
      links[a.triangle][link_count[a.triangle]++] = {b.triangle, agrees};
      links[b.triangle][link_count[b.triangle]++] = {a.triangle, agrees};
    }
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
      warn(
          fmt::format("turned {} of {} triangles around: they faced the other way than most of "
                      "their neighbours",
                      flips, triangles.size()));
    }
    return {};
  }

  [[nodiscard]] Error one_sided(const std::vector<Index>& patch) const {
    const Index node = m_surface.mesh.triangles[patch.front()][0];
    return bad_input(fmt::format(
        "the piece of the surface around vertex {} has one side only, like a Moebius strip, so "
        "its triangles cannot all face the same way; cut it along a line of edges",
        describe_node(node)));
  }

  void find_pieces() {
    m_surface.piece = components(m_surface.mesh);
    for (const Index p : m_surface.piece) {
      m_surface.piece_count = std::max(m_surface.piece_count, static_cast<std::size_t>(p) + 1);
    }
    warn_about_pinches();
  }

  /// Sheets that touch in a single node turn about it like on a ball joint.
  void warn_about_pinches() {
    const auto& mesh = m_surface.mesh;
    // The corners around a node, joined across the edges that end there: more than one set, or fan,
    // is a pinch.
    UnionFind corners(3 * mesh.triangles.size());
    const auto corner_at = [&](Index t, Index node) {
      const auto& c = mesh.triangles[t];
      return static_cast<Index>(3 * t + (c[0] == node ? 0 : c[1] == node ? 1 : 2));
    };
    for (std::size_t i = 0; i + 1 < m_uses.size(); ++i) {
      const EdgeUse& a = m_uses[i];
      const EdgeUse& b = m_uses[i + 1];
      if (!a.same_edge(b)) continue;
      for (const Index node : {a.low, a.high}) {
        corners.join(corner_at(a.triangle, node), corner_at(b.triangle, node));
      }
    }
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
    std::vector<std::string> names;
    for (std::size_t node = 0; node < pinched.size(); ++node) {
      if (pinched[node] != 0) names.push_back(describe_node(static_cast<Index>(node)));
    }
    if (names.empty()) return;
    warn(
        fmt::format("sheets of the shell meet in single vertices and turn freely about them: "
                    "vertex {}",
                    list_of(names)));
  }

  const TriMesh& m_input;
  ShellSurface m_surface;
  std::vector<Index> m_dropped;         // degenerate triangles of the input
  std::vector<Index> m_vertex_of_node;  // the first of the input, for messages
  std::vector<EdgeUse> m_uses;
};

}  // namespace

Result<ShellSurface> prepare_shell_surface(const TriMesh& mesh) {
  return Preparation(mesh).run();
}

}  // namespace supple::geometry
