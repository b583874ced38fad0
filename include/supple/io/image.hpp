// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace supple::io {

/// Rows from the top, four bytes (red, green, blue, alpha; not premultiplied, sRGB) per pixel.
struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<std::uint8_t> rgba;
};

/// The bytes of a PNG file. An empty image, or one whose sizes disagree, is an error.
[[nodiscard]] Result<Bytes> write_png(const Image& image);

}  // namespace supple::io
