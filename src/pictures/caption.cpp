// SPDX-License-Identifier: Apache-2.0
#include "pictures/caption.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace supple::pictures {
namespace {

/// `above` over `below`, both not premultiplied.
void lay_pixel(std::uint8_t* below, const std::uint8_t* above) {
  const float cover = static_cast<float>(above[3]) / 255;
  const float under = static_cast<float>(below[3]) / 255 * (1 - cover);
  const float alpha = cover + under;
  if (!(alpha > 0)) return;
  for (int c = 0; c < 3; ++c) {
    const float mixed = cover * static_cast<float>(above[c]) + under * static_cast<float>(below[c]);
    below[c] = static_cast<std::uint8_t>(std::lround(mixed / alpha));
  }
  below[3] = static_cast<std::uint8_t>(std::lround(255 * alpha));
}

}  // namespace

Result<Caption> Caption::create(std::string_view text, int width, int height, bool on_dark) {
  const plot::Colour ink = plot::Colour::Constant(plot::from_srgb8(on_dark ? 235 : 38));
  const plot::Colour plate = plot::Colour::Constant(plot::from_srgb8(on_dark ? 20 : 217));
  plot::TextStyle style;
  style.size = std::clamp(0.029 * height, 11.0, 55.0);
  style.colour = ink;
  style.anchor = plot::TextStyle::Anchor::Middle;
  plot::Drawing drawing(static_cast<int>(plot::text_width(text, style) + 1.2 * style.size),
                        static_cast<int>(1.7 * style.size));
  // The plate keeps the text readable on any background.
  drawing.rectangle({0, 0}, {drawing.width(), drawing.height()}, plate, 0.55, 0.4 * style.size);
  drawing.text({0.5 * drawing.width(), 0.5 * drawing.height() + 0.36 * style.size}, text, style);
  Caption caption;
  SUPPLE_TRY(caption.m_pixels, plot::rasterise(drawing));
  caption.m_left = static_cast<int>(1.1 * style.size);
  caption.m_top = height - drawing.height() - static_cast<int>(0.8 * style.size);
  caption.m_fits = caption.m_left + drawing.width() <= width && caption.m_top >= 0;
  return caption;
}

void Caption::lay_over(io::Image& picture, std::size_t shift) const {
  if (!m_fits) return;
  const std::uint8_t* above = m_pixels.rgba.data();
  for (int y = 0; y < m_pixels.height; ++y) {
    const std::size_t row = static_cast<std::size_t>(m_top + y) * picture.width;
    for (int x = 0; x < m_pixels.width; ++x) {
      lay_pixel(&picture.rgba[4 * (row + shift + static_cast<std::size_t>(m_left + x))], above);
      above += 4;
    }
  }
}

}  // namespace supple::pictures
