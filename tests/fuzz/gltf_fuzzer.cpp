// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_editor.hpp"
#include "supple/io/gltf_pose.hpp"

#include "fuzz/harness.hpp"

#include <vector>

/// Whatever is read must survive being posed, edited, written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple::io;
  const auto asset = read_gltf(supple::fuzz::bytes_of(data, size), "fuzz.glb");
  if (!asset.ok()) return 0;
  if (const auto surface = gltf_surface(*asset); surface.ok()) {
    supple::fuzz::check_sound(*surface);
  }
  for (const GltfAnimation& animation : asset->animations) {
    const GltfPose pose = sample(*asset, animation, 0.3);
    SUPPLE_CHECK_OP(world_matrices(*asset, pose).size(), ==, asset->nodes.size());
  }
  GltfEditor editor(*asset);
  if (!asset->meshes.empty()) {
    const std::vector<std::vector<GltfMorphTarget>> still(asset->meshes[0].primitives.size(),
                                                          std::vector<GltfMorphTarget>(1));
    if (!editor.add_morph_targets(0, {"still"}, still).ok()) return 0;
  }
  const auto edited = std::move(editor).finish();
  const auto bytes = write_gltf(edited.ok() ? *edited : *asset);
  if (bytes.ok()) SUPPLE_CHECK(read_gltf(*bytes, "again.glb").ok());
  return 0;
}
