// SPDX-License-Identifier: Apache-2.0
#include "fem/bending_strains.hpp"

#include "supple/core/parallel.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace supple::fem {
namespace {

using Eigen::Vector3d;
using geometry::Index;
using reduction::MultiVector;
using Edge = DiscreteShell::Edge;

constexpr std::size_t kBendingGrain = 256;

// Curvature of the triangles of a plate, after Morley's element and [GGRZ06].
//
// Along an edge of a triangle the surface has a mean slope. If w is the deflection, the mean over
// the triangle of its second derivatives is, by Gauss's theorem,
//
//   k = 1/A sum_edges l d n n^T,    d = (mean slope at the edge - slope of the triangle) . n
//
// with the outward normal n in the plane; along the edge both slopes agree, by the values at its
// ends. Two triangles share the slope of their edge, so d + d' = th, the angle of the hinge. The
// question is how to divide it. Two conditions make an operator converge on every mesh:
// - d + d' = th: then moments balance, sum_T A k_T : m = sum_e th l m_nn for a constant m. And
//   zero strains mean zero angles: there are no other motions without energy.
// - d is exact if the deflection is quadratic: then every smooth shape has its own energy.
// Halves satisfy only the first and are up to 40 % too stiff, the curvature of the quadratic
// through a triangle's corners and its neighbours' only the second, 25 % too soft; hinges alone
// neither.
//
// For a quadratic deflection of curvature k, with the corner opposite the edge at height h and
// at s along the edge from its middle,
//
//   d = ((s^2 - l^2 / 4) k_tt / 2 + s h k_tn + h^2 k_nn / 2) / h =: a(k).
//
// We divide an angle by heights, which is exact for k_nn, and correct it by the curvature that
// the hinges around fit best, in the sense of least squares:
//
//   d = r th + c(k_fit),    c = a - r (a + a'),    r = h / (h + h');    d' likewise, with -c.
//
// On parallelograms, and so on regular meshes, c is zero. On a free border d = a(k_fit). A triangle
// whose corners are all fixed keeps its slope, so that the whole angle belongs to its neighbour:
// such a border is clamped where the fixed triangles end.

/// Curvatures are written as those of Mohr's circle: their mean, and half of their difference
/// along the axes and the diagonals. Those of direction phi are k_tt = (1, cos 2 phi, sin 2 phi).
using Mohr = Vector3d;

/// A side of a triangle, which runs along it with the triangle on its left.
struct Side {
  Index edge = 0;
  double length = 0;
  double height = 0;  ///< h of the opposite corner
  double foot = 0;    ///< s of the opposite corner
  double angle = 0;   ///< direction in the triangle's own plane
};

/// a(k) for a side of this direction.
Mohr turn_by_curvature(const Side& side, double angle) {
  const double along =
      (side.foot * side.foot - 0.25 * side.length * side.length) / (2 * side.height);
  const double across = 0.5 * side.height;
  const double c = std::cos(2 * angle);
  const double s = std::sin(2 * angle);
  return {along + across, (along - across) * c - side.foot * s,
          (along - across) * s + side.foot * c};
}

/// A hinge fits a curvature by its area times the square of the error.
double fit_weight(const Edge& edge) {
  return edge.length / edge.height;
}

/// The part of an edge's turn that its first triangle takes; the rest is the other one's.
struct Division {
  double ratio = 0;                                  ///< r
  std::vector<std::pair<Index, double>> correction;  ///< c: factors of the turns of other hinges
};

class PlateCurvatures {
 public:
  explicit PlateCurvatures(const DiscreteShell& shell)
      : m_edges(shell.edges()), m_mesh(shell.model().mesh) {
    measure_sides();
    const std::vector<std::uint8_t>& fixed = shell.model().fixed;
    m_rigid.assign(m_mesh.triangles.size(), 0);
    for (std::size_t t = 0; t < m_rigid.size() && !fixed.empty(); ++t) {
      const geometry::Triangle& nodes = m_mesh.triangles[t];
      m_rigid[t] = std::all_of(nodes.begin(), nodes.end(),
                               [&](Index node) { return (fixed[node] & kFixAll) == kFixAll; })
                       ? 1
                       : 0;
    }
    m_divisions.resize(m_edges.size());
    parallel_for(m_edges.size(), kBendingGrain,
                 [&](std::size_t e) { m_divisions[e] = divide(static_cast<Index>(e)); });
  }

  [[nodiscard]] bool rigid(std::size_t triangle) const { return m_rigid[triangle] != 0; }

  /// k / sqrt(D A) of a triangle, as trace and twice the two differences of Mohr's circle.
  [[nodiscard]] std::vector<BendingStrains::Term> terms(Index triangle) const {
    std::vector<BendingStrains::Term> terms;
    if (rigid(triangle)) return terms;
    for (const Side& side : m_sides[triangle]) {
      const bool first = m_edges[side.edge].triangles[0] == triangle;
      const Division& division = m_divisions[side.edge];
      const double normal = 2 * side.angle - std::numbers::pi;  // twice the angle of n
      const Vector3d direction = side.length * Vector3d(1, std::cos(normal), std::sin(normal));
      if (m_edges[side.edge].bends()) {
        const double ratio = first ? division.ratio : 1 - division.ratio;
        terms.push_back({side.edge, ratio * direction});
      }
      for (const auto& [edge, factor] : division.correction) {
        terms.push_back({edge, (first ? factor : -factor) * direction});
      }
    }
    return merge(std::move(terms));
  }

 private:
  /// A triangle laid out in the plane of a patch.
  struct Placed {
    Index triangle = 0;
    double turn = 0;  ///< from its own plane
  };

  static std::vector<BendingStrains::Term> merge(std::vector<BendingStrains::Term> terms) {
    std::stable_sort(terms.begin(), terms.end(),
                     [](const auto& a, const auto& b) { return a.place < b.place; });
    std::vector<BendingStrains::Term> merged;
    merged.reserve(terms.size());
    for (const BendingStrains::Term& term : terms) {
      if (!merged.empty() && merged.back().place == term.place) {
        merged.back().factor += term.factor;
      } else {
        merged.push_back(term);
      }
    }
    return merged;
  }

  void measure_sides() {
    m_sides.resize(m_mesh.triangles.size());
    for (std::size_t e = 0; e < m_edges.size(); ++e) {
      for (const Index triangle : m_edges[e].triangles) {
        if (triangle < 0) continue;
        const geometry::Triangle& nodes = m_mesh.triangles[triangle];
        for (int c = 0; c < 3; ++c) {
          const Index next = nodes[(c + 1) % 3];
          if (std::minmax(nodes[c], next) ==
              std::minmax(m_edges[e].nodes[0], m_edges[e].nodes[1])) {
            m_sides[triangle][c] = measure_side(triangle, c, static_cast<Index>(e));
          }
        }
      }
    }
  }

  [[nodiscard]] Side measure_side(Index triangle, int corner, Index edge) const {
    const geometry::Triangle& nodes = m_mesh.triangles[triangle];
    const auto at = [&](int c) -> const geometry::Vec3& { return m_mesh.positions[nodes[c % 3]]; };
    const geometry::Vec3 along = at(corner + 1) - at(corner);
    const geometry::Vec3 apex = at(corner + 2) - 0.5 * (at(corner) + at(corner + 1));
    const geometry::Vec3 base = at(1) - at(0);
    const geometry::Vec3 normal = base.cross(at(2) - at(0)).normalized();
    Side side;
    side.edge = edge;
    side.length = along.norm();
    side.height = along.cross(apex).norm() / side.length;
    side.foot = along.dot(apex) / side.length;
    side.angle = std::atan2(normal.dot(base.cross(along)), base.dot(along));
    return side;
  }

  [[nodiscard]] const Side& side_of(Index triangle, Index edge) const {
    const auto& sides = m_sides[triangle];
    return sides[0].edge == edge ? sides[0] : sides[1].edge == edge ? sides[1] : sides[2];
  }

  /// The turn of a hinge by curvature; fixed triangles do not curve.
  [[nodiscard]] Mohr hinge_turn(Index edge, double angle) const {
    Mohr sum = Mohr::Zero();
    for (const Index triangle : m_edges[edge].triangles) {
      if (triangle >= 0 && !rigid(triangle))
        sum += turn_by_curvature(side_of(triangle, edge), angle);
    }
    return sum;
  }

  [[nodiscard]] Division divide(Index e) const {
    const auto [first, second] = m_edges[e].triangles;
    Division division;
    if (second < 0) {
      if (!rigid(first)) {
        const double angle = side_of(first, e).angle;
        division.correction = fit(e, turn_by_curvature(side_of(first, e), angle));
      }
      return division;
    }
    if (rigid(first) || rigid(second)) {
      division.ratio = rigid(first) ? 0 : 1;
      return division;
    }
    const Side& side = side_of(first, e);
    const double height = side_of(second, e).height;
    division.ratio = side.height / (side.height + height);
    const Mohr part =
        turn_by_curvature(side, side.angle) - division.ratio * hinge_turn(e, side.angle);
    constexpr double kNothing = 1e-10;  // of the size: what rounding leaves on parallelograms
    if (part.norm() > kNothing * (side.length + side.height + height)) {
      division.correction = fit(e, part);
    }
    return division;
  }

  /// The neighbours of the triangles from `first` on.
  void widen(std::vector<Placed>& patch, std::size_t first) const {
    const std::size_t end = patch.size();
    for (std::size_t i = first; i < end; ++i) {
      const Placed placed = patch[i];
      if (rigid(placed.triangle)) continue;
      for (const Side& side : m_sides[placed.triangle]) {
        const auto& both = m_edges[side.edge].triangles;
        const Index other = both[0] == placed.triangle ? both[1] : both[0];
        const auto known = [&](const Placed& p) { return p.triangle == other; };
        if (other < 0 || std::any_of(patch.begin(), patch.end(), known)) continue;
        // The same direction but for half a turn, which Mohr's circle does not see.
        patch.push_back({other, placed.turn + side.angle - side_of(other, side.edge).angle});
      }
    }
  }

  /// The turns that a linear function of the curvature follows, by least squares over the hinges
  /// around an edge, in the plane of its first triangle. Two triangles have five hinges for three
  /// unknowns; fewer at a border, where more triangles help out.
  [[nodiscard]] std::vector<std::pair<Index, double>> fit(Index e, const Mohr& function) const {
    constexpr std::size_t kEnough = 5;
    constexpr int kMostRings = 4;
    constexpr double kWell = 1e-2;     // smallest over largest eigenvalue of a well-posed fit
    constexpr double kUnknown = 1e-6;  // below: the hinges do not tell, as in a strip of triangles
    std::vector<Placed> patch{{m_edges[e].triangles[0], 0}};
    std::size_t ring = 0;
    if (m_edges[e].bends()) {
      const Index other = m_edges[e].triangles[1];
      patch.push_back({other, side_of(patch[0].triangle, e).angle - side_of(other, e).angle});
    }
    std::vector<std::pair<Index, Mohr>> hinges;
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen;
    for (int rings = 0;; ++rings) {
      hinges = hinges_of(patch);
      Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
      for (const auto& [edge, turn] : hinges) {
        normal += fit_weight(m_edges[edge]) * turn * turn.transpose();
      }
      eigen.computeDirect(normal);
      const bool well = eigen.eigenvalues()(0) > kWell * eigen.eigenvalues()(2);
      if ((hinges.size() >= kEnough && well) || rings == kMostRings) break;
      const std::size_t before = patch.size();
      widen(patch, ring);
      if (patch.size() == before) break;
      ring = before;
    }
    Mohr solved = Mohr::Zero();
    for (int i = 0; i < 3; ++i) {
      const double value = eigen.eigenvalues()(i);
      if (value <= kUnknown * eigen.eigenvalues()(2)) continue;
      const Vector3d axis = eigen.eigenvectors().col(i);
      solved += axis.dot(function) / value * axis;
    }
    std::vector<std::pair<Index, double>> factors;
    factors.reserve(hinges.size());
    for (const auto& [edge, turn] : hinges) {
      factors.emplace_back(edge, fit_weight(m_edges[edge]) * solved.dot(turn));
    }
    return factors;
  }

  [[nodiscard]] std::vector<std::pair<Index, Mohr>> hinges_of(
      const std::vector<Placed>& patch) const {
    std::vector<std::pair<Index, Mohr>> hinges;
    hinges.reserve(3 * patch.size());
    for (const Placed& placed : patch) {
      if (rigid(placed.triangle)) continue;
      for (const Side& side : m_sides[placed.triangle]) {
        const auto known = [&](const auto& hinge) { return hinge.first == side.edge; };
        if (!m_edges[side.edge].bends() || std::any_of(hinges.begin(), hinges.end(), known))
          continue;
        hinges.emplace_back(side.edge, hinge_turn(side.edge, placed.turn + side.angle));
      }
    }
    return hinges;
  }

  const std::vector<Edge>& m_edges;
  const geometry::TriMesh& m_mesh;
  std::vector<std::array<Side, 3>> m_sides;  ///< per triangle, from each corner
  std::vector<char> m_rigid;                 ///< per triangle: all corners fixed
  std::vector<Division> m_divisions;         ///< per edge
};

}  // namespace

BendingStrains BendingStrains::of_hinges(const DiscreteShell& shell) {
  BendingStrains result;
  Rows& rows = result.m_by_strain;
  for (std::size_t e = 0; e < shell.edges().size(); ++e) {
    const Edge& edge = shell.edges()[e];
    if (!edge.bends() || edge.bending == 0) continue;
    rows.terms.push_back({static_cast<Index>(e), {std::sqrt(edge.bending_weight()), 0, 0}});
    rows.start.push_back(static_cast<std::int64_t>(rows.terms.size()));
  }
  result.transpose(shell.edges().size());
  return result;
}

BendingStrains BendingStrains::of_plates(const DiscreteShell& shell) {
  const PlateCurvatures curvatures(shell);
  const ShellModel& model = shell.model();
  std::vector<std::vector<Term>> terms(model.mesh.triangles.size());
  parallel_for(terms.size(), kBendingGrain, [&](std::size_t t) {
    const ShellMaterial& material = model.material_of(t);
    if (material.bending_stiffness == 0) return;
    terms[t] = curvatures.terms(static_cast<Index>(t));
    // D/2 ((1 + nu)/2 (k_xx + k_yy)^2 + (1 - nu)/2 ((k_xx - k_yy)^2 + 4 k_xy^2)) A, with the l/A
    // of k.
    const double nu = material.poisson_ratio;
    const double root = std::sqrt(6 * material.bending_stiffness / shell.areas()[t]);
    const double mean = root * std::sqrt(0.5 * (1 + nu));
    const double difference = root * std::sqrt(0.5 * (1 - nu));
    for (Term& term : terms[t]) {
      term.factor = term.factor.cwiseProduct(Vector3d(mean, difference, difference)).eval();
    }
  });
  BendingStrains result;
  Rows& rows = result.m_by_strain;
  for (const std::vector<Term>& row : terms) {
    if (row.empty()) continue;
    rows.terms.insert(rows.terms.end(), row.begin(), row.end());
    rows.start.push_back(static_cast<std::int64_t>(rows.terms.size()));
  }
  result.transpose(shell.edges().size());
  return result;
}

void BendingStrains::transpose(std::size_t edges) {
  std::vector<std::int64_t>& start = m_by_edge.start;
  start.assign(edges + 1, 0);
  for (const Term& term : m_by_strain.terms) ++start[term.place + 1];
  for (std::size_t e = 0; e < edges; ++e) start[e + 1] += start[e];
  std::vector<std::int64_t> next(start.begin(), start.end() - 1);
  m_by_edge.terms.resize(m_by_strain.terms.size());
  for (std::size_t i = 0; i < size(); ++i) {
    for (const Term& term : terms(i)) {
      m_by_edge.terms[next[term.place]++] = {static_cast<Index>(i), term.factor};
    }
  }
}

MultiVector BendingStrains::strains(const MultiVector& turns) const {
  MultiVector result(static_cast<Eigen::Index>(3 * size()), turns.cols());
  parallel_for(size(), kBendingGrain, [&](std::size_t i) {
    auto rows = result.middleRows<3>(static_cast<Eigen::Index>(3 * i));
    rows.setZero();
    for (const Term& term : terms(i)) {
      for (int c = 0; c < 3; ++c) rows.row(c) += term.factor(c) * turns.row(term.place);
    }
  });
  return result;
}

MultiVector BendingStrains::moments(const MultiVector& strains) const {
  const std::size_t edges = m_by_edge.start.size() - 1;
  MultiVector result(static_cast<Eigen::Index>(edges), strains.cols());
  parallel_for(edges, kBendingGrain, [&](std::size_t e) {
    auto row = result.row(static_cast<Eigen::Index>(e));
    row.setZero();
    for (const Term& term : m_by_edge.row(e)) {
      for (int c = 0; c < 3; ++c) {
        row += term.factor(c) * strains.row(3 * Eigen::Index{term.place} + c);
      }
    }
  });
  return result;
}

}  // namespace supple::fem
