// SPDX-License-Identifier: Apache-2.0
#include "supple/io/supple_file.hpp"

#include "io/supple/file_builder.hpp"
#include "io/supple/light.hpp"
#include "io/supple/scene.hpp"
#include "io/supple/shell.hpp"

#include "supple/core/check.hpp"
#include "supple/format/checksum.hpp"
#include "supple/format/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

namespace supple::io {
namespace {

using format::kBlock;
using format::kRows;

constexpr double kLargestInt16 = 32767;

/// Every name once.
class Texts {
 public:
  std::uint32_t add(const std::string& text) {
    const auto [place, is_new] = m_places.emplace(text, static_cast<std::uint32_t>(m_bytes.size()));
    if (is_new) {
      m_bytes.insert(m_bytes.end(), text.begin(), text.end());
      m_bytes.push_back('\0');
    }
    return place->second;
  }
  [[nodiscard]] const std::vector<char>& bytes() const { return m_bytes; }

 private:
  std::map<std::string, std::uint32_t> m_places;
  std::vector<char> m_bytes;
};

bool all_finite(const std::vector<Eigen::Vector3d>& vectors) {
  return std::all_of(vectors.begin(), vectors.end(), [](const auto& v) { return v.allFinite(); });
}

bool all_finite(const std::array<double, 6>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

Result<void> check_sizes(const soft::Object& object, const soft::Mode& mode,
                         const std::string& what) {
  const std::size_t count = object.vertices.size();
  const bool shell = object.kind() == soft::Kind::Shell;
  const std::size_t second = shell ? mode.turns.size() : mode.normals.size();
  const std::size_t foreign = shell ? mode.normals.size() : mode.turns.size();
  const bool complete = second == count || (!shell && second == 0);
  if (mode.displacements.size() == count && complete && foreign == 0) return {};
  return bad_input(fmt::format(
      "{}: {} displacements, {} normals and {} turns for {} vertices; give a displacement and, {} "
      "per vertex",
      what, mode.displacements.size(), mode.normals.size(), mode.turns.size(), count,
      shell ? "for a shell, a turn" : "for flesh, a normal or none"));
}

Result<void> check_mode(const soft::Object& object, std::size_t index) {
  const soft::Mode& mode = object.modes[index];
  const std::string what =
      fmt::format("{} '{}', mode {}", kind_name(object.kind()), object.name, index + 1);
  if (!std::isfinite(mode.omega) || mode.omega < 1e-6 || mode.omega > 1e9) {
    return bad_input(
        fmt::format("{}: its frequency of {} rad/s is not between 1e-6 and 1e9; check "
                    "the material and what is fixed",
                    what, mode.omega));
  }
  if (!std::isfinite(mode.damping) || mode.damping < 0 || mode.damping > 1e6) {
    return bad_input(
        fmt::format("{}: its damping ratio {} is not between 0 and 1e6", what, mode.damping));
  }
  SUPPLE_TRY_VOID(check_sizes(object, mode, what));
  if (!all_finite(mode.displacements) || !all_finite(mode.normals) || !all_finite(mode.turns) ||
      !all_finite(mode.transfer) || !all_finite(mode.centrifugal) || !std::isfinite(mode.share)) {
    return bad_input(fmt::format("{}: holds a number that is not finite", what));
  }
  return {};
}

Result<void> check_coriolis(const soft::Object& object) {
  if (object.coriolis.empty()) return {};
  const auto modes = static_cast<Eigen::Index>(object.modes.size());
  bool good = object.coriolis.size() == 3;
  for (const Eigen::MatrixXd& matrix : object.coriolis) {
    good = good && matrix.rows() == modes && matrix.cols() == modes && matrix.allFinite();
  }
  if (good) return {};
  return bad_input(
      fmt::format("flesh '{}': its Coriolis matrices must be 3, of {} x {} finite "
                  "numbers each",
                  object.name, modes, modes));
}

Result<void> check_object(const soft::Asset& asset, const soft::Object& object) {
  if (object.modes.empty()) {
    return bad_input(fmt::format("{} '{}' has no modes; ask for one at least",
                                 kind_name(object.kind()), object.name));
  }
  if (object.name.size() >= format::kLongestText || object.bone.size() >= format::kLongestText) {
    return bad_input(fmt::format("{} '{:.40}...' on bone '{:.40}': names have up to {} bytes",
                                 kind_name(object.kind()), object.name, object.bone,
                                 format::kLongestText - 1));
  }
  for (std::size_t i = 0; i < object.vertices.size(); ++i) {
    if (object.vertices[i] >= asset.vertex_count ||
        (i > 0 && object.vertices[i] <= object.vertices[i - 1])) {
      return bad_input(fmt::format("{} '{}': its vertices must ascend and be below {}",
                                   kind_name(object.kind()), object.name, asset.vertex_count));
    }
  }
  const double turn = object.rest_rotation.norm();
  if (!object.frame_from_bind.allFinite() || !(turn > 0.5 && turn < 2) ||
      !std::isfinite(object.limit) || object.limit < 0 || !std::isfinite(object.mass)) {
    return bad_input(fmt::format("{} '{}': its frame, limit or mass is no finite number",
                                 kind_name(object.kind()), object.name));
  }
  SUPPLE_TRY_VOID(check_coriolis(object));
  SUPPLE_TRY_VOID(check_shell(asset, object));
  SUPPLE_TRY_VOID(check_scene(object));
  for (std::size_t i = 0; i < object.modes.size(); ++i) SUPPLE_TRY_VOID(check_mode(object, i));
  return {};
}

Result<void> check_asset(const soft::Asset& asset) {
  std::uint64_t next = 0;
  for (const soft::Part& part : asset.parts) {
    if (part.first_vertex != next) {
      return bad_input(
          fmt::format("mesh {}, primitive {}: its vertices begin at {} instead of {}; "
                      "parts follow each other",
                      part.mesh, part.primitive, part.first_vertex, next));
    }
    next += part.vertex_count;
    if (!part.to_bind.allFinite()) {
      return bad_input(
          fmt::format("mesh {}, primitive {}: its space is not finite", part.mesh, part.primitive));
    }
  }
  if (next != asset.vertex_count) {
    return bad_input(fmt::format("the parts hold {} vertices, the mesh {}; they must agree", next,
                                 asset.vertex_count));
  }
  if ((!asset.positions.empty() && asset.positions.size() != next) ||
      (!asset.normals.empty() && asset.normals.size() != asset.positions.size())) {
    return bad_input(
        fmt::format("{} positions and {} normals for {} vertices; give one of each, or "
                    "none",
                    asset.positions.size(), asset.normals.size(), next));
  }
  if (!std::isfinite(asset.metres_per_unit) || asset.metres_per_unit < 1e-30 ||
      asset.metres_per_unit > 1e30) {
    return bad_input(fmt::format("{} metres per unit; give a number above 0, 0.01 for centimetres",
                                 asset.metres_per_unit));
  }
  for (const soft::Object& object : asset.objects) SUPPLE_TRY_VOID(check_object(asset, object));
  return {};
}

/// As floats have it: that is what readers see.
float largest_component(const std::vector<Eigen::Vector3d>& vectors) {
  float largest = 0;
  for (const auto& v : vectors) largest = std::max(largest, v.cast<float>().cwiseAbs().maxCoeff());
  return largest;
}

/// The second of a mode's two vectors per vertex: turns of a shell, corrections of flesh's normals,
/// which may be missing.
const std::vector<Eigen::Vector3d>& second_vectors(const soft::Object& object,
                                                   const soft::Mode& mode) {
  return object.kind() == soft::Kind::Shell ? mode.turns : mode.normals;
}

/// From a vertex's displacement to metres in the object's frame. Displacements of flesh are in the
/// space of their part.
Eigen::Matrix3d metres_of(const soft::Asset& asset, const soft::Object& object,
                          std::uint32_t vertex) {
  Eigen::Matrix3d metres = object.frame_from_bind.leftCols<3>();
  if (object.kind() == soft::Kind::Shell) return metres;
  const auto after = std::upper_bound(
      asset.parts.begin(), asset.parts.end(), vertex,
      [](std::uint32_t v, const soft::Part& part) { return v < part.first_vertex; });
  return metres * std::prev(after)->to_bind;
}

/// A mode's numbers without its shape. The scale makes the largest component +-32767.
format::Mode mode_record(const soft::Asset& asset, const soft::Object& object,
                         const soft::Mode& mode, bool float32) {
  format::Mode record{};
  record.omega = mode.omega;
  record.damping = mode.damping;
  record.transfer = mode.transfer;
  record.centrifugal = mode.centrifugal;
  const auto scale = [float32](const std::vector<Eigen::Vector3d>& vectors) {
    const float largest = largest_component(vectors);
    return float32 || largest == 0 ? 1.0F : static_cast<float>(largest / kLargestInt16);
  };
  record.position_scale = scale(mode.displacements);
  record.normal_scale = scale(second_vectors(object, mode));
  double largest = 0;
  for (std::size_t i = 0; i < mode.displacements.size(); ++i) {
    const Eigen::Vector3d u = mode.displacements[i].cast<float>().cast<double>();
    largest = std::max(largest, (metres_of(asset, object, object.vertices[i]) * u).norm());
  }
  record.largest_displacement = static_cast<float>(largest);
  record.share = static_cast<float>(mode.share);
  return record;
}

/// The shapes of all objects in blocks of vertices.
class ShapeWriter {
 public:
  ShapeWriter(const soft::Asset& asset, const std::vector<format::Mode>& modes, bool float32)
      : m_asset(asset), m_modes(modes), m_float32(float32) {}

  Result<void> write() {
    const std::size_t blocks = (m_asset.vertex_count + kBlock - 1) / kBlock;
    std::vector<std::size_t> next(m_asset.objects.size(), 0);
    m_blocks.push_back(0);
    for (std::size_t block = 0; block < blocks; ++block) {
      std::size_t first_mode = 0;
      for (std::size_t i = 0; i < m_asset.objects.size(); ++i) {
        const soft::Object& object = m_asset.objects[i];
        const std::size_t begin = next[i];
        std::size_t& end = next[i];
        const auto& vertices = object.vertices;
        while (end < vertices.size() && vertices[end] / kBlock == block) ++end;
        if (end > begin) SUPPLE_TRY_VOID(add_entry(i, first_mode, begin, end));
        first_mode += object.modes.size();
      }
      m_blocks.push_back(static_cast<std::uint32_t>(m_entries.size()));
    }
    return {};
  }

  std::vector<std::uint32_t> m_blocks;
  std::vector<format::Entry> m_entries;
  Bytes m_shapes;
  double m_position_error = 0;
  double m_relative_error = 0;

 private:
  Result<void> add_entry(std::size_t index, std::size_t first_mode, std::size_t begin,
                         std::size_t end) {
    const soft::Object& object = m_asset.objects[index];
    const std::size_t number_size = m_float32 ? sizeof(float) : sizeof(std::int16_t);
    const std::size_t at = m_shapes.size();
    if (at / format::kAlignment > 0xffffffffULL) {
      return bad_input("the shapes take more than 256 GB; keep fewer modes");
    }
    m_entries.push_back(
        {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(at / format::kAlignment)});
    m_shapes.resize(at + object.modes.size() * kRows * kBlock * number_size);
    for (std::size_t k = 0; k < object.modes.size(); ++k) {
      const format::Mode& record = m_modes[first_mode + k];
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t lane = object.vertices[i] % kBlock;
        const std::size_t row = k * kRows * kBlock + lane;
        const Eigen::Vector3f u = object.modes[k].displacements[i].cast<float>();
        const Eigen::Vector3f kept = put(at, row, u, record.position_scale);
        const auto& second = second_vectors(object, object.modes[k]);
        if (!second.empty()) {
          put(at, row + 3 * kBlock, second[i].cast<float>(), record.normal_scale);
        }
        const Eigen::Matrix3d metres = metres_of(m_asset, object, object.vertices[i]);
        const double error = (metres * (kept - u).cast<double>()).norm();
        m_position_error = std::max(m_position_error, error);
        if (record.largest_displacement > 0) {
          m_relative_error = std::max(m_relative_error, error / record.largest_displacement);
        }
      }
    }
    return {};
  }

  /// Three rows' numbers of one vertex; returns what a reader will see.
  Eigen::Vector3f put(std::size_t at, std::size_t index, const Eigen::Vector3f& v, float scale) {
    Eigen::Vector3f kept = v;
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t place = index + static_cast<std::size_t>(axis) * kBlock;
      if (m_float32) {
        std::memcpy(m_shapes.data() + at + place * sizeof(float), &v[axis], sizeof(float));
        continue;
      }
      const double rounded = std::clamp(std::round(static_cast<double>(v[axis]) / scale),
                                        -kLargestInt16, kLargestInt16);
      const auto number = static_cast<std::int16_t>(rounded);
      kept[axis] = static_cast<float>(number) * scale;
      std::memcpy(m_shapes.data() + at + place * sizeof number, &number, sizeof number);
    }
    return kept;
  }

  const soft::Asset& m_asset;
  const std::vector<format::Mode>& m_modes;
  bool m_float32;
};

format::Kind file_kind(soft::Kind kind) {
  switch (kind) {
    case soft::Kind::Flesh:
      return format::Kind::Flesh;
    case soft::Kind::Shell:
      return format::Kind::Shell;
    case soft::Kind::Scene:
      return format::Kind::Scene;
  }
  return format::Kind::Flesh;
}

format::Object object_record(const soft::Object& object, Texts& texts) {
  format::Object record{};
  record.name = texts.add(object.name);
  static_assert(soft::kNoNode == format::kNoBone);
  const bool carried = object.node != soft::kNoNode;
  record.bone = carried ? texts.add(object.bone) : format::kNoBone;
  record.node = object.node;
  record.joint = carried ? object.joint : format::kNoBone;
  record.flags = format::kRequired;
  record.mode_count = static_cast<std::uint32_t>(object.modes.size());
  record.coriolis = format::kNone;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 4; ++column) {
      record.frame_from_bind[4 * static_cast<std::size_t>(row) + static_cast<std::size_t>(column)] =
          object.frame_from_bind(row, column);
    }
  }
  const Eigen::Quaterniond turn = object.rest_rotation.normalized();
  record.rest_rotation = {turn.x(), turn.y(), turn.z(), turn.w()};
  record.limit = object.limit;
  record.mass = object.mass;
  record.kind = file_kind(object.kind());
  return record;
}

void add_coriolis(const soft::Object& object, format::Object& record, std::vector<double>& all) {
  if (object.coriolis.empty()) return;
  record.coriolis = static_cast<std::uint32_t>(all.size());
  for (const Eigen::MatrixXd& matrix : object.coriolis) {
    for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
      for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
        all.push_back(matrix(row, column));
      }
    }
  }
}

/// The last of the attachments are this shell's.
void name_bones(const soft::ShellTraits& shell, Texts& texts,
                std::vector<format::Attachment>& attachments) {
  auto record = attachments.end() - static_cast<std::ptrdiff_t>(shell.attachments.size());
  for (const soft::Attachment& attachment : shell.attachments) {
    record->bone = texts.add(attachment.bone);
    ++record;
  }
}

/// The last of the entries are this scene's.
void name_entries(const soft::SceneTraits& scene, Texts& texts, SceneSections& sections) {
  auto record = sections.entries.end() - static_cast<std::ptrdiff_t>(scene.palette.size());
  for (const soft::PaletteEntry& entry : scene.palette) {
    record->name = texts.add(entry.name);
    record->key = texts.add(entry.key);
    ++record;
  }
}

void add_sections(const SceneSections& scenes, FileBuilder& file) {
  file.add(format::kSceneSection, scenes.scenes);
  file.add(format::kPaletteSection, scenes.entries);
  file.add(format::kResponseSection, scenes.responses);
  file.add(format::kStateSection, scenes.states);
  file.add(format::kPortraitSection, scenes.portraits);
  file.add(format::kNextSection, scenes.next);
}

void add_sections(const ShellSections& shells, FileBuilder& file) {
  file.add(format::kShellSection, shells.shells);
  file.add(format::kPointSection, shells.points);
  file.add(format::kAttachmentSection, shells.attachments);
  // Files without a medium are as they always were.
  if (std::any_of(shells.media.begin(), shells.media.end(),
                  [](const format::Medium& medium) { return medium.density > 0; })) {
    file.add(format::kMediumSection, shells.media);
  }
  if (shells.strain.empty()) return;
  // Warping draws the shell without them.
  file.add(format::kStrainSection, shells.strain, kOptional);
  file.add(format::kFactorSection, shells.factors, kOptional);
  if (shells.rest.size() == 3 * shells.nodes) {
    file.add(format::kRestSection, shells.rest, kOptional);
  }
}

/// Players need them only for meshes that were changed after the bake.
void add_vertices(const soft::Asset& asset, FileBuilder& file) {
  if (asset.positions.empty()) return;
  std::vector<format::Vertex> vertices(asset.positions.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    for (std::size_t i = 0; i < 3; ++i) {
      vertices[v].position[i] = asset.positions[v][static_cast<Eigen::Index>(i)];
      if (asset.normals.empty()) continue;
      constexpr float kLargestInt8 = 127;
      const float component = asset.normals[v][static_cast<Eigen::Index>(i)];
      vertices[v].normal[i] =
          static_cast<std::int8_t>(std::lround(kLargestInt8 * std::clamp(component, -1.0F, 1.0F)));
    }
  }
  file.add(format::kVertexSection, vertices, kOptional);
}

/// Files whose parts are all in bind space are as they always were.
void add_spaces(const std::vector<soft::Part>& parts, FileBuilder& file) {
  if (std::all_of(parts.begin(), parts.end(),
                  [](const soft::Part& part) { return part.to_bind.isIdentity(0); })) {
    return;
  }
  std::vector<format::Space> spaces(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(spaces[i].to_bind.data()) =
        parts[i].to_bind;
  }
  // Only pushes need them.
  file.add(format::kSpaceSection, spaces, kOptional);
}

}  // namespace

Result<SuppleBytes> write_supple(const soft::Asset& asset, const SuppleWriteSettings& settings) {
  SUPPLE_TRY_VOID(check_asset(asset));
  Texts texts;
  std::vector<format::Object> objects;
  std::vector<format::Mode> modes;
  std::vector<double> coriolis;
  ShellSections shells;
  SceneSections scenes;
  for (const soft::Object& object : asset.objects) {
    if (object.shell) {
      add_shell(object, static_cast<std::uint32_t>(objects.size()), shells);
      name_bones(*object.shell, texts, shells.attachments);
    }
    if (object.scene) {
      add_scene(object, static_cast<std::uint32_t>(objects.size()), scenes);
      name_entries(*object.scene, texts, scenes);
    }
    objects.push_back(object_record(object, texts));
    objects.back().first_mode = static_cast<std::uint32_t>(modes.size());
    add_coriolis(object, objects.back(), coriolis);
    for (const soft::Mode& mode : object.modes) {
      modes.push_back(mode_record(asset, object, mode, settings.float32));
    }
  }
  ShapeWriter shapes(asset, modes, settings.float32);
  SUPPLE_TRY_VOID(shapes.write());

  format::Summary summary{};
  summary.mesh_hash = asset.mesh_hash;
  summary.vertex_count = asset.vertex_count;
  summary.index_count = asset.index_count;
  summary.part_count = static_cast<std::uint32_t>(asset.parts.size());
  summary.object_count = static_cast<std::uint32_t>(objects.size());
  summary.mode_count = static_cast<std::uint32_t>(modes.size());
  summary.block_count = static_cast<std::uint32_t>(shapes.m_blocks.size() - 1);
  summary.entry_count = static_cast<std::uint32_t>(shapes.m_entries.size());
  summary.encoding = settings.float32 ? format::Encoding::Float32 : format::Encoding::Int16;
  summary.metres_per_unit = asset.metres_per_unit;
  summary.generator = texts.add(asset.generator);
  std::vector<format::Part> parts;
  for (const soft::Part& part : asset.parts) {
    parts.push_back({part.mesh, part.primitive, part.first_vertex, part.vertex_count});
  }

  FileBuilder file;
  file.add(format::kSummarySection, std::vector{summary});
  file.add(format::kTextSection, texts.bytes());
  file.add(format::kPartSection, parts);
  file.add(format::kObjectSection, objects);
  file.add(format::kModeSection, modes);
  if (!coriolis.empty()) file.add(format::kCoriolisSection, coriolis);
  file.add(format::kBlockSection, shapes.m_blocks);
  file.add(format::kEntrySection, shapes.m_entries);
  file.add(format::kShapeSection, shapes.m_shapes);
  if (!shells.shells.empty()) add_sections(shells, file);
  if (!scenes.scenes.empty()) add_sections(scenes, file);
  double transfer_error = 0;
  if (asset.light) {
    const LitFile lit{summary.vertex_count, summary.mode_count, summary.object_count,
                      settings.float32};
    SUPPLE_TRY(const LightSections light, light_sections(*asset.light, lit));
    add_sections(light, file);
    transfer_error = light.error;
  }
  add_vertices(asset, file);
  add_spaces(asset.parts, file);
  if (!asset.settings.empty()) {
    file.add(format::kSettingsSection,
             std::vector<char>(asset.settings.begin(), asset.settings.end()), kOptional);
  }
  return SuppleBytes{file.finish(), shapes.m_position_error, shapes.m_relative_error,
                     transfer_error};
}

std::uint64_t mesh_hash(const std::vector<Eigen::Vector3f>& positions,
                        const std::vector<std::uint32_t>& indices) {
  static_assert(sizeof(Eigen::Vector3f) == 3 * sizeof(float));
  format::Xxh64 hash;
  hash.add(positions.data(), positions.size() * sizeof(Eigen::Vector3f));
  hash.add(indices.data(), indices.size() * sizeof(std::uint32_t));
  return hash.value();
}

}  // namespace supple::io
