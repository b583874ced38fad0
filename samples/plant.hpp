// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "samples/shell_parts.hpp"

#include "supple/geometry/tri_mesh.hpp"

#include <vector>

namespace supple::samples {

/// A potted plant: broad leaves on stalks that leave the soil, at y = 0, in two rings.
struct PlantLeaves {
  geometry::TriMesh mesh;
  std::vector<Rgba> colours;
};

/// `inner` steep leaves within `outer` flatter ones, each a grid of `along` x `across` cells.
/// `across` is even: a vertex line runs along the midrib.
[[nodiscard]] PlantLeaves plant_leaves(int inner, int outer, int along, int across);

}  // namespace supple::samples
