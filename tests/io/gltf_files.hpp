// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/gltf_samples.hpp"
#include "source_directory.hpp"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

namespace supple::io::testing {

using supple::testing::assets;

/// The JSON and binary chunks of a .glb, taken apart without our reader.
inline std::pair<Json, Bytes> take_apart(const Bytes& glb) {
  std::uint32_t length = 0;
  std::memcpy(&length, glb.data() + 12, 4);
  const std::string text(reinterpret_cast<const char*>(glb.data()) + 20, length);
  const std::size_t start = 20 + length + 8;
  return {Json::parse(text),
          start < glb.size() ? Bytes(glb.begin() + static_cast<std::ptrdiff_t>(start), glb.end())
                             : Bytes()};
}

}  // namespace supple::io::testing
