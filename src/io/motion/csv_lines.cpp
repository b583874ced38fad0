// SPDX-License-Identifier: Apache-2.0
#include "io/motion/csv_lines.hpp"

#include "io/text_cursor.hpp"

namespace supple::io::detail {
namespace {

std::vector<std::string> split_row(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) field = std::string(trim(field));
  return fields;
}

}  // namespace

CsvLines::CsvLines(std::string_view text) : m_rest(text) {
  if (m_rest.starts_with("\xEF\xBB\xBF")) m_rest.remove_prefix(3);
}

bool CsvLines::next(std::vector<std::string>& fields) {
  while (!m_rest.empty()) {
    const std::size_t end = m_rest.find('\n');
    const std::string_view line = trim(m_rest.substr(0, end));
    m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
    ++m_line;
    if (line.empty() || line.front() == '#') continue;
    fields = split_row(line);
    return true;
  }
  return false;
}

}  // namespace supple::io::detail
