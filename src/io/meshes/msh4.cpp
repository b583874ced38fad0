// SPDX-License-Identifier: Apache-2.0
#include "io/meshes/msh_data.hpp"

#include "supple/core/log.hpp"

#include <fmt/format.h>

namespace supple::io::detail {
namespace {

/// One entity: tag, bounding box, physical groups and (except for points) bounding entities.
Result<void> read_entity(MshNumbers& in, int dimension, MshEntities& entities) {
  SUPPLE_TRY(const std::int64_t tag, in.integer());
  for (int i = 0; i < (dimension == 0 ? 3 : 6); ++i) {
    SUPPLE_TRY([[maybe_unused]] const double bound, in.real());
  }
  SUPPLE_TRY(const std::int64_t group_count, in.count("physical groups", 4));
  for (std::int64_t i = 0; i < group_count; ++i) {
    SUPPLE_TRY(const std::int64_t group, in.integer());
    if (i == 0) entities[{dimension, tag}] = group;
  }
  if (group_count > 1 && dimension == 3) {
    log::warn("{}: volume {} is in {} physical groups; only the first is used", in.cursor().name(),
              tag, group_count);
  }
  if (dimension == 0) return {};
  SUPPLE_TRY(const std::int64_t bounding, in.count("bounding entities", 4));
  for (std::int64_t i = 0; i < bounding; ++i) {
    SUPPLE_TRY([[maybe_unused]] const std::int64_t other, in.integer());
  }
  return {};
}

Result<void> read_entities(MshNumbers& in, MshEntities& entities) {
  std::array<std::int64_t, 4> counts{};
  for (std::int64_t& count : counts) {
    SUPPLE_TRY(count, in.count("entities", 36));
  }
  for (int dimension = 0; dimension < 4; ++dimension) {
    for (std::int64_t i = 0; i < counts[static_cast<std::size_t>(dimension)]; ++i) {
      SUPPLE_TRY_VOID(read_entity(in, dimension, entities));
    }
  }
  return {};
}

/// The four numbers at the start of $Nodes and $Elements; returns the number of blocks.
Result<std::int64_t> read_block_count(MshNumbers& in, std::string_view what) {
  SUPPLE_TRY(const std::int64_t blocks, in.count("blocks", 20));
  SUPPLE_TRY([[maybe_unused]] const std::int64_t total, in.count(what, 8));
  SUPPLE_TRY([[maybe_unused]] const std::int64_t lowest, in.size());
  SUPPLE_TRY([[maybe_unused]] const std::int64_t highest, in.size());
  return blocks;
}

struct BlockHeader {
  int dimension = 0;
  std::int64_t entity = 0;
  std::int64_t kind = 0;  ///< nodes: parametric or not; elements: their type
  std::int64_t count = 0;
};

Result<BlockHeader> read_block_header(MshNumbers& in, std::string_view what) {
  BlockHeader block;
  SUPPLE_TRY(const std::int64_t dimension, in.integer());
  if (dimension < 0 || dimension > 3) {
    return in.cursor().error(fmt::format("a block has dimension {}", dimension));
  }
  block.dimension = static_cast<int>(dimension);
  SUPPLE_TRY(block.entity, in.integer());
  SUPPLE_TRY(block.kind, in.integer());
  SUPPLE_TRY(block.count, in.count(what, 8));
  return block;
}

Result<void> read_node_block(MshNumbers& in, MshData& data) {
  SUPPLE_TRY(const BlockHeader block, read_block_header(in, "nodes"));
  std::vector<std::int64_t> tags(static_cast<std::size_t>(block.count));
  for (std::int64_t& tag : tags) {
    SUPPLE_TRY(tag, in.size());
  }
  for (const std::int64_t tag : tags) {
    geometry::Vec3 point;
    for (double& coordinate : point.reshaped()) {
      SUPPLE_TRY(coordinate, in.real());
    }
    SUPPLE_TRY_VOID(data.add_node(in.cursor(), tag, point));
    for (int i = 0; block.kind != 0 && i < block.dimension; ++i) {
      SUPPLE_TRY([[maybe_unused]] const double parameter, in.real());
    }
  }
  return {};
}

Result<void> read_element_block(MshNumbers& in, const MshEntities& entities, MshData& data) {
  SUPPLE_TRY(const BlockHeader block, read_block_header(in, "elements"));
  const std::size_t width = gmsh_node_count(block.kind);
  if (width == 0) {
    return in.cursor().error(fmt::format("unknown Gmsh element type {}", block.kind));
  }
  const auto entity = entities.find({block.dimension, block.entity});
  const std::int64_t group = entity == entities.end() ? 0 : entity->second;
  std::vector<std::int64_t> nodes(width);
  for (std::int64_t i = 0; i < block.count; ++i) {
    SUPPLE_TRY([[maybe_unused]] const std::int64_t label, in.size());
    for (std::int64_t& node : nodes) {
      SUPPLE_TRY(node, in.size());
    }
    SUPPLE_TRY_VOID(data.add_element(in.cursor(), block.kind, group, nodes));
  }
  return {};
}

}  // namespace

Result<void> read_msh4_section(MshNumbers& in, std::string_view section, MshEntities& entities,
                               MshData& data) {
  if (section == "$Entities") return read_entities(in, entities);
  if (section == "$Nodes") {
    SUPPLE_TRY(const std::int64_t blocks, read_block_count(in, "nodes"));
    for (std::int64_t i = 0; i < blocks; ++i) SUPPLE_TRY_VOID(read_node_block(in, data));
  } else if (section == "$Elements") {
    SUPPLE_TRY(const std::int64_t blocks, read_block_count(in, "elements"));
    for (std::int64_t i = 0; i < blocks; ++i) {
      SUPPLE_TRY_VOID(read_element_block(in, entities, data));
    }
  } else if (section == "$PartitionedEntities") {
    log::warn("{}: the mesh is partitioned; physical groups of its parts are not read",
              in.cursor().name());
  }
  return {};
}

}  // namespace supple::io::detail
