// SPDX-License-Identifier: Apache-2.0
#include "stroke_font.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace supple::app {
namespace {

using Point = Eigen::Vector2f;

/// An elliptic arc around (cx, cy), degrees counter-clockwise from +x, or a straight line. The
/// base line is y = 0, capitals reach y = 1, small letters y = 0.68.
struct Stroke {
  enum class Kind { Line, Arc } kind;
  float a, b, c, d, from, to;
};
constexpr Stroke line(float x0, float y0, float x1, float y1) {
  return {Stroke::Kind::Line, x0, y0, x1, y1, 0, 0};
}
constexpr Stroke arc(float cx, float cy, float rx, float ry, float from, float to) {
  return {Stroke::Kind::Arc, cx, cy, rx, ry, from, to};
}

struct Glyph {
  char name;  ///< of two bytes: the second
  float width;
  std::vector<Stroke> strokes;
};

constexpr char kMiddleDot = '\xb7';
constexpr char kSquared = '\xb2';

const std::vector<Glyph>& glyphs() {
  // Figures all have the same width, so that labels of neighbours line up.
  static const std::vector<Glyph> table{
      {' ', 0.24F, {}},
      {'0', 0.6F, {arc(.3F, .5F, .27F, .5F, 0, 360)}},
      {'1', 0.6F, {line(.12F, .8F, .36F, 1), line(.36F, 1, .36F, 0)}},
      {'2',
       0.6F,
       {arc(.3F, .73F, .25F, .27F, 165, -38), line(.497F, .564F, .04F, 0), line(.04F, 0, .56F, 0)}},
      {'3', 0.6F, {arc(.28F, .76F, .23F, .24F, 150, -90), arc(.28F, .26F, .27F, .26F, 90, -150)}},
      {'4', 0.6F, {line(.44F, 0, .44F, 1), line(.44F, 1, .02F, .3F), line(.02F, .3F, .58F, .3F)}},
      {'5',
       0.6F,
       {line(.52F, 1, .13F, 1), line(.13F, 1, .09F, .55F), arc(.28F, .32F, .27F, .32F, 134, -145)}},
      {'6', 0.6F, {arc(.3F, .31F, .26F, .31F, 0, 360), arc(.5F, .31F, .46F, .69F, 100, 180)}},
      {'7', 0.6F, {line(.04F, 1, .56F, 1), line(.56F, 1, .2F, 0)}},
      {'8', 0.6F, {arc(.3F, .76F, .22F, .24F, 0, 360), arc(.3F, .26F, .27F, .26F, 0, 360)}},
      {'9', 0.6F, {arc(.3F, .69F, .26F, .31F, 0, 360), arc(.1F, .69F, .46F, .69F, -80, 0)}},
      {'.', 0.22F, {line(.11F, .02F, .11F, .02F)}},
      {kMiddleDot, 0.22F, {line(.11F, .42F, .11F, .42F)}},
      {'-', 0.42F, {line(.04F, .42F, .38F, .42F)}},
      {'+', 0.5F, {line(.04F, .42F, .46F, .42F), line(.25F, .21F, .25F, .63F)}},
      {'/', 0.42F, {line(.02F, -.1F, .40F, 1.05F)}},
      {'%',
       0.84F,
       {arc(.19F, .78F, .16F, .22F, 0, 360), arc(.65F, .22F, .16F, .22F, 0, 360),
        line(.14F, 0, .70F, 1)}},
      {'=', 0.5F, {line(.04F, .53F, .46F, .53F), line(.04F, .29F, .46F, .29F)}},
      {'(', 0.28F, {arc(.36F, .45F, .28F, .68F, 118, 242)}},
      {')', 0.28F, {arc(-.08F, .45F, .28F, .68F, 62, -62)}},
      {',', 0.22F, {line(.13F, .03F, .06F, -.16F)}},
      {kSquared,
       0.36F,
       {arc(.17F, .93F, .13F, .13F, 165, -38), line(.27F, .85F, .04F, .55F),
        line(.04F, .55F, .32F, .55F)}},
      {'a', 0.56F, {arc(.27F, .34F, .24F, .34F, 0, 360), line(.51F, 0, .51F, .68F)}},
      {'b', 0.56F, {line(.05F, 0, .05F, 1), arc(.29F, .34F, .24F, .34F, 0, 360)}},
      {'c', 0.5F, {arc(.28F, .34F, .25F, .34F, 48, 312)}},
      {'d', 0.56F, {arc(.27F, .34F, .24F, .34F, 0, 360), line(.51F, 0, .51F, 1)}},
      {'e', 0.54F, {line(.04F, .36F, .5F, .36F), arc(.27F, .34F, .24F, .34F, 3, 318)}},
      {'f',
       0.36F,
       {arc(.3F, .8F, .15F, .2F, 80, 180), line(.15F, .8F, .15F, 0), line(.02F, .64F, .33F, .64F)}},
      {'g',
       0.56F,
       {arc(.27F, .34F, .24F, .34F, 0, 360), line(.51F, .68F, .51F, -.06F),
        arc(.27F, -.06F, .24F, .22F, 0, -150)}},
      {'h',
       0.54F,
       {line(.06F, 0, .06F, 1), arc(.27F, .44F, .21F, .24F, 180, 0), line(.48F, .44F, .48F, 0)}},
      {'i', 0.14F, {line(.07F, 0, .07F, .68F), line(.07F, .93F, .07F, .93F)}},
      {'j',
       0.24F,
       {line(.17F, .68F, .17F, -.1F), arc(.02F, -.1F, .15F, .18F, 0, -90),
        line(.17F, .93F, .17F, .93F)}},
      {'k',
       0.48F,
       {line(.05F, 0, .05F, 1), line(.42F, .68F, .05F, .27F), line(.18F, .41F, .45F, 0)}},
      {'l', 0.14F, {line(.07F, 0, .07F, 1)}},
      {'m',
       0.78F,
       {line(.06F, 0, .06F, .68F), arc(.225F, .44F, .165F, .24F, 180, 0), line(.39F, .44F, .39F, 0),
        arc(.555F, .44F, .165F, .24F, 180, 0), line(.72F, .44F, .72F, 0)}},
      {'n',
       0.54F,
       {line(.06F, 0, .06F, .68F), arc(.27F, .44F, .21F, .24F, 180, 0), line(.48F, .44F, .48F, 0)}},
      {'o', 0.56F, {arc(.28F, .34F, .25F, .34F, 0, 360)}},
      {'p', 0.56F, {line(.05F, .68F, .05F, -.3F), arc(.29F, .34F, .24F, .34F, 0, 360)}},
      {'q', 0.56F, {arc(.27F, .34F, .24F, .34F, 0, 360), line(.51F, .68F, .51F, -.3F)}},
      {'r', 0.36F, {line(.06F, 0, .06F, .68F), arc(.28F, .40F, .22F, .28F, 180, 75)}},
      {'s',
       0.48F,
       {arc(.24F, .505F, .18F, .175F, 35, 270), arc(.24F, .165F, .2F, .165F, 90, -145)}},
      {'t',
       0.36F,
       {line(.14F, .92F, .14F, .17F), arc(.29F, .17F, .15F, .17F, 180, 280),
        line(.02F, .64F, .32F, .64F)}},
      {'u',
       0.54F,
       {line(.06F, .68F, .06F, .24F), arc(.27F, .24F, .21F, .24F, 180, 360),
        line(.48F, .68F, .48F, 0)}},
      {'v', 0.5F, {line(.02F, .68F, .25F, 0), line(.25F, 0, .48F, .68F)}},
      {'w',
       0.74F,
       {line(.02F, .68F, .2F, 0), line(.2F, 0, .37F, .62F), line(.37F, .62F, .54F, 0),
        line(.54F, 0, .72F, .68F)}},
      {'x', 0.48F, {line(.03F, .68F, .45F, 0), line(.45F, .68F, .03F, 0)}},
      {'y', 0.5F, {line(.02F, .68F, .26F, 0), line(.48F, .68F, .15F, -.3F)}},
      {'z',
       0.48F,
       {line(.04F, .68F, .44F, .68F), line(.44F, .68F, .04F, 0), line(.04F, 0, .44F, 0)}},
      {'H', 0.66F, {line(.06F, 0, .06F, 1), line(.6F, 0, .6F, 1), line(.06F, .52F, .6F, .52F)}},
      {'L', 0.52F, {line(.06F, 1, .06F, 0), line(.06F, 0, .48F, 0)}},
      {'M',
       0.76F,
       {line(.06F, 0, .06F, 1), line(.06F, 1, .38F, .3F), line(.38F, .3F, .7F, 1),
        line(.7F, 1, .7F, 0)}},
      {'V', 0.64F, {line(.02F, 1, .32F, 0), line(.32F, 0, .62F, 1)}},
  };
  return table;
}

constexpr float kSpacing = 0.17F;  ///< between glyphs, in heights

const Glyph* find_glyph(char name) {
  const auto& table = glyphs();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Glyph& glyph) { return glyph.name == name; });
  return found == table.end() ? nullptr : &*found;
}

/// Takes one character off the front; the middle dot and the raised 2 have two bytes.
char next_character(std::string_view& text) {
  const char first = text.front();
  const char second = text.size() >= 2 ? text[1] : ' ';
  const bool both = first == '\xc2' && (second == kMiddleDot || second == kSquared);
  text.remove_prefix(both ? 2 : 1);
  return both ? second : first;
}

std::vector<Point> flatten(const Stroke& stroke) {
  if (stroke.kind == Stroke::Kind::Line) return {{stroke.a, stroke.b}, {stroke.c, stroke.d}};
  constexpr int kSegments = 24;
  std::vector<Point> points;
  for (int i = 0; i <= kSegments; ++i) {
    const float degrees =
        stroke.from + (stroke.to - stroke.from) * static_cast<float>(i) / kSegments;
    const float angle = degrees * std::numbers::pi_v<float> / 180.0F;
    points.emplace_back(stroke.a + stroke.c * std::cos(angle),
                        stroke.b + stroke.d * std::sin(angle));
  }
  return points;
}

float distance_to_segment(const Point& p, const Point& a, const Point& b) {
  const Point ab = b - a;
  const float length = ab.squaredNorm();
  const float t = length > 0 ? std::clamp((p - a).dot(ab) / length, 0.0F, 1.0F) : 0.0F;
  return (p - a - t * ab).norm();
}

void draw_glyph(Canvas& canvas, const Glyph& glyph, float x, float base, const TextStyle& style) {
  std::vector<std::pair<Point, Point>> segments;
  for (const Stroke& stroke : glyph.strokes) {
    const std::vector<Point> points = flatten(stroke);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto place = [&](const Point& p) {
        return Point(x + style.height * p.x(), base - style.height * p.y());
      };
      segments.emplace_back(place(points[i - 1]), place(points[i]));
    }
  }
  const int left = static_cast<int>(x - style.weight) - 1;
  const int right = static_cast<int>(x + glyph.width * style.height + style.weight) + 1;
  const int top = static_cast<int>(base - style.height - style.weight) - 1;
  constexpr float kDescent = 0.32F;  // of g, p, q and y
  const int bottom = static_cast<int>(base + kDescent * style.height + style.weight) + 1;
  for (int row = top; row <= bottom; ++row) {
    for (int column = left; column <= right; ++column) {
      const Point centre(static_cast<float>(column) + 0.5F, static_cast<float>(row) + 0.5F);
      float nearest = 1e9F;
      for (const auto& [a, b] : segments) {
        nearest = std::min(nearest, distance_to_segment(centre, a, b));
      }
      const float coverage = std::clamp(0.5F + 0.5F * style.weight - nearest, 0.0F, 1.0F);
      if (coverage > 0) canvas.blend(column, row, style.colour, coverage * style.opacity);
    }
  }
}

}  // namespace

float draw_text(Canvas& canvas, float x, float base, std::string_view text,
                const TextStyle& style) {
  const float start = x;
  while (!text.empty()) {
    const Glyph* glyph = find_glyph(next_character(text));
    if (glyph == nullptr) glyph = find_glyph(' ');
    draw_glyph(canvas, *glyph, x, base, style);
    x += style.height * (glyph->width + kSpacing);
  }
  return std::max(0.0F, x - start - style.height * kSpacing);
}

float text_width(std::string_view text, const TextStyle& style) {
  float width = 0;
  while (!text.empty()) {
    const Glyph* glyph = find_glyph(next_character(text));
    if (glyph == nullptr) glyph = find_glyph(' ');
    width += style.height * (glyph->width + kSpacing);
  }
  return std::max(0.0F, width - style.height * kSpacing);
}

bool can_draw(std::string_view text) {
  while (!text.empty()) {
    if (find_glyph(next_character(text)) == nullptr) return false;
  }
  return true;
}

}  // namespace supple::app
