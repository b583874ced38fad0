// SPDX-License-Identifier: Apache-2.0
#include "io/meshes/msh_data.hpp"

#include <fmt/format.h>

namespace supple::io::detail {
namespace {

Result<std::int64_t> text_count(MshNumbers& in, std::string_view what, std::size_t least_bytes) {
  std::int64_t count = 0;  // in version 2 the counts are text even in binary files
  if (!in.cursor().next_integer(count)) return in.cursor().expected("a count");
  in.cursor().next_line();
  SUPPLE_TRY_VOID(in.check_count(count, what, least_bytes));
  return count;
}

Result<void> read_msh2_nodes(MshNumbers& in, MshData& data) {
  SUPPLE_TRY(const std::int64_t count, text_count(in, "nodes", 28));
  data.nodes.reserve(static_cast<std::size_t>(count));
  data.node_tags.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    SUPPLE_TRY(const std::int64_t tag, in.integer());
    geometry::Vec3 point;
    for (double& coordinate : point.reshaped()) {
      SUPPLE_TRY(coordinate, in.real());
    }
    SUPPLE_TRY_VOID(data.add_node(in.cursor(), tag, point));
  }
  return {};
}

/// The data after an element's number: its tags (the first is the physical group) and its nodes.
Result<void> read_element_body(MshNumbers& in, std::int64_t type, std::int64_t tag_count,
                               MshData& data, std::vector<std::int64_t>& nodes) {
  std::int64_t group = 0;
  for (std::int64_t k = 0; k < tag_count; ++k) {
    SUPPLE_TRY(const std::int64_t tag, in.integer());
    if (k == 0) group = tag;
  }
  nodes.resize(gmsh_node_count(type));
  for (std::int64_t& node : nodes) {
    SUPPLE_TRY(node, in.integer());
  }
  return data.add_element(in.cursor(), type, group, nodes);
}

Result<void> check_type(MshNumbers& in, std::int64_t type) {
  if (gmsh_node_count(type) != 0) return {};
  return in.cursor().error(fmt::format("unknown Gmsh element type {}", type));
}

Result<void> read_elements_binary(MshNumbers& in, std::int64_t count, MshData& data) {
  std::vector<std::int64_t> nodes;
  for (std::int64_t done = 0; done < count;) {
    SUPPLE_TRY(const std::int64_t type, in.integer());
    SUPPLE_TRY(const std::int64_t in_block, in.integer());
    SUPPLE_TRY(const std::int64_t tag_count, in.integer());
    SUPPLE_TRY_VOID(check_type(in, type));
    if (in_block <= 0 || in_block > count - done || tag_count < 0) {
      return in.cursor().error("a block of elements has an impossible size");
    }
    for (std::int64_t i = 0; i < in_block; ++i) {
      SUPPLE_TRY([[maybe_unused]] const std::int64_t label, in.integer());
      SUPPLE_TRY_VOID(read_element_body(in, type, tag_count, data, nodes));
    }
    done += in_block;
  }
  return {};
}

Result<void> read_elements(MshNumbers& in, MshData& data) {
  SUPPLE_TRY(const std::int64_t count, text_count(in, "elements", 8));
  if (in.binary()) return read_elements_binary(in, count, data);
  std::vector<std::int64_t> nodes;
  for (std::int64_t i = 0; i < count; ++i) {
    SUPPLE_TRY([[maybe_unused]] const std::int64_t label, in.integer());
    SUPPLE_TRY(const std::int64_t type, in.integer());
    SUPPLE_TRY(const std::int64_t tag_count, in.integer());
    SUPPLE_TRY_VOID(check_type(in, type));
    SUPPLE_TRY_VOID(read_element_body(in, type, tag_count, data, nodes));
  }
  return {};
}

}  // namespace

Result<void> read_msh2_section(MshNumbers& in, std::string_view section, MshData& data) {
  if (section == "$Nodes") return read_msh2_nodes(in, data);
  if (section == "$Elements") return read_elements(in, data);
  return {};
}

}  // namespace supple::io::detail
