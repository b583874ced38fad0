// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/geometry/types.hpp"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace supple::geometry {

/// The value is the number of nodes per element.
enum class TetOrder { Linear = 4, Quadratic = 10 };

/// The edges that carry midside nodes 4..9 of a quadratic tetrahedron: the order of CalculiX's
/// C3D10 and of VTK (Gmsh swaps the last two; its reader reorders).
inline constexpr std::array<std::array<int, 2>, 6> kTetEdges{
    {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};

/// Faces of a positively oriented tetrahedron, counter-clockwise seen from outside.
inline constexpr std::array<std::array<int, 3>, 4> kTetFaces{
    {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};

/// A volume mesh of 4- or 10-node tetrahedra with optional regions and named sets.
/// Positive orientation: (x1-x0) x (x2-x0) . (x3-x0) > 0.
struct TetMesh {
  TetOrder order = TetOrder::Linear;
  std::vector<Vec3> nodes;
  std::vector<Index> connectivity;        ///< nodes_per_element() per element
  std::vector<Index> regions;             ///< empty, or one per element: index into region_names
  std::vector<std::string> region_names;  ///< empty means one nameless region
  std::map<std::string, std::vector<Index>> node_sets;

  [[nodiscard]] int nodes_per_element() const { return static_cast<int>(order); }
  [[nodiscard]] std::size_t element_count() const {
    return connectivity.size() / static_cast<std::size_t>(nodes_per_element());
  }
  [[nodiscard]] std::span<const Index> element(std::size_t e) const {
    const auto n = static_cast<std::size_t>(nodes_per_element());
    return {connectivity.data() + e * n, n};
  }
  [[nodiscard]] std::span<Index> element(std::size_t e) {
    const auto n = static_cast<std::size_t>(nodes_per_element());
    return {connectivity.data() + e * n, n};
  }
  [[nodiscard]] Index region(std::size_t e) const { return regions.empty() ? 0 : regions[e]; }

  /// Finite nodes, indices in range, positive volume everywhere (for quadratic elements: positive
  /// Jacobian at the vertices and the four integration points). The error gives the number of bad
  /// elements and names the first few, numbered from 1 as in CalculiX.
  [[nodiscard]] Result<void> validate() const;
};

[[nodiscard]] double volume(const TetMesh& mesh);

/// Boundary triangles, outward, and the volume element behind each. Quadratic faces are split
/// into four flat triangles unless `corners_only`. `node_of_vertex` maps surface vertices back.
struct BoundarySurface {
  TriMesh mesh;
  std::vector<Index> node_of_vertex;
  std::vector<Index> element_of_triangle;
};
[[nodiscard]] BoundarySurface boundary(const TetMesh& mesh, bool corners_only = false);

/// Component number of each element (elements joined by shared nodes), by first appearance.
[[nodiscard]] std::vector<Index> components(const TetMesh& mesh);

/// The same by shared faces: parts that touch only along an edge or at a node are separate.
[[nodiscard]] std::vector<Index> face_components(const TetMesh& mesh);

/// The marked elements (one mark per element) and the nodes they use; regions and sets are kept.
/// Nodes are renumbered by first use.
[[nodiscard]] TetMesh keep_elements(const TetMesh& mesh, const std::vector<char>& keep);

/// Nodes that no element uses, ascending.
[[nodiscard]] std::vector<Index> unused_nodes(const TetMesh& mesh);

/// Adds midside nodes half-way along every edge (straight); one joins a node set when both ends of
/// its edge are in it. Quadratic meshes are returned unchanged ...
[[nodiscard]] TetMesh to_quadratic(const TetMesh& linear);
/// ... and moves those of boundary edges to the closest point of `surface`, backing off towards the
/// straight edge if that would spoil an element.
[[nodiscard]] TetMesh to_quadratic(const TetMesh& linear, const TriMesh& surface);
/// Drops midside nodes.
[[nodiscard]] TetMesh to_linear(const TetMesh& quadratic);

struct TetQuality {
  double min_dihedral = 0;      ///< radians, over all elements
  double max_dihedral = 0;      ///< radians
  double min_volume = 0;        ///< signed, m^3
  double min_radius_ratio = 0;  ///< 3 inradius / circumradius: 1 regular, 0 flat, < 0 inverted
};
[[nodiscard]] TetQuality quality(const TetMesh& mesh);

}  // namespace supple::geometry
