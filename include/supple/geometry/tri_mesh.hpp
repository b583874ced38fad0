// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <vector>

namespace supple::geometry {

/// A triangle surface, possibly open, self-intersecting or non-manifold: a soup with indices.
/// Counter-clockwise triangles face outwards.
struct TriMesh {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;

  /// Finite coordinates and indices in range, or an error that names the first offender.
  [[nodiscard]] Result<void> validate() const;
};

[[nodiscard]] Box bounding_box(const std::vector<Vec3>& points);

/// Signed volume by the divergence theorem; meaningful for closed surfaces.
[[nodiscard]] double signed_volume(const TriMesh& mesh);
[[nodiscard]] double area(const TriMesh& mesh);

/// Area-weighted vertex normals, unit length; zero if a vertex has no area around it.
[[nodiscard]] std::vector<Vec3> vertex_normals(const TriMesh& mesh);

/// Joins vertices closer than `distance` (0: bitwise equal positions), drops triangles that
/// collapse, keeps the first vertex of each group. No vertex moves further than `distance`, so
/// chains of close vertices are not joined end to end. Exporters split vertices along texture
/// seams.
struct WeldedMesh {
  TriMesh mesh;
  std::vector<Index> vertex_of_input;  ///< welded vertex of each input vertex
};
[[nodiscard]] WeldedMesh weld(const TriMesh& mesh, double distance = 0);

/// Edge statistics of a surface.
struct SurfaceTopology {
  std::size_t boundary_edges = 0;      ///< used by one triangle
  std::size_t non_manifold_edges = 0;  ///< used by three or more
  std::size_t flipped_edges = 0;       ///< used twice in the same direction
  std::size_t components = 0;
  [[nodiscard]] bool closed_manifold() const {
    return boundary_edges == 0 && non_manifold_edges == 0 && flipped_edges == 0;
  }
};
[[nodiscard]] SurfaceTopology topology(const TriMesh& mesh);

/// Component number of each triangle, by shared vertices; numbered by first appearance.
[[nodiscard]] std::vector<Index> components(const TriMesh& mesh);

}  // namespace supple::geometry
