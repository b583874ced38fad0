// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "samples/implicit_surface.hpp"

#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace supple::samples {

/// Remeshes a closed manifold on a level surface with nearly equilateral triangles of a desired
/// edge length [BK04].
class Remesher {
 public:
  Remesher(const geometry::TriMesh& mesh, Implicit shape,
           std::function<double(const geometry::Vec3&)> edge_length);

  void split_long_edges();
  void collapse_short_edges();
  /// Flips edges where that brings vertices closer to six neighbours.
  void even_valences();
  /// Moves vertices along the surface to the middle of their neighbourhood.
  void relax();

  [[nodiscard]] geometry::TriMesh finish() &&;

 private:
  using Index = geometry::Index;
  using Vec3 = geometry::Vec3;
  using Edge = std::pair<Index, Index>;

  [[nodiscard]] std::vector<Edge> edges() const;
  /// Edges whose length relative to the desired one satisfies `keep`, worst first.
  template <class Keep>
  [[nodiscard]] std::vector<Edge> chosen_edges(const Keep& keep, bool longest_first) const;
  [[nodiscard]] double relative_length(const Vec3& a, const Vec3& b) const;
  [[nodiscard]] Vec3 projected(Vec3 point) const;
  [[nodiscard]] Vec3 normal(const geometry::Triangle& triangle) const;
  /// The two triangles at an edge, or empty if the edge no longer exists.
  [[nodiscard]] std::optional<std::array<Index, 2>> sides(Index a, Index b) const;
  [[nodiscard]] Index opposite(Index triangle, Index a, Index b) const;
  [[nodiscard]] std::vector<Index> neighbours(Index vertex) const;

  void split(Index a, Index b);
  void collapse(Index a, Index b);
  /// Whether `vertex` may move to `target` without bending or stretching its triangles too much.
  [[nodiscard]] bool may_move(Index vertex, Index partner, const Vec3& target) const;
  void flip(Index a, Index b);
  void replace_corner(Index triangle, Index from, Index to);
  void detach(Index triangle, Index vertex);

  Implicit m_shape;
  std::function<double(const Vec3&)> m_edge_length;
  std::vector<Vec3> m_positions;
  std::vector<geometry::Triangle> m_triangles;  ///< first corner -1: removed
  std::vector<std::vector<Index>> m_around;     ///< triangles at each vertex
};

}  // namespace supple::samples
