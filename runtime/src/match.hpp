// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"

#include <cstddef>
#include <cstdint>

namespace supple::player {

/// A primitive of the mesh as it is now, and where it is among the arrays of supple_mesh.
struct GivenPrimitive {
  std::uint32_t mesh, primitive;
  std::uint32_t vertex_count, index_count;
  std::size_t first_vertex, first_index;
  bool taken;  ///< by a part
};

/// Which primitive shows a part, and where its vertices were: baked = scale * now + shift.
/// Quantised meshes are kept in a box of their own.
struct PartMatch {
  std::uint32_t primitive;
  double scale;
  double shift[3];
  double distance;  ///< the largest from a baked vertex, in units of the file
};

/// What matching needs and finds; the arrays belong to the caller.
struct MeshMatch {
  GivenPrimitive* primitives;
  PartMatch* parts;       ///< one for each part
  std::uint32_t* source;  ///< of each vertex of supple_mesh: the baked vertex
  std::uint32_t* order;   ///< baked vertices of a part by key
  double* keys;           ///< as many
  double tolerance;       ///< what is near, in units of bind space
  double distance;        ///< the largest from a baked vertex, in units of bind space
};

/// Units of bind space in one of a part's own; 1 unless the file has SPAC.
[[nodiscard]] double unit_of(const supple_asset& asset, std::uint32_t part);

/// Finds for each part the primitive that shows it, and for each of its vertices the baked one. All
/// vertices of a primitive must be near one; not all baked ones need be near a vertex, since tools
/// merge them. False, with a detail: a part has no such primitive. Contract: the file has VERT.
[[nodiscard]] bool match_mesh(const supple_asset& asset, const supple_mesh& mesh, MeshMatch& match);

}  // namespace supple::player
