// SPDX-License-Identifier: Apache-2.0
#include "supple/plot/colour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace supple::plot {
namespace {

// OKLab (Ottosson 2020, "A perceptual color space for image processing"): lightness, a, b ->
// cube roots of cone responses -> linear sRGB.
Colour oklab_to_linear(float lightness, float a, float b) {
  const float l = std::pow(lightness + 0.3963377774F * a + 0.2158037573F * b, 3.0F);
  const float m = std::pow(lightness - 0.1055613458F * a - 0.0638541728F * b, 3.0F);
  const float s = std::pow(lightness - 0.0894841775F * a - 1.2914855480F * b, 3.0F);
  return {4.0767416621F * l - 3.3077115913F * m + 0.2309699292F * s,
          -1.2684380046F * l + 2.6097574011F * m - 0.3413193965F * s,
          -0.0041960863F * l - 0.7034186147F * m + 1.7076147010F * s};
}

bool in_gamut(const Colour& colour) {
  return colour.minCoeff() >= 0.0F && colour.maxCoeff() <= 1.0F;
}

Colour compute_ramp_colour(float t) {
  const float lightness = 0.36F + 0.55F * t;
  const float hue = 288.0F - 188.0F * std::pow(t, 0.92F);
  // Low where the gamut is narrow, so that nothing is clipped and no edge shows in the ramp.
  const float chroma = 0.094F + 0.22F * (t - 0.36F) * (t - 0.36F);
  return from_oklch(lightness, chroma, hue);
}

constexpr int kTableSize = 256;

std::array<Colour, kTableSize> make_table() {
  std::array<Colour, kTableSize> table;
  for (int i = 0; i < kTableSize; ++i) {
    table[static_cast<std::size_t>(i)] =
        compute_ramp_colour(static_cast<float>(i) / (kTableSize - 1));
  }
  return table;
}

}  // namespace

int to_srgb8(float linear) {
  const float x = std::clamp(linear, 0.0F, 1.0F);
  const float encoded = x <= 0.0031308F ? 12.92F * x : 1.055F * std::pow(x, 1.0F / 2.4F) - 0.055F;
  return static_cast<int>(std::lround(255.0F * encoded));
}

float from_srgb8(int value) {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
      const float x = static_cast<float>(i) / 255.0F;
      result[i] = x <= 0.04045F ? x / 12.92F : std::pow((x + 0.055F) / 1.055F, 2.4F);
    }
    return result;
  }();
  return table[static_cast<std::size_t>(std::clamp(value, 0, 255))];
}

std::string to_hex(const Colour& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", to_srgb8(colour[0]), to_srgb8(colour[1]),
                     to_srgb8(colour[2]));
}

Colour from_oklch(float lightness, float chroma, float hue) {
  const float angle = hue * std::numbers::pi_v<float> / 180.0F;
  const auto colour = [&](float c) {
    return oklab_to_linear(lightness, c * std::cos(angle), c * std::sin(angle));
  };
  if (Colour wanted = colour(chroma); in_gamut(wanted)) return wanted;
  float low = 0;
  float high = chroma;
  for (int i = 0; i < 20; ++i) {
    const float middle = 0.5F * (low + high);
    (in_gamut(colour(middle)) ? low : high) = middle;
  }
  return colour(low).cwiseMax(0.0F).cwiseMin(1.0F);
}

float oklab_lightness(const Colour& colour) {
  const float l =
      std::cbrt(0.4122214708F * colour[0] + 0.5363325363F * colour[1] + 0.0514459929F * colour[2]);
  const float m =
      std::cbrt(0.2119034982F * colour[0] + 0.6806995451F * colour[1] + 0.1073969566F * colour[2]);
  const float s =
      std::cbrt(0.0883024619F * colour[0] + 0.2817188376F * colour[1] + 0.6299787005F * colour[2]);
  return 0.2104542553F * l + 0.7936177850F * m - 0.0040720468F * s;
}

Colour ramp_colour(float t) {
  static const std::array<Colour, kTableSize> table = make_table();
  const float position = std::clamp(t, 0.0F, 1.0F) * (kTableSize - 1);
  const int cell = std::min(static_cast<int>(position), kTableSize - 2);
  const float fraction = position - static_cast<float>(cell);
  const auto i = static_cast<std::size_t>(cell);
  return (1.0F - fraction) * table[i] + fraction * table[i + 1];
}

}  // namespace supple::plot
