// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace supple {

/// Three significant digits with an SI prefix: format_si(1.23e7, "B") is "12.3 MB". Values too
/// small or too large for a prefix, and values that are not finite, are printed in plain form.
[[nodiscard]] std::string format_si(double value, std::string_view unit);

/// "57 degrees"; far beyond a full turn the number is meaningless: "more than 2 full turns".
[[nodiscard]] std::string format_turn(double radians);

/// "850 us", "1.20 s", "2 min 05 s", "3 h 07 min".
[[nodiscard]] std::string format_seconds(double seconds);

/// Four significant digits with a fitting unit: "2.559 Hz", "12.40 kHz".
[[nodiscard]] std::string format_frequency(double hertz);

/// Digits in groups of three: 131220 is "131,220".
[[nodiscard]] std::string format_count(std::uint64_t count);

/// Columns that UTF-8 text takes in a terminal, one per code point: good enough for names and
/// units, but not for East Asian wide characters.
[[nodiscard]] std::size_t display_width(std::string_view utf8);

/// Rows of text in aligned columns, two spaces apart, without trailing spaces.
class TextTable {
 public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Right;
  };

  explicit TextTable(std::vector<Column> columns);

  /// One cell per column.
  TextTable& row(std::vector<std::string> cells);
  /// Titles, a rule, the rows; every line ends in a newline.
  [[nodiscard]] std::string str() const;

 private:
  std::vector<Column> m_columns;
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace supple
