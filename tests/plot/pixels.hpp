// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/plot/raster.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace supple::plot::testing {

using Pixel = std::array<int, 4>;

/// The drawing as pixels; a failure of the test that calls it where there are none.
[[nodiscard]] inline Pixels pixels_of(const Drawing& drawing, double scale = 1) {
  auto pixels = rasterise(drawing, scale);
  if (pixels.ok()) return *std::move(pixels);
  ADD_FAILURE() << pixels.error().describe();
  return {};
}

[[nodiscard]] inline Pixel pixel(const Pixels& pixels, int x, int y) {
  const auto place = 4 * static_cast<std::size_t>(y * pixels.width + x);
  return {pixels.rgba[place], pixels.rgba[place + 1], pixels.rgba[place + 2],
          pixels.rgba[place + 3]};
}

/// Which pixels are chosen, and how many.
struct Extent {
  int count = 0;
  int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
  double row = 0;  ///< mean
};
[[nodiscard]] inline Extent extent_of(const Pixels& pixels,
                                      const std::function<bool(const Pixel&)>& chosen) {
  Extent extent;
  for (int y = 0; y < pixels.height; ++y) {
    for (int x = 0; x < pixels.width; ++x) {
      if (!chosen(pixel(pixels, x, y))) continue;
      ++extent.count;
      extent.left = std::min(extent.left, x);
      extent.right = std::max(extent.right, x);
      extent.top = std::min(extent.top, y);
      extent.bottom = std::max(extent.bottom, y);
      extent.row += y;
    }
  }
  extent.row /= std::max(1, extent.count);
  return extent;
}

[[nodiscard]] inline bool is_red(const Pixel& p) {
  return p[0] > 200 && p[1] < 120 && p[2] < 120 && p[3] > 200;
}
[[nodiscard]] inline bool is_inked(const Pixel& p) {
  return p[3] > 60;
}

}  // namespace supple::plot::testing
