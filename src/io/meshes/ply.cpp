// SPDX-License-Identifier: Apache-2.0
#include "supple/io/surface.hpp"

#include "io/binary.hpp"
#include "io/meshes/polygon.hpp"
#include "io/text_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace supple::io {
namespace {

using detail::Scalar;
using detail::TextCursor;
using geometry::Index;
using geometry::Vec3;

constexpr auto kMaxPlyIndex = static_cast<std::int64_t>(std::numeric_limits<Index>::max());

struct Property {
  std::string name;
  Scalar type = Scalar::Float32;
  std::optional<Scalar> count_type;  ///< present for lists
};

struct Element {
  std::string name;
  std::int64_t count = 0;
  std::vector<Property> properties;
  bool has_lists = false;

  [[nodiscard]] int find(std::string_view property) const {
    for (std::size_t i = 0; i < properties.size(); ++i) {
      if (properties[i].name == property) return static_cast<int>(i);
    }
    return -1;
  }
  /// The fewest bytes that one item can take.
  [[nodiscard]] std::size_t least_size(bool ascii) const {
    std::size_t size = 0;
    for (const Property& property : properties) {
      size += ascii ? 2 : detail::size_of(property.count_type.value_or(property.type));
    }
    return size;
  }
};

struct Header {
  bool ascii = true;
  std::endian order = std::endian::little;
  std::vector<Element> elements;
};

std::optional<Scalar> scalar_type(std::string_view name) {
  using Entry = std::pair<std::string_view, Scalar>;
  static constexpr std::array<Entry, 16> kNames{{{"char", Scalar::Int8},
                                                 {"int8", Scalar::Int8},
                                                 {"uchar", Scalar::UInt8},
                                                 {"uint8", Scalar::UInt8},
                                                 {"short", Scalar::Int16},
                                                 {"int16", Scalar::Int16},
                                                 {"ushort", Scalar::UInt16},
                                                 {"uint16", Scalar::UInt16},
                                                 {"int", Scalar::Int32},
                                                 {"int32", Scalar::Int32},
                                                 {"uint", Scalar::UInt32},
                                                 {"uint32", Scalar::UInt32},
                                                 {"float", Scalar::Float32},
                                                 {"float32", Scalar::Float32},
                                                 {"double", Scalar::Float64},
                                                 {"float64", Scalar::Float64}}};
  for (const Entry& entry : kNames) {
    if (entry.first == name) return entry.second;
  }
  return std::nullopt;
}

class HeaderReader {
 public:
  explicit HeaderReader(TextCursor& cursor) : m_cursor(cursor) {}

  Result<Header> run() {
    if (detail::trim(m_cursor.take_line()) != "ply") {
      return bad_input("not a PLY file: it does not begin with 'ply'").at(m_cursor.name(), 1, 1);
    }
    bool has_format = false;
    while (!m_cursor.at_end()) {
      const std::string_view keyword = m_cursor.take_word_in_line();
      if (keyword == "end_header") {
        m_cursor.next_line();
        if (!has_format) return m_cursor.error("the PLY header has no 'format' line");
        return std::move(m_header);
      }
      if (keyword == "format") {
        SUPPLE_TRY_VOID(read_format());
        has_format = true;
      } else if (keyword == "element") {
        SUPPLE_TRY_VOID(read_element());
      } else if (keyword == "property") {
        SUPPLE_TRY_VOID(read_property());
      } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
        return m_cursor.error(
            fmt::format("unknown PLY header keyword {}", detail::in_quotes(keyword)));
      }
      m_cursor.next_line();
    }
    return m_cursor.error("the PLY header has no 'end_header'");
  }

 private:
  Result<void> read_format() {
    const std::string_view format = m_cursor.take_word_in_line();
    m_header.ascii = format == "ascii";
    m_header.order = format == "binary_big_endian" ? std::endian::big : std::endian::little;
    if (!m_header.ascii && format != "binary_little_endian" && format != "binary_big_endian") {
      return m_cursor.error(fmt::format("unknown PLY format {}", detail::in_quotes(format)));
    }
    return {};
  }

  Result<void> read_element() {
    Element element;
    element.name = m_cursor.take_word_in_line();
    m_cursor.skip_blanks();
    if (!m_cursor.take_integer(element.count) || element.count < 0) {
      return m_cursor.expected("the number of elements");
    }
    m_header.elements.push_back(std::move(element));
    return {};
  }

  Result<Scalar> read_type() {
    const std::string_view word = m_cursor.take_word_in_line();
    if (const auto type = scalar_type(word)) return *type;
    return m_cursor.error(fmt::format("unknown PLY type {}", detail::in_quotes(word)));
  }

  Result<void> read_property() {
    if (m_header.elements.empty()) return m_cursor.error("'property' before the first 'element'");
    Element& element = m_header.elements.back();
    Property property;
    TextCursor ahead = m_cursor;
    if (ahead.take_word_in_line() == "list") {
      m_cursor = ahead;
      SUPPLE_TRY(const Scalar count_type, read_type());
      if (!detail::is_integer(count_type)) {
        return m_cursor.error("the length of a list must be an integer");
      }
      property.count_type = count_type;
      element.has_lists = true;
    }
    SUPPLE_TRY(property.type, read_type());
    property.name = m_cursor.take_word_in_line();
    if (property.name.empty()) return m_cursor.expected("the property's name");
    element.properties.push_back(std::move(property));
    return {};
  }

  TextCursor& m_cursor;
  Header m_header;
};

class BodyReader {
 public:
  BodyReader(TextCursor& cursor, const Header& header) : m_cursor(cursor), m_header(header) {}

  Result<MarkedSurface> run() {
    bool has_vertices = false;
    for (const Element& element : m_header.elements) {
      // Nothing to read per item: a count of 10^18 must not become a loop.
      if (element.properties.empty()) continue;
      const std::size_t least = std::max<std::size_t>(element.least_size(m_header.ascii), 1);
      if (static_cast<std::size_t>(element.count) > (m_cursor.remaining() + 1) / least) {
        return m_cursor.error(
            fmt::format("the file ends before its {} items of '{}'", element.count, element.name));
      }
      if (element.name == "vertex" && !has_vertices) {
        has_vertices = true;
        SUPPLE_TRY_VOID(read_vertices(element));
      } else if (element.name == "face") {
        SUPPLE_TRY_VOID(read_faces(element));
      } else {
        SUPPLE_TRY_VOID(skip(element));
      }
    }
    return finish();
  }

 private:
  Result<double> read_scalar(Scalar type) {
    double value = 0;
    if (m_header.ascii) {
      if (!m_cursor.next_real(value)) return m_cursor.expected("a number");
      return value;
    }
    std::span<const std::byte> bytes;
    if (!m_cursor.take_bytes(detail::size_of(type), bytes)) return ended();
    return detail::load_as<double>(type, bytes.data(), m_header.order);
  }

  Result<std::int64_t> read_integer(Scalar type) {
    std::int64_t value = 0;
    if (m_header.ascii) {
      if (!m_cursor.next_integer(value)) return m_cursor.expected("an integer");
      return value;
    }
    std::span<const std::byte> bytes;
    if (!m_cursor.take_bytes(detail::size_of(type), bytes)) return ended();
    return detail::load_as<std::int64_t>(type, bytes.data(), m_header.order);
  }

  Result<void> read_vertices(const Element& element) {
    const std::array<int, 3> axes{element.find("x"), element.find("y"), element.find("z")};
    for (const int axis : axes) {
      if (axis < 0 || element.properties[static_cast<std::size_t>(axis)].count_type) {
        return bad_input("the PLY vertices lack a scalar property x, y or z").at(m_cursor.name());
      }
    }
    if (element.count > kMaxPlyIndex) return m_cursor.error("more than 2^31 - 1 vertices");
    const Channels channels = find_channels(element);
    m_mesh.positions.reserve(static_cast<std::size_t>(element.count));
    for (std::int64_t i = 0; i < element.count; ++i) {
      Vec3 point = Vec3::Zero();
      Vec3 colour = Vec3::Zero();
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        const Property& property = element.properties[p];
        if (property.count_type) {
          SUPPLE_TRY_VOID(skip_list(property));
          continue;
        }
        SUPPLE_TRY(const double value, read_scalar(property.type));
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (axes[axis] == static_cast<int>(p)) point[static_cast<Index>(axis)] = value;
          if (channels.places[axis] == static_cast<int>(p)) {
            colour[static_cast<Index>(axis)] = value / channels.largest;
          }
        }
      }
      if (!point.allFinite()) {
        return place(fmt::format("vertex {} has a coordinate that is not finite", i));
      }
      m_mesh.positions.push_back(point);
      if (channels.found && colour.allFinite()) {
        m_colours.resize(m_mesh.positions.size() - 1, Vec3::Zero());
        m_colours.push_back(colour);
      }
    }
    if (channels.found) m_colours.resize(m_mesh.positions.size(), Vec3::Zero());
    return {};
  }

  /// The properties of a vertex colour, and the value that means full intensity.
  struct Channels {
    bool found = false;
    std::array<int, 3> places{-1, -1, -1};
    double largest = 1;
  };
  static Channels find_channels(const Element& element) {
    Channels channels{true, {element.find("red"), element.find("green"), element.find("blue")}, 1};
    for (const int place : channels.places) {
      if (place < 0 || element.properties[static_cast<std::size_t>(place)].count_type) return {};
    }
    const Scalar type = element.properties[static_cast<std::size_t>(channels.places[0])].type;
    if (detail::is_integer(type)) channels.largest = detail::size_of(type) == 1 ? 255 : 65535;
    return channels;
  }

  Result<void> read_faces(const Element& element) {
    int corners = element.find("vertex_indices");
    if (corners < 0) corners = element.find("vertex_index");
    if (corners < 0) return skip(element);
    const Property& list = element.properties[static_cast<std::size_t>(corners)];
    if (!list.count_type || !detail::is_integer(list.type)) {
      return bad_input(fmt::format("'{}' of the PLY faces must be a list of integers", list.name))
          .at(m_cursor.name());
    }
    for (std::int64_t i = 0; i < element.count; ++i) {
      for (const Property& property : element.properties) {
        if (&property == &list) {
          SUPPLE_TRY_VOID(read_corners(list, i));
        } else if (property.count_type) {
          SUPPLE_TRY_VOID(skip_list(property));
        } else {
          SUPPLE_TRY([[maybe_unused]] const double ignored, read_scalar(property.type));
        }
      }
    }
    return {};
  }

  Result<void> read_corners(const Property& list, std::int64_t face) {
    SUPPLE_TRY(const std::size_t count, read_list_length(list));
    for (std::size_t k = 0; k < count; ++k) {
      SUPPLE_TRY(const std::int64_t index, read_integer(list.type));
      if (index < 0 || index > kMaxPlyIndex) {
        return place(fmt::format("face {} names vertex {}, which cannot exist", face, index));
      }
      if (index > m_highest) {
        m_highest = index;
        m_highest_face = face;
      }
      m_corners.push_back(static_cast<Index>(index));
    }
    m_face_ends.push_back(m_corners.size());
    return {};
  }

  Result<std::size_t> read_list_length(const Property& list) {
    SUPPLE_TRY(const std::int64_t length, read_integer(*list.count_type));
    const std::size_t least = m_header.ascii ? 2 : detail::size_of(list.type);
    if (length < 0 || static_cast<std::size_t>(length) > (m_cursor.remaining() + 1) / least) {
      return place(
          fmt::format("a list of '{}' with {} items does not fit in the file", list.name, length));
    }
    return static_cast<std::size_t>(length);
  }

  Result<void> skip_list(const Property& list) {
    SUPPLE_TRY(const std::size_t length, read_list_length(list));
    for (std::size_t k = 0; k < length; ++k) {
      SUPPLE_TRY([[maybe_unused]] const double ignored, read_scalar(list.type));
    }
    return {};
  }

  Result<void> skip(const Element& element) {
    if (!m_header.ascii && !element.has_lists) {
      std::span<const std::byte> ignored;
      const std::size_t size = static_cast<std::size_t>(element.count) * element.least_size(false);
      if (!m_cursor.take_bytes(size, ignored)) return ended();
      return {};
    }
    for (std::int64_t i = 0; i < element.count; ++i) {
      for (const Property& property : element.properties) {
        if (property.count_type) {
          SUPPLE_TRY_VOID(skip_list(property));
        } else {
          SUPPLE_TRY([[maybe_unused]] const double ignored, read_scalar(property.type));
        }
      }
    }
    return {};
  }

  Result<MarkedSurface> finish() {
    if (m_highest >= static_cast<std::int64_t>(m_mesh.positions.size())) {
      return bad_input(fmt::format("face {} names vertex {}, but the file has {} vertices",
                                   m_highest_face, m_highest, m_mesh.positions.size()))
          .at(m_cursor.name());
    }
    std::size_t begin = 0;
    for (const std::size_t end : m_face_ends) {
      detail::triangulate(m_mesh.positions, std::span(m_corners).subspan(begin, end - begin),
                          m_mesh.triangles);
      begin = end;
    }
    if (m_mesh.triangles.empty()) {
      return bad_input("the PLY file has no faces: point clouds have no surface")
          .at(m_cursor.name());
    }
    return MarkedSurface{std::move(m_mesh), std::move(m_colours), {}};
  }

  [[nodiscard]] Error ended() const { return place("the file ends too early"); }
  /// In binary data the offset is meaningful, not the line.
  [[nodiscard]] Error place(std::string message) const {
    if (m_header.ascii) return m_cursor.error(std::move(message));
    return bad_input(fmt::format("{} (at byte {})", message, m_cursor.offset()))
        .at(m_cursor.name());
  }

  TextCursor& m_cursor;
  const Header& m_header;
  geometry::TriMesh m_mesh;
  std::vector<Index> m_corners;
  std::vector<std::size_t> m_face_ends;
  std::vector<Vec3> m_colours;
  std::int64_t m_highest = -1;
  std::int64_t m_highest_face = 0;
};

}  // namespace

Result<geometry::TriMesh> read_ply(std::span<const std::byte> bytes, std::string_view name) {
  SUPPLE_TRY(MarkedSurface surface, read_marked_ply(bytes, name));
  return std::move(surface.mesh);
}

Result<MarkedSurface> read_marked_ply(std::span<const std::byte> bytes, std::string_view name) {
  TextCursor cursor(as_text(bytes), name);
  SUPPLE_TRY(const Header header, HeaderReader(cursor).run());
  return BodyReader(cursor, header).run();
}

Bytes write_ply(const geometry::TriMesh& mesh) {
  Bytes out;
  detail::append_text(out, fmt::format("ply\nformat binary_little_endian 1.0\ncomment Supple\n"
                                       "element vertex {}\nproperty double x\nproperty double y\n"
                                       "property double z\nelement face {}\n"
                                       "property list uchar int vertex_indices\nend_header\n",
                                       mesh.positions.size(), mesh.triangles.size()));
  out.reserve(out.size() + mesh.positions.size() * 24 + mesh.triangles.size() * 13);
  for (const Vec3& point : mesh.positions) {
    for (const double coordinate : point) detail::append_little(out, coordinate);
  }
  for (const geometry::Triangle& triangle : mesh.triangles) {
    detail::append_little(out, std::uint8_t{3});
    for (const Index index : triangle) detail::append_little(out, index);
  }
  return out;
}

}  // namespace supple::io
