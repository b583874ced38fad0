// SPDX-License-Identifier: Apache-2.0
#include "supple/io/image_reader.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

// jpeglib.h needs size_t and FILE declared before it.
#include <jpeglib.h>

namespace supple::io {
namespace {

Image gradient(std::size_t width, std::size_t height) {
  Image image{width, height, {}};
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      image.rgba.push_back(static_cast<std::uint8_t>(255 * x / width));
      image.rgba.push_back(static_cast<std::uint8_t>(255 * y / height));
      image.rgba.push_back(100);
      image.rgba.push_back(static_cast<std::uint8_t>(200 + x % 50));
    }
  }
  return image;
}

/// By libjpeg's own writer.
Bytes jpeg_of(const Image& image) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &memory, &size);
  info.image_width = static_cast<JDIMENSION>(image.width);
  info.image_height = static_cast<JDIMENSION>(image.height);
  info.input_components = 4;
  info.in_color_space = JCS_EXT_RGBA;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 98, TRUE);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    // The interface is older than const.
    auto* row = const_cast<unsigned char*>(&image.rgba[4 * image.width * info.next_scanline]);
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  Bytes bytes(size);
  std::memcpy(bytes.data(), memory, size);
  std::free(memory);
  jpeg_destroy_compress(&info);
  return bytes;
}

TEST(ImageReader, ReadsPngBitForBit) {
  const Image image = gradient(31, 17);
  const auto png = write_png(image);
  ASSERT_TRUE(png.ok());
  const auto read = read_image(*png);
  ASSERT_TRUE(read.ok()) << read.error().describe();
  EXPECT_EQ(read->width, 31U);
  EXPECT_EQ(read->height, 17U);
  EXPECT_EQ(read->rgba, image.rgba);
}

TEST(ImageReader, ReadsJpegWithinItsLosses) {
  const Image image = gradient(64, 48);
  const auto read = read_image(jpeg_of(image));
  ASSERT_TRUE(read.ok()) << read.error().describe();
  ASSERT_EQ(read->rgba.size(), image.rgba.size());
  constexpr int kLoss = 8;
  for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
    for (std::size_t c = i; c < i + 3; ++c) EXPECT_NEAR(read->rgba[c], image.rgba[c], kLoss) << c;
    EXPECT_EQ(read->rgba[i + 3], 255);
  }
}

TEST(ImageReader, ExplainsWhatItCannotRead) {
  const auto message = [](std::span<const std::byte> bytes, const ImageLimits& limits = {}) {
    const auto read = read_image(bytes, limits);
    EXPECT_FALSE(read.ok());
    return read.ok() ? std::string() : read.error().message();
  };
  EXPECT_NE(message(as_bytes("GIF89a")).find("neither PNG nor JPEG"), std::string::npos);
  EXPECT_NE(message({}).find("neither PNG nor JPEG"), std::string::npos);
  const Image image = gradient(64, 48);
  for (Bytes bytes : {*write_png(image), jpeg_of(image)}) {
    EXPECT_NE(message(bytes, {.side = 63}).find("64 x 48"), std::string::npos);
    EXPECT_NE(message(bytes, {.pixels = 64 * 48 - 1}).find("64 x 48"), std::string::npos);
    EXPECT_TRUE(read_image(bytes, {.side = 64, .pixels = 64 * 48}).ok());
    bytes.resize(bytes.size() / 2);
    EXPECT_NE(message(bytes).find("cannot be decoded"), std::string::npos);
    bytes.resize(8);
    EXPECT_NE(message(bytes).find("cannot be decoded"), std::string::npos);
  }
}

}  // namespace
}  // namespace supple::io
