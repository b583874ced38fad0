// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace supple::geometry {

/// Height over longest side of a triangle; 0 where its corners coincide.
[[nodiscard]] double flatness(const Vec3& a, const Vec3& b, const Vec3& c);

/// A triangle flatter than this is a line: angles over it are noise, and coordinates in single
/// precision leave about this much of one that was meant to be a line.
inline constexpr double kCollinear = 1e-6;
/// The repair drops more than the check refuses, so that what it kept still passes after a change
/// of units or a rotation has rounded the coordinates anew.
inline constexpr double kDroppedBelow = 2 * kCollinear;

/// A surface fit for a thin shell: every edge has one or two triangles, neighbours agree about the
/// side that faces out, no triangle is degenerate, every node has a triangle.
struct ShellSurface {
  TriMesh mesh;  ///< positions are the nodes: vertices at the same place are one
  /// Per vertex of the input; -1 where no triangle uses it. A vertex that only dropped triangles
  /// use has the node beside it, and so moves along.
  std::vector<Index> node_of_vertex;
  std::vector<Index> input_triangle;  ///< per triangle of `mesh`, its place in the input
  std::vector<Index> piece;           ///< per triangle of `mesh`: triangles joined by nodes
  std::size_t piece_count = 0;
  std::vector<std::string> warnings;  ///< what was dropped and turned around, with its numbers
};

/// Repairs what can be repaired and lists it in the warnings: degenerate and collinear triangles
/// and second copies of a triangle are dropped, neighbours that disagree are turned to what most of
/// their patch says. Edges of three or more triangles and surfaces with one side only are errors.
/// Messages count vertices and triangles of the input from `first_number`, as its format does.
[[nodiscard]] Result<ShellSurface> prepare_shell_surface(const TriMesh& mesh,
                                                         std::size_t first_number = 0);

}  // namespace supple::geometry
