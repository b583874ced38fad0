// SPDX-License-Identifier: Apache-2.0
#include "supple/core/console.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace supple {
namespace {

/// Three significant digits without an exponent; `value` in [0, 1000).
std::string three_digits(double value) {
  if (std::abs(value) < 9.995) return fmt::format("{:.2f}", value);
  if (std::abs(value) < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

void append_line(std::string& text, const std::vector<std::string>& cells,
                 const std::vector<TextTable::Column>& columns,
                 const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (c != 0) line += "  ";
    const std::string padding(widths[c] - display_width(cells[c]), ' ');
    const bool left = columns[c].align == TextTable::Align::Left;
    line += left ? cells[c] + padding : padding + cells[c];
  }
  line.resize(line.find_last_not_of(' ') + 1);  // npos + 1 is 0
  text += line + '\n';
}

}  // namespace

std::string format_si(double value, std::string_view unit) {
  constexpr std::array<std::string_view, 9> kPrefixes{"p", "n", "u", "m", "", "k", "M", "G", "T"};
  constexpr int kUnity = 4;  // index of the empty prefix
  if (value == 0) return fmt::format("0 {}", unit);
  // 999.5 and above would round to 1000: take the next prefix.
  const int thousands = static_cast<int>(
      std::isfinite(value) ? std::floor(std::log10(std::abs(value) * (1000 / 999.5)) / 3) : 99);
  if (thousands < -kUnity || thousands > kUnity) return fmt::format("{:.3g} {}", value, unit);
  const double scaled = value / std::pow(1000.0, thousands);
  return fmt::format("{} {}{}", three_digits(scaled),
                     kPrefixes[static_cast<unsigned>(thousands + kUnity)], unit);
}

std::string format_turn(double radians) {
  constexpr double kTurn = 2 * std::numbers::pi;
  constexpr int kMost = 2;
  if (!(radians <= kMost * kTurn)) return fmt::format("more than {} full turns", kMost);
  return fmt::format("{:.0f} degrees", 360 / kTurn * radians);
}

std::string format_seconds(double seconds) {
  if (!(seconds >= 59.95) || !std::isfinite(seconds)) return format_si(seconds, "s");
  const auto whole = static_cast<long long>(std::min(std::round(seconds), 1e15));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string format_count(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return text;
}

std::size_t display_width(std::string_view utf8) {
  const auto starts_code_point = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  };
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), starts_code_point));
}

TextTable::TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}

TextTable& TextTable::row(std::vector<std::string> cells) {
  SUPPLE_CHECK_OP(cells.size(), ==, m_columns.size());
  m_rows.push_back(std::move(cells));
  return *this;
}

std::string TextTable::str() const {
  std::vector<std::size_t> widths;
  std::vector<std::string> titles;
  std::vector<std::string> rule;
  for (std::size_t c = 0; c < m_columns.size(); ++c) {
    std::size_t width = display_width(m_columns[c].title);
    for (const auto& cells : m_rows) width = std::max(width, display_width(cells[c]));
    widths.push_back(width);
    titles.push_back(m_columns[c].title);
    rule.emplace_back(width, '-');
  }
  std::string text;
  append_line(text, titles, m_columns, widths);
  append_line(text, rule, m_columns, widths);
  for (const auto& cells : m_rows) append_line(text, cells, m_columns, widths);
  return text;
}

std::string format_frequency(double hertz) {
  std::string_view unit = "Hz";
  if (hertz >= 1e6) {
    hertz *= 1e-6;
    unit = "MHz";
  } else if (hertz >= 1e4) {
    hertz *= 1e-3;
    unit = "kHz";
  }
  if (!(hertz >= 1e-3 && hertz < 1e4)) return fmt::format("{:.3e} {}", hertz, unit);
  // Rounding may carry into another digit (9.9999 -> 10.00): count after it.
  const double rounded = std::stod(fmt::format("{:.3e}", hertz));
  const int digits = static_cast<int>(std::floor(std::log10(rounded)));
  return fmt::format("{:.{}f} {}", hertz, std::max(0, 3 - digits), unit);
}

}  // namespace supple
