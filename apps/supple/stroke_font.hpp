// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "canvas.hpp"

#include <string_view>

namespace supple::app {

/// Labels in strokes of our own: digits, small letters, the capitals H L M V, ". , - + / % = ( )",
/// "²" and "·" (UTF-8) as a separator. Other characters leave a gap.
struct TextStyle {
  float height = 16;    ///< of capitals and digits, pixels
  float weight = 1.6F;  ///< stroke width, pixels
  Colour colour = Colour::Zero();
  float opacity = 1;
};

/// Draws with the left end of the base line at (x, base); returns the width.
float draw_text(Canvas& canvas, float x, float base, std::string_view text, const TextStyle& style);
[[nodiscard]] float text_width(std::string_view text, const TextStyle& style);

/// Whether every character has a glyph.
[[nodiscard]] bool can_draw(std::string_view text);

}  // namespace supple::app
