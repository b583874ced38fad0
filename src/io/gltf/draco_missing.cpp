// SPDX-License-Identifier: Apache-2.0
// In place of draco.cpp, where the library was not found.
#include "io/gltf/mesh_codecs.hpp"

namespace supple::io::gltf {

Result<DracoMesh> decode_draco(std::span<const std::byte> /*compressed*/,
                               const std::vector<DracoAttribute>& /*attributes*/,
                               DecodingBudget& /*budget*/) {
  return codec_missing(kDracoExtension, "libdraco-dev");
}

}  // namespace supple::io::gltf
