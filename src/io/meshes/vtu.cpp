// SPDX-License-Identifier: Apache-2.0
#include "supple/io/volume.hpp"

#include "io/meshes/vtk_grid.hpp"
#include "io/meshes/vtu_data.hpp"
#include "io/meshes/xml_scanner.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

namespace supple::io {
namespace {

using detail::Scalar;
using detail::TextCursor;
using detail::VtkGrid;
using detail::XmlTag;

std::optional<Scalar> xml_type(std::string_view name) {
  using Entry = std::pair<std::string_view, Scalar>;
  static constexpr std::array<Entry, 10> kNames{{{"Int8", Scalar::Int8},
                                                 {"UInt8", Scalar::UInt8},
                                                 {"Int16", Scalar::Int16},
                                                 {"UInt16", Scalar::UInt16},
                                                 {"Int32", Scalar::Int32},
                                                 {"UInt32", Scalar::UInt32},
                                                 {"Int64", Scalar::Int64},
                                                 {"UInt64", Scalar::UInt64},
                                                 {"Float32", Scalar::Float32},
                                                 {"Float64", Scalar::Float64}}};
  for (const Entry& entry : kNames) {
    if (entry.first == name) return entry.second;
  }
  return std::nullopt;
}

/// A needed array, not decoded yet: its appended data come last in the file.
struct Array {
  Scalar type = Scalar::Float64;
  std::string_view format;
  std::string_view text;   ///< inline data
  std::size_t offset = 0;  ///< into the appended data
  std::size_t line = 0;
};

struct Piece {
  std::int64_t points = 0;
  std::int64_t cells = 0;
  std::optional<Array> positions;
  std::optional<Array> connectivity;
  std::optional<Array> ends;
  std::optional<Array> types;
  std::optional<Array> regions;
};

/// [The VTK User's Guide, "VTK File Formats", XML formats].
class VtuReader {
 public:
  VtuReader(std::span<const std::byte> bytes, std::string_view name)
      : m_scanner(as_text(bytes), name), m_name(name) {}

  Result<geometry::TetMesh> run() {
    SUPPLE_TRY_VOID(scan());
    VtkGrid grid;
    bool all_have_regions = !m_pieces.empty();
    for (const Piece& piece : m_pieces) all_have_regions &= piece.regions.has_value();
    for (const Piece& piece : m_pieces) {
      SUPPLE_TRY_VOID(append(piece, all_have_regions, grid));
    }
    return detail::tet_mesh_of(grid, m_name);
  }

 private:
  Result<void> scan() {
    bool opened = false;
    while (true) {
      SUPPLE_TRY(const XmlTag tag, m_scanner.next());
      if (tag.kind == XmlTag::Kind::Eof) break;
      if (tag.kind == XmlTag::Kind::End) {
        if (tag.name == "VTKFile") m_closed = true;
        if (tag.name == m_section) m_section = {};
        continue;
      }
      if (tag.name == "VTKFile") {
        SUPPLE_TRY_VOID(read_file_tag(tag));
        opened = true;
      } else if (!opened) {
        return error("not a VTK XML file: it does not begin with <VTKFile>", tag.line);
      } else if (tag.name == "Piece") {
        SUPPLE_TRY_VOID(read_piece_tag(tag));
      } else if (tag.name == "AppendedData") {
        return read_appended(tag);
      } else if (tag.name == "DataArray") {
        SUPPLE_TRY_VOID(read_array_tag(tag));
      } else if (!tag.empty && (tag.name == "Points" || tag.name == "Cells" ||
                                tag.name == "CellData" || tag.name == "PointData")) {
        m_section = tag.name;
      }
    }
    if (!opened) return error("not a VTK XML file: it has no <VTKFile> element", 1);
    if (!m_closed) return error("the file ends before </VTKFile>", 0);
    return {};
  }

  Result<void> read_file_tag(const XmlTag& tag) {
    if (tag.get("type") != "UnstructuredGrid") {
      return error(
          fmt::format("the file contains {}; only UnstructuredGrid can contain a volume mesh",
                      detail::in_quotes(tag.get("type"))),
          tag.line);
    }
    m_layout.order = tag.get("byte_order") == "BigEndian" ? std::endian::big : std::endian::little;
    const std::string_view header = tag.get("header_type", "UInt32");
    if (header != "UInt32" && header != "UInt64") {
      return error(fmt::format("unknown header_type {}", detail::in_quotes(header)), tag.line);
    }
    m_layout.wide_headers = header == "UInt64";
    const std::string_view compressor = tag.get("compressor");
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor") {
      return error(fmt::format("compressor {} is not supported; save with ZLib or uncompressed",
                               detail::in_quotes(compressor)),
                   tag.line);
    }
    m_layout.compressed = !compressor.empty();
    return {};
  }

  Result<std::int64_t> read_number(const XmlTag& tag, std::string_view attribute) {
    const std::string_view text = detail::trim(tag.get(attribute));
    std::int64_t value = 0;
    if (!detail::parse_integer(text, value) || value < 0) {
      return error(fmt::format("<{}> needs a whole number {}=\"...\", not {}", tag.name, attribute,
                               detail::in_quotes(text)),
                   tag.line);
    }
    return value;
  }

  Result<void> read_piece_tag(const XmlTag& tag) {
    Piece piece;
    SUPPLE_TRY(piece.points, read_number(tag, "NumberOfPoints"));
    SUPPLE_TRY(piece.cells, read_number(tag, "NumberOfCells"));
    m_pieces.push_back(piece);
    return {};
  }

  /// The destination of this tag's array; null if it is not needed.
  std::optional<Array>* destination(const XmlTag& tag, Scalar type) {
    if (m_pieces.empty()) return nullptr;
    Piece& piece = m_pieces.back();
    const std::string_view name = tag.get("Name");
    if (m_section == "Points") return &piece.positions;
    if (!detail::is_integer(type)) return nullptr;
    if (m_section == "Cells" && name == "connectivity") return &piece.connectivity;
    if (m_section == "Cells" && name == "offsets") return &piece.ends;
    if (m_section == "Cells" && name == "types") return &piece.types;
    const bool scalar = tag.get("NumberOfComponents", "1") == "1";
    if (m_section == "CellData" && scalar && detail::is_region_name(name)) return &piece.regions;
    return nullptr;
  }

  Result<void> read_array_tag(const XmlTag& tag) {
    Array array;
    array.format = tag.get("format");
    array.line = tag.line;
    SUPPLE_TRY(array.text, m_scanner.text_of(tag));
    const auto type = xml_type(tag.get("type"));
    std::optional<Array>* wanted = type ? destination(tag, *type) : nullptr;
    if (wanted == nullptr) return {};
    array.type = *type;
    if (array.format == "appended") {
      SUPPLE_TRY(const std::int64_t offset, read_number(tag, "offset"));
      array.offset = static_cast<std::size_t>(offset);
    } else if (array.format != "ascii" && array.format != "binary") {
      return error(fmt::format("unknown array format {}", detail::in_quotes(array.format)),
                   tag.line);
    }
    *wanted = array;
    return {};
  }

  // Data after the underscore is not XML, even if it looks like it.
  Result<void> read_appended(const XmlTag& tag) {
    const std::string_view encoding = tag.get("encoding");
    if (encoding != "raw" && encoding != "base64") {
      return error(
          fmt::format("unknown encoding {} of the appended data", detail::in_quotes(encoding)),
          tag.line);
    }
    m_appended_base64 = encoding == "base64";
    TextCursor& cursor = m_scanner.cursor();
    cursor.skip_space();
    if (!cursor.take('_')) return cursor.expected("'_' before the appended data");
    m_appended = cursor.rest();
    if (m_appended_base64) m_appended = m_appended.substr(0, m_appended.find('<'));
    return {};
  }

  template <class T>
  Result<std::vector<T>> decode(const std::optional<Array>& array, std::string_view what) {
    if (!array) {
      return error(fmt::format("a piece of the grid has no usable array of {}", what), 0);
    }
    if (array->format == "ascii") return decode_text<T>(*array);
    const bool appended = array->format == "appended";
    if (appended && array->offset > m_appended.size()) {
      return error(fmt::format("the offset of the {} lies outside the appended data", what),
                   array->line);
    }
    const std::string_view source = appended ? m_appended.substr(array->offset) : array->text;
    auto bytes = detail::read_vtu_array({source, !appended || m_appended_base64}, m_layout);
    if (!bytes.ok()) return std::move(bytes).error().at(m_name, array->line);
    const std::size_t width = detail::size_of(array->type);
    if (bytes->size() % width != 0) {
      return error(fmt::format("the array of {} has {} bytes", what, bytes->size()), array->line);
    }
    std::vector<T> values(bytes->size() / width);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = detail::load_as<T>(array->type, bytes->data() + i * width, m_layout.order);
    }
    return values;
  }

  template <class T>
  Result<std::vector<T>> decode_text(const Array& array) {
    TextCursor cursor(array.text, m_name);
    std::vector<T> values;
    for (cursor.skip_space(); !cursor.at_end(); cursor.skip_space()) {
      T value{};
      bool good = false;
      if constexpr (std::is_same_v<T, double>) {
        good = cursor.take_real(value);
      } else {
        good = cursor.take_integer(value);
      }
      if (!good) {
        return error(
            fmt::format("expected a number, found {}", detail::in_quotes(cursor.take_word())),
            array.line + cursor.line_number() - 1);
      }
      values.push_back(value);
    }
    return values;
  }

  Result<void> check_size(std::size_t size, std::int64_t count, std::size_t components,
                          std::string_view what) {
    if (size % components == 0 && static_cast<std::int64_t>(size / components) == count) return {};
    return error(fmt::format("the piece has {} {}, but {} numbers for them", count, what, size), 0);
  }

  Result<void> append(const Piece& piece, bool with_regions, VtkGrid& grid) {
    SUPPLE_TRY(const auto positions, decode<double>(piece.positions, "points"));
    SUPPLE_TRY_VOID(check_size(positions.size(), piece.points, 3, "points"));
    if (piece.cells == 0) return {};  // partitioned files have empty pieces without arrays
    SUPPLE_TRY(const auto corners, decode<std::int64_t>(piece.connectivity, "connectivity"));
    SUPPLE_TRY(const auto ends, decode<std::int64_t>(piece.ends, "offsets"));
    SUPPLE_TRY(const auto types, decode<std::int64_t>(piece.types, "types"));
    SUPPLE_TRY_VOID(check_size(ends.size(), piece.cells, 1, "cells"));
    SUPPLE_TRY_VOID(check_size(types.size(), piece.cells, 1, "cells"));
    if (with_regions) {
      SUPPLE_TRY(const auto regions, decode<std::int64_t>(piece.regions, "regions"));
      SUPPLE_TRY_VOID(check_size(regions.size(), piece.cells, 1, "cells"));
      grid.regions.insert(grid.regions.end(), regions.begin(), regions.end());
    }
    // Range checks come before the shift to joint numbers, which could overflow or hide a bad
    // number.
    const auto first_point = static_cast<std::int64_t>(grid.points.size() / 3);
    const auto first_corner = static_cast<std::int64_t>(grid.connectivity.size());
    for (const std::int64_t corner : corners) {
      if (corner < 0 || corner >= piece.points) {
        return error(
            fmt::format("a cell names point {}, but the piece has {} points", corner, piece.points),
            piece.connectivity->line);
      }
      grid.connectivity.push_back(corner + first_point);
    }
    for (const std::int64_t end : ends) {
      if (end < 0 || end > static_cast<std::int64_t>(corners.size())) {
        return error(fmt::format("the cell offset {} lies outside 0..{}", end, corners.size()),
                     piece.ends->line);
      }
      grid.ends.push_back(end + first_corner);
    }
    grid.points.insert(grid.points.end(), positions.begin(), positions.end());
    grid.types.insert(grid.types.end(), types.begin(), types.end());
    return {};
  }

  [[nodiscard]] Error error(std::string message, std::size_t line) const {
    return bad_input(std::move(message)).at(m_name, line);
  }

  detail::XmlScanner m_scanner;
  std::string_view m_name;
  std::string_view m_section;
  std::vector<Piece> m_pieces;
  detail::VtuLayout m_layout;
  std::string_view m_appended;
  bool m_appended_base64 = false;
  bool m_closed = false;
};

}  // namespace

Result<geometry::TetMesh> read_vtu(std::span<const std::byte> bytes, std::string_view name) {
  return VtuReader(bytes, name).run();
}

}  // namespace supple::io
