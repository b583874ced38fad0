// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace supple::gpu {

/// The contents of the textures and of the buffers of a crowd.
struct PackedShapes {
  supple_gpu_layout layout{};
  bool floats = false;
  std::vector<std::byte> shapes;  ///< 16-bit integers, or floats
  std::vector<std::uint32_t> table;
};
[[nodiscard]] PackedShapes pack_shapes(const supple_asset* asset);

[[nodiscard]] supple_asset_info info_of(const supple_asset* asset);

}  // namespace supple::gpu
