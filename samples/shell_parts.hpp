// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"
#include "supple/io/gltf_character.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Building blocks of the sample shells.
namespace supple::samples {

using Rgba = std::array<double, 4>;

/// A grid over (u, v), both 0 to 1, with diagonals that mirror each other across the middle of v,
/// so that a symmetric sheet bends without a twist. It faces du x dv.
struct SheetGrid {
  int along = 1;   ///< cells in u
  int across = 2;  ///< cells in v
  std::function<geometry::Vec3(double u, double v)> place;
};
[[nodiscard]] geometry::TriMesh make_sheet(const SheetGrid& grid);

/// Rows of vertices, of any lengths, joined into a sheet of changing width. Each row goes from its
/// left end over its middle to its right end; a row of one is a tip. It faces the same way as
/// `make_sheet`, with u from row to row and v to the right.
[[nodiscard]] geometry::TriMesh sew_rows(const std::vector<std::vector<geometry::Vec3>>& rows);

/// An open tube about a path: rings of `sides` vertices from the first to the last, outward.
/// `place(u, angle)` defines the surface, with u from 0 to 1 along the path.
[[nodiscard]] geometry::TriMesh make_sleeve(
    int along, int sides, const std::function<geometry::Vec3(double u, double angle)>& place);

/// Splits a node into two vertices where triangle normals differ by more than `angle`, radians, so
/// that creases stay sharp in pictures. Positions stay equal, so it is still one node of the shell.
[[nodiscard]] geometry::TriMesh split_creases(const geometry::TriMesh& mesh, double angle);

/// A separate mesh that follows one bone.
[[nodiscard]] io::SkinnedPart bound_part(const std::string& mesh_name, geometry::TriMesh mesh,
                                         std::uint32_t bone);

[[nodiscard]] Rgba mix(const Rgba& a, const Rgba& b, double t);

/// A clip with 60 keys per second; `pose` fills one key of each track at a time.
[[nodiscard]] io::SkinnedClip make_shell_clip(
    const std::string& name, double seconds, const std::vector<std::size_t>& bones,
    const std::function<void(double t, io::SkinnedClip& clip)>& pose);

}  // namespace supple::samples
