// SPDX-License-Identifier: Apache-2.0
#include "geometry/fitted_lattice.hpp"

#include "geometry/feature_snapping.hpp"
#include "geometry/spacing_search.hpp"
#include "geometry/stuffing_field.hpp"
#include "geometry/stuffing_mesher.hpp"
#include "geometry/surface_features.hpp"
#include "supple/core/interrupt.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace supple::geometry {

namespace {

/// Part of the surface that must be perpendicular to the axes.
constexpr double kAlignedShare = 0.5;
/// Smaller pieces, as parts of the surface, neither choose an axis ...
constexpr double kSmallPiece = 1e-3;
/// ... nor, if smaller than this, bend the lattice.
constexpr double kSmallFace = 0.01;
/// Largest sine of the angle between an axis and the normals of its faces.
constexpr double kAlignedSine = 1e-4;
/// Distance within which points lie on a plane, as a fraction of the body's diagonal.
constexpr double kOnPlane = 1e-5;
/// Nodes closer than this to a plane of the lattice were meant to lie on it, in cells.
constexpr double kOnLattice = 1e-6;

constexpr double kGoodCount = 0.08;
constexpr double kPromisedCount = 0.2;
constexpr int kMostTries = 8;
/// Elements per cell of the lattice away from the surface.
constexpr double kElementsPerCell = 12;

bool parallel(const Vec3& a, const Vec3& b) {
  return a.cross(b).norm() < kAlignedSine;
}

/// The direction to which most of the area is perpendicular, among those of the pieces that are
/// perpendicular to `other`; zero if no piece is.
Vec3 main_direction(const std::vector<PlanarPiece>& pieces, const Vec3& other) {
  Vec3 best = Vec3::Zero();
  double most = 0;
  for (const PlanarPiece& piece : pieces) {
    if (std::abs(piece.normal.dot(other)) > kAlignedSine) continue;
    double area = 0;
    for (const PlanarPiece& second : pieces)
      if (parallel(piece.normal, second.normal)) area += second.area;
    if (area <= most) continue;
    most = area;
    best = piece.normal;
  }
  return best;
}

/// A direction that is meant to be a coordinate axis becomes exactly that.
Vec3 tidied(const Vec3& direction) {
  for (int a = 0; a < 3; ++a)
    if (parallel(direction, Vec3::Unit(a))) return Vec3::Unit(a);
  return direction;
}

Mat3 main_axes(const std::vector<PlanarPiece>& pieces) {
  const Vec3 first = tidied(main_direction(pieces, Vec3::Zero()));
  Vec3 second = main_direction(pieces, first);
  if (second.isZero()) second = first.unitOrthogonal();
  second = tidied(second - first * first.dot(second)).normalized();
  Mat3 axes;
  axes << first, second, first.cross(second);
  return axes;
}

/// Divides the triangles of a surface along the plane where coordinate `axis` is `value`.
TriMesh divided(TriMesh mesh, int axis, double value) {
  std::map<std::pair<Index, Index>, Index> middle;
  const auto side = [&](Index v) {
    const double x = mesh.positions[static_cast<std::size_t>(v)][axis];
    return x < value ? -1 : (x > value ? 1 : 0);
  };
  const auto cut = [&](Index a, Index b) {
    const auto [at, fresh] =
        middle.try_emplace(std::minmax(a, b), static_cast<Index>(mesh.positions.size()));
    if (fresh) {
      const Vec3 low = mesh.positions[static_cast<std::size_t>(std::min(a, b))];
      const Vec3 high = mesh.positions[static_cast<std::size_t>(std::max(a, b))];
      Vec3 point = low + (value - low[axis]) / (high[axis] - low[axis]) * (high - low);
      point[axis] = value;
      mesh.positions.push_back(point);
    }
    return at->second;
  };
  std::vector<Triangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (Triangle t : mesh.triangles) {
    const auto on_side = [&](int s) {
      return std::count_if(t.begin(), t.end(), [&](Index v) { return side(v) == s; });
    };
    if (on_side(-1) == 0 || on_side(1) == 0) {
      triangles.push_back(t);
      continue;
    }
    // The vertex alone on its side, or one of two beside a vertex on the plane, comes first.
    const int lone = on_side(-1) == 1 ? -1 : 1;
    while (side(t[0]) != lone) std::rotate(t.begin(), t.begin() + 1, t.end());
    const auto [a, b, c] = t;
    const Index ab = side(b) == 0 ? b : cut(a, b);
    const Index ca = side(c) == 0 ? c : cut(a, c);
    triangles.push_back({a, ab, ca});
    if (ab != b) triangles.push_back({ab, b, ca});
    if (ca != c) triangles.push_back({b, c, ca});
  }
  mesh.triangles = std::move(triangles);
  return mesh;
}

/// How the intervals between planes are divided: into cells of about `spacing`, at least one.
struct Steps {
  double spacing = 0;
  double rounding = 0.5;  ///< 0 gives an interval fewer cells than it has spacings, 1 more
};

/// The coordinate along one axis, counted in cells of a lattice: linear between planes.
class FittedAxis {
 public:
  FittedAxis() = default;
  explicit FittedAxis(std::vector<double> planes) : m_planes(std::move(planes)) {}

  [[nodiscard]] const std::vector<double>& planes() const { return m_planes; }

  void divide(const Steps& steps) {
    m_count.assign(1, 0);
    for (std::size_t i = 1; i < m_planes.size(); ++i) {
      const double cells = (m_planes[i] - m_planes[i - 1]) / steps.spacing;
      m_count.push_back(m_count.back() + std::max(1.0, std::floor(cells + steps.rounding)));
    }
  }
  [[nodiscard]] double to_cells(double x) const { return interpolate(m_planes, m_count, x); }
  [[nodiscard]] double from_cells(double u) const {
    const double whole = std::round(u);
    return interpolate(m_count, m_planes, std::abs(u - whole) < kOnLattice ? whole : u);
  }

 private:
  /// Exact at the ends of every interval.
  static double interpolate(const std::vector<double>& from, const std::vector<double>& to,
                            double x) {
    const auto above = std::upper_bound(from.begin() + 1, from.end() - 1, x);
    const auto i = static_cast<std::size_t>(above - from.begin());
    const double t = (x - from[i - 1]) / (from[i] - from[i - 1]);
    return t < 0.5 ? to[i - 1] + t * (to[i] - to[i - 1]) : to[i] - (1 - t) * (to[i] - to[i - 1]);
  }

  std::vector<double> m_planes;  ///< ascending, from one end of the body to the other
  std::vector<double> m_count;   ///< cells up to each plane
};

/// A body in the space of its fitted lattice.
class FittedBody {
 public:
  FittedBody(const TriMesh& surface, const std::vector<PlanarPiece>& pieces, const Mat3& axes)
      : m_axes(axes), m_surface(surface) {
    for (Vec3& p : m_surface.positions) p = m_axes.transpose() * p;
    const Box box = bounding_box(m_surface.positions);
    const double tolerance = kOnPlane * box.diagonal();
    const double least_area = kSmallFace * area(surface);
    for (int a = 0; a < 3; ++a) {
      std::vector<double> planes{box.low[a], box.high[a]};
      for (const PlanarPiece& piece : pieces) {
        if (piece.area < least_area || !parallel(piece.normal, m_axes.col(a))) continue;
        const double offset = piece.normal.dot(m_axes.col(a)) < 0 ? -piece.offset : piece.offset;
        const bool known = std::any_of(planes.begin(), planes.end(), [&](double plane) {
          return std::abs(plane - offset) <= tolerance;
        });
        if (!known) planes.push_back(offset);
      }
      std::sort(planes.begin(), planes.end());
      m_axis[static_cast<std::size_t>(a)] = FittedAxis(std::move(planes));
      settle(a, tolerance);
    }
    for (int a = 0; a < 3; ++a)
      for (const double plane : planes(a)) m_surface = divided(std::move(m_surface), a, plane);
    m_features = find_features(m_surface);
  }

  /// The mesh with these steps, in the space of the lattice, edges still shaved.
  [[nodiscard]] Result<TetMesh> stuffed(const Steps& steps) {
    SUPPLE_TRY_VOID(check_interrupt());
    for (FittedAxis& axis : m_axis) axis.divide(steps);
    const SurfaceField field(in_cells(), 0.5);
    SUPPLE_TRY(const BccLattice lattice, BccLattice::over(field.bounds(), 1));
    return StuffingMesher(field, lattice).run();
  }

  /// A mesh that `stuffed` made with these steps, in the body's space, with sharp edges.
  [[nodiscard]] TetMesh finished(TetMesh mesh, const Steps& steps) {
    for (FittedAxis& axis : m_axis) axis.divide(steps);
    mesh = snap_to_features(std::move(mesh), in_cells(), m_features, 1);
    for (Vec3& p : mesh.nodes) {
      for (int a = 0; a < 3; ++a) p[a] = m_axis[static_cast<std::size_t>(a)].from_cells(p[a]);
      p = m_axes * p;
    }
    return mesh;
  }

 private:
  [[nodiscard]] const std::vector<double>& planes(int axis) const {
    return m_axis[static_cast<std::size_t>(axis)].planes();
  }

  /// Puts vertices that lie on a plane but for rounding exactly there.
  void settle(int axis, double tolerance) {
    for (Vec3& p : m_surface.positions) {
      for (const double plane : planes(axis))
        if (std::abs(p[axis] - plane) <= tolerance) p[axis] = plane;
    }
  }

  [[nodiscard]] TriMesh in_cells() const {
    TriMesh mapped = m_surface;
    for (Vec3& p : mapped.positions)
      for (int a = 0; a < 3; ++a) p[a] = m_axis[static_cast<std::size_t>(a)].to_cells(p[a]);
    return mapped;
  }

  Mat3 m_axes;
  std::array<FittedAxis, 3> m_axis;
  TriMesh m_surface;  ///< along the axes, divided where the steps of the lattice may change
  SurfaceFeatures m_features;
};

std::optional<FittedBody> fit(const TriMesh& surface) {
  std::vector<PlanarPiece> pieces = planar_pieces(surface);
  const double whole = area(surface);
  std::erase_if(pieces, [&](const PlanarPiece& p) { return p.area < kSmallPiece * whole; });
  if (pieces.empty()) return std::nullopt;
  const Mat3 axes = main_axes(pieces);
  double aligned = 0;
  for (const PlanarPiece& piece : pieces) {
    for (int a = 0; a < 3; ++a)
      if (parallel(piece.normal, axes.col(a))) aligned += piece.area;
  }
  if (aligned < kAlignedShare * whole) return std::nullopt;
  return FittedBody(surface, pieces, axes);
}

/// The mesh closest to a number of elements, and the steps that gave it.
struct BestCount {
  double target = 0;
  TetMesh mesh;
  Steps steps;

  [[nodiscard]] bool within(double fraction) const {
    return mesh.element_count() > 0 &&
           count_miss(mesh.element_count(), target) <= std::log1p(fraction);
  }
  void offer(TetMesh other, const Steps& by) {
    if (mesh.element_count() > 0 &&
        count_miss(mesh.element_count(), target) <= count_miss(other.element_count(), target))
      return;
    mesh = std::move(other);
    steps = by;
  }
};

/// The number changes in jumps where thin walls gain a cell. Rounding shifts the jumps.
Result<BestCount> search_steps(FittedBody& body, double volume, double target) {
  BestCount best{target, {}, {}};
  for (const double rounding : {0.5, 0.1, 0.9}) {
    SpacingSearch search(target);
    search.expect_slow_growth();
    Steps steps{std::cbrt(kElementsPerCell * volume / target), rounding};
    for (int i = 0; i < kMostTries && !best.within(kGoodCount); ++i) {
      SUPPLE_TRY(TetMesh mesh, body.stuffed(steps));
      search.learn(steps.spacing, mesh.element_count());
      best.offer(std::move(mesh), steps);
      steps.spacing = search.next();
    }
    if (best.within(kPromisedCount)) break;
  }
  return best;
}

}  // namespace

Result<std::optional<TetMesh>> stuff_fitted(const TriMesh& surface, std::size_t target_elements) {
  std::optional<FittedBody> body = fit(surface);
  if (!body) return std::optional<TetMesh>();
  SUPPLE_TRY(BestCount best,
             search_steps(*body, signed_volume(surface), static_cast<double>(target_elements)));
  if (!best.within(kPromisedCount)) return std::optional<TetMesh>();
  return std::optional<TetMesh>(body->finished(std::move(best.mesh), best.steps));
}

}  // namespace supple::geometry
