// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace supple::geometry {

/// A body-centred cubic lattice over a box: the corners of cubic cells and the cells' centres.
///
/// Long edges (one cell edge) join equal kinds along an axis, short edges (sqrt(3)/2) join a
/// centre to the eight corners of its cell. Corners come first in the numbering, then centres; a
/// point has 14 edges. Two layers of cells around the box keep neighbours in range.
class BccLattice {
 public:
  using Id = std::int64_t;

  struct Edge {
    Id key = 0;    ///< number of the edge
    Id other = 0;  ///< the point at the far end
    bool is_long = false;
  };
  static constexpr int kEdgesPerPoint = 14;

  /// Centred in the box, so that symmetric bodies get nearly symmetric meshes, then moved by
  /// `shift` cells, at most half a cell each way. Too many cells are an error.
  [[nodiscard]] static Result<BccLattice> over(const Box& box, double spacing,
                                               const Vec3& shift = Vec3::Zero());

  [[nodiscard]] double spacing() const { return m_spacing; }
  [[nodiscard]] Id points() const { return 2 * m_corners; }
  [[nodiscard]] Id corners() const { return m_corners; }
  [[nodiscard]] Id edge_keys() const { return 14 * m_corners; }
  [[nodiscard]] const std::array<Id, 3>& size() const { return m_size; }
  [[nodiscard]] Id stride(int axis) const { return m_stride[static_cast<std::size_t>(axis)]; }
  [[nodiscard]] bool is_centre(Id point) const { return point >= m_corners; }

  [[nodiscard]] Id corner(Id i, Id j, Id k) const { return i + j * m_stride[1] + k * m_stride[2]; }
  [[nodiscard]] Id centre(Id i, Id j, Id k) const { return m_corners + corner(i, j, k); }
  /// A corner of the cell of `centre`; bit a of `octant` is set on the upper side of axis a.
  [[nodiscard]] Id corner_of(Id centre, int octant) const {
    return centre - m_corners + m_octant[static_cast<std::size_t>(octant)];
  }
  [[nodiscard]] std::array<Id, 3> coordinates(Id point) const;
  [[nodiscard]] Vec3 position(Id point) const;
  /// Index of the cell that contains a coordinate along an axis.
  [[nodiscard]] Id cell_along(int axis, double x) const {
    return static_cast<Id>(std::floor((x - m_origin[axis]) / m_spacing));
  }

  /// Edge number 0..13 of a point: three long up, three long down, eight short.
  [[nodiscard]] Edge edge(Id point, int number) const;
  /// The edge between two neighbours.
  [[nodiscard]] Id edge_between(Id a, Id b) const;
  /// The octant of `corner` seen from its neighbour `centre`.
  [[nodiscard]] int octant(Id centre, Id corner) const;

 private:
  double m_spacing = 0;
  Vec3 m_origin = Vec3::Zero();
  std::array<Id, 3> m_size{};    ///< points of one kind along each axis
  std::array<Id, 3> m_stride{};  ///< 1, nx, nx ny
  std::array<Id, 8> m_octant{};  ///< offset of each corner of a cell
  Id m_corners = 0;
};

/// A set of integers that also ranks its members in ascending order, in constant time.
class RankSet {
 public:
  explicit RankSet(std::int64_t universe) : m_words(static_cast<std::size_t>(universe / 64 + 1)) {}

  void insert(std::int64_t i) { m_words[word(i)] |= bit(i); }
  [[nodiscard]] bool contains(std::int64_t i) const { return (m_words[word(i)] & bit(i)) != 0; }
  /// Call after adding all members.
  void number();
  [[nodiscard]] std::size_t size() const { return m_size; }
  /// How many members are smaller than `i`.
  [[nodiscard]] std::size_t rank(std::int64_t i) const {
    return m_before[word(i)] +
           static_cast<std::size_t>(std::popcount(m_words[word(i)] & (bit(i) - 1)));
  }
  [[nodiscard]] std::vector<std::int64_t> members() const;

 private:
  static std::size_t word(std::int64_t i) { return static_cast<std::size_t>(i >> 6U); }
  static std::uint64_t bit(std::int64_t i) {
    return std::uint64_t{1} << (static_cast<std::uint64_t>(i) & 63U);
  }
  std::vector<std::uint64_t> m_words;
  std::vector<std::uint32_t> m_before;
  std::size_t m_size = 0;
};

}  // namespace supple::geometry
