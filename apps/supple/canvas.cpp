// SPDX-License-Identifier: Apache-2.0
#include "canvas.hpp"

#include "supple/core/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace supple::app {
namespace {

constexpr std::array<std::array<int, 4>, 4> kBayer{
    {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}};

std::uint8_t encode_picture(float linear, float dither) {
  // The dither is added in encoded steps: find the step below, then the fraction within it.
  const float x = std::clamp(linear, 0.0F, 1.0F);
  int below = to_srgb8(x);
  while (below > 0 && from_srgb8(below) > x) --below;
  if (below >= 255) return 255;
  const float low = from_srgb8(below);
  const float fraction = (x - low) / (from_srgb8(below + 1) - low);
  return static_cast<std::uint8_t>(fraction > dither ? below + 1 : below);
}

}  // namespace

void Canvas::blend(int x, int y, const Colour& colour, float opacity) {
  if (x < 0 || y < 0 || x >= m_width || y >= m_height) return;
  Colour& pixel = at(x, y);
  pixel += std::clamp(opacity, 0.0F, 1.0F) * (colour - pixel);
}

io::Image Canvas::to_image(Dither dither) const {
  io::Image image;
  image.width = static_cast<std::size_t>(m_width);
  image.height = static_cast<std::size_t>(m_height);
  image.rgba.reserve(4 * m_pixels.size());
  for (int y = 0; y < m_height; ++y) {
    for (int x = 0; x < m_width; ++x) {
      const int step = kBayer[static_cast<std::size_t>(y & 3)][static_cast<std::size_t>(x & 3)];
      const float threshold =
          dither == Dither::None ? 0.5F : (static_cast<float>(step) + 0.5F) / 16.0F;
      for (const float channel : at(x, y)) image.rgba.push_back(encode_picture(channel, threshold));
      image.rgba.push_back(255);
    }
  }
  return image;
}

Canvas downsample(const Canvas& canvas, int factor) {
  SUPPLE_CHECK_OP(canvas.width() % factor, ==, 0);
  SUPPLE_CHECK_OP(canvas.height() % factor, ==, 0);
  Canvas result(canvas.width() / factor, canvas.height() / factor);
  const float weight = 1.0F / static_cast<float>(factor * factor);
  for (int y = 0; y < canvas.height(); ++y) {
    for (int x = 0; x < canvas.width(); ++x) {
      result.at(x / factor, y / factor) += weight * canvas.at(x, y);
    }
  }
  return result;
}

}  // namespace supple::app
