// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/plot/drawing.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace supple::plot {

/// A PNG file of this size as a drawing.
[[nodiscard]] Drawing picture_of(std::span<const std::byte> png, int width, int height);

/// A drawing with a line of text below it.
struct Tile {
  Drawing picture;
  std::string caption;
};

struct SheetSettings {
  std::size_t columns = 1;
  int gap = 4;               ///< between tiles, pixels
  int border = 0;            ///< around all of them
  double caption_size = 15;  ///< of the font; a caption wider than its tile is set smaller
  Colour caption_colour = Colour::Constant(0.06F);
  Colour paper = Colour::Ones();
};

/// Tiles in rows, from the left and from the top. Columns are as wide as their widest tile, rows as
/// high as their highest; a row without captions has no room for them.
[[nodiscard]] Drawing draw_sheet(const std::vector<Tile>& tiles, const SheetSettings& settings);

enum class Align { Left, Centre, Right };
/// Drawings below each other on paper of one colour.
[[nodiscard]] Drawing stack(const std::vector<Drawing>& rows, Align align = Align::Centre,
                            int gap = 4, const Colour& paper = Colour::Ones());

/// A word in its colour.
struct Word {
  std::string text;
  Colour colour = Colour::Zero();
};
/// Words in a line: the legend of what has these colours.
[[nodiscard]] Drawing draw_legend(const std::vector<Word>& words, double size = 15);

/// A bar of the colours of ramp_colour between what its ends mean.
[[nodiscard]] Drawing draw_colour_bar(const std::string& low, const std::string& high);

}  // namespace supple::plot
