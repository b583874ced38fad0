// SPDX-License-Identifier: Apache-2.0
#include "supple/io/image.hpp"

#include <gtest/gtest.h>
#include <png.h>

namespace supple::io {
namespace {

TEST(Image, PngDecodesToTheSamePixels) {
  Image image{5, 3, {}};
  for (std::size_t i = 0; i < 5 * 3 * 4; ++i) {
    image.rgba.push_back(static_cast<std::uint8_t>(i * 37 + 11));
  }
  const auto bytes = write_png(image);
  ASSERT_TRUE(bytes.ok());

  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&header, bytes->data(), bytes->size()), 0);
  EXPECT_EQ(header.width, 5U);
  EXPECT_EQ(header.height, 3U);
  header.format = PNG_FORMAT_RGBA;
  std::vector<std::uint8_t> decoded(PNG_IMAGE_SIZE(header));
  ASSERT_NE(png_image_finish_read(&header, nullptr, decoded.data(), 0, nullptr), 0);
  EXPECT_EQ(decoded, image.rgba);
}

TEST(Image, RefusesSizesThatDisagree) {
  EXPECT_FALSE(write_png({0, 0, {}}).ok());
  EXPECT_FALSE(write_png({2, 2, std::vector<std::uint8_t>(15)}).ok());
  EXPECT_FALSE(write_png({std::size_t{1} << 62U, 4, {}}).ok());
}

}  // namespace
}  // namespace supple::io
