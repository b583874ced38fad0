// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/box_tree.hpp"
#include "supple/geometry/surface_query.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <array>
#include <vector>

namespace supple::geometry {

/// The corners of a triangle, copied in the order of the hierarchy's leaves.
using Corners = std::array<Vec3, 3>;

/// Closest point of one triangle; `triangle` is not set. Degenerate triangles act as a segment or a
/// point.
[[nodiscard]] ClosestPoint closest_point_on_triangle(const Vec3& query, const Corners& corners);

/// A place where a segment passes through a triangle.
struct SegmentHit {
  double t = 0;  ///< fraction of the segment
  Index triangle = -1;
};

/// A binary hierarchy of boxes over a triangle soup. Its shape depends only on the mesh.
class TriangleBvh {
 public:
  using Node = BoxTree::Node;
  static constexpr std::size_t kMaxStack = BoxTree::kMaxStack;

  explicit TriangleBvh(const TriMesh& mesh);

  [[nodiscard]] ClosestPoint closest_point(const Vec3& query) const;

  /// All intersections of the segment from `a` to `b` with triangles, sorted along the segment; a
  /// segment that grazes an edge may report both neighbours. Replaces the contents of `hits`.
  void segment_hits(const Vec3& a, const Vec3& b, std::vector<SegmentHit>& hits) const;

  [[nodiscard]] const std::vector<Node>& nodes() const { return m_tree.nodes(); }
  [[nodiscard]] const std::vector<Corners>& corners() const { return m_corners; }

 private:
  BoxTree m_tree;
  std::vector<Corners> m_corners;  ///< in the order of the tree's leaves
};

}  // namespace supple::geometry
