// SPDX-License-Identifier: Apache-2.0
#include "pictures/caption.hpp"

#include <gtest/gtest.h>

namespace supple::pictures::testing {
namespace {

io::Image grey(std::size_t width, std::size_t height) {
  io::Image image{width, height, std::vector<std::uint8_t>(4 * width * height, 128)};
  for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;
  return image;
}

TEST(Caption, StandsInTheLowerLeftCornerOfItsPart) {
  const auto caption = Caption::create("with flesh", 300, 200, false);
  ASSERT_TRUE(caption.ok()) << caption.error().describe();
  const io::Image before = grey(600, 200);
  io::Image after = before;
  caption->lay_over(after, 300);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < after.rgba.size(); i += 4) {
    if (after.rgba[i] == before.rgba[i]) continue;
    ++changed;
    EXPECT_GE(i / 4 % 600, 300U);
    EXPECT_LT(i / 4 % 600, 450U);
    EXPECT_GT(i / 4 / 600, 150U);
  }
  EXPECT_GT(changed, 500U);
  EXPECT_TRUE(std::all_of(after.rgba.begin(), after.rgba.end(), [](int c) { return c > 20; }));
}

TEST(Caption, IsLeftOutOfPicturesThatAreTooSmall) {
  const auto caption = Caption::create("with flesh", 40, 30, true);
  ASSERT_TRUE(caption.ok());
  const io::Image before = grey(40, 30);
  io::Image after = before;
  caption->lay_over(after, 0);
  EXPECT_EQ(after.rgba, before.rgba);
}

TEST(Caption, CoversTransparentPixels) {
  const auto caption = Caption::create("with flesh", 300, 200, false);
  ASSERT_TRUE(caption.ok());
  io::Image clear{300, 200, std::vector<std::uint8_t>(4 * 300 * 200)};
  caption->lay_over(clear, 0);
  std::uint8_t most = 0;
  for (std::size_t i = 3; i < clear.rgba.size(); i += 4) most = std::max(most, clear.rgba[i]);
  EXPECT_GT(most, 200);
}

}  // namespace
}  // namespace supple::pictures::testing
