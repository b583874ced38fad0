// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "colour_map.hpp"
#include "supple/io/image.hpp"

#include <vector>

namespace supple::app {

/// A picture in linear light, rows from the top.
class Canvas {
 public:
  Canvas(int width, int height)
      : m_width(width),
        m_height(height),
        m_pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                 Colour::Zero()) {}

  [[nodiscard]] int width() const { return m_width; }
  [[nodiscard]] int height() const { return m_height; }
  [[nodiscard]] Colour& at(int x, int y) { return m_pixels[index(x, y)]; }
  [[nodiscard]] const Colour& at(int x, int y) const { return m_pixels[index(x, y)]; }

  /// Lays `colour` over a pixel with `opacity` 0..1; pixels outside are ignored.
  void blend(int x, int y, const Colour& colour, float opacity);

  enum class Dither {
    Ordered,  ///< sixteen-fold: breaks the bands that eight bits leave in a slow gradient
    None      ///< rounds: a third of the file where the gradients are steep enough
  };
  [[nodiscard]] io::Image to_image(Dither dither = Dither::Ordered) const;

 private:
  [[nodiscard]] std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(m_width) +
           static_cast<std::size_t>(x);
  }
  int m_width;
  int m_height;
  std::vector<Colour> m_pixels;
};

/// Averages blocks of `factor` x `factor` pixels; the sizes must be multiples of it.
[[nodiscard]] Canvas downsample(const Canvas& canvas, int factor);

}  // namespace supple::app
