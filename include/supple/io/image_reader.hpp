// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/image.hpp"

#include <cstddef>
#include <span>

namespace supple::io {

/// Decodes PNG or JPEG bytes; grey and palettes become RGBA. A picture with a side longer than
/// `max_side` is an error before anything is allocated for its pixels.
[[nodiscard]] Result<Image> read_image(std::span<const std::byte> bytes,
                                       std::size_t max_side = 16384);

}  // namespace supple::io
