// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/image.hpp"

#include <cstddef>
#include <span>

namespace supple::io {

/// The largest picture that is read: a file of 1 MB can hold one that fills the memory.
struct ImageLimits {
  std::size_t side = 16384;
  std::size_t pixels = std::size_t{1} << 26;  ///< 8192 x 8192, or 256 MB
};

/// Decodes PNG or JPEG bytes; grey and palettes become RGBA. A picture beyond the limits is an
/// error before anything is allocated for its pixels.
[[nodiscard]] Result<Image> read_image(std::span<const std::byte> bytes,
                                       const ImageLimits& limits = {});

}  // namespace supple::io
