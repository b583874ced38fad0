// SPDX-License-Identifier: Apache-2.0
// What the web package needs beside supple.h: memory at cache lines, and where the members of the
// interface's structs are, by name, so that no offset is written down twice.
#include "supple.h"

#include "memory.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace {

/// How a member is read: its size in bytes, and whether it is a floating point number.
enum class Kind : std::uint8_t { Integer, Float, Struct };

/// Without its name, which would be most of the module's data: the package's build reads names, in
/// this order, from the list below.
struct Member {
  std::uint16_t offset;
  std::uint8_t size;
  Kind kind;
};

template <class T>
constexpr Kind kind_of() {
  using Element = std::remove_all_extents_t<T>;
  if (std::is_floating_point_v<Element>) return Kind::Float;
  return std::is_class_v<Element> ? Kind::Struct : Kind::Integer;
}

constexpr Member member(std::size_t offset, std::size_t size, Kind kind) {
  return {static_cast<std::uint16_t>(offset), static_cast<std::uint8_t>(size), kind};
}

#define SUPPLE_STRUCT(type) member(0, sizeof(type), Kind::Struct)
#define SUPPLE_MEMBER(type, name) \
  member(offsetof(type, name), sizeof(type::name), kind_of<decltype(type::name)>())

constexpr Member kMembers[] = {SUPPLE_STRUCT(supple_open_options),
                               SUPPLE_MEMBER(supple_open_options, struct_size),
                               SUPPLE_MEMBER(supple_open_options, allocate),
                               SUPPLE_MEMBER(supple_open_options, release),
                               SUPPLE_MEMBER(supple_open_options, memory_context),
                               SUPPLE_MEMBER(supple_open_options, axis_x),
                               SUPPLE_MEMBER(supple_open_options, axis_y),
                               SUPPLE_MEMBER(supple_open_options, axis_z),
                               SUPPLE_MEMBER(supple_open_options, metres_per_unit),
                               SUPPLE_STRUCT(supple_asset_info),
                               SUPPLE_MEMBER(supple_asset_info, struct_size),
                               SUPPLE_MEMBER(supple_asset_info, version_major),
                               SUPPLE_MEMBER(supple_asset_info, version_minor),
                               SUPPLE_MEMBER(supple_asset_info, vertex_count),
                               SUPPLE_MEMBER(supple_asset_info, index_count),
                               SUPPLE_MEMBER(supple_asset_info, part_count),
                               SUPPLE_MEMBER(supple_asset_info, object_count),
                               SUPPLE_MEMBER(supple_asset_info, mode_count),
                               SUPPLE_MEMBER(supple_asset_info, encoding_bits),
                               SUPPLE_MEMBER(supple_asset_info, attachment_count),
                               SUPPLE_MEMBER(supple_asset_info, mesh_hash),
                               SUPPLE_MEMBER(supple_asset_info, metres_per_unit),
                               SUPPLE_MEMBER(supple_asset_info, generator),
                               SUPPLE_STRUCT(supple_part_info),
                               SUPPLE_MEMBER(supple_part_info, struct_size),
                               SUPPLE_MEMBER(supple_part_info, mesh),
                               SUPPLE_MEMBER(supple_part_info, primitive),
                               SUPPLE_MEMBER(supple_part_info, first_vertex),
                               SUPPLE_MEMBER(supple_part_info, vertex_count),
                               SUPPLE_STRUCT(supple_mesh),
                               SUPPLE_MEMBER(supple_mesh, struct_size),
                               SUPPLE_MEMBER(supple_mesh, primitive_count),
                               SUPPLE_MEMBER(supple_mesh, primitives),
                               SUPPLE_MEMBER(supple_mesh, positions),
                               SUPPLE_MEMBER(supple_mesh, normals),
                               SUPPLE_MEMBER(supple_mesh, indices),
                               SUPPLE_MEMBER(supple_mesh, nodes),
                               SUPPLE_STRUCT(supple_match_info),
                               SUPPLE_MEMBER(supple_match_info, struct_size),
                               SUPPLE_MEMBER(supple_match_info, vertex_count),
                               SUPPLE_MEMBER(supple_match_info, reordered),
                               SUPPLE_MEMBER(supple_match_info, scaled_parts),
                               SUPPLE_MEMBER(supple_match_info, distance),
                               SUPPLE_STRUCT(supple_object_info),
                               SUPPLE_MEMBER(supple_object_info, struct_size),
                               SUPPLE_MEMBER(supple_object_info, name),
                               SUPPLE_MEMBER(supple_object_info, bone),
                               SUPPLE_MEMBER(supple_object_info, node),
                               SUPPLE_MEMBER(supple_object_info, joint),
                               SUPPLE_MEMBER(supple_object_info, first_mode),
                               SUPPLE_MEMBER(supple_object_info, mode_count),
                               SUPPLE_MEMBER(supple_object_info, has_coriolis),
                               SUPPLE_MEMBER(supple_object_info, limit_metres),
                               SUPPLE_MEMBER(supple_object_info, mass_kg),
                               SUPPLE_MEMBER(supple_object_info, kind),
                               SUPPLE_STRUCT(supple_mode_info),
                               SUPPLE_MEMBER(supple_mode_info, struct_size),
                               SUPPLE_MEMBER(supple_mode_info, frequency_hz),
                               SUPPLE_MEMBER(supple_mode_info, damping),
                               SUPPLE_MEMBER(supple_mode_info, transfer),
                               SUPPLE_MEMBER(supple_mode_info, centrifugal),
                               SUPPLE_MEMBER(supple_mode_info, largest_displacement),
                               SUPPLE_MEMBER(supple_mode_info, share),
                               SUPPLE_STRUCT(supple_object_settings),
                               SUPPLE_MEMBER(supple_object_settings, struct_size),
                               SUPPLE_MEMBER(supple_object_settings, enabled),
                               SUPPLE_MEMBER(supple_object_settings, gain),
                               SUPPLE_MEMBER(supple_object_settings, limit_metres),
                               SUPPLE_MEMBER(supple_object_settings, modes),
                               SUPPLE_MEMBER(supple_object_settings, max_acceleration),
                               SUPPLE_MEMBER(supple_object_settings, max_spin),
                               SUPPLE_MEMBER(supple_object_settings, teleport_speed),
                               SUPPLE_MEMBER(supple_object_settings, coriolis),
                               SUPPLE_MEMBER(supple_object_settings, stiffness),
                               SUPPLE_MEMBER(supple_object_settings, damping),
                               SUPPLE_MEMBER(supple_object_settings, warp),
                               SUPPLE_MEMBER(supple_object_settings, area_bound),
                               SUPPLE_MEMBER(supple_object_settings, turn_bound),
                               SUPPLE_STRUCT(supple_diagnostics),
                               SUPPLE_MEMBER(supple_diagnostics, struct_size),
                               SUPPLE_MEMBER(supple_diagnostics, steps),
                               SUPPLE_MEMBER(supple_diagnostics, bad_transforms),
                               SUPPLE_MEMBER(supple_diagnostics, bad_time_steps),
                               SUPPLE_MEMBER(supple_diagnostics, pauses),
                               SUPPLE_MEMBER(supple_diagnostics, teleports),
                               SUPPLE_MEMBER(supple_diagnostics, clamped_accelerations),
                               SUPPLE_MEMBER(supple_diagnostics, bad_forces),
                               SUPPLE_MEMBER(supple_diagnostics, numeric_resets),
                               SUPPLE_STRUCT(supple_shell_info),
                               SUPPLE_MEMBER(supple_shell_info, struct_size),
                               SUPPLE_MEMBER(supple_shell_info, point_count),
                               SUPPLE_MEMBER(supple_shell_info, first_attachment),
                               SUPPLE_MEMBER(supple_shell_info, attachment_count),
                               SUPPLE_MEMBER(supple_shell_info, modelled_under_gravity),
                               SUPPLE_MEMBER(supple_shell_info, has_rotation_strain),
                               SUPPLE_MEMBER(supple_shell_info, size_metres),
                               SUPPLE_MEMBER(supple_shell_info, follow_turn),
                               SUPPLE_MEMBER(supple_shell_info, point_error),
                               SUPPLE_MEMBER(supple_shell_info, medium_density),
                               SUPPLE_STRUCT(supple_attachment_info),
                               SUPPLE_MEMBER(supple_attachment_info, struct_size),
                               SUPPLE_MEMBER(supple_attachment_info, object),
                               SUPPLE_MEMBER(supple_attachment_info, vertex),
                               SUPPLE_MEMBER(supple_attachment_info, components),
                               SUPPLE_MEMBER(supple_attachment_info, node),
                               SUPPLE_MEMBER(supple_attachment_info, bone),
                               SUPPLE_MEMBER(supple_attachment_info, stiffness),
                               SUPPLE_STRUCT(supple_handle),
                               SUPPLE_MEMBER(supple_handle, struct_size),
                               SUPPLE_MEMBER(supple_handle, vertex),
                               SUPPLE_MEMBER(supple_handle, components),
                               SUPPLE_MEMBER(supple_handle, rest),
                               SUPPLE_MEMBER(supple_handle, position),
                               SUPPLE_MEMBER(supple_handle, orientation),
                               SUPPLE_MEMBER(supple_handle, stiffness),
                               SUPPLE_MEMBER(supple_handle, max_force),
                               SUPPLE_STRUCT(supple_handle_state),
                               SUPPLE_MEMBER(supple_handle_state, struct_size),
                               SUPPLE_MEMBER(supple_handle_state, active),
                               SUPPLE_MEMBER(supple_handle_state, position_error),
                               SUPPLE_MEMBER(supple_handle_state, turn_error),
                               SUPPLE_STRUCT(supple_shell_state),
                               SUPPLE_MEMBER(supple_shell_state, struct_size),
                               SUPPLE_MEMBER(supple_shell_state, largest_turn),
                               SUPPLE_MEMBER(supple_shell_state, beyond),
                               SUPPLE_MEMBER(supple_shell_state, handle_residual),
                               SUPPLE_MEMBER(supple_shell_state, strained),
                               SUPPLE_STRUCT(supple_wind),
                               SUPPLE_MEMBER(supple_wind, struct_size),
                               SUPPLE_MEMBER(supple_wind, velocity),
                               SUPPLE_MEMBER(supple_wind, gusts),
                               SUPPLE_MEMBER(supple_wind, gust_size),
                               SUPPLE_MEMBER(supple_wind, density),
                               SUPPLE_STRUCT(supple_scene_info),
                               SUPPLE_MEMBER(supple_scene_info, struct_size),
                               SUPPLE_MEMBER(supple_scene_info, entry_count),
                               SUPPLE_MEMBER(supple_scene_info, response_count),
                               SUPPLE_MEMBER(supple_scene_info, state_count),
                               SUPPLE_MEMBER(supple_scene_info, frame_seconds),
                               SUPPLE_STRUCT(supple_entry_info),
                               SUPPLE_MEMBER(supple_entry_info, struct_size),
                               SUPPLE_MEMBER(supple_entry_info, name),
                               SUPPLE_MEMBER(supple_entry_info, key),
                               SUPPLE_MEMBER(supple_entry_info, weakest),
                               SUPPLE_MEMBER(supple_entry_info, strongest),
                               SUPPLE_MEMBER(supple_entry_info, followed_by),
                               SUPPLE_MEMBER(supple_entry_info, from_rest),
                               SUPPLE_STRUCT(supple_response_info),
                               SUPPLE_MEMBER(supple_response_info, struct_size),
                               SUPPLE_MEMBER(supple_response_info, entry),
                               SUPPLE_MEMBER(supple_response_info, first_state),
                               SUPPLE_MEMBER(supple_response_info, state_count),
                               SUPPLE_MEMBER(supple_response_info, rests),
                               SUPPLE_MEMBER(supple_response_info, strength),
                               SUPPLE_STRUCT(supple_scene_state),
                               SUPPLE_MEMBER(supple_scene_state, struct_size),
                               SUPPLE_MEMBER(supple_scene_state, allowed),
                               SUPPLE_MEMBER(supple_scene_state, entry),
                               SUPPLE_MEMBER(supple_scene_state, response),
                               SUPPLE_MEMBER(supple_scene_state, frame),
                               SUPPLE_MEMBER(supple_scene_state, at_rest),
                               SUPPLE_MEMBER(supple_scene_state, off),
                               SUPPLE_MEMBER(supple_scene_state, last_blend),
                               SUPPLE_MEMBER(supple_scene_state, transitions),
                               SUPPLE_STRUCT(supple_scene_settings),
                               SUPPLE_MEMBER(supple_scene_settings, struct_size),
                               SUPPLE_MEMBER(supple_scene_settings, half_life),
                               SUPPLE_MEMBER(supple_scene_settings, blend),
                               SUPPLE_STRUCT(supple_gpu_layout),
                               SUPPLE_MEMBER(supple_gpu_layout, struct_size),
                               SUPPLE_MEMBER(supple_gpu_layout, width),
                               SUPPLE_MEMBER(supple_gpu_layout, shape_height),
                               SUPPLE_MEMBER(supple_gpu_layout, shape_layers),
                               SUPPLE_MEMBER(supple_gpu_layout, table_height),
                               SUPPLE_MEMBER(supple_gpu_layout, coefficient_texels),
                               SUPPLE_MEMBER(supple_gpu_layout, attributes),
                               SUPPLE_STRUCT(supple_stream_in),
                               SUPPLE_MEMBER(supple_stream_in, data),
                               SUPPLE_MEMBER(supple_stream_in, stride),
                               SUPPLE_STRUCT(supple_stream_out),
                               SUPPLE_MEMBER(supple_stream_out, data),
                               SUPPLE_MEMBER(supple_stream_out, stride),
                               SUPPLE_STRUCT(supple_deformation),
                               SUPPLE_MEMBER(supple_deformation, struct_size),
                               SUPPLE_MEMBER(supple_deformation, rest_positions),
                               SUPPLE_MEMBER(supple_deformation, rest_normals),
                               SUPPLE_MEMBER(supple_deformation, rest_tangents),
                               SUPPLE_MEMBER(supple_deformation, positions),
                               SUPPLE_MEMBER(supple_deformation, normals),
                               SUPPLE_MEMBER(supple_deformation, tangents),
                               SUPPLE_MEMBER(supple_deformation, palette),
                               SUPPLE_MEMBER(supple_deformation, joint_count),
                               SUPPLE_MEMBER(supple_deformation, influences),
                               SUPPLE_MEMBER(supple_deformation, joints),
                               SUPPLE_MEMBER(supple_deformation, weights),
                               SUPPLE_MEMBER(supple_deformation, first_vertex),
                               SUPPLE_MEMBER(supple_deformation, vertex_count)};

}  // namespace

extern "C" {

SUPPLE_API const void* supple_wasm_members() {
  return kMembers;
}

/// Zeroed, at a multiple of 64; null when there is no memory.
SUPPLE_API void* supple_wasm_allocate(size_t size) {
  return supple::player::allocate(supple::player::Allocator{}, size);
}

SUPPLE_API void supple_wasm_release(void* block) {
  supple::player::release({}, block);
}

}  // extern "C"
