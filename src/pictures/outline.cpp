// SPDX-License-Identifier: Apache-2.0
#include "pictures/outline.hpp"

#include "supple/core/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace supple::pictures {
namespace {

using Grey = std::array<float, 3>;
constexpr Grey kSlate{96, 101, 112};
constexpr Grey kWhite{255, 255, 255};

void blend(std::uint8_t* pixel, const Grey& colour, float opacity) {
  for (std::size_t c = 0; c < colour.size(); ++c) {
    const auto below = static_cast<float>(pixel[c]);
    pixel[c] = static_cast<std::uint8_t>(std::lround(below + opacity * (colour.at(c) - below)));
  }
}

/// How much the coverage changes from a pixel to its right and lower neighbours, 0 to 1: a thin
/// line with soft edges.
float edge_at(const std::vector<std::uint8_t>& coverage, std::size_t width, std::size_t height,
              std::size_t x, std::size_t y) {
  std::uint8_t low = 255;
  std::uint8_t high = 0;
  for (std::size_t ny = y; ny <= std::min(y + 1, height - 1); ++ny) {
    for (std::size_t nx = x; nx <= std::min(x + 1, width - 1); ++nx) {
      low = std::min(low, coverage[ny * width + nx]);
      high = std::max(high, coverage[ny * width + nx]);
    }
  }
  return static_cast<float>(high - low) / 255;
}

}  // namespace

render::Look even_light(render::Look look) {
  look.key = 1.15;
  look.sky = 0.8;
  return look;
}

void draw_outline(io::Image& picture, const std::vector<std::uint8_t>& silhouette,
                  const std::vector<std::uint8_t>& body, const OutlineStyle& style) {
  SUPPLE_CHECK_OP(silhouette.size(), ==, picture.width * picture.height);
  SUPPLE_CHECK_OP(body.size(), ==, silhouette.size());
  for (std::size_t y = 0; y < picture.height; ++y) {
    for (std::size_t x = 0; x < picture.width; ++x) {
      const std::size_t i = y * picture.width + x;
      std::uint8_t* pixel = &picture.rgba[4 * i];
      const float covered = static_cast<float>(body[i]) / 255;
      const float inside = static_cast<float>(silhouette[i]) / 255;
      const float line = edge_at(silhouette, picture.width, picture.height, x, y);
      blend(pixel, kSlate, style.fill * inside * (1 - covered));
      blend(pixel, kSlate, style.beside * line * (1 - covered));
      blend(pixel, kWhite, style.across * line * covered);
    }
  }
}

}  // namespace supple::pictures
