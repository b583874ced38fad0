// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"
#include "rigid.hpp"

#include <cstring>

namespace supple::player {

/// What a mode does to one vertex at coefficient 1, in bind space.
struct VertexShape {
  float displacement[3];
  float normal[3];
};

/// One number of the rows that an entry points at.
[[nodiscard]] inline float shape_number(const supple_asset& asset, const format::Entry& entry,
                                        std::size_t index) {
  const unsigned char* rows = asset.shapes + std::size_t{entry.offset} * format::kAlignment;
  if (asset.summary->encoding == format::Encoding::Int16) {
    std::int16_t number = 0;
    std::memcpy(&number, rows + 2 * index, sizeof number);
    return number;
  }
  float number = 0;
  std::memcpy(&number, rows + 4 * index, sizeof number);
  return number;
}

[[nodiscard]] inline VertexShape vertex_shape(const supple_asset& asset, const format::Entry& entry,
                                              std::size_t mode, std::size_t lane) {
  const format::Mode& scales = asset.modes[asset.objects[entry.object].first_mode + mode];
  VertexShape shape{};
  for (std::size_t row = 0; row < 3; ++row) {
    const std::size_t at = (mode * format::kRows + row) * format::kBlock + lane;
    shape.displacement[row] = shape_number(asset, entry, at) * scales.position_scale;
    shape.normal[row] = shape_number(asset, entry, at + 3 * format::kBlock) * scales.normal_scale;
  }
  return shape;
}

/// Whether one of an entry's modes moves or turns a vertex of its block.
[[nodiscard]] inline bool has_shape(const supple_asset& asset, const format::Entry& entry,
                                    std::uint32_t vertex) {
  const std::size_t rows = asset.objects[entry.object].mode_count * format::kRows;
  for (std::size_t row = 0; row < rows; ++row) {
    if (shape_number(asset, entry, row * format::kBlock + vertex % format::kBlock) != 0) {
      return true;
    }
  }
  return false;
}

/// What an entry's modes do to one vertex together, in bind space. `second` is the change of the
/// normal by flesh, the turn by a shell.
struct VertexSum {
  Vec3 displacement, second;
};

/// For the first `modes` coefficients, floats or doubles.
template <class Number>
[[nodiscard]] VertexSum vertex_sum(const supple_asset& asset, const format::Entry& entry,
                                   std::size_t lane, const Number* coefficients,
                                   std::size_t modes) {
  VertexSum sum{};
  for (std::size_t k = 0; k < modes; ++k) {
    const double c = coefficients[k];
    if (c == 0) continue;
    const VertexShape u = vertex_shape(asset, entry, k, lane);
    sum.displacement =
        sum.displacement + c * Vec3{u.displacement[0], u.displacement[1], u.displacement[2]};
    sum.second = sum.second + c * Vec3{u.normal[0], u.normal[1], u.normal[2]};
  }
  return sum;
}

/// What an object adds to the block of a vertex; null: nothing.
[[nodiscard]] inline const format::Entry* entry_of(const supple_asset& asset, std::uint32_t vertex,
                                                   std::uint32_t object) {
  const std::uint32_t block = vertex / format::kBlock;
  for (std::uint32_t i = asset.blocks[block]; i < asset.blocks[block + 1]; ++i) {
    if (asset.entries[i].object == object) return &asset.entries[i];
  }
  return nullptr;
}

/// What the shell that moves a vertex adds to its block; null: none does.
[[nodiscard]] inline const format::Entry* shell_entry_of(const supple_asset& asset,
                                                         std::uint32_t vertex) {
  const std::uint32_t block = vertex / format::kBlock;
  for (std::uint32_t i = asset.blocks[block]; i < asset.blocks[block + 1]; ++i) {
    const format::Entry& entry = asset.entries[i];
    const format::Object& object = asset.objects[entry.object];
    if (object.kind != format::Kind::Shell) continue;
    for (std::size_t k = 0; k < object.mode_count; ++k) {
      const VertexShape u = vertex_shape(asset, entry, k, vertex % format::kBlock);
      if (u.displacement[0] != 0 || u.displacement[1] != 0 || u.displacement[2] != 0) return &entry;
    }
  }
  return nullptr;
}

/// The arrays of a shell's rotation-strain solve, docs/format.md.
struct StrainView {
  std::uint32_t nodes, free_nodes, triangles, entries, vertices;
  const std::uint32_t* vertex;          ///< of the asset, that the shell moves
  const std::uint32_t* node_of_vertex;  ///< of each of them
  const std::uint32_t* vertex_of_node;  ///< of the asset
  const std::uint32_t* corners;         ///< three nodes per triangle
  const std::uint32_t* starts;          ///< of the factor's columns
  const std::uint32_t* rows;
  const double* cotangents;  ///< three per triangle, halved
  const double* values;      ///< of the factor
};
inline constexpr std::uint32_t kStrainCounts = 5;

/// Contract: shell.strain is not kNone.
[[nodiscard]] inline StrainView strain_view(const supple_asset& asset, const format::Shell& shell) {
  const std::uint32_t* n = asset.strain + shell.strain;
  StrainView v{};
  v.nodes = n[0];
  v.free_nodes = n[1];
  v.triangles = n[2];
  v.entries = n[3];
  v.vertices = n[4];
  v.vertex = n + kStrainCounts;
  v.node_of_vertex = v.vertex + v.vertices;
  v.vertex_of_node = v.node_of_vertex + v.vertices;
  v.corners = v.vertex_of_node + v.nodes;
  v.starts = v.corners + 3 * std::size_t{v.triangles};
  v.rows = v.starts + v.free_nodes + 1;
  v.cotangents = asset.factors + shell.factor;
  v.values = v.cotangents + 3 * std::size_t{v.triangles};
  return v;
}

}  // namespace supple::player
