// SPDX-License-Identifier: Apache-2.0
#include "geometry/bcc_lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::geometry {

namespace {

/// About 5 bytes a point: 1.3 GB at the limit. A million elements of a character need 1e7.
constexpr double kMaxPoints = 2.7e8;

/// Layers outside the box: two, so that the outer one is never reached by an edge that leaves the
/// solid, and half a cell for the shift.
constexpr double kMargin = 2.5;

}  // namespace

Result<BccLattice> BccLattice::over(const Box& box, double spacing, const Vec3& shift) {
  BccLattice lattice;
  const Vec3 cells = (box.size() / spacing).array().ceil() + 2 * kMargin;
  const double points = 2 * (cells.array() + 1).prod();
  if (!(points <= kMaxPoints)) {
    return bad_input(fmt::format(
        "a lattice of spacing {:.4g} over a box of {:.4g} x {:.4g} x {:.4g} has {:.2g} points, "
        "more than the limit of {:.2g}: request fewer elements or mesh distant parts one by one",
        spacing, box.size()[0], box.size()[1], box.size()[2], points, kMaxPoints));
  }
  lattice.m_spacing = spacing;
  lattice.m_origin = box.centre() + spacing * (shift - 0.5 * cells);
  for (int a = 0; a < 3; ++a) {
    const auto axis = static_cast<std::size_t>(a);
    lattice.m_size[axis] = static_cast<Id>(cells[a]) + 1;
  }
  lattice.m_stride = {1, lattice.m_size[0], lattice.m_size[0] * lattice.m_size[1]};
  lattice.m_corners = lattice.m_stride[2] * lattice.m_size[2];
  for (unsigned o = 0; o < 8; ++o) {
    lattice.m_octant[o] = lattice.corner(static_cast<Id>(o & 1U), static_cast<Id>((o >> 1U) & 1U),
                                         static_cast<Id>((o >> 2U) & 1U));
  }
  return lattice;
}

std::array<BccLattice::Id, 3> BccLattice::coordinates(Id point) const {
  const Id cell = point % m_corners;
  return {cell % m_size[0], cell / m_stride[1] % m_size[1], cell / m_stride[2]};
}

Vec3 BccLattice::position(Id point) const {
  const auto [i, j, k] = coordinates(point);
  const double half = is_centre(point) ? 0.5 : 0.0;
  return m_origin + m_spacing * Vec3(static_cast<double>(i) + half, static_cast<double>(j) + half,
                                     static_cast<double>(k) + half);
}

BccLattice::Edge BccLattice::edge(Id point, int number) const {
  if (number < 3) {
    return {point * 3 + number, point + stride(number), true};
  }
  if (number < 6) {
    const Id other = point - stride(number - 3);
    return {other * 3 + number - 3, other, true};
  }
  const int o = number - 6;
  const Id offset = m_octant[static_cast<std::size_t>(o)];
  const Id cell = is_centre(point) ? point - m_corners : point - offset;
  const Id other = is_centre(point) ? cell + offset : cell + m_corners;
  return {6 * m_corners + cell * 8 + o, other, false};
}

int BccLattice::octant(Id centre, Id corner) const {
  const Id offset = corner - (centre - m_corners);
  return static_cast<int>(std::find(m_octant.begin(), m_octant.end(), offset) - m_octant.begin());
}

BccLattice::Id BccLattice::edge_between(Id a, Id b) const {
  if (is_centre(a) != is_centre(b)) {
    const Id centre = std::max(a, b);
    return 6 * m_corners + (centre - m_corners) * 8 + octant(centre, std::min(a, b));
  }
  const Id low = std::min(a, b);
  const Id step = std::max(a, b) - low;
  const int axis = step == m_stride[0] ? 0 : (step == m_stride[1] ? 1 : 2);
  return low * 3 + axis;
}

void RankSet::number() {
  m_before.resize(m_words.size());
  m_size = 0;
  for (std::size_t w = 0; w < m_words.size(); ++w) {
    m_before[w] = static_cast<std::uint32_t>(m_size);
    m_size += static_cast<std::size_t>(std::popcount(m_words[w]));
  }
}

std::vector<std::int64_t> RankSet::members() const {
  std::vector<std::int64_t> result;
  result.reserve(m_size);
  for (std::size_t w = 0; w < m_words.size(); ++w) {
    for (std::uint64_t left = m_words[w]; left != 0; left &= left - 1)
      result.push_back(static_cast<std::int64_t>(w * 64) + std::countr_zero(left));
  }
  return result;
}

}  // namespace supple::geometry
