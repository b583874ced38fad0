// SPDX-License-Identifier: Apache-2.0
#include "supple/io/image_reader.hpp"

#include <fmt/format.h>
#include <png.h>

#include <array>
#include <csetjmp>
#include <cstdio>
#include <string>

// jpeglib.h needs size_t and FILE declared before it.
#include <jpeglib.h>

namespace supple::io {
namespace {

Error damaged(const char* kind, std::string_view reason) {
  return bad_input(fmt::format("the {} cannot be decoded: {}", kind, reason));
}

Result<void> check_size(std::size_t width, std::size_t height, const ImageLimits& limits) {
  if (width < 1 || height < 1 || width > limits.side || height > limits.side) {
    return bad_input(fmt::format("a picture of {} x {} pixels; sides from 1 to {} are accepted",
                                 width, height, limits.side));
  }
  if (width * height <= limits.pixels) return {};
  return bad_input(
      fmt::format("a picture of {} x {} pixels, where {} are possible; make it, or "
                  "others of the file, smaller",
                  width, height, limits.pixels));
}

Result<Image> read_png(std::span<const std::byte> bytes, const ImageLimits& limits) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()) == 0) {
    return damaged("PNG", header.message);
  }
  header.format = PNG_FORMAT_RGBA;
  if (auto size = check_size(header.width, header.height, limits); !size.ok()) {
    png_image_free(&header);
    return std::move(size).error();
  }
  Image image{header.width, header.height, {}};
  image.rgba.resize(PNG_IMAGE_SIZE(header));
  if (png_image_finish_read(&header, nullptr, image.rgba.data(), 0, nullptr) == 0) {
    return damaged("PNG", header.message);
  }
  return image;
}

/// libjpeg reports errors through a function that must not return.
struct JpegFailure {
  jpeg_error_mgr manager{};
  std::jmp_buf back{};
  std::array<char, JMSG_LENGTH_MAX> message{};
};

[[noreturn]] void leave(j_common_ptr info) {
  auto* failure = reinterpret_cast<JpegFailure*>(info->err);
  (*info->err->format_message)(info, failure->message.data());
  std::longjmp(failure->back, 1);
}

/// Everything that outlives a longjmp is owned by the caller: nothing here has a destructor.
bool decode_jpeg(jpeg_decompress_struct& info, JpegFailure& failure,
                 std::span<const std::byte> bytes, const ImageLimits& limits, Image& image) {
  if (setjmp(failure.back) != 0) return false;
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()),
               static_cast<unsigned long>(bytes.size()));
  jpeg_read_header(&info, TRUE);
  image.width = info.image_width;
  image.height = info.image_height;
  if (!check_size(image.width, image.height, limits).ok()) return false;
  info.out_color_space = JCS_EXT_RGBA;
  jpeg_start_decompress(&info);
  image.rgba.resize(image.width * image.height * 4);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = image.rgba.data() + std::size_t{info.output_scanline} * image.width * 4;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  return true;
}

Result<Image> read_jpeg(std::span<const std::byte> bytes, const ImageLimits& limits) {
  JpegFailure failure;
  jpeg_decompress_struct info{};
  info.err = jpeg_std_error(&failure.manager);
  failure.manager.error_exit = leave;
  failure.manager.output_message = [](j_common_ptr) {};
  Image image;
  const bool decoded = decode_jpeg(info, failure, bytes, limits, image);
  const long complaints =
      failure.manager.num_warnings;  // libjpeg treats truncated data only as a warning
  jpeg_destroy_decompress(&info);
  if (!decoded) {
    const std::string_view said = failure.message.data();
    if (!said.empty()) return damaged("JPEG", said);
    return check_size(image.width, image.height, limits).error();
  }
  if (complaints > 0) return damaged("JPEG", "its data is damaged or truncated");
  return image;
}

}  // namespace

Result<Image> read_image(std::span<const std::byte> bytes, const ImageLimits& limits) {
  const auto starts = [&](std::initializer_list<unsigned> magic) {
    if (bytes.size() < magic.size()) return false;
    std::size_t i = 0;
    for (const unsigned byte : magic) {
      if (bytes[i++] != static_cast<std::byte>(byte)) return false;
    }
    return true;
  };
  if (starts({0x89, 'P', 'N', 'G'})) return read_png(bytes, limits);
  if (starts({0xff, 0xd8, 0xff})) return read_jpeg(bytes, limits);
  return bad_input("neither PNG nor JPEG");
}

}  // namespace supple::io
