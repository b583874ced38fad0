// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace supple::geometry {

/// Ratio of height to longest side of a triangle; 0 if its corners coincide.
[[nodiscard]] double flatness(const Vec3& a, const Vec3& b, const Vec3& c);

/// A triangle flatter than this is a line: its angles are noise, and rounding to single precision
/// gives a line about this much height.
inline constexpr double kCollinear = 1e-6;
/// The repair is stricter than the check, so that repaired meshes still pass after a change of
/// units or a rotation has rounded the coordinates again.
inline constexpr double kDroppedBelow = 2 * kCollinear;

/// A surface suitable for a thin shell: every edge has one or two triangles, neighbours agree on
/// which side faces out, no triangle is degenerate, and every node has a triangle.
struct ShellSurface {
  TriMesh mesh;  ///< positions are the nodes: coincident vertices are merged
  /// Per vertex of the input; -1 if no triangle uses it. A vertex that only dropped triangles use
  /// gets the nearest node, and so moves along.
  std::vector<Index> node_of_vertex;
  std::vector<Index> input_triangle;  ///< per triangle of `mesh`, its index in the input
  std::vector<Index> piece;           ///< per triangle of `mesh`: triangles joined by nodes
  std::size_t piece_count = 0;
  std::vector<std::string> warnings;  ///< dropped and flipped triangles, with their numbers
};

/// Repairs the surface where possible and lists the repairs in the warnings: degenerate and
/// collinear triangles and duplicate triangles are dropped, and triangles that disagree with most
/// of their patch are flipped. Edges with three or more triangles and one-sided surfaces are
/// errors. Messages number vertices and triangles of the input from `first_number`, as its format
/// does.
[[nodiscard]] Result<ShellSurface> prepare_shell_surface(const TriMesh& mesh,
                                                         std::size_t first_number = 0);

}  // namespace supple::geometry
