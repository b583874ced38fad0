// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <functional>

namespace supple::geometry {

struct StuffingSettings {
  std::size_t target_elements = 10'000;  ///< met within a fifth; ignored if `spacing` is set
  double spacing = 0;                    ///< lattice cell edge in metres; 0: from the target
  /// Lattice points at this winding number or more are inside.
  double inside_threshold = 0.5;
  [[nodiscard]] Result<void> validate() const;
};

/// Isosurface stuffing [LS07] of the inside of a surface, uniform lattice: tetrahedra with dihedral
/// angles within the method's proven bounds, for any surface.
[[nodiscard]] Result<TetMesh> stuff(const TriMesh& surface, const StuffingSettings& settings = {});

/// The same for a signed function (negative inside) in a box that contains the whole solid. It is
/// called from several threads.
[[nodiscard]] Result<TetMesh> stuff(const std::function<double(const Vec3&)>& signed_distance,
                                    const Box& bounds, const StuffingSettings& settings = {});

struct NetgenSettings {
  double max_edge = 0;  ///< metres; 0: from target_elements
  std::size_t target_elements = 10'000;
  double grading = 0.3;  ///< 0 uniform .. 1 coarse inside
  [[nodiscard]] Result<void> validate() const;
};

/// NETGEN's advancing front on a closed, manifold, outward surface; keeps the surface triangles'
/// shape. Other surfaces are rejected with the number of open and non-manifold edges.
[[nodiscard]] Result<TetMesh> mesh_with_netgen(const TriMesh& surface,
                                               const NetgenSettings& settings = {});

}  // namespace supple::geometry
