// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <functional>
#include <optional>

namespace supple::geometry {

struct StuffingSettings {
  std::size_t target_elements = 10'000;  ///< met within a fifth; ignored if `spacing` is set
  double spacing = 0;                    ///< lattice cell edge in metres; 0: from the target
  /// Lattice points at this winding number or more are inside.
  double inside_threshold = 0.5;
  /// Whether nodes move onto sharp edges. Where a part is thinner than the lattice this may fold
  /// the boundary through itself; the plain lattice never does.
  bool sharp_edges = true;
  [[nodiscard]] Result<void> validate() const;
};

/// Isosurface stuffing [LS07] of the inside of any surface, uniform lattice: tetrahedra with
/// dihedral angles within the method's proven bounds, 10.7 to 164.8 degrees. At edges where the
/// surface turns by more than 30 degrees, nodes then move onto the edge as far as angles stay
/// within 5.7 and 174.3 degrees; faces between such edges keep their place, so that planar ones
/// stay planar.
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

enum class Mesher { Automatic, Stuffing, Netgen };

struct SolidMeshSettings {
  Mesher mesher = Mesher::Automatic;
  std::size_t target_elements = 10'000;
};

struct SolidMesh {
  TetMesh mesh;
  Mesher mesher = Mesher::Stuffing;      ///< that made it, never Automatic
  std::optional<double> surface_volume;  ///< of a clean closed surface, to compare with the mesh's
};

/// Meshes the inside of a surface with isosurface stuffing. Clean closed surfaces with sharp edges
/// get more. If most of their faces are perpendicular to three axes, the lattice is fitted to these
/// faces, so that walls of any thickness consist of whole cells. If the mesh misses the volume by
/// more than 0.1 %, flat and slender bodies are stuffed again in a stretched space, and if 0.25 %
/// are still missing, NETGEN meshes those that are coarse enough for the target. The mesh closest
/// to the volume is kept. Parts that face inwards are flipped first.
[[nodiscard]] Result<SolidMesh> mesh_solid(const TriMesh& surface,
                                           const SolidMeshSettings& settings = {});

}  // namespace supple::geometry
