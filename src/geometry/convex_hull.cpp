// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/convex_hull.hpp"

#include "supple/core/check.hpp"

#include <Eigen/Geometry>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace supple::geometry {
namespace {

/// A point on a grid of 2^20 cells along the longest side: there the test whether a point is above
/// a plane is exact in 64 bits, so that rounding cannot fold the surface.
using Cell = Eigen::Matrix<std::int64_t, 3, 1>;
constexpr double kCells = 1 << 20;
/// How far a point must stick out to count, in cells: rounding moves each by less than one.
constexpr double kTolerance = 3;

struct Facet {
  std::array<std::size_t, 3> corners{};
  std::array<std::size_t, 3> across{};  ///< facet beyond the edge from corner k to corner k + 1
  Cell normal = Cell::Zero();
  double length = 0;  ///< of the normal
  std::vector<std::size_t>
      outside;  ///< points above it that belong to no other facet, farthest first
  bool gone = false;
  bool seen = false;  ///< visible from the point being added
};

/// Quickhull (Barber, Dobkin and Huhdanpaa 1996) on the grid.
class Hull {
 public:
  explicit Hull(std::vector<Cell> points) : m_points(std::move(points)) {}

  /// False: the points are coplanar.
  bool run() {
    std::array<std::size_t, 4> start{};
    if (!find_start(start)) return false;
    build_start(start);
    // The list grows during the loop.
    for (std::size_t f = 0; f < m_facets.size();) {
      for (; f < m_facets.size(); ++f) {
        if (!m_facets[f].gone && !m_facets[f].outside.empty()) add(f);
      }
      f = share(std::exchange(m_doubtful, {}), 0);
    }
    return true;
  }

  [[nodiscard]] std::vector<std::array<std::size_t, 3>> triangles() const {
    std::vector<std::array<std::size_t, 3>> result;
    result.reserve(m_facets.size());
    for (const Facet& facet : m_facets) {
      if (!facet.gone) result.push_back(facet.corners);
    }
    return result;
  }

 private:
  struct Edge {
    std::size_t from, to, beyond;
  };

  template <class Measure>
  [[nodiscard]] std::pair<std::size_t, double> farthest(Measure measure) const {
    std::pair<std::size_t, double> best{0, -1};
    for (std::size_t i = 0; i < m_points.size(); ++i) {
      const double value = measure(m_points[i]);
      if (value > best.second) best = {i, value};
    }
    return best;
  }

  /// Four points that span as much as possible.
  bool find_start(std::array<std::size_t, 4>& start) const {
    const auto real = [](const Cell& cell) { return Vec3(cell.cast<double>()); };
    double extent = -1;
    for (int axis = 0; axis < 3; ++axis) {
      const auto [low, high] =
          std::minmax_element(m_points.begin(), m_points.end(),
                              [&](const Cell& a, const Cell& b) { return a[axis] < b[axis]; });
      if (const double size = real(*high - *low)[axis]; size > extent) {
        extent = size;
        start[0] = static_cast<std::size_t>(low - m_points.begin());
        start[1] = static_cast<std::size_t>(high - m_points.begin());
      }
    }
    if (!(extent > kTolerance)) return false;
    const Vec3 origin = real(m_points[start[0]]);
    const Vec3 along = (real(m_points[start[1]]) - origin).normalized();
    const auto third =
        farthest([&](const Cell& cell) { return (real(cell) - origin).cross(along).norm(); });
    if (!(third.second > kTolerance)) return false;
    start[2] = third.first;
    const Vec3 normal = along.cross(real(m_points[start[2]]) - origin).normalized();
    const auto fourth =
        farthest([&](const Cell& cell) { return std::abs(normal.dot(real(cell) - origin)); });
    start[3] = fourth.first;
    return fourth.second > kTolerance;
  }

  void build_start(std::array<std::size_t, 4> start) {
    const Facet base = make_facet(start[0], start[1], start[2]);
    if (height(base, start[3]) > 0) std::swap(start[1], start[2]);
    const auto& [a, b, c, d] = start;
    m_facets = {make_facet(a, b, c), make_facet(b, a, d), make_facet(c, b, d), make_facet(a, c, d)};
    m_facets[0].across = {1, 2, 3};
    m_facets[1].across = {0, 3, 2};
    m_facets[2].across = {0, 1, 3};
    m_facets[3].across = {0, 2, 1};
    std::vector<std::size_t> all(m_points.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    share(all, 0);
  }

  [[nodiscard]] Facet make_facet(std::size_t a, std::size_t b, std::size_t c) const {
    Facet facet;
    facet.corners = {a, b, c};
    const Cell u = m_points[b] - m_points[a];
    const Cell w = m_points[c] - m_points[a];
    facet.normal = {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2],
                    u[0] * w[1] - u[1] * w[0]};
    facet.length = facet.normal.cast<double>().norm();
    SUPPLE_CHECK_OP(facet.length, >, 0);
    return facet;
  }

  /// Height above the facet's plane, times the length of its normal. Exact: with sides of 2^20
  /// cells no term exceeds 2^61.
  [[nodiscard]] std::int64_t height(const Facet& facet, std::size_t point) const {
    const Cell arm = m_points[point] - m_points[facet.corners[0]];
    return facet.normal[0] * arm[0] + facet.normal[1] * arm[1] + facet.normal[2] * arm[2];
  }

  /// Assigns points to the facets from `first` on, each to the facet it is highest above; the
  /// others are inside, or doubtful. Returns the first facet that received a point.
  std::size_t share(const std::vector<std::size_t>& points, std::size_t first) {
    std::vector<double> highest(m_facets.size() - first, 0);
    std::size_t given = m_facets.size();
    for (const std::size_t point : points) {
      double best = 0;
      std::size_t chosen = m_facets.size();
      for (std::size_t f = first; f < m_facets.size(); ++f) {
        if (m_facets[f].gone) continue;
        const double above = static_cast<double>(height(m_facets[f], point)) / m_facets[f].length;
        if (above > best) {
          best = above;
          chosen = f;
        }
      }
      if (chosen == m_facets.size()) continue;
      if (best <= kTolerance) {
        m_doubtful.push_back(point);
        continue;
      }
      given = std::min(given, chosen);
      auto& outside = m_facets[chosen].outside;
      outside.push_back(point);
      if (best > highest[chosen - first]) {
        highest[chosen - first] = best;
        std::swap(outside.front(), outside.back());
      }
    }
    return given;
  }

  /// Removes the facets visible from a point; new ones join it to the rim of the hole.
  void add(std::size_t facet) {
    const std::size_t point = m_facets[facet].outside.front();
    std::vector<std::size_t> seen{facet};
    std::vector<std::size_t> orphans;
    std::vector<Edge> rim;
    m_facets[facet].seen = true;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (const std::size_t next : m_facets[seen[i]].across) {
        if (m_facets[next].seen || height(m_facets[next], point) <= 0) continue;
        m_facets[next].seen = true;
        seen.push_back(next);
      }
    }
    for (const std::size_t f : seen) {
      Facet& lost = m_facets[f];
      for (std::size_t k = 0; k < 3; ++k) {
        if (m_facets[lost.across[k]].seen) continue;
        rim.push_back({lost.corners[k], lost.corners[(k + 1) % 3], lost.across[k]});
      }
      orphans.insert(orphans.end(), lost.outside.begin(), lost.outside.end());
    }
    for (const std::size_t f : seen) {
      m_facets[f].gone = true;
      m_facets[f].seen = false;
      m_facets[f].outside = {};
    }
    const std::size_t first = m_facets.size();
    close(rim, point);
    std::erase(orphans, point);
    share(orphans, first);
  }

  void close(std::vector<Edge>& rim, std::size_t point) {
    // In order around the rim, so that neighbours are adjacent.
    for (std::size_t i = 0; i + 1 < rim.size(); ++i) {
      const auto next = std::find_if(rim.begin() + static_cast<std::ptrdiff_t>(i) + 1, rim.end(),
                                     [&](const Edge& edge) { return edge.from == rim[i].to; });
      SUPPLE_CHECK(next != rim.end());
      std::swap(rim[i + 1], *next);
    }
    const std::size_t first = m_facets.size();
    for (std::size_t i = 0; i < rim.size(); ++i) {
      const Edge& edge = rim[i];
      Facet fresh = make_facet(edge.from, edge.to, point);
      fresh.across = {edge.beyond, first + (i + 1) % rim.size(),
                      first + (i + rim.size() - 1) % rim.size()};
      Facet& beyond = m_facets[edge.beyond];
      for (std::size_t k = 0; k < 3; ++k) {
        if (beyond.corners[k] == edge.to && beyond.corners[(k + 1) % 3] == edge.from) {
          beyond.across[k] = first + i;
        }
      }
      m_facets.push_back(std::move(fresh));
    }
  }

  std::vector<Cell> m_points;
  std::vector<Facet> m_facets;
  /// Points that were hardly above a facet when tested. They may still stick out far: beyond a
  /// sharp edge both facets are near, and steeper facets replace them later.
  std::vector<std::size_t> m_doubtful;
};

}  // namespace

Result<TriMesh> convex_hull(const std::vector<Vec3>& points) {
  SUPPLE_TRY_VOID(TriMesh({points, {}}).validate());
  if (points.size() < 4) {
    return bad_input(
        fmt::format("{} points have no convex hull; give four or more that are not in "
                    "one plane",
                    points.size()));
  }
  const Box box = bounding_box(points);
  const double cell = box.size().maxCoeff() / kCells;
  const auto flat = [&] {
    const Vec3 size = box.size();
    return bad_input(
        fmt::format("{} points in a box of {} x {} x {} are coplanar or collinear and enclose "
                    "nothing; give points that span a volume",
                    points.size(), size.x(), size.y(), size.z()));
  };
  if (!(cell > 0)) return flat();
  std::vector<Cell> cells;
  cells.reserve(points.size());
  for (const Vec3& point : points) {
    cells.emplace_back(((point - box.low) / cell).array().round().cast<std::int64_t>());
  }
  Hull hull(cells);
  if (!hull.run()) return flat();
  TriMesh mesh;
  std::vector<Index> number(points.size(), -1);
  for (const auto& corners : hull.triangles()) {
    Triangle& triangle = mesh.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      Index& vertex = number[corners[k]];
      if (vertex < 0) {
        vertex = static_cast<Index>(mesh.positions.size());
        // Its grid position: there even slivers face the right way.
        mesh.positions.emplace_back(box.low + cell * cells[corners[k]].cast<double>());
      }
      triangle[k] = vertex;
    }
  }
  return mesh;
}

}  // namespace supple::geometry
