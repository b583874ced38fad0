// SPDX-License-Identifier: Apache-2.0
#include "detail.hpp"
#include "rotation_strain.hpp"
#include "shapes.hpp"
#include "shell.hpp"
#include "sized.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr std::uint32_t kAllComponents = SUPPLE_HANDLE_POSITION | SUPPLE_HANDLE_ORIENTATION;

void set_active(supple_player& player, Handle& handle, bool active) {
  if (handle.active == active) return;
  handle.active = active;
  ShellState& shell = shell_state(player, handle.object);
  shell.held = active ? shell.held + 1 : shell.held - 1;
  if (shell.held == 0) shell.residual = 0;
}

supple_status tell(const Handle& handle, supple_handle_state* state) {
  supple_handle_state ours{};
  ours.active = handle.active ? 1 : 0;
  ours.position_error = handle.active ? handle.position_error : 0;
  ours.turn_error = handle.active ? handle.turn_error : 0;
  return give(ours, state);
}

/// Null, with a detail, where there is none.
Handle* find_slot(const supple_player* player, std::uint32_t slot) {
  if (!given(player, "player")) return nullptr;
  const std::uint32_t slots = player->shells == nullptr ? 0 : player->shells->handle_count;
  if (slot < slots) return &player->shells->handles[slot];
  Detail("there is no slot ") << slot << " for a handle; " << slots
                              << " are there, reserve more where the file has a shell";
  return nullptr;
}

Handle* find_attachment(const supple_player* player, std::uint32_t attachment) {
  if (!given(player, "player") ||
      !is_one_of("attachment", attachment, player->asset->attachment_count)) {
    return nullptr;
  }
  return &player->shells->attachments[attachment];
}

/// A handle of the program's, in the file's axes and metres.
struct Grip {
  std::uint32_t vertex, components;
  Vec3 rest;  ///< in the program's bind space
  Vec3 position;
  Rotation orientation;
  double stiffness;
  double max_force;
  bool turned;  ///< the orientation is one

  Grip(const supple_handle& handle, const World& world)
      : vertex(handle.vertex),
        components(world.components_in(handle.components)),
        rest{handle.rest[0], handle.rest[1], handle.rest[2]},
        position(world.metres *
                 world.in(Vec3{handle.position[0], handle.position[1], handle.position[2]})),
        orientation{handle.orientation[0], handle.orientation[1], handle.orientation[2],
                    handle.orientation[3]},
        stiffness(handle.stiffness),
        max_force(world.physical_metres * handle.max_force),
        turned(normalise(orientation)) {
    orientation = world.in(orientation);
  }

  [[nodiscard]] bool holds_position() const { return (components & SUPPLE_HANDLE_POSITION) != 0; }
  [[nodiscard]] bool holds_turn() const { return (components & SUPPLE_HANDLE_ORIENTATION) != 0; }
};

bool makes_sense(const Grip& grip) {
  if (!grip.holds_position() && !grip.holds_turn()) return refuse("the handle holds nothing");
  const bool hand = grip.stiffness == SUPPLE_HAND;
  if (!hand && (!finite(grip.stiffness) || grip.stiffness < 0)) return refuse("a bad stiffness");
  if (!finite(grip.max_force) || grip.max_force < 0) return refuse("a bad max_force");
  if (!finite(grip.rest)) return refuse("the rest position is not finite");
  if (grip.holds_position() && !finite(grip.position)) return refuse("the position is not finite");
  return !grip.holds_turn() || grip.turned || refuse("the orientation is no quaternion");
}

/// A spring that gives way by a small part of the shell's size before it pulls as hard as it can.
void be_hand(const supple_player& player, Handle& handle) {
  constexpr double kGives = 0.004;
  handle.max_force = hand_force(player, handle);
  handle.stiffness = handle.max_force / (kGives * shell_state(player, handle.object).file->size);
}

/// Takes hold of a vertex; what a slot knew of another is forgotten.
void take_hold(supple_player& player, const Grip& grip, const format::Entry& entry, Handle& to) {
  const supple_asset& asset = *player.asset;
  if (to.components != grip.components) std::memset(to.bias, 0, sizeof to.bias);
  if (!to.active || to.vertex != grip.vertex) {
    set_active(player, to, false);
    std::memset(to.bias, 0, sizeof to.bias);
    to.vertex = grip.vertex;
    to.object = entry.object;
    fill_rows(asset, entry, grip.vertex, to);
    to.node = node_of(asset, shell_state(player, to.object), grip.vertex);
  }
  const format::Object& object = asset.objects[to.object];
  double scale = 1;
  const Rotation bind = bind_rotation(object, scale);
  to.components = grip.components;
  to.stiffness = grip.stiffness;
  to.max_force = grip.max_force;
  if (grip.stiffness == SUPPLE_HAND) be_hand(player, to);
  to.rest = from_bind(asset, object, grip.rest);
  to.target = grip.holds_position() ? grip.position : Vec3{};
  to.orientation = grip.turned ? product(grip.orientation, inverse(bind)) : Rotation{0, 0, 0, 1};
  set_active(player, to, true);
}

/// Memory for so many slots; those that there are are copied. Null where there is none.
Handle* more_slots(const supple_player& player, std::uint32_t slots, void*& block) {
  const std::size_t most = most_lanes(*player.asset);
  const auto place = [&](Arena& arena) {
    auto* handles = arena.take<Handle>(slots);
    lay_out_rows(arena, most, slots, handles);
    return handles;
  };
  Arena measure;
  place(measure);
  block = allocate(player.asset->allocator, measure);
  if (block == nullptr) return nullptr;
  Arena arena(block);
  Handle* handles = place(arena);
  for (std::uint32_t i = 0; i < player.shells->handle_count; ++i) {
    const Handle& from = player.shells->handles[i];
    Handle to = from;
    to.displacements = handles[i].displacements;
    to.turns = handles[i].turns;
    std::memcpy(to.displacements, from.displacements, 3 * most * sizeof(double));
    std::memcpy(to.turns, from.turns, 3 * most * sizeof(double));
    handles[i] = to;
  }
  return handles;
}

/// Where an attachment's bone has its vertex.
void follow_bone(const format::Attachment& file, const Pose& bone, Handle& to) {
  const std::array<double, 12>& r = file.bone_from_frame;
  const Vec3 axes[3] = {{r[0], r[4], r[8]}, {r[1], r[5], r[9]}, {r[2], r[6], r[10]}};
  Rotation within{0, 0, 0, 1};
  (void)rotation_of(axes, within);  // the reader saw that it is one
  const Vec3 offset{r[3], r[7], r[11]};
  to.target = bone.position + to_world(bone.rotation, to_world(within, to.rest) + offset);
  to.orientation = product(bone.rotation, within);
}

}  // namespace

SUPPLE_FOR_SIZE double hand_force(const supple_player& player, const Handle& handle) {
  constexpr double kSteep = 10;        // radians or strain: with ease to the bound
  constexpr double kAnySteepness = 1;  // of a mode over the shell's size, where no sample tells
  const ShellState& shell = shell_state(player, handle.object);
  double softest = 0;  // radians per newton
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double sum = 0;
    for (std::size_t k = 0; k < shell.mode_count; ++k) {
      const double u = handle.displacements[3 * k + axis];
      const double steep =
          shell.rest != nullptr ? shell.samples.steepness[k] : kAnySteepness / shell.file->size;
      sum += (u < 0 ? -u : u) * steep * shell.constants[kCompliance * shell.lanes + k];
    }
    if (sum > softest) softest = sum;
  }
  const double gravity = length(player.gravity);
  const double load = shell.load > gravity ? shell.load : gravity;
  const double weight = load * player.asset->objects[handle.object].mass;
  return weight + (softest > 0 ? kSteep / softest : 0);
}

}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_player_set_handle(supple_player* player, uint32_t slot,
                                       const supple_handle* handle) {
  player::Handle* to = player::find_slot(player, slot);
  supple_handle ours{};
  if (to == nullptr || !player::take(handle, ours)) return SUPPLE_BAD_ARGUMENT;
  const supple_asset& asset = *player->asset;
  if ((ours.components & ~player::kAllComponents) != 0) {
    return player::bad_argument("components that there are not");
  }
  const player::Grip grip(ours, asset.world);
  if (!player::is_one_of("vertex", grip.vertex, asset.summary->vertex_count) ||
      !player::makes_sense(grip)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const format::Entry* entry = player::shell_entry_of(asset, grip.vertex);
  if (entry == nullptr) return player::no_shell_at(grip.vertex);
  player::take_hold(*player, grip, *entry, *to);
  return SUPPLE_OK;
}

supple_status supple_player_remove_handle(supple_player* player, uint32_t slot) {
  player::Handle* handle = player::find_slot(player, slot);
  if (handle == nullptr) return SUPPLE_BAD_ARGUMENT;
  player::set_active(*player, *handle, false);
  return SUPPLE_OK;
}

supple_status supple_player_reserve_handles(supple_player* player, uint32_t slots) {
  if (player::find_slot(player, 0) == nullptr) return SUPPLE_BAD_ARGUMENT;
  player::ShellCommons& shells = *player->shells;
  if (slots <= shells.handle_count) return SUPPLE_OK;
  constexpr uint32_t kMostSlots = 1U << 20U;
  if (slots > kMostSlots) {
    player::Detail("at most ") << kMostSlots << " slots can be reserved";
    return SUPPLE_OUT_OF_MEMORY;
  }
  void* block = nullptr;
  player::Handle* handles = player::more_slots(*player, slots, block);
  if (handles == nullptr) return SUPPLE_OUT_OF_MEMORY;
  player::release(player->asset->allocator, shells.handle_memory);
  shells.handles = handles;
  shells.handle_count = slots;
  shells.handle_memory = block;
  return SUPPLE_OK;
}

supple_status supple_player_set_attachment_matrix(supple_player* player, uint32_t attachment,
                                                  const float m[16]) {
  player::Handle* to = player::find_attachment(player, attachment);
  if (to == nullptr || !player::given(m, "matrix")) return SUPPLE_BAD_ARGUMENT;
  const player::World& world = player->asset->world;
  const player::Vec3 columns[3] = {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}};
  const player::Vec3 place{m[12], m[13], m[14]};
  player::Rotation turn{};
  if (!player::rotation_of(columns, turn) || !player::finite(place)) {
    ++player->diagnostics.bad_transforms;
    player::Detail("attachment ") << attachment << ": the matrix is not finite, mirrored or flat";
    return SUPPLE_BAD_TRANSFORM;
  }
  const player::Pose bone{world.metres * world.in(place), world.in(turn)};
  player::follow_bone(player->asset->attachments[attachment], bone, *to);
  player::set_active(*player, *to, true);
  return SUPPLE_OK;
}

supple_status supple_player_release_attachment(supple_player* player, uint32_t attachment) {
  player::Handle* handle = player::find_attachment(player, attachment);
  if (handle == nullptr) return SUPPLE_BAD_ARGUMENT;
  player::set_active(*player, *handle, false);
  return SUPPLE_OK;
}

supple_status supple_player_handle_state(const supple_player* player, uint32_t slot,
                                         supple_handle_state* state) {
  const player::Handle* handle = player::find_slot(player, slot);
  return handle == nullptr ? SUPPLE_BAD_ARGUMENT : player::tell(*handle, state);
}

supple_status supple_player_attachment_state(const supple_player* player, uint32_t attachment,
                                             supple_handle_state* state) {
  const player::Handle* handle = player::find_attachment(player, attachment);
  return handle == nullptr ? SUPPLE_BAD_ARGUMENT : player::tell(*handle, state);
}

}  // extern "C"
