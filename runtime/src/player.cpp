// SPDX-License-Identifier: Apache-2.0
#include "player.hpp"

#include "detail.hpp"
#include "light.hpp"
#include "shell.hpp"
#include "sized.hpp"

namespace supple::player {
namespace {

constexpr double kDefaultAcceleration = 500;  // m/s^2: fifty times gravity
constexpr double kDefaultSpin = 60;           // rad/s: ten turns a second
constexpr double kDefaultTeleport = 60;       // m/s
constexpr double kGravity = 9.81;
constexpr double kDefaultAreaBound = 0.15;
constexpr double kDefaultTurnBound = 3.14159265358979323846;

void lay_out_player(Arena& arena, const supple_asset& asset, supple_player& placed) {
  const std::size_t objects = asset.summary->object_count;
  placed.objects = arena.take<ObjectState>(objects);
  placed.coefficients = arena.take<float>(asset.summary->mode_count);
  placed.scaled = arena.take<float>(2 * std::size_t{asset.summary->mode_count});
  placed.active = arena.take<std::uint32_t>(objects);
  placed.bends = arena.take<Bend>(objects);
  for (const Kind* kind : kKinds) kind->lay_out(arena, asset, placed);
}

void set_defaults(const format::Object& file, ObjectState& o) {
  o.kind = &kind_of(file);
  o.settings.struct_size = sizeof o.settings;
  o.settings.enabled = 1;
  o.settings.gain = 1;
  o.settings.limit_metres = file.limit;
  o.settings.modes = file.mode_count;
  o.settings.max_acceleration = kDefaultAcceleration;
  o.settings.max_spin = kDefaultSpin;
  o.settings.teleport_speed = kDefaultTeleport;
  o.settings.coriolis = file.coriolis != format::kNone ? 1 : 0;
  o.settings.stiffness = o.settings.damping = 1;
  o.settings.warp = SUPPLE_WARP_WARPED;
  o.settings.area_bound = kDefaultAreaBound;
  o.settings.turn_bound = kDefaultTurnBound;
  o.pose.rotation = {0, 0, 0, 1};
  o.has_pose = file.node == format::kNoBone;
}

/// Once all memory is there.
void prepare(supple_player& player, const supple_asset& asset) {
  player.asset = &asset;
  player.wind = kNoWind;
  player.gravity = {0, -kGravity, 0};
  using player::InstructionSet;
  choose(player, has(InstructionSet::Avx512) ? InstructionSet::Avx512
                 : has(InstructionSet::Avx2) ? InstructionSet::Avx2
                                             : InstructionSet::Baseline);
  for (std::uint32_t i = 0; i < asset.summary->object_count; ++i) {
    set_defaults(asset.objects[i], player.objects[i]);
    player.objects[i].kind->prepare(player, i);
    player.objects[i].kind->adjust(player, i);
  }
}

bool valid(const supple_object_settings& s) {
  // Beyond these limits frequencies leave the range that the reader lets a file have.
  if (!(s.stiffness >= 1e-6 && s.stiffness <= 1e6)) return refuse("stiffness is out of range");
  if (!(s.damping >= 0 && s.damping <= 1e3)) return refuse("damping is out of range");
  if (!finite(s.gain)) return refuse("gain is not finite");
  for (const double size : {s.limit_metres, s.max_acceleration, s.max_spin, s.teleport_speed,
                            s.area_bound, s.turn_bound}) {
    if (!(size >= 0) || !finite(size)) return refuse("a limit is negative or not finite");
  }
  return true;
}

void push(supple_player& player, std::uint32_t vertex, Vec3 force) {
  const supple_asset& asset = *player.asset;
  const std::uint32_t block = vertex / format::kBlock;
  for (std::uint32_t i = asset.blocks[block]; i < asset.blocks[block + 1]; ++i) {
    const format::Entry& entry = asset.entries[i];
    const ObjectState& o = player.objects[entry.object];
    if (o.settings.enabled == 0) continue;
    o.kind->push(player, entry, vertex, force);
  }
}

}  // namespace

bool has(InstructionSet set) {
#if defined(__x86_64__)
  switch (set) {
    case InstructionSet::Baseline:
      return true;
    case InstructionSet::Avx2:
      return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case InstructionSet::Avx512:
      return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
             __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  }
#endif
  return set == InstructionSet::Baseline;
}

void choose(supple_player& player, InstructionSet set) {
  player.filter = &kFilterKernelsBaseline;
  player.deform = &kDeformKernelsBaseline;
  player.points = &kPointKernelsBaseline;
  player.shade = &kLightKernelsBaseline;
#if defined(__x86_64__)
  if (set == InstructionSet::Avx2) {
    player.filter = &kFilterKernelsAvx2;
    player.deform = &kDeformKernelsAvx2;
    player.points = &kPointKernelsAvx2;
    player.shade = &kLightKernelsAvx2;
  } else if (set == InstructionSet::Avx512) {
    player.filter = &kFilterKernelsAvx512;
    player.deform = &kDeformKernelsAvx512;
    player.points = &kPointKernelsAvx512;
    player.shade = &kLightKernelsAvx512;
  }
#else
  (void)set;
#endif
}

}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_player_create(const supple_asset* asset, supple_player** result) {
  if (!player::given(result, "player")) return SUPPLE_BAD_ARGUMENT;
  *result = nullptr;
  if (!player::given(asset, "asset")) return SUPPLE_BAD_ARGUMENT;
  player::Arena measure;
  measure.take<supple_player>(1);
  supple_player unused{};
  player::lay_out_player(measure, *asset, unused);
  void* block = player::allocate(asset->allocator, measure);
  if (block == nullptr) return SUPPLE_OUT_OF_MEMORY;
  player::Arena arena(block);
  auto* created = arena.take<supple_player>(1);
  player::lay_out_player(arena, *asset, *created);
  player::prepare(*created, *asset);
  *result = created;
  return SUPPLE_OK;
}

void supple_player_destroy(supple_player* player) {
  if (player == nullptr) return;
  const player::Allocator& allocator = player->asset->allocator;
  if (player->shells != nullptr) player::release(allocator, player->shells->handle_memory);
  player::release(allocator, player->light);
  player::release(allocator, player);
}

const float* supple_player_coefficients(const supple_player* player) {
  return player == nullptr ? nullptr : player->coefficients;
}

void supple_player_reset(supple_player* player) {
  if (player == nullptr) return;
  for (uint32_t i = 0; i < player->asset->summary->object_count; ++i) {
    player->objects[i].kind->reset(*player, i);
  }
}

supple_status supple_player_reset_object(supple_player* player, uint32_t object) {
  if (!player::has_object(player, object)) return SUPPLE_BAD_ARGUMENT;
  player->objects[object].kind->reset(*player, object);
  return SUPPLE_OK;
}

supple_status supple_player_push(supple_player* player, uint32_t vertex, const double force[3]) {
  if (!player::given(player, "player") || !player::given(force, "force") ||
      !player::is_one_of("vertex", vertex, player->asset->summary->vertex_count)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const player::Vec3 newtons = player->asset->world.physical_in(force);
  if (!player::finite(newtons)) return player::bad_argument("the force is not finite");
  player::push(*player, vertex, newtons);
  return SUPPLE_OK;
}

supple_status supple_player_set_gravity(supple_player* player, const double gravity[3]) {
  if (!player::given(player, "player") || !player::given(gravity, "gravity")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const player::Vec3 g = player->asset->world.physical_in(gravity);
  if (!player::finite(g)) return player::bad_argument("gravity is not finite");
  player->gravity = g;
  for (uint32_t i = 0; i < player->asset->summary->object_count; ++i) {
    player->objects[i].kind->adjust(*player, i);
  }
  return SUPPLE_OK;
}

supple_status supple_player_get_settings(const supple_player* player, uint32_t object,
                                         supple_object_settings* settings) {
  if (!player::has_object(player, object)) return SUPPLE_BAD_ARGUMENT;
  return player::give(player->objects[object].settings, settings);
}

supple_status supple_player_set_settings(supple_player* player, uint32_t object,
                                         const supple_object_settings* settings) {
  if (!player::has_object(player, object)) return SUPPLE_BAD_ARGUMENT;
  player::ObjectState& o = player->objects[object];
  supple_object_settings wanted = o.settings;
  if (!player::take(settings, wanted) || !player::valid(wanted)) return SUPPLE_BAD_ARGUMENT;
  const player::ShellState* shell = player::find_shell(*player, object);
  if (shell != nullptr && wanted.warp == SUPPLE_WARP_ROTATION_STRAIN && shell->rest == nullptr) {
    return player::bad_argument("the file lacks what handles by rotation and strain need");
  }
  const uint32_t most = player->asset->objects[object].mode_count;
  if (wanted.modes > most) wanted.modes = most;
  const bool switched = (o.settings.enabled != 0) != (wanted.enabled != 0);
  o.settings = wanted;
  o.kind->adjust(*player, object);
  if (switched) o.kind->reset(*player, object);
  return SUPPLE_OK;
}

supple_status supple_player_diagnose(const supple_player* player, supple_diagnostics* diagnostics) {
  if (!player::given(player, "player")) return SUPPLE_BAD_ARGUMENT;
  return player::give(player->diagnostics, diagnostics);
}

}  // extern "C"
