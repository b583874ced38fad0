// SPDX-License-Identifier: Apache-2.0
#include "supple/io/transform_table.hpp"

#include "io/content.hpp"
#include "io/motion/csv_lines.hpp"
#include "io/text_cursor.hpp"

#include "supple/core/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace supple::io {
namespace {

using detail::in_quotes;

constexpr std::array<std::string_view, 7> kParts{"px", "py", "pz", "qx", "qy", "qz", "qw"};
constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

struct Columns {
  std::size_t count = 0;
  std::size_t time = kNoColumn;
  std::vector<std::string> names;
  std::vector<std::array<std::size_t, 7>> parts;  // per name
};

class TableReader {
 public:
  TableReader(std::string_view text, std::string_view name) : m_lines(text), m_name(name) {}

  Result<TransformTable> read() {
    TransformTable table;
    table.name = m_name;
    std::vector<std::string> fields;
    if (!m_lines.next(fields)) {
      return error("the file is empty; expected a header 'time,NAME.px,...'");
    }
    SUPPLE_TRY(const Columns columns, read_header(fields));
    for (const std::string& name : columns.names) table.tracks.push_back({name, {}, {}});
    while (m_lines.next(fields)) SUPPLE_TRY_VOID(read_row(fields, columns, table));
    if (table.times.empty()) return error("no rows follow the header");
    return table;
  }

 private:
  [[nodiscard]] Error error(std::string message) const {
    return bad_input(std::move(message)).at(m_name, m_lines.line());
  }

  Result<Columns> read_header(const std::vector<std::string>& fields) const {
    Columns columns;
    columns.count = fields.size();
    std::map<std::string, std::size_t, std::less<>> places;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const std::string& field = fields[i];
      if (field == "time") {
        if (columns.time != kNoColumn) return error("two columns are named 'time'");
        columns.time = i;
        continue;
      }
      const std::size_t dot = field.rfind('.');
      const std::string part = dot == std::string::npos ? "" : field.substr(dot + 1);
      const auto known = std::find(kParts.begin(), kParts.end(), part);
      if (known == kParts.end() || dot == 0) {
        return error(fmt::format(
            "column {}: {} is neither 'time' nor NAME.px, .py, .pz, .qx, .qy, .qz or .qw", i + 1,
            in_quotes(field)));
      }
      const auto [place, is_new] = places.try_emplace(field.substr(0, dot), columns.names.size());
      if (is_new) {
        columns.names.push_back(field.substr(0, dot));
        columns.parts.emplace_back().fill(kNoColumn);
      }
      std::size_t& column =
          columns.parts[place->second][static_cast<std::size_t>(known - kParts.begin())];
      if (column != kNoColumn) return error(fmt::format("two columns {}", in_quotes(field)));
      column = i;
    }
    if (columns.time == kNoColumn) return error("no column 'time'");
    if (columns.names.empty())
      return error("the only column is 'time'; expected NAME.px ... NAME.qw");
    for (std::size_t n = 0; n < columns.names.size(); ++n) {
      for (std::size_t k = 0; k < kParts.size(); ++k) {
        if (columns.parts[n][k] == kNoColumn) {
          return error(
              fmt::format("{} has no column '.{}'", in_quotes(columns.names[n]), kParts[k]));
        }
      }
    }
    return columns;
  }

  Result<void> read_row(const std::vector<std::string>& fields, const Columns& columns,
                        TransformTable& table) const {
    if (fields.size() != columns.count) {
      return error(
          fmt::format("{} numbers where the header has {} columns", fields.size(), columns.count));
    }
    std::vector<double> row(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!detail::parse_real(fields[i], row[i]) || !std::isfinite(row[i])) {
        return error(
            fmt::format("column {}: expected a number, found {}", i + 1, in_quotes(fields[i])));
      }
    }
    const double time = row[columns.time];
    if (!table.times.empty() && !(time > table.times.back())) {
      return error(fmt::format("time {:g} s is not after {:g} s", time, table.times.back()));
    }
    table.times.push_back(time);
    for (std::size_t n = 0; n < columns.names.size(); ++n) {
      const auto& part = columns.parts[n];
      const Eigen::Quaterniond rotation(row[part[6]], row[part[3]], row[part[4]], row[part[5]]);
      if (!(std::abs(rotation.norm() - 1) < 0.01)) {
        return error(fmt::format("{}: a rotation of length {:g} where a unit quaternion is needed",
                                 in_quotes(columns.names[n]), rotation.norm()));
      }
      table.tracks[n].positions.emplace_back(row[part[0]], row[part[1]], row[part[2]]);
      table.tracks[n].rotations.push_back(rotation.normalized());
    }
    return {};
  }

  detail::CsvLines m_lines;
  std::string m_name;
};

}  // namespace

Result<TransformTable> read_transform_table(std::span<const std::byte> bytes,
                                            std::string_view name) {
  return TableReader(as_text(bytes), name).read();
}

Result<TransformTable> read_transform_table(const std::filesystem::path& path) {
  SUPPLE_TRY(const Bytes bytes, read_content(path));
  return read_transform_table(bytes, path.string());
}

}  // namespace supple::io
