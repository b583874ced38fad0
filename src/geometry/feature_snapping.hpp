// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/surface_features.hpp"
#include "supple/geometry/tet_mesh.hpp"

namespace supple::geometry {

/// Gives a stuffed mesh the sharp edges and corners of its surface, which the lattice shaves off:
/// boundary nodes move to corners, then to sharp edges until no boundary edge of the mesh cuts
/// across one. Where moving a node would spoil an element, the boundary edge is split instead, and
/// where that would, the edge stays shaved. Faces between sharp edges stay where they are, so that
/// planar faces stay planar. Meshes of surfaces without sharp edges are returned unchanged.
///
/// `surface` must be welded, and `features` are its own; the boundary nodes of `mesh` lie on it.
/// `spacing` is the lattice's.
[[nodiscard]] TetMesh snap_to_features(TetMesh mesh, const TriMesh& surface,
                                       const SurfaceFeatures& features, double spacing);

}  // namespace supple::geometry
