// SPDX-License-Identifier: Apache-2.0
#include "reader.hpp"
#include "shapes.hpp"

namespace supple::player {
namespace {

using format::kBlock;

/// Of a rotation's or a similarity's columns, relative.
constexpr double kRigid = 1e-3;

/// Whether the columns of a 3 x 4 matrix by rows are `scale` long (0: all alike), at right angles
/// to each other and not mirrored.
bool is_similarity(const std::array<double, 12>& m, double scale) {
  const Vec3 c[3] = {{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}};
  const double size = scale > 0 ? scale : length(c[0]);
  if (!(size > 0) || !(dot(cross(c[0], c[1]), c[2]) > 0)) return false;
  const double square = size * size;
  for (int i = 0; i < 3; ++i) {
    const double along = dot(c[i], c[i]) / square - 1;
    const double across = dot(c[i], c[(i + 1) % 3]) / square;
    if (!(along >= -kRigid && along <= kRigid && across >= -kRigid && across <= kRigid)) {
      return false;
    }
  }
  return true;
}

/// The range of numbers that shells take one after the other.
struct Range {
  std::uint64_t next = 0, end = 0;

  [[nodiscard]] bool take(std::uint64_t first, std::uint64_t count) {
    if (first != next || count > end - next) return false;
    next += count;
    return true;
  }
};

class ShellReader {
 public:
  explicit ShellReader(supple_asset& asset) : m_asset(asset) {}

  [[nodiscard]] bool read(const Table& table);

 private:
  [[nodiscard]] bool view(const Table& table);
  [[nodiscard]] bool check(const format::Shell& shell);
  [[nodiscard]] bool check_media(const Table& table, std::uint64_t shells);
  [[nodiscard]] bool check_points(const format::Shell& shell);
  [[nodiscard]] bool check_attachments(const format::Shell& shell);
  [[nodiscard]] bool check_strain(const format::Shell& shell);
  [[nodiscard]] bool check_factor(const std::uint32_t* starts, const std::uint32_t* rows,
                                  std::uint32_t columns, std::uint32_t entries,
                                  const double* values) const;

  supple_asset& m_asset;
  std::uint64_t m_text_size = 0;
  Range m_rows, m_attachments, m_strain, m_factors;
};

bool ShellReader::view(const Table& table) {
  std::uint64_t shells = 0;
  std::uint64_t numbers = 0;
  if (!table.list(format::kShellSection, m_asset.shells, shells) ||
      !table.list(format::kPointSection, m_asset.point_rows, numbers) ||
      !table.list(format::kAttachmentSection, m_asset.attachments, m_attachments.end)) {
    return false;
  }
  if (shells > m_asset.summary->object_count || numbers % kBlock != 0 ||
      m_attachments.end > format::kNone) {
    return false;
  }
  m_asset.shell_count = static_cast<std::uint32_t>(shells);
  m_asset.attachment_count = static_cast<std::uint32_t>(m_attachments.end);
  m_rows.end = numbers / kBlock;
  if (table.find(format::kStrainSection) != nullptr &&
      (!table.list(format::kStrainSection, m_asset.strain, m_strain.end) ||
       !table.list(format::kFactorSection, m_asset.factors, m_factors.end))) {
    return false;
  }
  if (table.find(format::kMediumSection) != nullptr && !check_media(table, shells)) return false;
  m_text_size = table.find(format::kTextSection)->size;
  return sane(m_asset.point_rows, static_cast<std::size_t>(numbers)) &&
         sane(m_asset.factors, static_cast<std::size_t>(m_factors.end));
}

bool ShellReader::check_media(const Table& table, std::uint64_t shells) {
  std::uint64_t count = 0;
  if (!table.list(format::kMediumSection, m_asset.media, count) || count != shells) return false;
  bool good = true;
  for (std::uint64_t i = 0; i < count; ++i) {
    const format::Medium& medium = m_asset.media[i];
    good &= medium.density >= 0 && sane(medium.density) && sane(medium.weight);
  }
  return good;
}

bool ShellReader::check_points(const format::Shell& shell) {
  const std::uint64_t modes = m_asset.objects[shell.object].mode_count;
  const std::uint64_t blocks = (shell.point_count + std::uint64_t{kBlock - 1}) / kBlock;
  const std::uint64_t rows = format::kPointRows + format::kRows * modes;
  if (blocks > m_rows.end / rows || !m_rows.take(shell.first_point_row, blocks * rows)) {
    return false;
  }
  const float* numbers = m_asset.point_rows + std::size_t{shell.first_point_row} * kBlock;
  bool good = true;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const float* masses = numbers + (block * rows + 3) * kBlock;
    for (std::size_t i = 0; i < kBlock; ++i) good &= masses[i] >= 0;
  }
  return good;
}

bool ShellReader::check_attachments(const format::Shell& shell) {
  if (!m_attachments.take(shell.first_attachment, shell.attachment_count)) return false;
  constexpr std::uint32_t kAll = format::kHandlePosition | format::kHandleOrientation;
  for (std::uint32_t i = 0; i < shell.attachment_count; ++i) {
    const format::Attachment& a = m_asset.attachments[shell.first_attachment + i];
    if (a.vertex >= m_asset.summary->vertex_count ||
        entry_of(m_asset, a.vertex, shell.object) == nullptr) {
      return false;
    }
    if (a.components == 0 || (a.components & ~kAll) != 0) return false;
    if (!(a.stiffness >= 0) || !sane(a.stiffness) || !sane(a.rest.data(), 3)) return false;
    if (!sane(a.bone_from_frame.data(), 12) || !is_similarity(a.bone_from_frame, 1)) return false;
    if (!check_text(m_asset.text, a.bone, m_text_size)) return false;
  }
  return true;
}

bool all_below(const std::uint32_t* numbers, std::size_t count, std::uint32_t end) {
  bool good = true;
  for (std::size_t i = 0; i < count; ++i) good &= numbers[i] < end;
  return good;
}

/// A lower triangle by columns with a positive diagonal that comes first.
bool ShellReader::check_factor(const std::uint32_t* starts, const std::uint32_t* rows,
                               std::uint32_t columns, std::uint32_t entries,
                               const double* values) const {
  if (starts[0] != 0 || starts[columns] != entries) return false;
  for (std::uint32_t column = 0; column < columns; ++column) {
    const std::uint32_t first = starts[column];
    const std::uint32_t end = starts[column + 1];
    if (first >= end || end > entries || rows[first] != column) return false;
    if (!(values[first] >= 1 / kLargest)) return false;
    for (std::uint32_t i = first + 1; i < end; ++i) {
      if (rows[i] <= column || rows[i] >= columns) return false;
    }
  }
  return true;
}

bool ShellReader::check_strain(const format::Shell& shell) {
  if (shell.strain == format::kNone) return shell.factor == format::kNone;
  if (m_strain.end - m_strain.next < kStrainCounts || shell.strain != m_strain.next) return false;
  const StrainView v = strain_view(m_asset, shell);
  const std::uint64_t numbers = kStrainCounts + 2 * std::uint64_t{v.vertices} + v.nodes +
                                3 * std::uint64_t{v.triangles} + v.free_nodes + 1 + v.entries;
  if (!m_strain.take(shell.strain, numbers)) return false;
  if (!m_factors.take(shell.factor, 3 * std::uint64_t{v.triangles} + v.entries)) return false;
  if (v.free_nodes > v.nodes) return false;
  const std::uint32_t most = m_asset.summary->vertex_count;
  if (!all_below(v.vertex, v.vertices, most) || !all_below(v.node_of_vertex, v.vertices, v.nodes) ||
      !all_below(v.vertex_of_node, v.nodes, most) ||
      !all_below(v.corners, 3 * std::size_t{v.triangles}, v.nodes)) {
    return false;
  }
  return check_factor(v.starts, v.rows, v.free_nodes, v.entries, v.values);
}

bool ShellReader::check(const format::Shell& shell) {
  const bool sizes = shell.size >= 1 / kLargest && sane(shell.size) &&
                     shell.follow_turn >= 1 / kLargest && sane(shell.follow_turn) &&
                     sane(shell.point_error);
  const format::Object& object = m_asset.objects[shell.object];
  return sizes && object.mode_count <= format::kMostShellModes &&
         object.coriolis == format::kNone && is_similarity(object.frame_from_bind, 0) &&
         check_points(shell) && check_attachments(shell) && check_strain(shell);
}

bool ShellReader::read(const Table& table) {
  if (!view(table)) return false;
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < m_asset.summary->object_count; ++i) {
    if (m_asset.objects[i].kind != format::Kind::Shell) continue;
    if (next == m_asset.shell_count || m_asset.shells[next].object != i) return false;
    if (!check(m_asset.shells[next++])) return false;
  }
  return next == m_asset.shell_count && m_rows.next == m_rows.end &&
         m_attachments.next == m_attachments.end && m_strain.next == m_strain.end &&
         m_factors.next == m_factors.end;
}

}  // namespace

bool read_shells(const Table& table, supple_asset& asset) {
  bool any = false;
  for (std::uint32_t i = 0; i < asset.summary->object_count; ++i) {
    any |= asset.objects[i].kind == format::Kind::Shell;
  }
  // A version before shells that holds one was not written by us.
  if (any && asset.header->version_major < format::kVersionMajor) return false;
  return any ? ShellReader(asset).read(table) : table.find(format::kShellSection) == nullptr;
}

}  // namespace supple::player
