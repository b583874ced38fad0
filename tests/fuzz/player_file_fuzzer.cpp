// SPDX-License-Identifier: Apache-2.0
#include "supple/format/checksum.hpp"
#include "supple/format/layout.hpp"

#include "fuzz/harness.hpp"

#include "supple.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using supple::format::Header;
using supple::format::Section;

/// Sections that lie inside the bytes.
std::vector<Section> sections_of(const std::uint8_t* data, std::size_t size) {
  std::vector<Section> found;
  if (size < sizeof(Header)) return found;
  Header header;
  std::memcpy(&header, data, sizeof header);
  const std::size_t fits = (size - sizeof header) / sizeof(Section);
  const std::size_t count = std::min<std::size_t>(header.section_count, fits);
  for (std::size_t i = 0; i < count; ++i) {
    Section section;
    std::memcpy(&section, data + sizeof header + i * sizeof section, sizeof section);
    if (section.offset > size || section.size > size - section.offset) return {};
    found.push_back(section);
  }
  return found;
}

/// Sizes and checksums made right, so that the checks behind them are reached.
void mend(std::uint8_t* data, std::size_t size) {
  std::vector<Section> sections = sections_of(data, size);
  if (sections.empty()) return;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    Section& section = sections[i];
    section.checksum = supple::format::checksum(data + section.offset, section.size);
    std::memcpy(data + sizeof(Header) + i * sizeof section, &section, sizeof section);
  }
  Header header;
  std::memcpy(&header, data, sizeof header);
  header.magic = supple::format::kMagic;
  header.version_major = supple::format::kVersionMajor;
  header.section_count = static_cast<std::uint32_t>(sections.size());
  header.file_size = size;
  header.checksum = 0;
  std::memcpy(data, &header, sizeof header);
  header.checksum =
      supple::format::checksum(data, sizeof header + sections.size() * sizeof(Section));
  std::memcpy(data, &header, sizeof header);
}

/// What shaders read: as large as the layout says, and no larger than the file allows.
void upload(const supple_asset* asset, const supple_player* player, std::uint32_t vertices) {
  supple_gpu_layout layout{};
  SUPPLE_CHECK(supple_asset_gpu_layout(asset, &layout) == SUPPLE_OK);
  const std::size_t row = std::size_t{4} * layout.width;
  std::vector<float> shapes(row * layout.shape_height * layout.shape_layers);
  std::vector<std::uint32_t> table(row * layout.table_height);
  SUPPLE_CHECK(supple_asset_gpu_textures(asset, shapes.data(), table.data()) == SUPPLE_OK);
  std::vector<float> coefficients(std::size_t{4} * layout.coefficient_texels);
  SUPPLE_CHECK(supple_player_gpu_coefficients(player, coefficients.data()) == SUPPLE_OK);
  std::vector<float> vectors(std::size_t{4} * layout.attributes * vertices);
  if (vectors.empty()) return;
  SUPPLE_CHECK(supple_asset_gpu_attributes(asset, 0, vertices, vectors.data()) == SUPPLE_OK);
}

/// What a shell has beside flesh, with all its handles at work.
void hold_shells(supple_player* player, const supple_asset_info& info,
                 const std::vector<float>& rest, std::vector<float>& positions) {
  const supple_wind wind{.velocity = {3, 1, 0}, .gusts = 0.5, .gust_size = 2, .density = 1.2};
  supple_player_set_wind(player, &wind);
  const float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1F, 0.2F, 0, 1};
  for (std::uint32_t i = 0; i < info.attachment_count && i < 64; ++i) {
    supple_player_set_attachment_matrix(player, i, matrix);
  }
  supple_handle handle{};
  handle.components = 63;
  handle.position[1] = 0.3;
  handle.orientation[3] = 1;
  if (info.vertex_count > 0) handle.vertex = info.vertex_count / 2;
  supple_player_set_handle(player, 3, &handle);
  const supple_stream_in in{rest.data(), 0};
  const supple_stream_out out{positions.data(), 0};
  for (std::uint32_t i = 0; i < info.object_count; ++i) {
    supple_player_rotation_strain(player, i, &in, &out);
  }
}

/// Lets each entry of a scene act in turn, at strengths inside and outside of its own.
void trigger_scenes(supple_player* player, const supple_asset* asset, const supple_asset_info& info,
                    int frame) {
  supple_scene_info scene{};
  supple_entry_info entry{};
  supple_scene_state state{};
  for (std::uint32_t i = 0; i < info.object_count; ++i) {
    if (supple_asset_scene(asset, i, &scene) != SUPPLE_OK) continue;
    SUPPLE_CHECK(scene.entry_count > 0 && scene.frame_seconds > 0);
    const std::uint32_t e = static_cast<std::uint32_t>(frame) % scene.entry_count;
    SUPPLE_CHECK(supple_asset_scene_entry(asset, i, e, &entry) == SUPPLE_OK);
    SUPPLE_CHECK(std::strlen(entry.name) + std::strlen(entry.key) < 1U << 20U);
    const supple_status status = supple_player_trigger(player, i, e, 0.3 * (frame + 1));
    SUPPLE_CHECK(supple_player_scene_state(player, i, &state) == SUPPLE_OK);
    SUPPLE_CHECK(status != SUPPLE_OK || state.entry == e);
    SUPPLE_CHECK(std::isfinite(state.off) && std::isfinite(state.frame));
    SUPPLE_CHECK(state.response == SUPPLE_NO_ENTRY || state.response < scene.response_count);
  }
}

/// Light from everywhere, as bright as there is; every colour finite.
void shade(supple_player* player, const supple_asset* asset, std::uint32_t vertices) {
  supple_light_info info{};
  if (supple_asset_light(asset, &info) != SUPPLE_OK) return;
  std::vector<float> appearance(info.rank);
  float none = 0;
  float* to = appearance.empty() ? &none : appearance.data();
  SUPPLE_CHECK(supple_player_appearance(player, to) == SUPPLE_OK);
  const std::vector<float> light(27, 1e12F);
  SUPPLE_CHECK(supple_player_set_light(player, light.data(), 27) == SUPPLE_OK);
  std::vector<float> colours(std::size_t{3} * vertices);
  supple_shading shading{};
  (info.sides == 2 ? shading.back : shading.front).data = colours.data();
  SUPPLE_CHECK(supple_player_shade(player, &shading) == SUPPLE_OK);
  for (const float colour : colours) SUPPLE_CHECK(std::isfinite(colour) && colour >= 0);
}

/// Binds the file to its own mesh with the vertices of each part in the opposite order.
void rebind(const supple_asset* asset, const supple_asset_info& info) {
  std::size_t size = 0;
  const auto* bytes = static_cast<const std::uint8_t*>(supple_asset_bytes(asset, &size));
  const std::vector<Section> sections = sections_of(bytes, size);
  const auto found = std::find_if(sections.begin(), sections.end(), [](const Section& section) {
    return section.id == supple::format::kVertexSection;
  });
  if (found == sections.end()) return;
  std::vector<supple::format::Vertex> vertices(info.vertex_count);
  if (!vertices.empty()) std::memcpy(vertices.data(), bytes + found->offset, found->size);
  std::vector<std::uint32_t> primitives;
  std::vector<float> positions;
  supple_part_info part{};
  for (std::uint32_t p = 0; supple_asset_part(asset, p, &part) == SUPPLE_OK; ++p) {
    primitives.insert(primitives.end(), {part.mesh, part.primitive, part.vertex_count, 0});
    for (std::uint32_t v = part.vertex_count; v-- > 0;) {
      const auto& place = vertices[part.first_vertex + v].position;
      positions.insert(positions.end(), place.begin(), place.end());
    }
  }
  supple_mesh mesh{};
  mesh.primitive_count = info.part_count;
  mesh.primitives = primitives.data();
  mesh.positions = positions.data();
  const std::uint32_t none = 0;
  mesh.indices = &none;
  supple_asset* rebound = nullptr;
  if (supple_asset_rebind(asset, &mesh, nullptr, &rebound) != SUPPLE_OK) return;
  supple_asset_info after{};
  SUPPLE_CHECK(supple_asset_describe(rebound, &after) == SUPPLE_OK);
  SUPPLE_CHECK_OP(after.vertex_count, ==, info.vertex_count);
  supple_asset_close(rebound);
}

/// What was accepted must play: every number finite, every byte inside.
void play(const supple_asset* asset) {
  supple_asset_info info{};
  SUPPLE_CHECK(supple_asset_describe(asset, &info) == SUPPLE_OK);
  SUPPLE_CHECK(std::strlen(info.generator) < 1U << 20U);
  supple_object_info object{};
  for (std::uint32_t i = 0; i < info.object_count; ++i) {
    SUPPLE_CHECK(supple_asset_object(asset, i, &object) == SUPPLE_OK);
    SUPPLE_CHECK(std::strlen(object.name) + std::strlen(object.bone) < 1U << 20U);
  }
  const std::size_t numbers = std::size_t{3} * info.vertex_count;
  const std::vector<float> rest(numbers, 0.5F);
  std::vector<float> positions(numbers);
  std::vector<float> normals(numbers);
  supple_deformation d{};
  d.rest_positions = d.rest_normals = {rest.data(), 0};
  d.positions = {positions.data(), 0};
  d.normals = {normals.data(), 0};
  supple_player* player = nullptr;
  SUPPLE_CHECK(supple_player_create(asset, &player) == SUPPLE_OK);
  for (int frame = 0; frame < 6; ++frame) {
    const double t = 0.02 * frame;
    const double position[3] = {t / info.metres_per_unit, 0, 0};
    const double rotation[4] = {0, std::sin(t), 0, std::cos(t)};
    const double force[3] = {1, 2, 3};
    for (std::uint32_t i = 0; i < info.object_count; ++i) {
      supple_player_set_bone_pose(player, i, position, rotation);
    }
    if (info.vertex_count > 0) supple_player_push(player, info.vertex_count - 1, force);
    trigger_scenes(player, asset, info, frame);
    SUPPLE_CHECK(supple_player_step(player, frame == 4 ? 1.0 : 0.02) == SUPPLE_OK);
    for (std::uint32_t k = 0; k < info.mode_count; ++k) {
      SUPPLE_CHECK(std::isfinite(supple_player_coefficients(player)[k]));
    }
    SUPPLE_CHECK(supple_player_deform(player, &d) == SUPPLE_OK);
    if (frame == 2) hold_shells(player, info, rest, positions);
    if (frame % 3 == 1) shade(player, asset, info.vertex_count);
  }
  if (info.mode_count > 0) {
    supple_asset_mode_shape(asset, info.mode_count - 1, positions.data(), normals.data());
  }
  upload(asset, player, info.vertex_count);
  supple_player_destroy(player);
  rebind(asset, info);
}

/// Half of the files are opened in another world, where shapes are copied and all numbers change
/// on their way in and out. Which half hangs on a byte that nothing else depends on.
supple_open_options options_for(const std::uint8_t* data, std::size_t size) {
  supple_open_options options{};
  if (data[size / 2] % 2 == 0) return options;
  options.axis_x = SUPPLE_AXIS_MINUS_Z;
  options.axis_y = SUPPLE_AXIS_X;
  options.axis_z = SUPPLE_AXIS_Y;
  options.metres_per_unit = 0.01;
  return options;
}

}  // namespace

/// Half of the changes are made inside one section, whose checksum is then made right.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  const std::vector<Section> sections = sections_of(data, size);
  if (seed % 4 == 0 || sections.empty()) {
    size = LLVMFuzzerMutate(data, size, max_size);
  } else {
    const Section& section = sections[seed / 4 % sections.size()];
    const auto length = static_cast<std::size_t>(section.size);
    if (length > 0) LLVMFuzzerMutate(data + section.offset, length, length);
  }
  if (seed % 16 != 1) mend(data, size);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A copy of exactly this size, aligned: reading past its end is seen.
  void* bytes = nullptr;
  if (size == 0 || posix_memalign(&bytes, 64, size) != 0) return 0;
  std::memcpy(bytes, data, size);
  supple_asset* asset = nullptr;
  const supple_open_options options = options_for(data, size);
  const supple_status status = supple_asset_open_with(bytes, size, &options, &asset);
  SUPPLE_CHECK((status == SUPPLE_OK) == (asset != nullptr));
  SUPPLE_CHECK(status == SUPPLE_OK || std::strlen(supple_error_detail()) > 0);
  supple_asset_info info{};
  if (asset != nullptr && supple_asset_describe(asset, &info) == SUPPLE_OK &&
      info.vertex_count < 1U << 20U) {
    play(asset);
  }
  supple_asset_close(asset);
  std::free(bytes);
  return 0;
}
