// SPDX-License-Identifier: Apache-2.0
#include "supple/plot/colour.hpp"

#include <gtest/gtest.h>

namespace supple::plot {
namespace {

TEST(Colour, LightnessIsLinear) {
  const float dark = oklab_lightness(ramp_colour(0));
  const float light = oklab_lightness(ramp_colour(1));
  EXPECT_GT(light - dark, 0.5F);
  constexpr float kTableError = 2e-3F;  // 256 entries, interpolated in linear light
  for (int i = 0; i <= 100; ++i) {
    const float t = static_cast<float>(i) / 100;
    EXPECT_NEAR(oklab_lightness(ramp_colour(t)), dark + t * (light - dark), kTableError);
  }
}

TEST(Colour, StaysInTheGamut) {
  for (int i = 0; i <= 1000; ++i) {
    const Colour colour = ramp_colour(static_cast<float>(i) / 1000);
    EXPECT_GE(colour.minCoeff(), 0.0F);
    EXPECT_LE(colour.maxCoeff(), 1.0F);
  }
}

TEST(Colour, OklabKnowsWhite) {
  EXPECT_NEAR(oklab_lightness(Colour::Ones()), 1.0F, 1e-4F);
  EXPECT_TRUE(from_oklch(1, 0, 0).isApproxToConstant(1.0F, 1e-3F));
}

TEST(Colour, WritesItselfAsHtmlDoes) {
  EXPECT_EQ(to_hex(Colour::Zero()), "#000000");
  EXPECT_EQ(to_hex({from_srgb8(18), from_srgb8(52), from_srgb8(171)}), "#1234ab");
  EXPECT_EQ(to_hex({2, -1, 1}), "#ff00ff");
}

TEST(Colour, SrgbRoundTripsEveryByte) {
  for (int value = 0; value < 256; ++value) EXPECT_EQ(to_srgb8(from_srgb8(value)), value);
}

}  // namespace
}  // namespace supple::plot
