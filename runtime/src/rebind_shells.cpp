// SPDX-License-Identifier: Apache-2.0
#include "rebind_shells.hpp"

#include "shapes.hpp"

namespace supple::player {
namespace {

std::uint32_t shell_that_moves(const supple_asset& asset, const format::Part& part) {
  for (std::uint32_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
    const std::size_t block = v / format::kBlock;
    for (std::uint32_t i = asset.blocks[block]; i < asset.blocks[block + 1]; ++i) {
      const format::Entry& entry = asset.entries[i];
      const bool is_shell = asset.objects[entry.object].kind == format::Kind::Shell;
      if (is_shell && has_shape(asset, entry, v)) return entry.object;
    }
  }
  return format::kNone;
}

/// Contract: the vertex is one of the file's.
std::uint32_t part_of(const supple_asset& asset, std::uint32_t vertex) {
  std::uint32_t p = 0;
  while (vertex - asset.parts[p].first_vertex >= asset.parts[p].vertex_count) ++p;
  return p;
}

}  // namespace

void find_shells(const supple_asset& asset, std::uint32_t* shell_of_part) {
  for (std::uint32_t p = 0; p < asset.summary->part_count; ++p) {
    shell_of_part[p] = shell_that_moves(asset, asset.parts[p]);
  }
  for (std::uint32_t s = 0; s < asset.shell_count; ++s) {
    const format::Shell& shell = asset.shells[s];
    for (std::uint32_t a = 0; a < shell.attachment_count; ++a) {
      const std::uint32_t held = asset.attachments[shell.first_attachment + a].vertex;
      shell_of_part[part_of(asset, held)] = shell.object;
    }
  }
}

bool same_space(const supple_mesh& mesh, const MeshMatch& match, std::uint32_t part,
                const PartMatch& space) {
  const PartMatch& own = match.parts[part];
  const GivenPrimitive& one = match.primitives[own.primitive];
  for (std::size_t i = 3 * one.first_vertex; i < 3 * (one.first_vertex + one.vertex_count); ++i) {
    const double apart = (own.scale - space.scale) * static_cast<double>(mesh.positions[i]) +
                         own.shift[i % 3] - space.shift[i % 3];
    if (!(apart <= match.tolerance && apart >= -match.tolerance)) return false;
  }
  return true;
}

}  // namespace supple::player
