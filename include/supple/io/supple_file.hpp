// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/soft/asset.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace supple::io {

struct SuppleWriteSettings {
  bool float32 = false;  ///< shapes as floats instead of 16-bit numbers
};

struct SuppleBytes {
  Bytes bytes;
  double position_error = 0;  ///< largest rounding error of a displacement at coefficient 1, metres
  double relative_error = 0;  ///< the same over the largest displacement of its mode
  double transfer_error = 0;  ///< of the light: largest of a number, relative to the largest number
};

/// Sizes that disagree and numbers that are not finite are errors that name the object.
[[nodiscard]] Result<SuppleBytes> write_supple(const soft::Asset& asset,
                                               const SuppleWriteSettings& settings = {});

struct LitBytes {
  Bytes bytes;
  double transfer_error = 0;  ///< as in SuppleBytes
};

/// The same file with this light, in place of any that it has; everything else stays to the byte.
/// Contract: a player opens it.
[[nodiscard]] Result<LitBytes> with_light(std::span<const std::byte> file,
                                          const soft::Light& light);

/// As `supple_mesh_hash` of the player.
[[nodiscard]] std::uint64_t mesh_hash(const std::vector<Eigen::Vector3f>& positions,
                                      const std::vector<std::uint32_t>& indices);

}  // namespace supple::io
