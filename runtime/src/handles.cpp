// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"
#include "shell.hpp"

#include <cstring>

namespace supple::player {
namespace {

void set_active(supple_player& player, Handle& handle, bool active) {
  if (handle.active == active) return;
  handle.active = active;
  ShellState& shell = *player.objects[handle.object].shell;
  shell.held = active ? shell.held + 1 : shell.held - 1;
  if (shell.held == 0) shell.residual = 0;
}

void tell(const Handle& handle, supple_handle_state& state) {
  state.active = handle.active ? 1 : 0;
  state.position_error = handle.active ? handle.position_error : 0;
  state.turn_error = handle.active ? handle.turn_error : 0;
}

}  // namespace

}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_player_set_handle(supple_player* player, uint32_t slot,
                                       const supple_handle* handle) {
  if (player == nullptr || handle == nullptr || slot >= player->handle_count ||
      handle->vertex >= player->asset->summary->vertex_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  constexpr uint32_t kAll = SUPPLE_HANDLE_POSITION | SUPPLE_HANDLE_ORIENTATION;
  const double rest[3] = {handle->rest[0], handle->rest[1], handle->rest[2]};
  const bool holds_position = (handle->components & SUPPLE_HANDLE_POSITION) != 0;
  const bool holds_turn = (handle->components & SUPPLE_HANDLE_ORIENTATION) != 0;
  if ((!holds_position && !holds_turn) || (handle->components & ~kAll) != 0 ||
      !player::finite(handle->stiffness) || handle->stiffness < 0 || !player::finite(rest, 3)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  if (holds_position && !player::finite(handle->position, 3)) return SUPPLE_BAD_ARGUMENT;
  player::Rotation turn{handle->orientation[0], handle->orientation[1], handle->orientation[2],
                        handle->orientation[3]};
  const bool turned = player::normalise(turn);
  if (holds_turn && !turned) return SUPPLE_BAD_ARGUMENT;
  player::Handle& to = player->handles[slot];
  const format::Entry* entry = player::shell_entry_of(*player->asset, handle->vertex);
  if (entry == nullptr) return SUPPLE_BAD_ARGUMENT;
  if (to.components != handle->components) std::memset(to.bias, 0, sizeof to.bias);
  if (!to.active || to.vertex != handle->vertex) {
    player::set_active(*player, to, false);
    std::memset(to.bias, 0, sizeof to.bias);
    to.vertex = handle->vertex;
    to.object = entry->object;
    player::fill_rows(*player->asset, *entry, handle->vertex, to);
  }
  const format::Object& object = player->asset->objects[to.object];
  double scale = 1;
  const player::Rotation bind = player::bind_rotation(object, scale);
  const double metres = player->asset->summary->metres_per_unit;
  to.components = handle->components;
  to.stiffness = handle->stiffness;
  to.rest = player::from_bind(object, {rest[0], rest[1], rest[2]});
  to.target = {metres * handle->position[0], metres * handle->position[1],
               metres * handle->position[2]};
  if (!holds_position) to.target = {};
  to.orientation =
      turned ? player::product(turn, player::inverse(bind)) : player::Rotation{0, 0, 0, 1};
  player::set_active(*player, to, true);
  return SUPPLE_OK;
}

supple_status supple_player_remove_handle(supple_player* player, uint32_t slot) {
  if (player == nullptr || slot >= player->handle_count) return SUPPLE_BAD_ARGUMENT;
  player::set_active(*player, player->handles[slot], false);
  return SUPPLE_OK;
}

supple_status supple_player_reserve_handles(supple_player* player, uint32_t slots) {
  if (player == nullptr || player->handle_count == 0) return SUPPLE_BAD_ARGUMENT;
  if (slots <= player->handle_count) return SUPPLE_OK;
  constexpr uint32_t kMostSlots = 1U << 20U;
  if (slots > kMostSlots) return SUPPLE_OUT_OF_MEMORY;
  const size_t most = player::most_lanes(*player->asset);
  const auto place = [&](player::Arena& arena) {
    auto* handles = arena.take<player::Handle>(slots);
    player::lay_out_rows(arena, most, slots, handles);
    return handles;
  };
  player::Arena measure;
  place(measure);
  void* block = measure.overflow() ? nullptr : player::allocate(measure.size());
  if (block == nullptr) return SUPPLE_OUT_OF_MEMORY;
  player::Arena arena(block);
  player::Handle* handles = place(arena);
  for (uint32_t i = 0; i < player->handle_count; ++i) {
    const player::Handle& from = player->handles[i];
    player::Handle to = from;
    to.displacements = handles[i].displacements;
    to.turns = handles[i].turns;
    std::memcpy(to.displacements, from.displacements, 3 * most * sizeof(double));
    std::memcpy(to.turns, from.turns, 3 * most * sizeof(double));
    handles[i] = to;
  }
  player->handles = handles;
  player->handle_count = slots;
  player::release(player->handle_memory);
  player->handle_memory = block;
  return SUPPLE_OK;
}

supple_status supple_player_set_attachment_matrix(supple_player* player, uint32_t attachment,
                                                  const float m[16]) {
  if (player == nullptr || m == nullptr || attachment >= player->asset->attachment_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Attachment& file = player->asset->attachments[attachment];
  const player::Vec3 columns[3] = {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}};
  player::Rotation bone{};
  const double place[3] = {m[12], m[13], m[14]};
  if (!player::rotation_of(columns, bone) || !player::finite(place, 3)) {
    ++player->diagnostics.bad_transforms;
    return SUPPLE_BAD_TRANSFORM;
  }
  const std::array<double, 12>& r = file.bone_from_frame;
  const player::Vec3 axes[3] = {{r[0], r[4], r[8]}, {r[1], r[5], r[9]}, {r[2], r[6], r[10]}};
  player::Rotation within{0, 0, 0, 1};
  (void)player::rotation_of(axes, within);  // the reader saw that it is one
  player::Handle& to = player->attachments[attachment];
  const player::Vec3 offset{r[3], r[7], r[11]};
  const double metres = player->asset->summary->metres_per_unit;
  to.target = metres * player::Vec3{place[0], place[1], place[2]} +
              player::to_world(bone, player::to_world(within, to.rest) + offset);
  to.orientation = player::product(bone, within);
  player::set_active(*player, to, true);
  return SUPPLE_OK;
}

supple_status supple_player_release_attachment(supple_player* player, uint32_t attachment) {
  if (player == nullptr || attachment >= player->asset->attachment_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::set_active(*player, player->attachments[attachment], false);
  return SUPPLE_OK;
}

supple_status supple_player_handle_state(const supple_player* player, uint32_t slot,
                                         supple_handle_state* state) {
  if (player == nullptr || state == nullptr || slot >= player->handle_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::tell(player->handles[slot], *state);
  return SUPPLE_OK;
}

supple_status supple_player_attachment_state(const supple_player* player, uint32_t attachment,
                                             supple_handle_state* state) {
  if (player == nullptr || state == nullptr || attachment >= player->asset->attachment_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::tell(player->attachments[attachment], *state);
  return SUPPLE_OK;
}

}  // extern "C"
