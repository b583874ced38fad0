// SPDX-License-Identifier: Apache-2.0
#include "geometry/stuffing_mesher.hpp"

#include "supple/core/parallel.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace supple::geometry {

namespace {

using Id = BccLattice::Id;

/// [LS07 table 1]: a cut point closer to a lattice point than this fraction of its edge violates
/// it. This pair has the proven dihedral bounds 10.78 and 164.74 degrees.
constexpr double kAlphaLong = 0.24999;
constexpr double kAlphaShort = 0.41189;

/// The cells around an edge: one for a short edge, two or four for a long one.
template <class Visit>
void for_cells_of_edge(const BccLattice& lattice, Id a, Id b, Visit&& visit) {
  if (lattice.is_centre(a) || lattice.is_centre(b)) {
    if (lattice.is_centre(a)) visit(a - lattice.corners());
    if (lattice.is_centre(b)) visit(b - lattice.corners());
    return;
  }
  const Id low = std::min(a, b);
  for (int axis = 0; axis < 3; ++axis) {
    if (std::max(a, b) - low != lattice.stride(axis)) continue;
    const Id u = lattice.stride((axis + 1) % 3);
    const Id v = lattice.stride((axis + 2) % 3);
    for (const Id cell : {low, low - u, low - v, low - u - v}) visit(cell);
  }
}

}  // namespace

StuffingMesher::StuffingMesher(const Field& field, const BccLattice& lattice)
    : m_field(field),
      m_lattice(lattice),
      m_side(static_cast<std::size_t>(lattice.points()), Side::Unknown),
      m_cut_edges(lattice.edge_keys()) {}

Result<TetMesh> StuffingMesher::run() {
  classify();
  if (reaches_rim()) return bad_input("the solid is larger than its box: enlarge the box");
  find_cuts();
  warp();
  return number(fill());
}

bool StuffingMesher::crosses(Id a, Id b) const {
  const Side x = side(a);
  const Side y = side(b);
  return (x == Side::Inside && y == Side::Outside) || (x == Side::Outside && y == Side::Inside);
}

void StuffingMesher::evaluate(const std::vector<Id>& points) {
  parallel_for(points.size(), 256, [&](std::size_t i) {
    m_side[static_cast<std::size_t>(points[i])] = m_field.side(m_lattice.position(points[i]));
  });
}

void StuffingMesher::classify() {
  if (auto seeds = m_field.seed_cells(m_lattice)) {
    follow_boundary(*std::move(seeds));
    fill_rows();
    return;
  }
  parallel_for(m_side.size(), 4096, [&](std::size_t i) {
    m_side[i] = m_field.side(m_lattice.position(static_cast<Id>(i)));
  });
}

/// Evaluates the points of the seed cells, then of every cell next to an edge that changes sides,
/// until the boundary is enclosed.
void StuffingMesher::follow_boundary(std::vector<Id> cells) {
  std::vector<bool> listed(static_cast<std::size_t>(m_lattice.corners()));
  for (const Id cell : cells) listed[static_cast<std::size_t>(cell)] = true;
  std::vector<Id> fresh;
  while (!cells.empty()) {
    fresh.clear();
    const auto want = [&](Id point) {
      if (side(point) == Side::Unknown) fresh.push_back(point);
    };
    for (const Id cell : cells) {
      const Id centre = cell + m_lattice.corners();
      want(centre);
      for (int number = 0; number < BccLattice::kEdgesPerPoint; ++number)
        want(m_lattice.edge(centre, number).other);
    }
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    evaluate(fresh);

    cells.clear();
    for (const Id point : fresh) {
      for (int number = 0; number < BccLattice::kEdgesPerPoint; ++number) {
        const Id other = m_lattice.edge(point, number).other;
        if (!crosses(point, other)) continue;
        for_cells_of_edge(m_lattice, point, other, [&](Id cell) {
          if (listed[static_cast<std::size_t>(cell)]) return;
          listed[static_cast<std::size_t>(cell)] = true;
          cells.push_back(cell);
        });
      }
    }
  }
}

/// Points that were never evaluated lie on the side of the point before them in their row, because
/// no edge between evaluated and other points meets the boundary.
void StuffingMesher::fill_rows() {
  const Id length = m_lattice.size()[0];
  const auto rows = static_cast<std::size_t>(m_lattice.points() / length);
  parallel_for(rows, 64, [&](std::size_t row) {
    Side last = Side::Outside;
    const auto begin = m_side.begin() + static_cast<std::ptrdiff_t>(row) * length;
    for (auto point = begin; point != begin + length; ++point) {
      if (*point == Side::Unknown) *point = last;
      last = *point;
    }
  });
}

bool StuffingMesher::reaches_rim() const {
  const auto& n = m_lattice.size();
  const auto layer = static_cast<std::size_t>(m_lattice.stride(2));
  const auto search = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin * layer; i < end * layer; ++i) {
      if (m_side[i] != Side::Inside) continue;
      const auto at = m_lattice.coordinates(static_cast<Id>(i));
      for (std::size_t a = 0; a < 3; ++a)
        if (at[a] < 2 || at[a] > n[a] - 3) return 1;
    }
    return 0;
  };
  return parallel_reduce(2 * static_cast<std::size_t>(n[2]), 1, 0, search, std::plus<>()) > 0;
}

void StuffingMesher::find_cuts() {
  struct Found {
    Id key, inside, outside;
  };
  const auto& n = m_lattice.size();
  const auto layer = static_cast<std::size_t>(m_lattice.stride(2));
  const std::size_t layers = 2 * static_cast<std::size_t>(n[2]);
  std::vector<std::vector<Found>> by_layer(layers);
  parallel_for(layers, 1, [&](std::size_t l) {
    for (std::size_t i = l * layer; i < (l + 1) * layer; ++i) {
      if (m_side[i] != Side::Inside) continue;
      const auto point = static_cast<Id>(i);
      for (int number = 0; number < BccLattice::kEdgesPerPoint; ++number) {
        const BccLattice::Edge edge = m_lattice.edge(point, number);
        if (side(edge.other) == Side::Outside) by_layer[l].push_back({edge.key, point, edge.other});
      }
    }
  });
  std::vector<Found> found;
  for (const auto& list : by_layer) {
    for (const Found& f : list) {
      m_cut_edges.insert(f.key);
      m_near.push_back(f.inside);
      m_near.push_back(f.outside);
    }
    found.insert(found.end(), list.begin(), list.end());
  }
  std::sort(m_near.begin(), m_near.end());
  m_near.erase(std::unique(m_near.begin(), m_near.end()), m_near.end());
  m_cut_edges.number();
  m_cuts.resize(found.size());
  parallel_for(found.size(), 64, [&](std::size_t i) {
    const Found& f = found[i];
    const Vec3 inside = m_lattice.position(f.inside);
    const Vec3 outside = m_lattice.position(f.outside);
    const Cut cut = m_field.cut(inside, outside);
    m_cuts[m_cut_edges.rank(f.key)] = {inside + cut.t * (outside - inside),
                                       f.inside < f.outside ? cut.t : 1 - cut.t, cut.triangle};
  });
}

/// [LS07 section 3.2]. In the order of the lattice: a warp discards the cut points around its
/// point, which may relieve its neighbours, so that the result depends on the order.
void StuffingMesher::warp() {
  for (const Id point : m_near) warp_point(point);
}

void StuffingMesher::warp_point(Id point) {
  double best = 1;
  std::size_t target = 0;
  for (int number = 0; number < BccLattice::kEdgesPerPoint; ++number) {
    const BccLattice::Edge edge = m_lattice.edge(point, number);
    if (!crosses(point, edge.other)) continue;
    const std::size_t cut = m_cut_edges.rank(edge.key);
    const double t = m_cuts[cut].from_low;
    const double relative =
        (point < edge.other ? t : 1 - t) / (edge.is_long ? kAlphaLong : kAlphaShort);
    if (!(relative < best)) continue;
    best = relative;
    target = cut;
  }
  if (!(best < 1)) return;
  m_side[static_cast<std::size_t>(point)] = Side::Surface;
  m_warped.emplace_back(point, target);
}

/// Each centre, with its upper neighbour along each axis, spans four lattice tetrahedra with the
/// edges of the face between their cells.
std::vector<StencilTet> StuffingMesher::fill() const {
  // Octants of the upper face of a cell, counter-clockwise seen from above.
  constexpr std::array<std::array<int, 4>, 3> kSquare{{{1, 3, 7, 5}, {2, 6, 7, 3}, {4, 5, 7, 6}}};
  const auto& n = m_lattice.size();
  const auto layers = static_cast<std::size_t>(n[2] - 1);
  std::vector<std::vector<StencilTet>> by_layer(layers);
  parallel_for(layers, 1, [&](std::size_t layer) {
    for (Id j = 0; j + 1 < n[1]; ++j) {
      for (Id i = 0; i + 1 < n[0]; ++i) {
        const Id centre = m_lattice.centre(i, j, static_cast<Id>(layer));
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const Id next = centre + m_lattice.stride(static_cast<int>(axis));
          std::array<Id, 4> square{};
          bool any = side(centre) == Side::Inside || side(next) == Side::Inside;
          for (std::size_t s = 0; s < 4; ++s) {
            square[s] = m_lattice.corner_of(centre, kSquare[axis][s]);
            any = any || side(square[s]) == Side::Inside;
          }
          if (!any) continue;
          for (std::size_t s = 0; s < 4; ++s) {
            const StencilTet tet{centre, next, square[s], square[(s + 1) % 4]};
            append_stencil(m_lattice, tet, {side(tet[0]), side(tet[1]), side(tet[2]), side(tet[3])},
                           by_layer[layer]);
          }
        }
      }
    }
  });
  std::vector<StencilTet> tets;
  std::size_t total = 0;
  for (const auto& list : by_layer) total += list.size();
  tets.reserve(total);
  for (auto& list : by_layer) {
    tets.insert(tets.end(), list.begin(), list.end());
    list = {};
  }
  return tets;
}

/// Numbers the points in use: lattice points first, then cut points.
TetMesh StuffingMesher::number(const std::vector<StencilTet>& tets) const {
  RankSet used_points(m_lattice.points());
  RankSet used_cuts(static_cast<Id>(m_cuts.size()));
  const auto cut_of = [&](Id node) {
    return static_cast<Id>(m_cut_edges.rank(node - m_lattice.points()));
  };
  for (const StencilTet& tet : tets) {
    for (const Id node : tet) {
      if (node < m_lattice.points()) {
        used_points.insert(node);
      } else {
        used_cuts.insert(cut_of(node));
      }
    }
  }
  used_points.number();
  used_cuts.number();

  TetMesh mesh;
  mesh.nodes.reserve(used_points.size() + used_cuts.size());
  for (const Id point : used_points.members()) mesh.nodes.push_back(m_lattice.position(point));
  for (const Id cut : used_cuts.members())
    mesh.nodes.push_back(m_cuts[static_cast<std::size_t>(cut)].position);
  for (const auto& [point, cut] : m_warped)
    if (used_points.contains(point)) mesh.nodes[used_points.rank(point)] = m_cuts[cut].position;

  mesh.connectivity.resize(tets.size() * 4);
  parallel_for(tets.size(), 4096, [&](std::size_t e) {
    for (std::size_t v = 0; v < 4; ++v) {
      const Id node = tets[e][v];
      const std::size_t index = node < m_lattice.points()
                                    ? used_points.rank(node)
                                    : used_points.size() + used_cuts.rank(cut_of(node));
      mesh.connectivity[e * 4 + v] = static_cast<Index>(index);
    }
  });
  return mesh;
}

std::vector<Index> StuffingMesher::cut_triangles() const {
  std::vector<Index> triangles;
  for (const CutPoint& cut : m_cuts)
    if (cut.triangle >= 0) triangles.push_back(cut.triangle);
  return triangles;
}

}  // namespace supple::geometry
