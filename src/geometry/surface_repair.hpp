// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <vector>

namespace supple::geometry {

/// A surface suitable for an inside test: welded and facing outwards.
struct OrientedSurface {
  TriMesh mesh;
  std::vector<Index> component;  ///< of each triangle, by shared edges
  Index component_count = 0;
};

/// Welds equal vertices and flips, with a warning, parts that face inwards without being cavities:
/// parts of negative volume that lie in no solid. The parts inside such a part are flipped with it,
/// so that a hollow body drawn inside out stays hollow. Parts that share an edge count as one.
[[nodiscard]] OrientedSurface orient_outwards(const TriMesh& surface);

}  // namespace supple::geometry
