// SPDX-License-Identifier: Apache-2.0
#include "supple/io/action_table.hpp"

#include "io/content.hpp"
#include "io/motion/csv_lines.hpp"
#include "io/text_cursor.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <utility>

namespace supple::io {
namespace {

/// Frames beyond this are mistakes, and sums of frames fit into any integer.
constexpr std::int64_t kMostFrames = 1'000'000'000;

class ActionReader {
 public:
  ActionReader(std::string_view text, std::string_view name) : m_lines(text), m_name(name) {}

  Result<ActionTable> read() {
    ActionTable table;
    table.name = m_name;
    std::vector<std::string> fields;
    for (bool first = true; m_lines.next(fields); first = false) {
      if (first && fields.front() == "frame") continue;
      SUPPLE_TRY(ActionTable::Row row, read_action(fields));
      if (!table.rows.empty() && row.frame <= table.rows.back().frame) {
        return error(
            fmt::format("frame {} does not come after frame {}; put actions in the order "
                        "of their frames, one for each",
                        row.frame, table.rows.back().frame));
      }
      table.rows.push_back(std::move(row));
    }
    if (table.rows.empty()) {
      return error("no line says what acted; expected lines 'frame,entry,strength'");
    }
    return table;
  }

 private:
  [[nodiscard]] Error error(std::string message) const {
    return bad_input(std::move(message)).at(m_name, m_lines.line());
  }

  Result<ActionTable::Row> read_action(const std::vector<std::string>& fields) const {
    if (fields.size() != 2 && fields.size() != 3) {
      return error(fmt::format("expected 'frame,entry' or 'frame,entry,strength', found {} fields",
                               fields.size()));
    }
    ActionTable::Row row;
    row.line = m_lines.line();
    std::int64_t frame = 0;
    if (!detail::parse_integer(fields[0], frame) || frame < 0 || frame > kMostFrames) {
      return error(
          fmt::format("expected the number of a frame, found {}", detail::in_quotes(fields[0])));
    }
    row.frame = static_cast<std::size_t>(frame);
    if (fields[1].empty()) return error("the entry that acted has no name");
    row.entry = fields[1];
    if (fields.size() == 2) return row;
    if (!detail::parse_real(fields[2], row.strength) || !std::isfinite(row.strength) ||
        row.strength <= 0) {
      return error(
          fmt::format("expected a strength above 0, found {}", detail::in_quotes(fields[2])));
    }
    return row;
  }

  detail::CsvLines m_lines;
  std::string m_name;
};

}  // namespace

Result<ActionTable> read_action_table(std::span<const std::byte> bytes, std::string_view name) {
  return ActionReader(as_text(bytes), name).read();
}

Result<ActionTable> read_action_table(const std::filesystem::path& path) {
  SUPPLE_TRY(const Bytes bytes, read_content(path));
  return read_action_table(bytes, path.string());
}

}  // namespace supple::io
