// SPDX-License-Identifier: Apache-2.0
#include "supple/io/gltf.hpp"

#include "fuzz/harness.hpp"
#include "io/gltf_samples.hpp"

#include <array>
#include <vector>

/// The bytes are the compressed data of a buffer view; the first four say its mode, its filter, its
/// stride and its number of elements.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace supple::io;
  if (size < 4) return 0;
  constexpr std::array kModes{"ATTRIBUTES", "TRIANGLES", "INDICES"};
  constexpr std::array kFilters{"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
  testing::HandMade file = testing::square();
  const std::size_t count = data[3];
  const std::size_t stride = data[2];
  const std::size_t view = file.view(std::vector<std::uint8_t>(data + 4, data + size));
  testing::Json extension = file.json["bufferViews"][view];
  extension["mode"] = kModes[data[0] % kModes.size()];
  extension["filter"] = kFilters[data[1] % kFilters.size()];
  extension["byteStride"] = stride;
  extension["count"] = count;
  file.json["bufferViews"][view] = {{"buffer", 0}, {"byteLength", count * stride}};
  file.json["bufferViews"][view]["extensions"]["EXT_meshopt_compression"] = extension;
  file.json["extensionsUsed"] = {"EXT_meshopt_compression"};
  const auto asset = file.read();
  if (!asset.ok()) return 0;
  const auto bytes = write_gltf(*asset);
  SUPPLE_CHECK(bytes.ok());
  SUPPLE_CHECK(read_gltf(*bytes, "again.glb").ok());
  return 0;
}
