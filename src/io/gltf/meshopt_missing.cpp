// SPDX-License-Identifier: Apache-2.0
// In place of meshopt.cpp, where the library was not found.
#include "io/gltf/mesh_codecs.hpp"

namespace supple::io::gltf {

Result<Bytes> decode_meshopt(std::span<const std::byte> /*compressed*/, const MeshoptView& /*view*/,
                             DecodingBudget& /*budget*/) {
  return codec_missing(kMeshoptExtension, "libmeshoptimizer-dev");
}

}  // namespace supple::io::gltf
