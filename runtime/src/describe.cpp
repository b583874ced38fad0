// SPDX-License-Identifier: Apache-2.0
// What an asset says of itself.
#include "detail.hpp"
#include "kinds.hpp"
#include "shapes.hpp"
#include "sized.hpp"

#include "supple/format/checksum.hpp"

#include <cstring>

using namespace supple;

extern "C" {

supple_status supple_asset_describe(const supple_asset* asset, supple_asset_info* info) {
  if (!player::given(asset, "asset")) return SUPPLE_BAD_ARGUMENT;
  const format::Summary& summary = *asset->summary;
  supple_asset_info ours{};
  ours.version_major = asset->header->version_major;
  ours.version_minor = asset->header->version_minor;
  ours.vertex_count = summary.vertex_count;
  ours.index_count = summary.index_count;
  ours.part_count = summary.part_count;
  ours.object_count = summary.object_count;
  ours.mode_count = summary.mode_count;
  ours.encoding_bits = summary.encoding == format::Encoding::Int16 ? 16 : 32;
  ours.attachment_count = asset->attachment_count;
  ours.mesh_hash = summary.mesh_hash;
  ours.metres_per_unit = asset->world.metres;
  ours.generator = asset->text + summary.generator;
  return player::give(ours, info);
}

supple_status supple_asset_part(const supple_asset* asset, uint32_t part, supple_part_info* info) {
  if (!player::given(asset, "asset") ||
      !player::is_one_of("part", part, asset->summary->part_count)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Part& p = asset->parts[part];
  supple_part_info ours{};
  ours.mesh = p.mesh;
  ours.primitive = p.primitive;
  ours.first_vertex = p.first_vertex;
  ours.vertex_count = p.vertex_count;
  return player::give(ours, info);
}

supple_status supple_asset_object(const supple_asset* asset, uint32_t object,
                                  supple_object_info* info) {
  if (!player::given(asset, "asset") ||
      !player::is_one_of("object", object, asset->summary->object_count)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  static_assert(SUPPLE_NO_BONE == format::kNoBone);
  const format::Object& o = asset->objects[object];
  supple_object_info ours{};
  ours.name = asset->text + o.name;
  ours.bone = o.node == format::kNoBone ? "" : asset->text + o.bone;
  ours.node = o.node;
  ours.joint = o.joint;
  ours.first_mode = o.first_mode;
  ours.mode_count = o.mode_count;
  ours.has_coriolis = o.coriolis != format::kNone ? 1 : 0;
  ours.limit_metres = o.limit;
  ours.mass_kg = o.mass;
  ours.kind = player::kind_of(o).name;
  return player::give(ours, info);
}

supple_status supple_asset_shell(const supple_asset* asset, uint32_t object,
                                 supple_shell_info* info) {
  if (!player::given(asset, "asset")) return SUPPLE_BAD_ARGUMENT;
  const format::Shell* shell = asset->shell_of(object);
  if (shell == nullptr) return player::bad_argument(player::kNotAShell);
  supple_shell_info ours{};
  ours.point_count = shell->point_count;
  ours.first_attachment = shell->first_attachment;
  ours.attachment_count = shell->attachment_count;
  ours.modelled_under_gravity = shell->modelled_under_gravity != 0 ? 1 : 0;
  ours.has_rotation_strain = shell->strain != format::kNone ? 1 : 0;
  ours.size_metres = shell->size;
  ours.follow_turn = shell->follow_turn;
  ours.point_error = shell->point_error;
  ours.medium_density = asset->media != nullptr ? asset->media[shell - asset->shells].density : 0.0;
  return player::give(ours, info);
}

supple_status supple_asset_attachment(const supple_asset* asset, uint32_t attachment,
                                      supple_attachment_info* info) {
  if (!player::given(asset, "asset") ||
      !player::is_one_of("attachment", attachment, asset->attachment_count)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Attachment& a = asset->attachments[attachment];
  supple_attachment_info ours{};
  ours.object = asset->shell_with(attachment).object;
  ours.vertex = a.vertex;
  ours.components = asset->world.components_out(a.components);
  ours.node = a.node;
  ours.bone = asset->text + a.bone;
  ours.stiffness = a.stiffness;
  return player::give(ours, info);
}

supple_status supple_asset_find_object(const supple_asset* asset, const char* name,
                                       uint32_t* object) {
  if (!player::given(asset, "asset") || !player::given(name, "name") ||
      !player::given(object, "object")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  for (uint32_t i = 0; i < asset->summary->object_count; ++i) {
    if (std::strcmp(asset->text + asset->objects[i].name, name) == 0) {
      *object = i;
      return SUPPLE_OK;
    }
  }
  player::Detail("there is no object '") << name << "'";
  return SUPPLE_BAD_ARGUMENT;
}

supple_status supple_asset_mode(const supple_asset* asset, uint32_t mode, supple_mode_info* info) {
  if (!player::given(asset, "asset") ||
      !player::is_one_of("mode", mode, asset->summary->mode_count)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Mode& m = asset->modes[mode];
  supple_mode_info ours{};
  ours.frequency_hz = m.omega / player::kTwoPi;
  ours.damping = m.damping;
  std::memcpy(ours.transfer, m.transfer.data(), sizeof ours.transfer);
  std::memcpy(ours.centrifugal, m.centrifugal.data(), sizeof ours.centrifugal);
  ours.largest_displacement = m.largest_displacement;
  ours.share = m.share;
  return player::give(ours, info);
}

uint64_t supple_mesh_hash(const float* positions, size_t vertex_count, const uint32_t* indices,
                          size_t index_count) {
  format::Xxh64 hash;
  hash.add(positions, vertex_count * 3 * sizeof(float));
  hash.add(indices, index_count * sizeof(uint32_t));
  return hash.value();
}

supple_status supple_asset_check_mesh(const supple_asset* asset, uint64_t mesh_hash) {
  if (!player::given(asset, "asset")) return SUPPLE_BAD_ARGUMENT;
  if (asset->summary->mesh_hash == mesh_hash) return SUPPLE_OK;
  player::Detail("the mesh's hash is another than the file's");
  return SUPPLE_OTHER_MESH;
}

supple_status supple_asset_mode_shape(const supple_asset* asset, uint32_t mode,
                                      float* displacements, float* normals) {
  if (!player::given(asset, "asset") ||
      !player::is_one_of("mode", mode, asset->summary->mode_count)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Summary& summary = *asset->summary;
  const size_t bytes = size_t{summary.vertex_count} * 3 * sizeof(float);
  if (displacements != nullptr) std::memset(displacements, 0, bytes);
  if (normals != nullptr) std::memset(normals, 0, bytes);
  for (uint32_t vertex = 0; vertex < summary.vertex_count; ++vertex) {
    const uint32_t block = vertex / format::kBlock;
    for (uint32_t i = asset->blocks[block]; i < asset->blocks[block + 1]; ++i) {
      const format::Entry& entry = asset->entries[i];
      const format::Object& object = asset->objects[entry.object];
      if (mode < object.first_mode || mode - object.first_mode >= object.mode_count) continue;
      const player::VertexShape shape =
          player::vertex_shape(*asset, entry, mode - object.first_mode, vertex % format::kBlock);
      const size_t at = size_t{vertex} * 3;
      if (displacements != nullptr) {
        std::memcpy(displacements + at, shape.displacement, sizeof shape.displacement);
      }
      if (normals != nullptr) std::memcpy(normals + at, shape.normal, sizeof shape.normal);
    }
  }
  return SUPPLE_OK;
}

}  // extern "C"
