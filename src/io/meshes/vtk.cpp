// SPDX-License-Identifier: Apache-2.0
#include "supple/io/volume.hpp"

#include "io/binary.hpp"
#include "io/meshes/vtk_grid.hpp"
#include "io/text_cursor.hpp"

#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace supple::io {
namespace {

using detail::Scalar;
using detail::TextCursor;

std::optional<Scalar> legacy_type(std::string_view name) {
  using Entry = std::pair<std::string_view, Scalar>;
  static constexpr std::array<Entry, 13> kNames{{{"CHAR", Scalar::Int8},
                                                 {"UNSIGNED_CHAR", Scalar::UInt8},
                                                 {"SHORT", Scalar::Int16},
                                                 {"UNSIGNED_SHORT", Scalar::UInt16},
                                                 {"INT", Scalar::Int32},
                                                 {"UNSIGNED_INT", Scalar::UInt32},
                                                 {"LONG", Scalar::Int64},
                                                 {"UNSIGNED_LONG", Scalar::UInt64},
                                                 {"VTKTYPEINT64", Scalar::Int64},
                                                 {"VTKTYPEUINT64", Scalar::UInt64},
                                                 {"VTKIDTYPE", Scalar::Int32},  // sic: VTK narrows
                                                 {"FLOAT", Scalar::Float32},
                                                 {"DOUBLE", Scalar::Float64}}};
  const std::string upper = detail::to_upper(name);
  for (const Entry& entry : kNames) {
    if (entry.first == upper) return entry.second;
  }
  return std::nullopt;
}

/// [The VTK User's Guide, "VTK File Formats", simple legacy formats]; binary is big-endian.
class LegacyVtk {
 public:
  LegacyVtk(std::span<const std::byte> bytes, std::string_view name)
      : m_cursor(as_text(bytes), name) {}

  Result<geometry::TetMesh> run() {
    SUPPLE_TRY_VOID(read_header());
    while (!m_stopped) {
      const std::string keyword = detail::to_upper(m_cursor.take_word());
      if (keyword.empty()) break;
      SUPPLE_TRY_VOID(read_part(keyword));
    }
    return detail::tet_mesh_of(m_grid, m_cursor.name());
  }

 private:
  Result<void> read_header() {
    if (!m_cursor.take_line().starts_with("# vtk DataFile")) {
      return bad_input("not a legacy VTK file: it does not begin with '# vtk DataFile Version'")
          .at(m_cursor.name(), 1, 1);
    }
    m_cursor.next_line();  // the title
    const std::string kind = detail::to_upper(m_cursor.take_word());
    if (kind != "ASCII" && kind != "BINARY") {
      return m_cursor.error("expected ASCII or BINARY in the third line");
    }
    m_binary = kind == "BINARY";
    return {};
  }

  Result<void> read_part(const std::string& keyword) {
    if (keyword == "DATASET") return read_dataset();
    if (keyword == "POINTS") return read_points();
    if (keyword == "CELLS") return read_cells();
    if (keyword == "CELL_TYPES") return read_cell_types();
    if (keyword == "CELL_DATA" || keyword == "POINT_DATA") {
      m_in_cell_data = keyword == "CELL_DATA";
      SUPPLE_TRY(m_tuples, read_count("the number of tuples"));
      return {};
    }
    return read_attribute(keyword);
  }

  Result<void> read_dataset() {
    const std::string kind = detail::to_upper(m_cursor.take_word());
    if (kind == "UNSTRUCTURED_GRID") return {};
    return m_cursor.error(
        fmt::format("the dataset is {}; only UNSTRUCTURED_GRID can contain a volume mesh",
                    detail::in_quotes(kind)));
  }

  Result<void> read_points() {
    SUPPLE_TRY(const std::int64_t count, read_count("the number of points"));
    SUPPLE_TRY(const Scalar type, read_type());
    SUPPLE_TRY(m_grid.points, read_values<double>(count, 3, type));
    return {};
  }

  Result<void> read_cells() {
    SUPPLE_TRY(const std::int64_t first, read_count("the number of cells"));
    SUPPLE_TRY(const std::int64_t second, read_count("the size of the cell list"));
    m_grid.ends.clear();
    TextCursor ahead = m_cursor;
    if (detail::to_upper(ahead.take_word()) == "OFFSETS") return read_split_cells(first, second);
    // Version 4 and before: each cell as "count, points ...".
    SUPPLE_TRY(const auto list, read_values<std::int64_t>(second, 1, Scalar::Int32));
    m_grid.connectivity.clear();
    std::size_t at = 0;
    for (std::int64_t cell = 0; cell < first; ++cell) {
      if (at >= list.size() || list[at] < 0 ||
          static_cast<std::size_t>(list[at]) > list.size() - at - 1) {
        return m_cursor.error(fmt::format(
            "cell {} (counted from 0) does not fit in the list of {} numbers", cell, second));
      }
      const auto from = list.begin() + static_cast<std::ptrdiff_t>(at) + 1;
      m_grid.connectivity.insert(m_grid.connectivity.end(), from, from + list[at]);
      m_grid.ends.push_back(static_cast<std::int64_t>(m_grid.connectivity.size()));
      at += static_cast<std::size_t>(list[at]) + 1;
    }
    return {};
  }

  // Version 5: offsets (one more than cells) and connectivity as two arrays.
  Result<void> read_split_cells(std::int64_t offset_count, std::int64_t connectivity_size) {
    static_cast<void>(m_cursor.take_word());
    SUPPLE_TRY(const Scalar offset_type, read_integer_type());
    SUPPLE_TRY(m_grid.ends, read_values<std::int64_t>(offset_count, 1, offset_type));
    if (!m_grid.ends.empty()) m_grid.ends.erase(m_grid.ends.begin());
    if (detail::to_upper(m_cursor.take_word()) != "CONNECTIVITY") {
      return m_cursor.error("expected CONNECTIVITY after the OFFSETS of the cells");
    }
    SUPPLE_TRY(const Scalar type, read_integer_type());
    SUPPLE_TRY(m_grid.connectivity, read_values<std::int64_t>(connectivity_size, 1, type));
    return {};
  }

  Result<void> read_cell_types() {
    SUPPLE_TRY(const std::int64_t count, read_count("the number of cell types"));
    SUPPLE_TRY(m_grid.types, read_values<std::int64_t>(count, 1, Scalar::Int32));
    return {};
  }

  Result<void> read_attribute(const std::string& keyword) {
    if (keyword == "SCALARS") return read_scalars();
    if (keyword == "FIELD") return read_field();
    if (keyword == "VECTORS" || keyword == "NORMALS") return skip_named(3);
    if (keyword == "TENSORS") return skip_named(9);
    if (keyword == "GLOBAL_IDS" || keyword == "PEDIGREE_IDS") return skip_named(1);
    if (keyword == "METADATA") {  // ends with an empty line
      m_cursor.next_line();
      while (!m_cursor.at_end() && !detail::trim(m_cursor.take_line()).empty()) continue;
      return {};
    }
    // An unknown keyword has unknown length, but the mesh itself is complete.
    if (m_grid.types.empty()) {
      return m_cursor.error(fmt::format("unknown keyword {}", detail::in_quotes(keyword)));
    }
    log::warn("{}:{}: stopped reading attributes at {}", m_cursor.name(), m_cursor.line_number(),
              detail::in_quotes(keyword));
    m_stopped = true;
    return {};
  }

  Result<void> read_scalars() {
    const std::string_view array = m_cursor.take_word();
    SUPPLE_TRY(const Scalar type, read_type());
    std::int64_t components = 1;
    m_cursor.skip_blanks();
    if (!m_cursor.at_line_end() && !m_cursor.take_integer(components)) {
      return m_cursor.expected("the number of components");
    }
    TextCursor ahead = m_cursor;
    if (detail::to_upper(ahead.take_word()) == "LOOKUP_TABLE") {
      static_cast<void>(ahead.take_word());
      m_cursor = ahead;
    }
    return read_array(array, m_tuples, components, type);
  }

  Result<void> read_field() {
    static_cast<void>(m_cursor.take_word());
    SUPPLE_TRY(const std::int64_t arrays, read_count("the number of arrays"));
    for (std::int64_t i = 0; i < arrays; ++i) {
      const std::string_view array = m_cursor.take_word();
      SUPPLE_TRY(const std::int64_t components, read_count("the number of components"));
      SUPPLE_TRY(const std::int64_t tuples, read_count("the number of tuples"));
      SUPPLE_TRY(const Scalar type, read_type());
      SUPPLE_TRY_VOID(read_array(array, tuples, components, type));
      TextCursor ahead = m_cursor;
      if (ahead.take_word() == "METADATA") {
        m_cursor = ahead;
        SUPPLE_TRY_VOID(read_attribute("METADATA"));
      }
    }
    return {};
  }

  Result<void> skip_named(std::int64_t components) {
    static_cast<void>(m_cursor.take_word());
    SUPPLE_TRY(const Scalar type, read_type());
    return read_array({}, m_tuples, components, type);
  }

  Result<void> read_array(std::string_view array, std::int64_t tuples, std::int64_t components,
                          Scalar type) {
    if (m_in_cell_data && components == 1 && detail::is_integer(type) &&
        detail::is_region_name(array)) {
      SUPPLE_TRY(m_grid.regions, read_values<std::int64_t>(tuples, 1, type));
      return {};
    }
    SUPPLE_TRY([[maybe_unused]] const auto ignored, read_values<double>(tuples, components, type));
    return {};
  }

  Result<std::int64_t> read_count(std::string_view what) {
    std::int64_t count = 0;
    if (!m_cursor.next_integer(count) || count < 0) return m_cursor.expected(what);
    return count;
  }

  Result<Scalar> read_type() {
    const std::string_view word = m_cursor.take_word();
    if (const auto type = legacy_type(word)) return *type;
    return m_cursor.error(fmt::format("unknown VTK type {}", detail::in_quotes(word)));
  }

  Result<Scalar> read_integer_type() {
    SUPPLE_TRY(const Scalar type, read_type());
    if (!detail::is_integer(type)) return m_cursor.error("cells need integers");
    return type;
  }

  /// tuples x components numbers; checked against the remaining bytes before anything is allocated.
  template <class T>
  Result<std::vector<T>> read_values(std::int64_t tuples, std::int64_t components, Scalar type) {
    if (m_binary) m_cursor.next_line();
    const std::size_t width = m_binary ? detail::size_of(type) : 2;
    const std::size_t available = (m_cursor.remaining() + 1) / width;
    const auto rows = static_cast<std::size_t>(tuples);
    const auto columns = static_cast<std::size_t>(components);
    if (components < 0 || (columns != 0 && rows > available / columns)) {
      return m_cursor.error(
          fmt::format("the file is too short for {} x {} numbers", tuples, components));
    }
    std::vector<T> values(rows * columns);
    if (m_binary) {
      std::span<const std::byte> bytes;
      if (!m_cursor.take_bytes(values.size() * width, bytes)) {
        return m_cursor.error("the file ends inside binary data");
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = detail::load_as<T>(type, bytes.data() + i * width, std::endian::big);
      }
      return values;
    }
    for (T& value : values) {
      SUPPLE_TRY_VOID(read_text_number(value));
    }
    return values;
  }

  Result<void> read_text_number(double& value) {
    if (m_cursor.next_real(value)) return {};
    return m_cursor.expected("a number");
  }
  Result<void> read_text_number(std::int64_t& value) {
    if (m_cursor.next_integer(value)) return {};
    return m_cursor.expected("an integer");
  }

  TextCursor m_cursor;
  detail::VtkGrid m_grid;
  bool m_binary = false;
  bool m_in_cell_data = false;
  bool m_stopped = false;
  std::int64_t m_tuples = 0;
};

}  // namespace

Result<geometry::TetMesh> read_vtk(std::span<const std::byte> bytes, std::string_view name) {
  return LegacyVtk(bytes, name).run();
}

}  // namespace supple::io
