// SPDX-License-Identifier: Apache-2.0
#include "detail.hpp"
#include "reader.hpp"
#include "shapes.hpp"
#include "shell.hpp"

namespace supple::player {
namespace {

using format::kBlock;

constexpr const char* kNotFinite = "a number is not finite";
constexpr const char* kNotAFrame = "the frame is mirrored or scaled unevenly";

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

/// After everything that all kinds have was found good.
class ShellReader {
 public:
  explicit ShellReader(FileReader& file) : m_file(file), m_asset(file.asset()) {}

  [[nodiscard]] bool read();

 private:
  [[nodiscard]] bool view();
  [[nodiscard]] bool check(const format::Shell& shell);
  [[nodiscard]] bool check_media(std::uint64_t shells);
  [[nodiscard]] bool check_points(const format::Shell& shell);
  [[nodiscard]] bool check_attachments(const format::Shell& shell);
  [[nodiscard]] bool check_attachment(const format::Shell& shell, const format::Attachment& a);
  [[nodiscard]] bool check_strain(const format::Shell& shell);
  [[nodiscard]] bool check_factor(const StrainView& v);
  [[nodiscard]] bool ends_together();

  FileReader& m_file;
  supple_asset& m_asset;
  Range m_rows, m_attachments, m_strain, m_factors, m_rest;
};

bool ShellReader::view() {
  std::uint64_t shells = 0;
  std::uint64_t numbers = 0;
  if (!m_file.list(format::kShellSection, m_asset.shells, shells) ||
      !m_file.list(format::kPointSection, m_asset.point_rows, numbers) ||
      !m_file.list(format::kAttachmentSection, m_asset.attachments, m_attachments.end)) {
    return false;
  }
  if (shells > m_asset.summary->object_count || numbers % kBlock != 0 ||
      m_attachments.end > format::kNone) {
    return refuse("SHEL, POIN or ATTA have a size that cannot be");
  }
  m_asset.shell_count = static_cast<std::uint32_t>(shells);
  m_asset.attachment_count = static_cast<std::uint32_t>(m_attachments.end);
  m_rows.end = numbers / kBlock;
  if (m_file.find(format::kStrainSection) != nullptr &&
      (!m_file.list(format::kStrainSection, m_asset.strain, m_strain.end) ||
       !m_file.list(format::kFactorSection, m_asset.factors, m_factors.end))) {
    return false;
  }
  if (m_file.find(format::kMediumSection) != nullptr && !check_media(shells)) return false;
  if (m_file.find(format::kRestSection) != nullptr &&
      !m_file.list(format::kRestSection, m_asset.rest, m_rest.end)) {
    return false;
  }
  const float* node = find_insane(m_asset.rest, static_cast<std::size_t>(m_rest.end));
  if (node != nullptr) return m_file.damaged(node, kNotFinite);
  const float* point = find_insane(m_asset.point_rows, static_cast<std::size_t>(numbers));
  if (point != nullptr) return m_file.damaged(point, kNotFinite);
  const double* factor = find_insane(m_asset.factors, static_cast<std::size_t>(m_factors.end));
  return factor == nullptr || m_file.damaged(factor, kNotFinite);
}

bool ShellReader::check_media(std::uint64_t shells) {
  if (!m_file.view(format::kMediumSection, shells, m_asset.media)) return false;
  for (std::uint64_t i = 0; i < shells; ++i) {
    const format::Medium& medium = m_asset.media[i];
    if (!(medium.density >= 0) || !sane(medium.density) || !sane(medium.weight)) {
      return m_file.damaged(&medium, "the density or weight is out of range");
    }
  }
  return true;
}

bool ShellReader::check_points(const format::Shell& shell) {
  const std::uint64_t modes = m_asset.objects[shell.object].mode_count;
  const std::uint64_t blocks = (shell.point_count + std::uint64_t{kBlock - 1}) / kBlock;
  const std::uint64_t rows = format::kPointRows + format::kRows * modes;
  if (blocks > m_rows.end / rows || !m_rows.take(shell.first_point_row, blocks * rows)) {
    return m_file.damaged(&shell.point_count, "the points do not fit POIN");
  }
  const float* numbers = m_asset.point_rows + std::size_t{shell.first_point_row} * kBlock;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const float* masses = numbers + (block * rows + 3) * kBlock;
    for (std::size_t i = 0; i < kBlock; ++i) {
      if (!(masses[i] >= 0)) return m_file.damaged(masses + i, "the mass is below 0");
    }
  }
  return true;
}

bool ShellReader::check_attachments(const format::Shell& shell) {
  if (!m_attachments.take(shell.first_attachment, shell.attachment_count)) {
    return m_file.damaged(&shell.first_attachment, "the attachments do not fit ATTA");
  }
  for (std::uint32_t i = 0; i < shell.attachment_count; ++i) {
    if (!check_attachment(shell, m_asset.attachments[shell.first_attachment + i])) return false;
  }
  return true;
}

bool ShellReader::check_attachment(const format::Shell& shell, const format::Attachment& a) {
  constexpr std::uint32_t kAll = format::kHandlePosition | format::kHandleOrientation;
  if (a.vertex >= m_asset.summary->vertex_count ||
      entry_of(m_asset, a.vertex, shell.object) == nullptr) {
    return m_file.damaged(&a, "the shell does not move the vertex");
  }
  if (a.components == 0 || (a.components & ~kAll) != 0) {
    return m_file.damaged(&a.components, "there are no such components");
  }
  if (!(a.stiffness >= 0) || !sane(a.stiffness)) {
    return m_file.damaged(&a.stiffness, "the stiffness is out of range");
  }
  if (!sane(a.rest.data(), 3)) return m_file.damaged(&a.rest, kNotFinite);
  if (!sane(a.bone_from_frame.data(), 12) || !is_similarity(a.bone_from_frame, 1)) {
    return m_file.damaged(&a.bone_from_frame, kNotAFrame);
  }
  return m_file.check_text(a.bone);
}

bool all_below(const std::uint32_t* numbers, std::size_t count, std::uint32_t end) {
  bool good = true;
  for (std::size_t i = 0; i < count; ++i) good &= numbers[i] < end;
  return good;
}

/// A lower triangle by columns with a positive diagonal that comes first.
bool ShellReader::check_factor(const StrainView& v) {
  const std::uint32_t columns = v.free_nodes;
  const auto bad = [&](const void* at) {
    return m_file.damaged(at, "the factor is not a lower triangle");
  };
  if (v.starts[0] != 0 || v.starts[columns] != v.entries) return bad(v.starts);
  for (std::uint32_t column = 0; column < columns; ++column) {
    const std::uint32_t first = v.starts[column];
    const std::uint32_t end = v.starts[column + 1];
    if (first >= end || end > v.entries || v.rows[first] != column) return bad(v.starts + column);
    if (!(v.values[first] >= 1 / kLargest)) return bad(v.values + first);
    for (std::uint32_t i = first + 1; i < end; ++i) {
      if (v.rows[i] <= column || v.rows[i] >= columns) return bad(v.rows + i);
    }
  }
  return true;
}

bool ShellReader::check_strain(const format::Shell& shell) {
  if (shell.strain == format::kNone && shell.factor == format::kNone) return true;
  constexpr const char* kMisfit = "the arrays of the rotation-strain solve do not fit";
  if (m_strain.end - m_strain.next < kStrainCounts || shell.strain != m_strain.next) {
    return m_file.damaged(&shell.strain, kMisfit);
  }
  const StrainView v = strain_view(m_asset, shell);
  const std::uint64_t numbers = kStrainCounts + 2 * std::uint64_t{v.vertices} + v.nodes +
                                3 * std::uint64_t{v.triangles} + v.free_nodes + 1 + v.entries;
  if (!m_strain.take(shell.strain, numbers) ||
      !m_factors.take(shell.factor, 3 * std::uint64_t{v.triangles} + v.entries) ||
      v.free_nodes > v.nodes) {
    return m_file.damaged(&shell.strain, kMisfit);
  }
  const std::uint32_t most = m_asset.summary->vertex_count;
  if (!all_below(v.vertex, v.vertices, most) || !all_below(v.node_of_vertex, v.vertices, v.nodes) ||
      !all_below(v.vertex_of_node, v.nodes, most) ||
      !all_below(v.corners, 3 * std::size_t{v.triangles}, v.nodes)) {
    return m_file.damaged(v.vertex, kMisfit);
  }
  if (m_asset.rest != nullptr && !m_rest.take(m_rest.next, 3 * std::uint64_t{v.nodes})) {
    return m_file.damaged(m_asset.rest, "the nodes at rest do not fit REST");
  }
  return check_factor(v);
}

bool ShellReader::check(const format::Shell& shell) {
  if (!(shell.size >= 1 / kLargest && sane(shell.size) && shell.follow_turn >= 1 / kLargest &&
        sane(shell.follow_turn) && sane(shell.point_error))) {
    return m_file.damaged(&shell.size, "a size is out of range");
  }
  const format::Object& object = m_asset.objects[shell.object];
  if (object.mode_count > format::kMostShellModes || object.coriolis != format::kNone) {
    return m_file.damaged(&object.mode_count, "a shell has too many modes or a Coriolis term");
  }
  if (!is_similarity(object.frame_from_bind, 0)) {
    return m_file.damaged(&object.frame_from_bind, kNotAFrame);
  }
  return check_points(shell) && check_attachments(shell) && check_strain(shell);
}

/// Nothing is left over.
bool ShellReader::ends_together() {
  for (const Range* range : {&m_rows, &m_attachments, &m_strain, &m_factors, &m_rest}) {
    if (range->next != range->end) return refuse("the shells' sections hold more than the shells");
  }
  return true;
}

bool ShellReader::read() {
  if (!view()) return false;
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < m_asset.summary->object_count; ++i) {
    const format::Object& object = m_asset.objects[i];
    if (object.kind != format::Kind::Shell) continue;
    if (next == m_asset.shell_count || m_asset.shells[next].object != i) {
      return m_file.damaged(&object, "SHEL does not have this shell");
    }
    if (!check(m_asset.shells[next++])) return false;
  }
  if (next != m_asset.shell_count) {
    return m_file.damaged(m_asset.shells + next, "the object is not a shell");
  }
  return ends_together();
}

}  // namespace

bool read_shells(FileReader& file) {
  const supple_asset& asset = file.asset();
  bool any = false;
  for (std::uint32_t i = 0; i < asset.summary->object_count; ++i) {
    any |= asset.objects[i].kind == format::Kind::Shell;
  }
  if (any) return ShellReader(file).read();
  return file.find(format::kShellSection) == nullptr || refuse("SHEL, but no object is a shell");
}

}  // namespace supple::player
