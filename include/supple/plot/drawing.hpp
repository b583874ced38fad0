// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/plot/colour.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace supple::plot {

/// Pixels, x to the right and y down.
using Point = Eigen::Vector2d;

struct LineStyle {
  Colour colour = Colour::Zero();
  double width = 1;
  bool dashed = false;
};

struct TextStyle {
  double size = 14;  ///< of the font, pixels
  Colour colour = Colour::Zero();
  enum class Anchor { Start, Middle, End } anchor = Anchor::Start;
  bool bold = false;
};

/// Width of a line of UTF-8 text in DejaVu Sans, the font that drawings ask for. Letters beyond
/// ASCII count as an average one.
[[nodiscard]] double text_width(std::string_view text, const TextStyle& style);

/// SVG elements on a surface of this size; later ones lie on top. What is beyond the surface is cut
/// off.
class Drawing {
 public:
  Drawing(int width, int height) : m_width(width), m_height(height) {}

  [[nodiscard]] int width() const { return m_width; }
  [[nodiscard]] int height() const { return m_height; }

  /// The whole surface in one colour.
  void fill(const Colour& colour);
  void rectangle(const Point& corner, const Point& size, const Colour& colour, double opacity = 1,
                 double radius = 0);
  void circle(const Point& centre, double radius, const Colour& colour);
  /// From point to point; fewer than two leave nothing.
  void line(std::span<const Point> points, const LineStyle& style);
  void line(const Point& from, const Point& to, const LineStyle& style);
  /// One line of UTF-8 text on this base line. Bytes that XML cannot hold become '?'.
  void text(const Point& at, std::string_view text, const TextStyle& style);
  /// A PNG file, drawn at this size.
  void picture(const Point& corner, const Point& size, std::span<const std::byte> png);
  /// Another drawing with its upper left corner there.
  void place(const Point& corner, const Drawing& drawing);

  /// A whole SVG file.
  [[nodiscard]] std::string svg() const;

 private:
  int m_width;
  int m_height;
  std::string m_elements;
};

}  // namespace supple::plot
