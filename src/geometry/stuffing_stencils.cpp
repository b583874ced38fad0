// SPDX-License-Identifier: Apache-2.0
#include "geometry/stuffing_stencils.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace supple::geometry {

namespace {

using Id = BccLattice::Id;

class Stencil {
 public:
  Stencil(const BccLattice& lattice, const StencilTet& tet, std::vector<StencilTet>& out)
      : m_lattice(lattice), m_tet(tet), m_out(out) {}

  void one_inside(int inside, const std::array<Side, 4>& sides) {
    StencilTet result = m_tet;
    for (int v = 0; v < 4; ++v) {
      const auto i = static_cast<std::size_t>(v);
      if (sides[i] == Side::Outside) result[i] = cut(inside, v);
    }
    m_out.push_back(result);
  }

  /// Two inside, one on the surface, one outside: a pyramid on the quadrilateral of one face.
  void pyramid(int p, int q, int outside) {
    if (!diagonal_from(p, q, outside)) std::swap(p, q);
    StencilTet first = m_tet;
    first[at(outside)] = cut(q, outside);
    StencilTet second = first;
    second[at(q)] = cut(q, outside);
    second[at(outside)] = cut(p, outside);
    m_out.push_back(first);
    m_out.push_back(second);
  }

  /// Three inside: a prism between them and their cut points. Sorting the columns so that every
  /// diagonal rises from an earlier column's bottom to a later one's top gives the staircase
  /// decomposition; the face rules never form a cycle.
  void truncated(std::array<int, 3> column, int outside) {
    if (!diagonal_from(column[0], column[1], outside)) std::swap(column[0], column[1]);
    if (!diagonal_from(column[1], column[2], outside)) std::swap(column[1], column[2]);
    if (!diagonal_from(column[0], column[1], outside)) std::swap(column[0], column[1]);
    StencilTet result = m_tet;
    result[at(outside)] = cut(column[2], outside);
    m_out.push_back(result);
    result[at(column[2])] = cut(column[2], outside);
    result[at(outside)] = cut(column[1], outside);
    m_out.push_back(result);
    result[at(column[1])] = cut(column[1], outside);
    result[at(outside)] = cut(column[0], outside);
    m_out.push_back(result);
  }

  /// Two inside, two outside: a wedge with columns (p, q), (pr, qr), (ps, qs). The rules always
  /// send one face's diagonal up and the other's down, which fixes the third on the surface.
  void wedge(int p, int q, int r, int s) {
    if (!diagonal_from(p, q, r)) {
      std::swap(r, s);
      flip();
    }
    const std::array<Id, 3> bottom{cut(p, s), m_tet[at(p)], cut(p, r)};
    const std::array<Id, 3> top{cut(q, s), m_tet[at(q)], cut(q, r)};
    emit({bottom[0], bottom[1], bottom[2], top[2]});
    emit({bottom[0], bottom[1], top[2], top[1]});
    emit({bottom[0], top[0], top[1], top[2]});
  }

  /// Reverses the orientation of what `wedge` emits.
  void flip() { m_flipped = !m_flipped; }

 private:
  static std::size_t at(int v) { return static_cast<std::size_t>(v); }
  static bool is_long(int u, int v) { return (u < 2) == (v < 2); }

  [[nodiscard]] Id cut(int u, int v) const {
    return m_lattice.points() + m_lattice.edge_between(m_tet[at(u)], m_tet[at(v)]);
  }

  /// Whether the quadrilateral p, q, cut(q, outside), cut(p, outside) is split from p to
  /// cut(q, outside), rather than from q to cut(p, outside). If one of the cut edges is long, the
  /// diagonal ends at its cut point; if p q itself is long, the Parity Rule decides: the diagonal
  /// starts at the end from which an even number of coordinates rise towards `outside`. Along a
  /// long edge that number changes by one, so the answer is antisymmetric, and it is the same in
  /// both tetrahedra of the face.
  [[nodiscard]] bool diagonal_from(int p, int q, int outside) const {
    if (is_long(q, outside)) return true;
    if (is_long(p, outside)) return false;
    const Id from = m_tet[at(p)];
    const Id to = m_tet[at(outside)];
    const bool centre = m_lattice.is_centre(from);
    const int octant = centre ? m_lattice.octant(from, to) : m_lattice.octant(to, from);
    const int up = std::popcount(static_cast<unsigned>(octant));
    const int rising = centre ? up : 3 - up;
    return rising % 2 == 0;
  }

  void emit(StencilTet tet) {
    if (m_flipped) std::swap(tet[2], tet[3]);
    m_out.push_back(tet);
  }

  const BccLattice& m_lattice;
  const StencilTet& m_tet;
  std::vector<StencilTet>& m_out;
  bool m_flipped = false;
};

/// Whether 0123 -> order is an odd permutation.
bool is_odd(const std::array<int, 4>& order) {
  int inversions = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) inversions += order[i] > order[j] ? 1 : 0;
  return inversions % 2 != 0;
}

}  // namespace

void append_stencil(const BccLattice& lattice, const StencilTet& tet,
                    const std::array<Side, 4>& sides, std::vector<StencilTet>& out) {
  // Inside corners first, then those on the surface, then those outside.
  std::array<int, 4> order{};
  std::size_t filled = 0;
  std::size_t inside = 0;
  std::size_t outside = 0;
  for (const Side side : {Side::Inside, Side::Surface, Side::Outside}) {
    for (int v = 0; v < 4; ++v)
      if (sides[static_cast<std::size_t>(v)] == side) order[filled++] = v;
    if (side == Side::Inside) inside = filled;
    if (side == Side::Surface) outside = 4 - filled;
  }
  if (inside == 0) return;
  if (outside == 0) {
    out.push_back(tet);
    return;
  }
  Stencil stencil(lattice, tet, out);
  if (inside == 1) {
    stencil.one_inside(order[0], sides);
  } else if (inside == 3) {
    stencil.truncated({order[0], order[1], order[2]}, order[3]);
  } else if (outside == 1) {
    stencil.pyramid(order[0], order[1], order[3]);
  } else {
    if (is_odd(order)) stencil.flip();
    stencil.wedge(order[0], order[1], order[2], order[3]);
  }
}

}  // namespace supple::geometry
