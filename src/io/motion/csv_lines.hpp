// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace supple::io::detail {

/// The lines of a table with commas. Empty lines, lines that begin with '#' and a byte order mark
/// are passed over.
class CsvLines {
 public:
  explicit CsvLines(std::string_view text);

  /// The fields of the next line, without blanks around them; false at the end. A field in double
  /// quotes may contain commas, and "" inside it is one quote.
  [[nodiscard]] bool next(std::vector<std::string>& fields);
  /// The number of that line, from 1.
  [[nodiscard]] std::size_t line() const { return m_line; }

 private:
  std::string_view m_rest;
  std::size_t m_line = 0;
};

}  // namespace supple::io::detail
