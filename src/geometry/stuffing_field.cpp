// SPDX-License-Identifier: Apache-2.0
#include "geometry/stuffing_field.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <utility>

namespace supple::geometry {

namespace {

/// Cut points lie on the surface to this fraction of their edge.
constexpr double kCutTolerance = 1e-9;

/// Hits closer together than this fraction of an edge count as one (duplicated triangles, shared
/// edges); the side of the surface is also probed at this distance.
constexpr double kSameHit = 1e-7;

/// Whether every edge is passed as often forwards as backwards, so that the winding number is an
/// integer everywhere off the surface, for any triangles.
bool edges_cancel(const TriMesh& mesh) {
  std::vector<std::pair<std::pair<Index, Index>, int>> edges;
  edges.reserve(mesh.triangles.size() * 3);
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t e = 0; e < 3; ++e) {
      const Index a = t[e];
      const Index b = t[(e + 1) % 3];
      edges.push_back({std::minmax(a, b), a < b ? 1 : -1});
    }
  }
  std::sort(edges.begin(), edges.end());
  for (std::size_t i = 0; i < edges.size();) {
    int sum = 0;
    std::size_t j = i;
    for (; j < edges.size() && edges[j].first == edges[i].first; ++j) sum += edges[j].second;
    if (sum != 0) return false;
    i = j;
  }
  return true;
}

/// Lists the cells of a block of the lattice that a triangle may touch, by halving the block and
/// dropping halves that lie off the triangle's box or plane.
class CellLister {
 public:
  using Id = BccLattice::Id;
  using Range = std::array<std::array<Id, 2>, 3>;  ///< first and last cell along each axis

  CellLister(const BccLattice& lattice, std::vector<Id>& cells)
      : m_lattice(lattice), m_cells(cells) {}

  void list(const Corners& corners) {
    Box box;
    for (const Vec3& corner : corners) box.add(corner);
    // If the triangle lies in a cell boundary, the neighbours on both sides count.
    const double slack = 1e-6 * m_lattice.spacing();
    Range range;
    for (int a = 0; a < 3; ++a) {
      range[static_cast<std::size_t>(a)] = {m_lattice.cell_along(a, box.low[a] - slack),
                                            m_lattice.cell_along(a, box.high[a] + slack)};
    }
    m_normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).stableNormalized();
    m_offset = m_normal.dot(corners[0]);
    visit(range);
  }

 private:
  void visit(const Range& range) {
    std::size_t axis = 0;
    Id cells = 1;
    for (std::size_t a = 0; a < 3; ++a) {
      const Id width = range[a][1] - range[a][0] + 1;
      cells *= width;
      if (width > range[axis][1] - range[axis][0] + 1) axis = a;
    }
    if (cells > 1 && !meets_plane(range)) return;
    if (cells <= 4) {
      for (Id k = range[2][0]; k <= range[2][1]; ++k) {
        for (Id j = range[1][0]; j <= range[1][1]; ++j) {
          for (Id i = range[0][0]; i <= range[0][1]; ++i)
            m_cells.push_back(m_lattice.corner(i, j, k));
        }
      }
      return;
    }
    const Id middle = range[axis][0] + (range[axis][1] - range[axis][0]) / 2;
    Range half = range;
    half[axis][1] = middle;
    visit(half);
    half = range;
    half[axis][0] = middle + 1;
    visit(half);
  }

  [[nodiscard]] bool meets_plane(const Range& range) const {
    const Vec3 low = m_lattice.position(m_lattice.corner(range[0][0], range[1][0], range[2][0]));
    Vec3 size;
    for (int a = 0; a < 3; ++a) {
      const auto& r = range[static_cast<std::size_t>(a)];
      size[a] = m_lattice.spacing() * static_cast<double>(r[1] - r[0] + 1);
    }
    const double reach = 0.5 * size.dot(m_normal.cwiseAbs()) + 1e-6 * m_lattice.spacing();
    return std::abs(m_normal.dot(low + 0.5 * size) - m_offset) <= reach;
  }

  const BccLattice& m_lattice;
  std::vector<Id>& m_cells;
  Vec3 m_normal = Vec3::Zero();
  double m_offset = 0;
};

}  // namespace

SurfaceField::SurfaceField(const TriMesh& surface, double threshold)
    : m_bvh(surface), m_winding(m_bvh), m_threshold(threshold), m_closed(edges_cancel(surface)) {
  for (const Corners& corners : m_bvh.corners())
    for (const Vec3& corner : corners) m_bounds.add(corner);
}

Side SurfaceField::side(const Vec3& point) const {
  const bool in_box = (point.array() >= m_bounds.low.array()).all() &&
                      (point.array() <= m_bounds.high.array()).all();
  return in_box && m_winding(point) >= m_threshold ? Side::Inside : Side::Outside;
}

double SurfaceField::bisect(const Vec3& inside, const Vec3& outside, double low,
                            double high) const {
  while (high - low > kCutTolerance) {
    const double middle = 0.5 * (low + high);
    (is_inside(inside + middle * (outside - inside)) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Walks from the inside end past the triangles along the edge and stops where the side changes: at
/// a triangle, or between triangles where the winding number of an open surface fades.
Cut SurfaceField::cut(const Vec3& inside, const Vec3& outside) const {
  thread_local std::vector<SegmentHit> hits;
  m_bvh.segment_hits(inside, outside, hits);
  if (m_closed && hits.size() == 1) return {hits[0].t, hits[0].triangle};

  const auto inside_at = [&](double t) { return is_inside(inside + t * (outside - inside)); };
  double from = 0;  // known to be inside
  for (std::size_t h = 0; h < hits.size();) {
    const SegmentHit hit = hits[h];
    double last = hit.t;
    while (h < hits.size() && hits[h].t - last < kSameHit) last = hits[h++].t;
    const double before = hit.t - kSameHit;
    const double after = last + kSameHit;
    if (!m_closed && before > from && !inside_at(before))
      return {bisect(inside, outside, from, before), -1};
    const bool leaves = h == hits.size() && m_closed ? true : after >= 1 || !inside_at(after);
    if (leaves) return {hit.t, hit.triangle};
    from = after;
  }
  return {bisect(inside, outside, from, 1), -1};
}

std::optional<std::vector<BccLattice::Id>> SurfaceField::seed_cells(
    const BccLattice& lattice) const {
  std::vector<BccLattice::Id> cells;
  CellLister lister(lattice, cells);
  for (const Corners& corners : m_bvh.corners()) lister.list(corners);
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

Side FunctionField::side(const Vec3& point) const {
  const double value = m_function(point);
  if (value == 0) return Side::Surface;
  return value < 0 ? Side::Inside : Side::Outside;
}

/// Regula falsi with the Illinois weights, and a bisection after every step that gains less than
/// one: functions that are not distances must not make it slow.
Cut FunctionField::cut(const Vec3& inside, const Vec3& outside) const {
  double low = 0;
  double high = 1;
  double f_low = m_function(inside);
  double f_high = m_function(outside);
  bool halve = false;
  while (high - low > kCutTolerance) {
    const double width = high - low;
    const double secant = low + width * f_low / (f_low - f_high);
    const double t = !halve && secant > low && secant < high ? secant : 0.5 * (low + high);
    const double f = m_function(inside + t * (outside - inside));
    if (f == 0) return {t, -1};
    if (f < 0) {
      low = t;
      f_low = f;
      f_high *= 0.5;
    } else {
      high = t;
      f_high = f;
      f_low *= 0.5;
    }
    halve = high - low > 0.5 * width;
  }
  return {0.5 * (low + high), -1};
}

}  // namespace supple::geometry
