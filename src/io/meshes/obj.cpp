// SPDX-License-Identifier: Apache-2.0
#include "supple/io/surface.hpp"

#include "io/meshes/polygon.hpp"
#include "io/text_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::io {
namespace {

using detail::TextCursor;
using geometry::Index;
using geometry::Vec3;

constexpr auto kMaxObjIndex = static_cast<std::int64_t>(std::numeric_limits<Index>::max());

/// Faces may come before their vertices, so polygons are kept until the whole file is read.
class ObjReader {
 public:
  ObjReader(std::span<const std::byte> bytes, std::string_view name)
      : m_cursor(as_text(bytes), name) {}

  Result<MarkedSurface> run() {
    for (; !m_cursor.at_end(); m_cursor.next_line()) {
      const std::string_view keyword = m_cursor.take_word_in_line();
      if (keyword == "v") {
        SUPPLE_TRY_VOID(read_vertex());
      } else if (keyword == "f" || keyword == "fo") {
        SUPPLE_TRY_VOID(read_face());
      } else if (keyword == "g") {
        read_groups();
      } else {
        while (continues()) m_cursor.next_line();
      }
    }
    return finish();
  }

 private:
  // A backslash as the last character of a line joins the next one to it.
  bool continues() {
    const std::string_view rest = m_cursor.rest();
    std::string_view line = rest.substr(0, rest.find('\n'));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line.size() < rest.size() && !line.empty() && line.back() == '\\';
  }

  // Blanks and joined lines; false at the true end of the line.
  bool more_in_line() {
    m_cursor.skip_blanks();
    while (m_cursor.peek() == '\\' && continues()) {
      TextCursor ahead = m_cursor;
      if (!detail::trim(ahead.take_line()).starts_with('\\')) return true;
      m_cursor = ahead;
      m_cursor.skip_blanks();
    }
    return !m_cursor.at_line_end();
  }

  Result<void> read_vertex() {
    if (static_cast<std::int64_t>(m_mesh.positions.size()) == kMaxObjIndex) {
      return m_cursor.error("more than 2^31 - 1 vertices");
    }
    Vec3 point;
    for (double& coordinate : point.reshaped()) {
      if (!more_in_line() || !m_cursor.take_real(coordinate)) {
        return m_cursor.expected("a coordinate");
      }
      if (!std::isfinite(coordinate)) {
        return m_cursor.error(fmt::format("vertex {} has a coordinate that is not finite",
                                          m_mesh.positions.size() + 1));
      }
    }
    m_mesh.positions.push_back(point);
    read_colour();
    while (continues()) m_cursor.next_line();
    return {};
  }

  // Either nothing, a weight, or three numbers for the colour.
  void read_colour() {
    Vec3 colour = Vec3::Zero();
    for (double& channel : colour.reshaped()) {
      if (!more_in_line() || !m_cursor.take_real(channel)) return;
    }
    if (!colour.allFinite()) return;
    m_colours.resize(m_mesh.positions.size() - 1, Vec3::Zero());
    m_colours.push_back(colour);
  }

  // The following faces belong to these groups; a line without names means none.
  void read_groups() {
    m_open_groups.clear();
    while (more_in_line()) {
      const std::string_view name = m_cursor.take_word_in_line();
      if (name.empty()) break;
      m_open_groups.emplace_back(name);
    }
  }

  Result<void> read_face() {
    const std::size_t first = m_corners.size();
    while (more_in_line()) {
      std::int64_t index = 0;
      if (!m_cursor.take_integer(index)) return m_cursor.expected("a vertex index");
      SUPPLE_TRY_VOID(skip_texture_and_normal());
      const auto count = static_cast<std::int64_t>(m_mesh.positions.size());
      if (index == 0 || index > kMaxObjIndex || index < -count) {
        return m_cursor.error(fmt::format(
            "vertex index {} is out of range: the file has {} vertices up to here", index, count));
      }
      index = index > 0 ? index - 1 : count + index;
      if (index > m_highest) {
        m_highest = index;
        m_highest_line = m_cursor.line_number();
      }
      m_corners.push_back(static_cast<Index>(index));
    }
    if (m_corners.size() - first < 3) return m_cursor.error("a face needs at least 3 vertices");
    m_face_ends.push_back(m_corners.size());
    for (const std::string& group : m_open_groups) {
      m_groups[group].insert(m_groups[group].end(),
                             m_corners.begin() + static_cast<std::ptrdiff_t>(first),
                             m_corners.end());
    }
    return {};
  }

  // "7", "7/1", "7/1/2", "7//2": only the first number matters.
  Result<void> skip_texture_and_normal() {
    std::int64_t ignored = 0;
    for (int i = 0; i < 2 && m_cursor.take('/'); ++i) {
      if (m_cursor.peek() != '/' && !m_cursor.take_integer(ignored) && i == 1) {
        return m_cursor.expected("a normal index");
      }
    }
    const char next = m_cursor.peek();
    const bool ended =
        m_cursor.at_line_end() || next == ' ' || next == '\t' || next == '\r' || next == '\\';
    if (!ended) return m_cursor.expected("a vertex index such as 7, 7/1, 7/1/2 or 7//2");
    return {};
  }

  Result<MarkedSurface> finish() {
    const std::size_t count = m_mesh.positions.size();
    if (m_highest >= static_cast<std::int64_t>(count)) {
      return bad_input(fmt::format("vertex index {} is out of range: the file has {} vertices",
                                   m_highest + 1, count))
          .at(m_cursor.name(), m_highest_line);
    }
    std::size_t begin = 0;
    for (const std::size_t end : m_face_ends) {
      detail::triangulate(m_mesh.positions, std::span(m_corners).subspan(begin, end - begin),
                          m_mesh.triangles);
      begin = end;
    }
    if (m_mesh.triangles.empty()) {
      return bad_input("the OBJ file has no faces").at(m_cursor.name());
    }
    if (!m_colours.empty()) m_colours.resize(count, Vec3::Zero());
    for (auto& [name, members] : m_groups) {
      std::sort(members.begin(), members.end());
      members.erase(std::unique(members.begin(), members.end()), members.end());
    }
    return MarkedSurface{std::move(m_mesh), std::move(m_colours), std::move(m_groups)};
  }

  TextCursor m_cursor;
  geometry::TriMesh m_mesh;
  std::vector<Index> m_corners;
  std::vector<std::size_t> m_face_ends;
  std::vector<Vec3> m_colours;
  std::vector<std::string> m_open_groups;
  std::map<std::string, std::vector<Index>> m_groups;
  std::int64_t m_highest = -1;
  std::size_t m_highest_line = 0;
};

}  // namespace

Result<geometry::TriMesh> read_obj(std::span<const std::byte> bytes, std::string_view name) {
  SUPPLE_TRY(MarkedSurface surface, read_marked_obj(bytes, name));
  return std::move(surface.mesh);
}

Result<MarkedSurface> read_marked_obj(std::span<const std::byte> bytes, std::string_view name) {
  return ObjReader(bytes, name).run();
}

}  // namespace supple::io
