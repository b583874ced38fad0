// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf.hpp"

#include "fuzz/harness.hpp"
#include "io/gltf_samples.hpp"

#include <vector>

/// The bytes are the compressed data of a mesh; the first two say how many vertices and indices its
/// accessors announce. Whatever is read keeps to both.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple::io;
  if (size < 2) return 0;
  testing::HandMade file;
  const std::size_t view = file.view(std::vector<std::uint8_t>(data + 2, data + size));
  const std::size_t vertices = data[0];
  const std::size_t corners = std::size_t{3} * data[1];
  for (const char* type : {"VEC3", "VEC3", "VEC2"}) {
    file.json["accessors"].push_back(
        {{"componentType", 5126}, {"count", vertices}, {"type", type}});
  }
  file.json["accessors"].push_back(
      {{"componentType", 5121}, {"count", vertices}, {"type", "VEC4"}});
  file.json["accessors"].push_back(
      {{"componentType", 5123}, {"count", corners}, {"type", "SCALAR"}});
  file.show({{"attributes", {{"POSITION", 0}, {"NORMAL", 1}, {"TEXCOORD_0", 2}, {"COLOR_0", 3}}},
             {"indices", 4},
             {"extensions",
              {{"KHR_draco_mesh_compression",
                {{"bufferView", view},
                 {"attributes",
                  {{"POSITION", 3}, {"NORMAL", 1}, {"TEXCOORD_0", 4}, {"COLOR_0", 0}}}}}}}});
  file.json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  const auto asset = file.read();
  if (!asset.ok()) return 0;
  const GltfPrimitive& primitive = asset->meshes[0].primitives[0];
  SUPPLE_CHECK_OP(primitive.positions.size(), ==, vertices);
  SUPPLE_CHECK_OP(3 * primitive.triangles.size(), ==, corners);
  for (const auto& triangle : primitive.triangles) {
    for (const auto index : triangle) supple::fuzz::check_index(index, vertices);
  }
  return 0;
}
