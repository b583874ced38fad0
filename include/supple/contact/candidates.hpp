// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/contact/closest.hpp"
#include "supple/geometry/box_tree.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace supple::contact {

using geometry::Index;
using Edge = std::array<Index, 2>;

/// Everything that can touch something: the surfaces of all bodies in one list of vertices.
struct ContactMesh {
  std::vector<geometry::Triangle> triangles;
  std::vector<Edge> edges;         ///< each edge of a triangle once, ascending, and loose ones
  std::vector<Index> vertices;     ///< ends of edges, ascending
  std::vector<std::uint8_t> free;  ///< per vertex of the whole list: 0 if it is fixed or scripted
};
/// Lists the edges and vertices of triangles.
[[nodiscard]] ContactMesh make_contact_mesh(std::vector<geometry::Triangle> triangles,
                                            std::vector<std::uint8_t> free);

/// Pairs that may come close, in ascending order: a vertex and a triangle, or two edges, by their
/// numbers in the mesh. Pairs that share a vertex, or of which no vertex is free, are left out.
struct Candidates {
  std::vector<std::array<Index, 2>> point_triangle;  ///< vertex, triangle
  std::vector<std::array<Index, 2>> edge_edge;       ///< the smaller number first
};

/// Finds candidates by two box trees, which follow the motion by refitting.
class BroadPhase {
 public:
  explicit BroadPhase(const ContactMesh& mesh) : m_mesh(mesh) {}

  /// All pairs that come within `reach` of each other while every vertex moves in a straight line
  /// between `from` and `to`, each x y z of all vertices, interleaved.
  [[nodiscard]] Candidates find(const Eigen::VectorXd& from, const Eigen::VectorXd& to,
                                double reach);

 private:
  const ContactMesh& m_mesh;
  geometry::BoxTree m_triangles;
  geometry::BoxTree m_edges;
};

/// Pairs of an edge and a triangle without a common vertex that intersect at x, exactly tested:
/// numbers of edge and triangle, ascending. Pairs without a free vertex are left out.
[[nodiscard]] std::vector<std::array<Index, 2>> find_intersections(const ContactMesh& mesh,
                                                                   const Eigen::VectorXd& x);

}  // namespace supple::contact
