// SPDX-License-Identifier: Apache-2.0
#include "pictures/outline.hpp"

#include <gtest/gtest.h>

namespace supple::pictures::testing {
namespace {

/// A grey picture of 20 x 20; coverages are full in some columns.
struct Picture {
  io::Image image{20, 20, std::vector<std::uint8_t>(1600, 200)};
  static std::vector<std::uint8_t> columns(std::size_t from, std::size_t to) {
    std::vector<std::uint8_t> coverage(400);
    for (std::size_t i = 0; i < coverage.size(); ++i) {
      coverage[i] = i % 20 >= from && i % 20 < to ? 255 : 0;
    }
    return coverage;
  }
  [[nodiscard]] int at(std::size_t x) const { return image.rgba[4 * (20 * 10 + x)]; }
};

TEST(Outline, RunsAlongTheSilhouetteAndNowhereElse) {
  Picture picture;
  draw_outline(picture.image, Picture::columns(5, 15), Picture::columns(0, 0), {0, 1, 1});
  for (std::size_t x = 0; x < 20; ++x) {
    const bool on_edge = x == 4 || x == 14;
    EXPECT_EQ(picture.at(x) != 200, on_edge) << x;
  }
}

TEST(Outline, IsWhiteAcrossTheBodyAndDarkBesideIt) {
  Picture picture;
  draw_outline(picture.image, Picture::columns(5, 15), Picture::columns(10, 20), {0, 1, 1});
  EXPECT_LT(picture.at(4), 120);
  EXPECT_EQ(picture.at(14), 255);
}

TEST(Outline, FillsItsInsideOnlyBesideTheBody) {
  Picture picture;
  draw_outline(picture.image, Picture::columns(5, 15), Picture::columns(10, 20), {0.5F, 0, 0});
  EXPECT_LT(picture.at(7), 190);
  EXPECT_EQ(picture.at(12), 200);
  EXPECT_EQ(picture.at(2), 200);
}

}  // namespace
}  // namespace supple::pictures::testing
