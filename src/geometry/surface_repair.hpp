// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <vector>

namespace supple::geometry {

/// A surface suitable for an inside test: welded and facing outwards.
struct OrientedSurface {
  TriMesh mesh;
  std::vector<Index> component;  ///< of each triangle
  Index component_count = 0;
};

/// Welds equal vertices and flips inside-out surfaces, with a warning: the whole surface if its
/// volume is negative, then each part of negative volume that lies in no other part and so cannot
/// be a cavity.
[[nodiscard]] OrientedSurface orient_outwards(const TriMesh& surface);

}  // namespace supple::geometry
