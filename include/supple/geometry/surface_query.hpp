// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <memory>

namespace supple::geometry {

struct ClosestPoint {
  Vec3 point = Vec3::Zero();
  Vec3 barycentric = Vec3::Zero();
  Index triangle = -1;
  double distance = 0;
};

/// Closest points and the generalised winding number of a triangle soup, over one hierarchy.
///
/// Inside means winding number above 1/2 [JKSH13]: it is 1 inside a closed surface, smooth near
/// holes, and an integer per layer where parts overlap. Far parts of the hierarchy are summed by
/// their dipole expansion [BDSKJ18]. Thread-safe once built.
class SurfaceQuery {
 public:
  /// `mesh` must be valid and must outlive the query. Degenerate triangles are harmless.
  explicit SurfaceQuery(const TriMesh& mesh);
  ~SurfaceQuery();
  SurfaceQuery(SurfaceQuery&&) noexcept;
  SurfaceQuery& operator=(SurfaceQuery&&) noexcept;

  /// Triangle -1 and infinite distance if the mesh is empty.
  [[nodiscard]] ClosestPoint closest_point(const Vec3& query) const;
  [[nodiscard]] double winding_number(const Vec3& query) const;
  [[nodiscard]] bool inside(const Vec3& query) const { return winding_number(query) > 0.5; }
  /// Negative inside.
  [[nodiscard]] double signed_distance(const Vec3& query) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace supple::geometry
