// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/interpolation.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <vector>

namespace supple::geometry {

/// Points carried by the elements of a volume mesh. Those outside continue the closest point of the
/// mesh by its derivative there, so that an affine motion of the nodes moves every point exactly,
/// at any distance: weights are not limited to 0 .. 1. Distances tell how far out points are.
[[nodiscard]] Interpolation extend_to(const TetMesh& mesh, const std::vector<Vec3>& points);

/// A surface for rendering, carried by a volume mesh whose nodes a simulation moves. It need not be
/// the boundary of the mesh, nor connected: texture seams may split it. Thread-safe once built.
class EmbeddedSurface {
 public:
  /// `mesh` must be valid; `normals` may be empty, or unit vectors, one per point.
  EmbeddedSurface(const TetMesh& mesh, const std::vector<Vec3>& points, std::vector<Vec3> normals);

  [[nodiscard]] const Interpolation& interpolation() const { return m_points; }
  /// Moved points; `nodes` has one position per node of the mesh.
  [[nodiscard]] std::vector<Vec3> positions(const std::vector<Vec3>& nodes) const;
  /// Moved normals, unit length: those at rest turned by the cofactors of the deformation gradient,
  /// which is smoothed over the nodes (their elements' mean by volume) and interpolated, so that
  /// elements do not show.
  [[nodiscard]] std::vector<Vec3> normals(const std::vector<Vec3>& nodes) const;

 private:
  [[nodiscard]] std::vector<Mat3> node_deformations(const std::vector<Vec3>& nodes) const;

  Interpolation m_points;
  std::vector<Vec3> m_normals;                  ///< at rest
  std::vector<std::array<Index, 4>> m_corners;  ///< per element
  std::vector<Mat3> m_inverse_edges;           ///< per element: of the edges from corner 0, at rest
  std::vector<double> m_volumes;               ///< per element
  std::vector<Eigen::Vector4d> m_barycentric;  ///< per point, of the element's corners, each >= 0
  std::vector<std::int64_t> m_element_start;   ///< per node, into m_elements_of_node
  std::vector<Index> m_elements_of_node;
};

}  // namespace supple::geometry
