// SPDX-License-Identifier: Apache-2.0
#include "supple/io/image.hpp"

#include <fmt/format.h>
#include <png.h>

namespace supple::io {

Result<Bytes> write_png(const Image& image) {
  // PNG allows 2^31 - 1 pixels a side; a sane bound keeps width * height * 4 far from overflow.
  constexpr std::size_t kMaxSide = 1U << 16U;
  if (image.width == 0 || image.height == 0 || image.width > kMaxSide || image.height > kMaxSide ||
      image.rgba.size() != image.width * image.height * 4) {
    return Error(ErrorCode::Usage, fmt::format("cannot write a PNG of {} x {} pixels from {} bytes",
                                               image.width, image.height, image.rgba.size()));
  }
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGBA;
  // libpng's simplified interface reports through `header.message` instead of longjmp. The first
  // call uses a size that always suffices: compressing twice to learn the exact one would be
  // wasteful.
  Bytes bytes(PNG_IMAGE_PNG_SIZE_MAX(header));
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&header, bytes.data(), &size, 0, image.rgba.data(), 0, nullptr) ==
      0) {
    return io_error(fmt::format("libpng cannot encode the image: {}", header.message));
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace supple::io
