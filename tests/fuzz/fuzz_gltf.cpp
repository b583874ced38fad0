// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_editor.hpp"
#include "supple/io/gltf_pose.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

/// Whatever is read must survive being posed, edited, written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple::io;
  const auto asset = read_gltf({reinterpret_cast<const std::byte*>(data), size}, "fuzz.glb");
  if (!asset.ok()) return 0;
  if (gltf_surface(*asset).ok() && !asset->animations.empty()) {
    const GltfPose pose = sample(*asset, asset->animations[0], 0.3);
    if (world_matrices(*asset, pose).size() != asset->nodes.size()) std::abort();
  }
  GltfEditor editor(*asset);
  if (!asset->meshes.empty()) {
    const std::vector<std::vector<GltfMorphTarget>> still(asset->meshes[0].primitives.size(),
                                                          std::vector<GltfMorphTarget>(1));
    if (!editor.add_morph_targets(0, {"still"}, still).ok()) return 0;
  }
  const auto edited = std::move(editor).finish();
  const auto bytes = write_gltf(edited.ok() ? *edited : *asset);
  if (bytes.ok() && !read_gltf(*bytes, "again.glb").ok()) std::abort();
  return 0;
}
