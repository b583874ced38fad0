// SPDX-License-Identifier: Apache-2.0
#include "supple/io/surface.hpp"

#include "io/binary.hpp"
#include "io/text_cursor.hpp"

#include "supple/core/log.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace supple::io {
namespace {

using detail::TextCursor;
using geometry::Index;
using geometry::Vec3;

constexpr std::size_t kStlHeaderSize = 84;  // 80 bytes of comment and the number of triangles
constexpr std::size_t kTriangleSize = 50;
constexpr std::size_t kMaxTriangles = std::numeric_limits<Index>::max() / 3;

std::size_t binary_triangles(std::span<const std::byte> bytes) {
  return detail::load<std::uint32_t>(bytes.data() + 80, std::endian::little);
}

/// Many binary files begin with "solid" too. A size that matches to the byte is binary; otherwise a
/// file is text if it starts with "solid" and mentions a facet or the end before any binary data.
bool is_binary(std::span<const std::byte> bytes) {
  if (bytes.size() >= kStlHeaderSize &&
      bytes.size() == kStlHeaderSize + kTriangleSize * binary_triangles(bytes)) {
    return true;
  }
  TextCursor start(as_text(bytes), {});
  if (detail::to_upper(start.take_word()) != "SOLID") return bytes.size() >= kStlHeaderSize;
  const std::string_view text = start.rest().substr(0, 1024);
  return text.find('\0') != std::string_view::npos;
}

// Minus zero becomes zero: both mean the same point.
Vec3 without_minus_zero(const Vec3& point) {
  return point.array() + 0.0;
}

void add_triangle(geometry::TriMesh& mesh, const std::array<Vec3, 3>& corners) {
  const auto first = static_cast<Index>(mesh.positions.size());
  for (const Vec3& corner : corners) mesh.positions.push_back(without_minus_zero(corner));
  mesh.triangles.push_back({first, first + 1, first + 2});
}

Result<geometry::TriMesh> read_binary(std::span<const std::byte> bytes, std::string_view name) {
  const std::size_t count = binary_triangles(bytes);
  const std::size_t present = (bytes.size() - kStlHeaderSize) / kTriangleSize;
  if (count > present) {
    return bad_input(fmt::format("the binary STL file announces {} triangles but ends after {}",
                                 count, present))
        .at(name);
  }
  if (count > kMaxTriangles) return bad_input("too many triangles for one mesh").at(name);
  if (bytes.size() != kStlHeaderSize + kTriangleSize * count) {
    log::warn("{}: ignored {} bytes after the last triangle", name,
              bytes.size() - kStlHeaderSize - kTriangleSize * count);
  }
  geometry::TriMesh mesh;
  mesh.positions.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    const std::byte* at =
        bytes.data() + kStlHeaderSize + kTriangleSize * t + 12;  // past the normal
    std::array<Vec3, 3> corners;
    for (Vec3& corner : corners) {
      for (double& coordinate : corner.reshaped()) {
        coordinate = static_cast<double>(detail::load<float>(at, std::endian::little));
        at += sizeof(float);
      }
      if (!corner.allFinite()) {
        return bad_input(fmt::format("triangle {} of {} has a coordinate that is not finite", t + 1,
                                     count))
            .at(name);
      }
    }
    add_triangle(mesh, corners);
  }
  return mesh;
}

class AsciiStl {
 public:
  AsciiStl(std::span<const std::byte> bytes, std::string_view name)
      : m_cursor(as_text(bytes), name) {}

  Result<geometry::TriMesh> run() {
    while (true) {
      const std::string word = detail::to_upper(m_cursor.take_word());
      if (word.empty()) break;
      if (word == "SOLID" || word == "ENDSOLID") {
        m_inside = word == "SOLID";
        m_cursor.next_line();  // the rest is the solid's name
      } else if (word == "FACET" && m_inside) {
        SUPPLE_TRY_VOID(read_facet());
      } else {
        return m_cursor.error(fmt::format("expected 'solid', 'facet' or 'endsolid', found {}",
                                          detail::in_quotes(word)));
      }
    }
    if (m_inside) return m_cursor.error("the file ends inside a solid: 'endsolid' is missing");
    return std::move(m_mesh);
  }

 private:
  Result<void> expect(std::string_view wanted) {
    TextCursor ahead = m_cursor;
    if (detail::to_upper(ahead.take_word()) != wanted) {
      m_cursor.skip_space();
      return m_cursor.expected(fmt::format("'{}'", wanted));
    }
    m_cursor = ahead;
    return {};
  }

  Result<Vec3> read_vector(bool must_be_finite) {
    Vec3 vector;
    for (double& coordinate : vector.reshaped()) {
      if (!m_cursor.next_real(coordinate)) return m_cursor.expected("a coordinate");
    }
    if (must_be_finite && !vector.allFinite()) {
      return m_cursor.error("a coordinate is not finite");
    }
    return vector;
  }

  Result<void> read_facet() {
    if (m_mesh.triangles.size() == kMaxTriangles) {
      return m_cursor.error("too many triangles for one mesh");
    }
    SUPPLE_TRY_VOID(expect("NORMAL"));
    // Degenerate facets have "nan" normals, which are not needed.
    SUPPLE_TRY([[maybe_unused]] const Vec3 normal, read_vector(false));
    SUPPLE_TRY_VOID(expect("OUTER"));
    SUPPLE_TRY_VOID(expect("LOOP"));
    std::array<Vec3, 3> corners;
    for (Vec3& corner : corners) {
      SUPPLE_TRY_VOID(expect("VERTEX"));
      SUPPLE_TRY(corner, read_vector(true));
    }
    SUPPLE_TRY_VOID(expect("ENDLOOP"));
    SUPPLE_TRY_VOID(expect("ENDFACET"));
    add_triangle(m_mesh, corners);
    return {};
  }

  TextCursor m_cursor;
  geometry::TriMesh m_mesh;
  bool m_inside = false;
};

}  // namespace

Result<geometry::TriMesh> read_stl(std::span<const std::byte> bytes, std::string_view name) {
  const bool binary = is_binary(bytes);
  if (binary && bytes.size() < kStlHeaderSize) {
    return bad_input("the STL file ends inside its header").at(name);
  }
  SUPPLE_TRY(geometry::TriMesh soup,
             binary ? read_binary(bytes, name) : AsciiStl(bytes, name).run());
  geometry::TriMesh mesh = geometry::weld(soup).mesh;
  if (mesh.triangles.empty()) {
    return bad_input("the STL file has no triangles of non-zero size").at(name);
  }
  return mesh;
}

}  // namespace supple::io
