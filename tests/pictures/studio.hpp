// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/pictures/studio.hpp"
#include "supple/plot/raster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

namespace supple::pictures::testing {

/// One GPU for all tests of the program; tests end where there is none.
[[nodiscard]] inline Studio& studio() {
  static Result<Studio> made = Studio::create();
  return made.value();
}

[[nodiscard]] inline plot::Pixels pixels_of(const Result<plot::Drawing>& drawing) {
  if (!drawing.ok()) {
    ADD_FAILURE() << drawing.error().describe();
    return {};
  }
  auto pixels = plot::rasterise(*drawing);
  if (pixels.ok()) return *std::move(pixels);
  ADD_FAILURE() << pixels.error().describe();
  return {};
}

/// Pixels whose colour is far from grey, in some rows.
[[nodiscard]] inline std::size_t coloured(const plot::Pixels& pixels, int from, int to) {
  std::size_t count = 0;
  const auto width = static_cast<std::size_t>(pixels.width);
  for (std::size_t i = 4 * width * static_cast<std::size_t>(from);
       i < 4 * width * static_cast<std::size_t>(to); i += 4) {
    const auto [low, high] = std::minmax({pixels.rgba[i], pixels.rgba[i + 1], pixels.rgba[i + 2]});
    count += static_cast<std::size_t>(high - low > 60);
  }
  return count;
}
[[nodiscard]] inline std::size_t coloured(const plot::Pixels& pixels) {
  return coloured(pixels, 0, pixels.height);
}

}  // namespace supple::pictures::testing
