// SPDX-License-Identifier: Apache-2.0
#include "io/meshes/msh_data.hpp"

#include "io/binary.hpp"
#include "io/meshes/label_map.hpp"

#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace supple::io::detail {
namespace {

using geometry::Index;
using geometry::TetOrder;

constexpr std::int64_t kTet4 = 4;
constexpr std::int64_t kTet10 = 11;

// Gmsh puts the midsides of edges (2,3) and (1,3) in this order, CalculiX and VTK in the opposite
// one.
constexpr std::array<std::size_t, 10> kTet10FromGmsh{0, 1, 2, 3, 4, 5, 6, 7, 9, 8};

/// Dimension of the element types that can make node sets; -1 otherwise.
int set_dimension(std::int64_t type) {
  switch (type) {
    case 15:
      return 0;
    case 1:
    case 8:
      return 1;
    case 2:
    case 9:
      return 2;
    default:
      return -1;
  }
}

}  // namespace

std::size_t gmsh_node_count(std::int64_t type) {
  // Types 1 to 31 of the Gmsh manual, section "MSH file format", then the two cubic-and-up bricks.
  static constexpr std::array<std::uint8_t, 32> kCounts{0,  2,  3,  4,  4, 8, 6,  5,  3,  6, 9,
                                                        10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10,
                                                        12, 15, 15, 21, 4, 5, 6,  20, 35, 56};
  if (type == 92) return 64;
  if (type == 93) return 125;
  return type >= 0 && type < 32 ? kCounts[static_cast<std::size_t>(type)] : 0;
}

Result<void> MshData::add_node(const TextCursor& cursor, std::int64_t tag,
                               const geometry::Vec3& point) {
  if (!point.allFinite()) {
    return cursor.error(fmt::format("node {} has a coordinate that is not finite", tag));
  }
  if (nodes.size() == static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    return cursor.error("more than 2^31 - 1 nodes");
  }
  node_tags.push_back(tag);
  nodes.push_back(point);
  return {};
}

Result<void> MshData::add_element(const TextCursor& cursor, std::int64_t type, std::int64_t group,
                                  const std::vector<std::int64_t>& nodes_of_element) {
  if (type == kTet4 || type == kTet10) {
    const std::size_t kind = type == kTet4 ? 0 : 1;
    if (!m_corners[1 - kind].empty()) {
      return cursor.error("the file mixes tetrahedra of 4 and of 10 nodes; use one order");
    }
    if (m_groups[kind].size() == static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
      return cursor.error("more than 2^31 - 1 tetrahedra");
    }
    m_corners[kind].insert(m_corners[kind].end(), nodes_of_element.begin(), nodes_of_element.end());
    m_groups[kind].push_back(group);
    return {};
  }
  const int dimension = set_dimension(type);
  if (dimension >= 0) {
    if (group == 0) return {};
    auto& set = m_group_nodes[{dimension, group}];
    set.insert(set.end(), nodes_of_element.begin(), nodes_of_element.end());
    return {};
  }
  ++m_left_out;
  return {};
}

std::string MshData::group_name(GmshKey group) const {
  const auto found = group_names.find(group);
  if (found != group_names.end() && !found->second.empty()) return found->second;
  static constexpr std::array<const char*, 4> kKinds{"point", "curve", "surface", "volume"};
  return fmt::format("physical {} {}", kKinds[static_cast<std::size_t>(group.first)], group.second);
}

void MshData::set_regions(geometry::TetMesh& mesh) const {
  const auto& groups = m_groups[mesh.order == TetOrder::Linear ? 0 : 1];
  const std::set<std::int64_t> used(groups.begin(), groups.end());
  if (used.size() == 1 && *used.begin() == 0) return;  // no physical volumes: one nameless region
  std::map<std::int64_t, Index> region_of_group;
  for (const std::int64_t group : used) {
    region_of_group.emplace(group, static_cast<Index>(mesh.region_names.size()));
    mesh.region_names.push_back(group == 0 ? "no physical volume" : group_name({3, group}));
  }
  mesh.regions.reserve(groups.size());
  for (const std::int64_t group : groups) mesh.regions.push_back(region_of_group.at(group));
}

Result<geometry::TetMesh> MshData::finish(std::string_view name) {
  if (m_left_out != 0) {
    log::warn("{}: skipped {} elements that are not 4- or 10-node tetrahedra", name, m_left_out);
  }
  const std::size_t kind = m_corners[0].empty() ? 1 : 0;
  if (m_corners[kind].empty()) {
    return bad_input(
               "the Gmsh file has no tetrahedra; if it defines physical groups, Gmsh saves only "
               "elements that belong to one")
        .at(name);
  }
  const LabelMap node_of_tag(node_tags);
  if (node_of_tag.duplicate()) {
    const auto at = static_cast<std::size_t>(node_of_tag.duplicate()->first);
    return bad_input(fmt::format("node {} is defined twice", node_tags[at])).at(name);
  }
  geometry::TetMesh mesh;
  mesh.order = kind == 0 ? TetOrder::Linear : TetOrder::Quadratic;
  const auto width = static_cast<std::size_t>(mesh.nodes_per_element());
  const std::vector<std::int64_t>& corners = m_corners[kind];
  mesh.connectivity.resize(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::size_t element = i / width;
    const Index node = node_of_tag.find(corners[element * width + kTet10FromGmsh[i % width]]);
    if (node < 0) {
      return bad_input(fmt::format("tetrahedron {} names node {}, which is not in the file",
                                   element + 1,
                                   corners[element * width + kTet10FromGmsh[i % width]]))
          .at(name);
    }
    mesh.connectivity[i] = node;
  }
  for (const auto& [group, tags] : m_group_nodes) {
    std::vector<Index>& set = mesh.node_sets[group_name(group)];
    for (const std::int64_t tag : tags) {
      set.push_back(node_of_tag.find(tag));
      if (set.back() < 0) {
        return bad_input(fmt::format("physical group '{}' names node {}, which is not in the file",
                                     group_name(group), tag))
            .at(name);
      }
    }
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
  set_regions(mesh);
  mesh.nodes = std::move(nodes);
  return mesh;
}

template <class T>
Result<T> MshNumbers::load() {
  std::span<const std::byte> bytes;
  if (!m_cursor.take_bytes(sizeof(T), bytes)) {
    return bad_input(fmt::format("the file ends too early (at byte {})", m_cursor.offset()))
        .at(m_cursor.name());
  }
  return detail::load<T>(bytes.data(), m_order);
}

Result<std::int64_t> MshNumbers::integer() {
  if (m_binary) {
    SUPPLE_TRY(const auto value, load<std::int32_t>());
    return static_cast<std::int64_t>(value);
  }
  std::int64_t value = 0;
  if (!m_cursor.next_integer(value)) return m_cursor.expected("an integer");
  return value;
}

Result<std::int64_t> MshNumbers::size() {
  std::int64_t value = 0;
  if (m_binary) {
    SUPPLE_TRY(value, load<std::int64_t>());
  } else if (!m_cursor.next_integer(value)) {
    return m_cursor.expected("an integer");
  }
  if (value < 0) return m_cursor.error(fmt::format("a count or tag is negative: {}", value));
  return value;
}

Result<double> MshNumbers::real() {
  if (m_binary) return load<double>();
  double value = 0;
  if (!m_cursor.next_real(value)) return m_cursor.expected("a number");
  return value;
}

Result<void> MshNumbers::check_count(std::int64_t count, std::string_view what,
                                     std::size_t least_bytes) const {
  const std::size_t least = m_binary ? least_bytes : 2;
  if (count < 0 || static_cast<std::size_t>(count) > m_cursor.remaining() / least) {
    return m_cursor.error(fmt::format("the file is too short for its {} {}", count, what));
  }
  return {};
}

Result<std::int64_t> MshNumbers::count(std::string_view what, std::size_t least_bytes) {
  SUPPLE_TRY(const std::int64_t value, size());
  SUPPLE_TRY_VOID(check_count(value, what, least_bytes));
  return value;
}

}  // namespace supple::io::detail
