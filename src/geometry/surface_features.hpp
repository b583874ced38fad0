// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <array>
#include <optional>
#include <vector>

namespace supple::geometry {

/// The sharp edges of a surface and the smooth patches between them.
struct SurfaceFeatures {
  std::vector<std::array<Index, 2>> edges;  ///< where the surface turns by more than 30 degrees
  std::vector<Index> corners;  ///< vertices where these edges meet, end or turn sharply
  std::vector<Index> patch;    ///< of each triangle, numbered by first appearance
};

/// `surface` must be welded. Open borders are no sharp edges: the surface has one side only there.
[[nodiscard]] SurfaceFeatures find_features(const TriMesh& surface);

/// A connected planar part of a surface.
struct PlanarPiece {
  Vec3 normal = Vec3::Zero();
  double offset = 0;  ///< normal . x on it
  double area = 0;
};

/// The planar pieces of a surface, single triangles included, by falling area. `surface` must be
/// welded.
[[nodiscard]] std::vector<PlanarPiece> planar_pieces(const TriMesh& surface);

/// The volume inside a surface that bounds exactly one solid: closed, manifold, nowhere through
/// itself, nothing twice. Nothing for other surfaces. `surface` must be welded and oriented.
[[nodiscard]] std::optional<double> enclosed_volume(const TriMesh& surface);

}  // namespace supple::geometry
