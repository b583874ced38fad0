// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf_water.hpp"

#include "supple/io/gltf_pose.hpp"

#include <cstddef>

namespace supple::io {

void add_water_surface(GltfEditor& editor, const geometry::Vec3& place) {
  editor.add_empty_node(kWaterSurface, place);
}

std::optional<double> water_surface(const GltfAsset& asset) {
  for (std::size_t n = 0; n < asset.nodes.size(); ++n) {
    if (asset.nodes[n].name != kWaterSurface || asset.nodes[n].mesh) continue;
    return world_matrices(asset, rest_pose(asset))[n](1, 3);
  }
  return std::nullopt;
}

}  // namespace supple::io
