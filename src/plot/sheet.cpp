// SPDX-License-Identifier: Apache-2.0
#include "supple/plot/sheet.hpp"

#include "supple/core/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace supple::plot {
namespace {

/// Widths of the columns, heights of the rows and of the captions below them, in pixels.
struct SheetLayout {
  std::vector<int> widths, heights, captions;

  SheetLayout(const std::vector<Tile>& tiles, const SheetSettings& settings)
      : widths(std::min(settings.columns, tiles.size())),
        heights((tiles.size() + settings.columns - 1) / settings.columns),
        captions(heights.size()) {
    for (std::size_t k = 0; k < tiles.size(); ++k) {
      int& width = widths[k % settings.columns];
      int& height = heights[k / settings.columns];
      width = std::max(width, tiles[k].picture.width());
      height = std::max(height, tiles[k].picture.height());
      if (!tiles[k].caption.empty()) {
        captions[k / settings.columns] = static_cast<int>(std::lround(2.2 * settings.caption_size));
      }
    }
  }
};

/// Where each of several lengths begins, and where the last one ends.
std::vector<int> places(const std::vector<int>& lengths, const SheetSettings& settings) {
  std::vector<int> result{settings.border};
  for (const int length : lengths) result.push_back(result.back() + length + settings.gap);
  result.back() += settings.border - settings.gap;
  return result;
}

void draw_caption(Drawing& sheet, const std::string& caption, const Point& at, double room,
                  const SheetSettings& settings) {
  TextStyle style;
  style.size = settings.caption_size;
  style.colour = settings.caption_colour;
  style.anchor = TextStyle::Anchor::Middle;
  const double width = text_width(caption, style);
  if (width > room) style.size *= room / width;
  sheet.text(at, caption, style);
}

}  // namespace

Drawing picture_of(std::span<const std::byte> png, int width, int height) {
  Drawing drawing(width, height);
  drawing.picture({0, 0}, {width, height}, png);
  return drawing;
}

Drawing draw_sheet(const std::vector<Tile>& tiles, const SheetSettings& settings) {
  SUPPLE_CHECK(!tiles.empty() && settings.columns > 0);
  const SheetLayout layout(tiles, settings);
  std::vector<int> rows = layout.heights;
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] += layout.captions[r];
  const std::vector<int> left = places(layout.widths, settings);
  const std::vector<int> top = places(rows, settings);
  Drawing sheet(left.back(), top.back());
  sheet.fill(settings.paper);
  for (std::size_t k = 0; k < tiles.size(); ++k) {
    const std::size_t column = k % settings.columns;
    const std::size_t row = k / settings.columns;
    const int width = layout.widths[column];
    const int indent = (width - tiles[k].picture.width()) / 2;
    sheet.place({left[column] + indent, top[row]}, tiles[k].picture);
    const double base = top[row] + layout.heights[row] + 1.45 * settings.caption_size;
    draw_caption(sheet, tiles[k].caption, {left[column] + 0.5 * width, base}, 0.96 * width,
                 settings);
  }
  return sheet;
}

Drawing stack(const std::vector<Drawing>& rows, Align align, int gap, const Colour& paper) {
  SUPPLE_CHECK(!rows.empty());
  int width = 0;
  int height = -gap;
  for (const Drawing& row : rows) {
    width = std::max(width, row.width());
    height += row.height() + gap;
  }
  Drawing column(width, height);
  column.fill(paper);
  int top = 0;
  for (const Drawing& row : rows) {
    const int free = width - row.width();
    const int left = align == Align::Left ? 0 : align == Align::Right ? free : free / 2;
    column.place({left, top}, row);
    top += row.height() + gap;
  }
  return column;
}

Drawing draw_legend(const std::vector<Word>& words, double size) {
  TextStyle style;
  style.size = size;
  style.bold = true;
  const double between = 2 * size;
  double width = 0;
  for (const Word& word : words) width += text_width(word.text, style) + between;
  Drawing legend(static_cast<int>(std::ceil(width)), static_cast<int>(std::lround(2.4 * size)));
  double x = 0.5 * between;
  for (const Word& word : words) {
    style.colour = word.colour;
    legend.text({x, 1.5 * size}, word.text, style);
    x += text_width(word.text, style) + between;
  }
  return legend;
}

Drawing draw_colour_bar(const std::string& low, const std::string& high) {
  constexpr int kSteps = 130;
  constexpr int kStepWidth = 2;
  constexpr int kThickness = 12;
  constexpr int kGap = 10;
  TextStyle style;
  style.colour = from_oklch(0.30F, 0.02F, 260);
  const double low_width = text_width(low, style);
  const double left = std::ceil(low_width) + 2 * kGap;
  const double right = left + kSteps * kStepWidth;
  Drawing bar(static_cast<int>(std::ceil(right + text_width(high, style))) + 2 * kGap, 42);
  const double middle = 0.5 * bar.height();
  for (int k = 0; k < kSteps; ++k) {
    const float t = (static_cast<float>(k) + 0.5F) / kSteps;
    bar.rectangle({left + k * kStepWidth, middle - 0.5 * kThickness}, {kStepWidth, kThickness},
                  ramp_colour(t));
  }
  const double base = middle + 0.36 * style.size;
  bar.text({left - kGap - low_width, base}, low, style);
  bar.text({right + kGap, base}, high, style);
  return bar;
}

}  // namespace supple::plot
