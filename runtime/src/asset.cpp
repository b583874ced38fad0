// SPDX-License-Identifier: Apache-2.0
#include "asset.hpp"

#include "memory.hpp"
#include "reader.hpp"
#include "shapes.hpp"

#include "supple/format/checksum.hpp"

#include <cstring>

namespace supple::player {
namespace {

void lay_out_asset(Arena& arena, const supple_asset& asset, supple_asset& placed) {
  const std::size_t objects = asset.summary->object_count;
  std::size_t lanes = 0;
  for (std::size_t i = 0; i < objects; ++i) lanes += lanes_of(asset.objects[i].mode_count);
  placed.first_lane = arena.take<std::size_t>(objects + 1);
  placed.constants = arena.take<double>(kConstantRows * lanes);
}

void fill_lane(const format::Mode& mode, double w, double xi, std::size_t lanes, double* lane) {
  const bool over = xi >= 1;
  const double deviation = (1 - xi) * (1 + xi);
  const double root = __builtin_sqrt(over ? -deviation : deviation);
  lane[kStiffness * lanes] = w * w;
  lane[kCompliance * lanes] = 1 / (w * w);
  lane[kDecay * lanes] = xi * w;
  lane[kDampedFrequency * lanes] = over ? 0 : w * root;
  lane[kSlowRate * lanes] = over ? w / (xi + root) : 0;
  lane[kFastRate * lanes] = over ? w * (xi + root) : 0;
  lane[kCurvature * lanes] = w * w * deviation;
  lane[kInverseFrequency * lanes] = over ? 0 : 1 / (w * root);
  lane[kCreeps * lanes] = over ? 1 : 0;
  for (std::size_t i = 0; i < 6; ++i) {
    lane[(kTransfer + i) * lanes] = mode.transfer[i];
    lane[(kCentrifugal + i) * lanes] = mode.centrifugal[i];
  }
  lane[kReach * lanes] = mode.largest_displacement;
}

void fill(supple_asset& asset) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < asset.summary->object_count; ++i) {
    const format::Object& object = asset.objects[i];
    asset.first_lane[i] = next;
    const std::size_t lanes = lanes_of(object.mode_count);
    fill_constants(object, asset.modes, 1, 1, asset.constants + kConstantRows * next);
    next += lanes;
    if (object.coriolis != format::kNone) {
      const std::size_t square = std::size_t{object.mode_count} * object.mode_count;
      if (square > asset.largest_square) asset.largest_square = square;
    }
  }
  asset.first_lane[asset.summary->object_count] = next;
}

}  // namespace

void fill_constants(const format::Object& object, const format::Mode* modes, double stiffness,
                    double damping, double* rows) {
  const std::size_t lanes = lanes_of(object.mode_count);
  const double faster = __builtin_sqrt(stiffness);
  for (std::size_t k = 0; k < object.mode_count; ++k) {
    const format::Mode& mode = modes[object.first_mode + k];
    fill_lane(mode, faster * mode.omega, damping * mode.damping, lanes, rows + k);
  }
  double* creeps = rows + kCreeps * lanes;
  for (std::size_t at = 0; at < lanes; at += kLanes) {
    double count = 0;
    for (std::size_t k = at; k < at + kLanes && k < object.mode_count; ++k) count += creeps[k];
    for (std::size_t i = 0; i < kLanes; ++i) creeps[at + i] = count;
  }
}

}  // namespace supple::player

using namespace supple;

extern "C" {

const char* supple_status_text(supple_status status) {
  switch (status) {
    case SUPPLE_OK:
      return "Everything is in order.";
    case SUPPLE_NOT_SUPPLE:
      return "This is not a .supple file.";
    case SUPPLE_NEWER_VERSION:
      return "The file was written by a newer Supple; update the player.";
    case SUPPLE_TRUNCATED:
      return "The end of the file is missing.";
    case SUPPLE_DAMAGED:
      return "The file is damaged; bake it again.";
    case SUPPLE_MISALIGNED:
      return "The bytes of the file must begin at a multiple of 16.";
    case SUPPLE_OTHER_MESH:
      return "The file was made for another mesh; bake this one.";
    case SUPPLE_OUT_OF_MEMORY:
      return "There is not enough memory.";
    case SUPPLE_BAD_ARGUMENT:
      return "An argument is null, out of range or not a finite number.";
    case SUPPLE_BAD_TIME_STEP:
      return "The time step must be a finite number above 0.";
    case SUPPLE_BAD_TRANSFORM:
      return "A bone's transform is not finite, mirrored or without volume.";
  }
  return "Unknown status.";
}

supple_status supple_asset_open(const void* bytes, size_t size, supple_asset** asset) {
  if (asset == nullptr) return SUPPLE_BAD_ARGUMENT;
  *asset = nullptr;
  if (bytes == nullptr) return SUPPLE_BAD_ARGUMENT;
  supple_asset checked{};
  const supple_status status = player::read(bytes, size, checked);
  if (status != SUPPLE_OK) return status;
  player::Arena measure;
  measure.take<supple_asset>(1);
  player::lay_out_asset(measure, checked, checked);
  void* block = measure.overflow() ? nullptr : player::allocate(measure.size());
  if (block == nullptr) return SUPPLE_OUT_OF_MEMORY;
  player::Arena arena(block);
  auto* opened = arena.take<supple_asset>(1);
  *opened = checked;
  player::lay_out_asset(arena, checked, *opened);
  player::fill(*opened);
  *asset = opened;
  return SUPPLE_OK;
}

void supple_asset_close(supple_asset* asset) {
  player::release(asset);
}

supple_status supple_asset_describe(const supple_asset* asset, supple_asset_info* info) {
  if (asset == nullptr || info == nullptr) return SUPPLE_BAD_ARGUMENT;
  const format::Summary& summary = *asset->summary;
  info->version_major = asset->header->version_major;
  info->version_minor = asset->header->version_minor;
  info->vertex_count = summary.vertex_count;
  info->index_count = summary.index_count;
  info->part_count = summary.part_count;
  info->object_count = summary.object_count;
  info->mode_count = summary.mode_count;
  info->encoding_bits = summary.encoding == format::Encoding::Int16 ? 16 : 32;
  info->attachment_count = asset->attachment_count;
  info->mesh_hash = summary.mesh_hash;
  info->metres_per_unit = summary.metres_per_unit;
  info->generator = asset->text + summary.generator;
  return SUPPLE_OK;
}

supple_status supple_asset_part(const supple_asset* asset, uint32_t part, supple_part_info* info) {
  if (asset == nullptr || info == nullptr || part >= asset->summary->part_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Part& p = asset->parts[part];
  *info = {p.mesh, p.primitive, p.first_vertex, p.vertex_count};
  return SUPPLE_OK;
}

supple_status supple_asset_object(const supple_asset* asset, uint32_t object,
                                  supple_object_info* info) {
  if (asset == nullptr || info == nullptr || object >= asset->summary->object_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Object& o = asset->objects[object];
  info->name = asset->text + o.name;
  info->bone = asset->text + o.bone;
  info->node = o.node;
  info->joint = o.joint;
  info->first_mode = o.first_mode;
  info->mode_count = o.mode_count;
  info->has_coriolis = o.coriolis != format::kNone ? 1 : 0;
  info->limit_metres = o.limit;
  info->mass_kg = o.mass;
  info->kind = o.kind == format::Kind::Shell ? SUPPLE_SHELL : SUPPLE_FLESH;
  return SUPPLE_OK;
}

supple_status supple_asset_shell(const supple_asset* asset, uint32_t object,
                                 supple_shell_info* info) {
  if (asset == nullptr || info == nullptr) return SUPPLE_BAD_ARGUMENT;
  const format::Shell* shell = asset->shell_of(object);
  if (shell == nullptr) return SUPPLE_BAD_ARGUMENT;
  info->point_count = shell->point_count;
  info->first_attachment = shell->first_attachment;
  info->attachment_count = shell->attachment_count;
  info->modelled_under_gravity = shell->modelled_under_gravity != 0 ? 1 : 0;
  info->has_rotation_strain = shell->strain != format::kNone ? 1 : 0;
  info->size_metres = shell->size;
  info->follow_turn = shell->follow_turn;
  info->point_error = shell->point_error;
  info->medium_density =
      asset->media != nullptr ? asset->media[shell - asset->shells].density : 0.0;
  return SUPPLE_OK;
}

supple_status supple_asset_attachment(const supple_asset* asset, uint32_t attachment,
                                      supple_attachment_info* info) {
  if (asset == nullptr || info == nullptr || attachment >= asset->attachment_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Attachment& a = asset->attachments[attachment];
  info->object = asset->shell_with(attachment).object;
  info->vertex = a.vertex;
  info->components = a.components;
  info->node = a.node;
  info->bone = asset->text + a.bone;
  info->stiffness = a.stiffness;
  return SUPPLE_OK;
}

supple_status supple_asset_find_object(const supple_asset* asset, const char* name,
                                       uint32_t* object) {
  if (asset == nullptr || name == nullptr || object == nullptr) return SUPPLE_BAD_ARGUMENT;
  for (uint32_t i = 0; i < asset->summary->object_count; ++i) {
    if (std::strcmp(asset->text + asset->objects[i].name, name) == 0) {
      *object = i;
      return SUPPLE_OK;
    }
  }
  return SUPPLE_BAD_ARGUMENT;
}

supple_status supple_asset_mode(const supple_asset* asset, uint32_t mode, supple_mode_info* info) {
  if (asset == nullptr || info == nullptr || mode >= asset->summary->mode_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Mode& m = asset->modes[mode];
  info->frequency_hz = m.omega / player::kTwoPi;
  info->damping = m.damping;
  std::memcpy(info->transfer, m.transfer.data(), sizeof info->transfer);
  std::memcpy(info->centrifugal, m.centrifugal.data(), sizeof info->centrifugal);
  info->largest_displacement = m.largest_displacement;
  info->share = m.share;
  return SUPPLE_OK;
}

uint64_t supple_mesh_hash(const float* positions, size_t vertex_count, const uint32_t* indices,
                          size_t index_count) {
  format::Xxh64 hash;
  hash.add(positions, vertex_count * 3 * sizeof(float));
  hash.add(indices, index_count * sizeof(uint32_t));
  return hash.value();
}

supple_status supple_asset_check_mesh(const supple_asset* asset, uint64_t mesh_hash) {
  if (asset == nullptr) return SUPPLE_BAD_ARGUMENT;
  return asset->summary->mesh_hash == mesh_hash ? SUPPLE_OK : SUPPLE_OTHER_MESH;
}

supple_status supple_asset_mode_shape(const supple_asset* asset, uint32_t mode,
                                      float* displacements, float* normals) {
  if (asset == nullptr || mode >= asset->summary->mode_count) return SUPPLE_BAD_ARGUMENT;
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
