// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/baked_file.hpp"
#include "supple/core/check.hpp"
#include "supple/core/files.hpp"
#include "supple/format/layout.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace supple::bake {
namespace {

constexpr std::align_val_t kAligned{format::kAlignment};

void must(supple_status status) {
  SUPPLE_CHECK_OP(static_cast<int>(status), ==, static_cast<int>(SUPPLE_OK));
}

/// A section, which contains more than the player's interface offers; empty if it is absent. The
/// file was checked when it was opened.
std::span<const std::byte> section_of(std::span<const std::byte> bytes, std::uint32_t id) {
  format::Header header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  for (std::uint32_t i = 0; i < header.section_count; ++i) {
    format::Section section{};
    std::memcpy(&section, bytes.data() + sizeof header + i * sizeof section, sizeof section);
    if (section.id == id) return bytes.subspan(section.offset, section.size);
  }
  return {};
}

template <class Record>
std::span<const Record> records_of(std::span<const std::byte> bytes, std::uint32_t id,
                                   std::size_t count) {
  const std::span<const std::byte> section = section_of(bytes, id);
  if (section.empty()) return {};
  return {reinterpret_cast<const Record*>(section.data()), count};
}

Eigen::Isometry3d bone_from_frame(const format::Attachment& record) {
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.matrix().topRows<3>() =
      Eigen::Map<const Eigen::Matrix<double, 3, 4, Eigen::RowMajor>>(record.bone_from_frame.data());
  return pose;
}

/// Bones at rest, in metres: bones connected by handles of shells are placed as when the file was
/// made, all others at the world's origin.
class RestBones {
 public:
  RestBones(std::span<const format::Attachment> holds, std::vector<supple_attachment_info> named)
      : m_holds(holds), m_named(std::move(named)) {}

  /// Bones of objects, in their order.
  void add(const std::string& bone, const Eigen::Quaterniond& rotation) {
    m_bone_of_object.push_back(bone);
    if (find(bone) == nullptr) m_wanted.emplace_back(bone, rotation);
  }

  [[nodiscard]] std::vector<std::pair<std::string, Eigen::Isometry3d>> place() {
    for (const auto& [bone, rotation] : m_wanted) {
      if (find(bone) == nullptr) m_placed.emplace_back(bone, Eigen::Isometry3d(rotation));
      while (follow_handles()) {
      }
    }
    return m_placed;
  }

 private:
  [[nodiscard]] const Eigen::Isometry3d* find(const std::string& bone) const {
    const auto found = std::find_if(m_placed.begin(), m_placed.end(),
                                    [&](const auto& entry) { return entry.first == bone; });
    return found == m_placed.end() ? nullptr : &found->second;
  }

  /// Places a bone that a handle connects to one already placed; false if there is none left.
  bool follow_handles() {
    for (std::size_t a = 0; a < m_holds.size(); ++a) {
      const std::string& carrier = m_bone_of_object[m_named[a].object];
      const std::string holder = m_named[a].bone;
      const Eigen::Isometry3d* frame = find(carrier);
      const Eigen::Isometry3d* bone = find(holder);
      if ((frame == nullptr) == (bone == nullptr)) continue;
      const Eigen::Isometry3d step = bone_from_frame(m_holds[a]);
      if (frame != nullptr) {
        m_placed.emplace_back(holder, Eigen::Isometry3d(*frame * step.inverse()));
      } else {
        m_placed.emplace_back(carrier, Eigen::Isometry3d(*bone * step));
      }
      return true;
    }
    return false;
  }

  std::span<const format::Attachment> m_holds;
  std::vector<supple_attachment_info> m_named;
  std::vector<std::string> m_bone_of_object;
  std::vector<std::pair<std::string, Eigen::Quaterniond>> m_wanted;
  std::vector<std::pair<std::string, Eigen::Isometry3d>> m_placed;
};

}  // namespace

void BakedFile::AlignedDelete::operator()(std::byte* bytes) const {
  ::operator delete[](bytes, kAligned);
}

Result<BakedFile> BakedFile::open(std::span<const std::byte> bytes, std::string_view name) {
  BakedFile file;
  file.m_name = name;
  file.m_size = bytes.size();
  file.m_bytes.reset(
      static_cast<std::byte*>(::operator new[](std::max<std::size_t>(bytes.size(), 1), kAligned)));
  std::copy(bytes.begin(), bytes.end(), file.m_bytes.get());
  const supple_status status = supple_asset_open(file.m_bytes.get(), file.m_size, &file.m_asset);
  if (status != SUPPLE_OK) {
    return bad_input(fmt::format("{} ({})", supple_status_text(status), supple_error_detail()))
        .at(name);
  }
  return file;
}

BakedFile::~BakedFile() {
  if (m_asset != nullptr) supple_asset_close(m_asset);
}
BakedFile::BakedFile(BakedFile&& other) noexcept
    : m_name(std::move(other.m_name)),
      m_bytes(std::move(other.m_bytes)),
      m_size(other.m_size),
      m_asset(std::exchange(other.m_asset, nullptr)) {}
BakedFile& BakedFile::operator=(BakedFile&& other) noexcept {
  std::swap(m_name, other.m_name);
  std::swap(m_bytes, other.m_bytes);
  std::swap(m_size, other.m_size);
  std::swap(m_asset, other.m_asset);
  return *this;
}

Result<void> BakedFile::check_mesh(std::uint64_t mesh_hash) const {
  if (supple_asset_check_mesh(m_asset, mesh_hash) == SUPPLE_OK) return {};
  return bad_input(
             "made for a different mesh: positions or triangles differ; bake this character again")
      .at(m_name);
}

std::string BakedFile::id() const {
  format::Header header{};  // its checksum covers those of all sections
  std::memcpy(&header, m_bytes.get(), sizeof header);
  return fmt::format("{:016x}", header.checksum);
}

Result<void> BakedFile::check_pair(std::string_view bake_id) const {
  if (bake_id.empty() || bake_id.find(id()) != std::string_view::npos) return {};
  return bad_input(
             fmt::format("it is from another bake ({}) than the glTF file ({}), as when a bake is "
                         "killed while it writes them; bake again",
                         id(), bake_id))
      .at(m_name);
}

Result<BakedFile> BakedFile::rebound(const supple_mesh& mesh, supple_match_info& info) const {
  supple_asset* changed = nullptr;
  const supple_status status = supple_asset_rebind(m_asset, &mesh, &info, &changed);
  if (status == SUPPLE_OTHER_MESH) {
    return bad_input(fmt::format("made for a different mesh: positions or triangles differ ({}); "
                                 "bake this character again",
                                 supple_error_detail()))
        .at(m_name);
  }
  if (status != SUPPLE_OK) {
    return bad_input(fmt::format("{} ({})", supple_status_text(status), supple_error_detail()))
        .at(m_name);
  }
  std::size_t size = 0;
  const auto* bytes = static_cast<const std::byte*>(supple_asset_bytes(changed, &size));
  Result<BakedFile> file = open({bytes, size}, m_name);
  supple_asset_close(changed);
  return file;
}

std::string_view BakedFile::settings() const {
  return as_text(section(format::kSettingsSection));
}

std::span<const std::byte> BakedFile::section(std::uint32_t id) const {
  return section_of({m_bytes.get(), m_size}, id);
}

std::vector<soft::Object> BakedFile::objects() const {
  supple_asset_info info{};
  must(supple_asset_describe(m_asset, &info));
  const auto records = records_of<format::Object>({m_bytes.get(), m_size}, format::kObjectSection,
                                                  info.object_count);
  std::vector<soft::Object> objects;
  for (std::uint32_t o = 0; o < info.object_count; ++o) {
    supple_object_info described{};
    must(supple_asset_object(m_asset, o, &described));
    soft::Object object;
    object.name = described.name;
    object.bone = described.bone;
    object.node = described.node;
    object.joint = described.joint;
    if (described.kind == SUPPLE_SHELL) object.shell.emplace();
    object.scene = scene(o);
    object.limit = described.limit_metres;
    object.mass = described.mass_kg;
    if (!records.empty()) {
      const auto& q = records[o].rest_rotation;
      object.rest_rotation = Eigen::Quaterniond(q[3], q[0], q[1], q[2]);
      object.frame_from_bind = Eigen::Map<const Eigen::Matrix<double, 3, 4, Eigen::RowMajor>>(
          records[o].frame_from_bind.data());
    }
    std::vector<std::vector<float>> shapes;
    std::vector<std::vector<float>> normals;
    std::vector<bool> moves(info.vertex_count, false);
    for (std::uint32_t m = 0; m < described.mode_count; ++m) {
      shapes.emplace_back(std::size_t{3} * info.vertex_count);
      normals.emplace_back(std::size_t{3} * info.vertex_count);
      must(supple_asset_mode_shape(m_asset, described.first_mode + m, shapes.back().data(),
                                   normals.back().data()));
      for (std::size_t i = 0; i < shapes.back().size(); ++i) {
        if (shapes.back()[i] != 0 || normals.back()[i] != 0) moves[i / 3] = true;
      }
    }
    for (std::uint32_t v = 0; v < info.vertex_count; ++v) {
      if (moves[v]) object.vertices.push_back(v);
    }
    for (std::uint32_t m = 0; m < described.mode_count; ++m) {
      supple_mode_info mode{};
      must(supple_asset_mode(m_asset, described.first_mode + m, &mode));
      soft::Mode skin;
      skin.damping = mode.damping;
      skin.share = mode.share;
      for (const std::uint32_t v : object.vertices) {
        const auto first = 3 * static_cast<std::ptrdiff_t>(v);
        skin.displacements.push_back(
            Eigen::Map<const Eigen::Vector3f>(shapes[m].data() + first).cast<double>());
        auto& second = object.shell ? skin.turns : skin.normals;
        second.push_back(
            Eigen::Map<const Eigen::Vector3f>(normals[m].data() + first).cast<double>());
      }
      object.modes.push_back(std::move(skin));
    }
    objects.push_back(std::move(object));
  }
  return objects;
}

character::Character BakedFile::bones() const {
  supple_asset_info info{};
  must(supple_asset_describe(m_asset, &info));
  const std::span<const std::byte> bytes{m_bytes.get(), m_size};
  const auto records = records_of<format::Object>(bytes, format::kObjectSection, info.object_count);
  const auto holds =
      records_of<format::Attachment>(bytes, format::kAttachmentSection, info.attachment_count);
  std::vector<supple_attachment_info> named(holds.size());
  for (std::uint32_t a = 0; a < holds.size(); ++a) {
    must(supple_asset_attachment(m_asset, a, &named[a]));
  }
  RestBones rest(holds, std::move(named));
  for (std::uint32_t o = 0; o < info.object_count; ++o) {
    supple_object_info described{};
    must(supple_asset_object(m_asset, o, &described));
    const auto& q = records[o].rest_rotation;
    rest.add(described.bone, Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized());
  }
  character::Character character;
  character.name = m_name;
  character.metres_per_unit = info.metres_per_unit;
  for (const auto& [name, pose] : rest.place()) {
    character::Bone bone;
    bone.name = name;
    bone.rest_world = pose.matrix();
    bone.rest_world.topRightCorner<3, 1>() /= info.metres_per_unit;
    character.bones.push_back(std::move(bone));
  }
  return character;
}

}  // namespace supple::bake
