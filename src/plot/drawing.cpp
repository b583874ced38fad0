// SPDX-License-Identifier: Apache-2.0
#include "supple/plot/drawing.hpp"

#include "plot/xml_text.hpp"

#include "supple/core/base64.hpp"
#include "supple/core/markup.hpp"

#include <fmt/format.h>

#include <array>

namespace supple::plot {
namespace {

/// Verdana has nearly the same widths, for machines without DejaVu.
constexpr const char* kFontFamily = "'DejaVu Sans', Verdana, sans-serif";

/// Of the letters from ' ' to '~' in DejaVu Sans, thousandths of the font's size.
constexpr std::array<int, 95> kAdvances{
    318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,  //
    636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,  //
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,  //
    603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,  //
    500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,  //
    635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838};
constexpr int kAverageAdvance = 620;
constexpr double kBoldWider = 1.12;

const char* anchor_name(TextStyle::Anchor anchor) {
  switch (anchor) {
    case TextStyle::Anchor::Middle:
      return "middle";
    case TextStyle::Anchor::End:
      return "end";
    case TextStyle::Anchor::Start:
      break;
  }
  return "start";
}

}  // namespace

double text_width(std::string_view text, const TextStyle& style) {
  int thousandths = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte <= '~') {
      thousandths += kAdvances.at(byte - std::size_t{' '});
    } else if (byte >= 0xC0) {  // the first byte of a letter beyond ASCII
      thousandths += kAverageAdvance;
    }
  }
  return 1e-3 * thousandths * style.size * (style.bold ? kBoldWider : 1);
}

void Drawing::fill(const Colour& colour) {
  rectangle({0, 0}, {m_width, m_height}, colour);
}

void Drawing::rectangle(const Point& corner, const Point& size, const Colour& colour,
                        double opacity, double radius) {
  m_elements +=
      fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="{}")", number(corner.x()),
                  number(corner.y()), number(size.x()), number(size.y()), to_hex(colour));
  if (opacity < 1) m_elements += fmt::format(R"( fill-opacity="{}")", number(opacity));
  if (radius > 0) m_elements += fmt::format(R"( rx="{}")", number(radius));
  m_elements += "/>\n";
}

void Drawing::circle(const Point& centre, double radius, const Colour& colour) {
  m_elements += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n",
                            number(centre.x()), number(centre.y()), number(radius), to_hex(colour));
}

void Drawing::line(std::span<const Point> points, const LineStyle& style) {
  if (points.size() < 2) return;
  m_elements += fmt::format(R"(<polyline fill="none" stroke="{}" stroke-width="{}")",
                            to_hex(style.colour), number(style.width));
  if (style.dashed) {
    m_elements += fmt::format(R"( stroke-dasharray="{0} {0}")", number(4 * style.width));
  }
  m_elements += R"( stroke-linejoin="round" points=")";
  for (const Point& p : points) {
    if (m_elements.back() != '"') m_elements += ' ';
    m_elements += number(p.x()) + ',' + number(p.y());
  }
  m_elements += "\"/>\n";
}

void Drawing::line(const Point& from, const Point& to, const LineStyle& style) {
  line(std::array{from, to}, style);
}

void Drawing::text(const Point& at, std::string_view text, const TextStyle& style) {
  if (text.empty()) return;
  m_elements += fmt::format(R"(<text x="{}" y="{}" font-size="{}" fill="{}")", number(at.x()),
                            number(at.y()), number(style.size), to_hex(style.colour));
  if (style.bold) m_elements += R"( font-weight="bold")";
  if (style.anchor != TextStyle::Anchor::Start) {
    m_elements += fmt::format(R"( text-anchor="{}")", anchor_name(style.anchor));
  }
  m_elements += '>' + escape_markup(text) + "</text>\n";
}

void Drawing::picture(const Point& corner, const Point& size, std::span<const std::byte> png) {
  m_elements += fmt::format(
      "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" href=\"data:image/png;base64,{}\"/>\n",
      number(corner.x()), number(corner.y()), number(size.x()), number(size.y()),
      encode_base64(png));
}

void Drawing::place(const Point& corner, const Drawing& drawing) {
  m_elements += fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">\n{}</svg>\n",
                            number(corner.x()), number(corner.y()), drawing.m_width,
                            drawing.m_height, drawing.m_elements);
}

std::string Drawing::svg() const {
  // Geometric precision: letters do not depend on how a machine likes its fonts hinted.
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"{2}\" text-rendering=\"geometricPrecision\">\n"
      "{3}</svg>\n",
      m_width, m_height, kFontFamily, m_elements);
}

}  // namespace supple::plot
