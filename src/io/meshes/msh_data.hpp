// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/text_cursor.hpp"

#include "supple/geometry/tet_mesh.hpp"

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace supple::io::detail {

/// Nodes of one element of a Gmsh type; 0 for unknown types.
[[nodiscard]] std::size_t gmsh_node_count(std::int64_t type);

/// (dimension, tag): Gmsh numbers groups and entities of each dimension separately.
using GmshKey = std::pair<int, std::int64_t>;

/// The common content of both versions of the format.
class MshData {
 public:
  std::vector<std::int64_t> node_tags;
  std::vector<geometry::Vec3> nodes;
  std::map<GmshKey, std::string> group_names;

  /// Adds an element, or counts it as skipped. `group` 0: none.
  [[nodiscard]] Result<void> add_element(const TextCursor& cursor, std::int64_t type,
                                         std::int64_t group,
                                         const std::vector<std::int64_t>& nodes_of_element);
  [[nodiscard]] Result<void> add_node(const TextCursor& cursor, std::int64_t tag,
                                      const geometry::Vec3& point);
  /// Resolves tags and groups.
  [[nodiscard]] Result<geometry::TetMesh> finish(std::string_view name);

 private:
  [[nodiscard]] std::string group_name(GmshKey group) const;
  void set_regions(geometry::TetMesh& mesh) const;

  std::vector<std::int64_t> m_corners[2];  // tags, tet4 and tet10
  std::vector<std::int64_t> m_groups[2];
  std::map<GmshKey, std::vector<std::int64_t>> m_group_nodes;
  std::size_t m_left_out = 0;
};

/// The fixed-size numbers of a Gmsh file, read as text or as binary.
class MshNumbers {
 public:
  MshNumbers(TextCursor& cursor, bool binary, std::endian order)
      : m_cursor(cursor), m_binary(binary), m_order(order) {}

  [[nodiscard]] bool binary() const { return m_binary; }
  [[nodiscard]] TextCursor& cursor() { return m_cursor; }
  [[nodiscard]] Result<std::int64_t> integer();  ///< 4 bytes
  [[nodiscard]] Result<std::int64_t> size();     ///< 8 bytes, not negative
  [[nodiscard]] Result<double> real();
  /// Like `size`, and that many items of at least `least_bytes` (binary) must still fit in the
  /// file.
  [[nodiscard]] Result<std::int64_t> count(std::string_view what, std::size_t least_bytes);
  /// Fails if `count` items of at least `least_bytes` (binary; 2 in text) cannot follow.
  [[nodiscard]] Result<void> check_count(std::int64_t count, std::string_view what,
                                         std::size_t least_bytes) const;

 private:
  template <class T>
  [[nodiscard]] Result<T> load();

  TextCursor& m_cursor;
  bool m_binary;
  std::endian m_order;
};

[[nodiscard]] Result<void> read_msh2_section(MshNumbers& in, std::string_view section,
                                             MshData& data);

/// Entities of version 4.1 and the physical group of each.
using MshEntities = std::map<GmshKey, std::int64_t>;
[[nodiscard]] Result<void> read_msh4_section(MshNumbers& in, std::string_view section,
                                             MshEntities& entities, MshData& data);

}  // namespace supple::io::detail
