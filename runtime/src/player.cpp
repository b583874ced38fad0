// SPDX-License-Identifier: Apache-2.0
#include "player.hpp"

#include "memory.hpp"
#include "shapes.hpp"
#include "shell.hpp"
#include "warp.hpp"

#include <cstring>

namespace supple::player {
namespace {

constexpr double kDefaultAcceleration = 500;  // m/s^2: fifty times gravity
constexpr double kDefaultSpin = 60;           // rad/s: ten turns a second
constexpr double kDefaultTeleport = 60;       // m/s
constexpr double kGravity = 9.81;

void lay_out_player(Arena& arena, const supple_asset& asset, supple_player& placed) {
  const std::size_t objects = asset.summary->object_count;
  placed.objects = arena.take<ObjectState>(objects);
  placed.coefficients = arena.take<float>(asset.summary->mode_count);
  placed.scaled = arena.take<float>(2 * std::size_t{asset.summary->mode_count});
  placed.active = arena.take<std::uint32_t>(objects);
  std::size_t most = 0;
  for (std::size_t i = 0; i < objects; ++i) {
    const std::size_t lanes = asset.lanes(i);
    if (lanes > most) most = lanes;
    ObjectState unused{};
    ObjectState& o = placed.objects == nullptr ? unused : placed.objects[i];
    o.lanes = lanes;
    for (double** row : {&o.q, &o.q_dot, &o.target, &o.output}) *row = arena.take<double>(lanes);
    for (double*& rows : o.transitions) rows = arena.take<double>(kTransitionRows * lanes);
  }
  // Apart, so that what every step touches lies together.
  for (std::size_t i = 0; i < objects; ++i) {
    ObjectState unused{};
    ObjectState& o = placed.objects == nullptr ? unused : placed.objects[i];
    for (double** row : {&o.shifted, &o.push, &o.last_push}) {
      *row = arena.take<double>(asset.lanes(i));
    }
    o.own = arena.take<double>(kConstantRows * asset.lanes(i));
  }
  placed.coriolis = arena.take<double>(2 * asset.largest_square + most);
  lay_out_shells(arena, asset, placed);
}

void set_defaults(const format::Object& file, ObjectState& o) {
  o.settings.enabled = 1;
  o.settings.gain = 1;
  o.settings.limit_metres = file.limit;
  o.settings.modes = file.mode_count;
  o.settings.max_acceleration = kDefaultAcceleration;
  o.settings.max_spin = kDefaultSpin;
  o.settings.teleport_speed = kDefaultTeleport;
  o.settings.coriolis = file.coriolis != format::kNone ? 1 : 0;
  o.settings.stiffness = o.settings.damping = 1;
  o.settings.warp = 1;
  o.lengths[0] = o.lengths[1] = -1;
  o.pose.rotation = o.last_pose.rotation = {0, 0, 0, 1};
}

void set_gravity(supple_player& player, Vec3 gravity) {
  player.gravity = gravity;
  for (std::uint32_t i = 0; i < player.asset->summary->object_count; ++i) {
    ObjectState& o = player.objects[i];
    const bool sags_at_rest = o.shell == nullptr || o.shell->file->modelled_under_gravity != 0;
    o.borne = sags_at_rest ? to_frame(rest_rotation(player.asset->objects[i]), gravity) : Vec3{};
  }
}

bool valid(const supple_object_settings& s) {
  const double sizes[] = {s.limit_metres, s.max_acceleration, s.max_spin, s.teleport_speed,
                          s.damping};
  // Beyond these limits frequencies leave the range that the reader lets a file have.
  bool good = finite(s.gain) && s.stiffness >= 1e-6 && s.stiffness <= 1e6 && s.damping <= 1e3;
  for (const double size : sizes) good = good && finite(size) && size >= 0;
  return good;
}

/// A force on a vertex of a shell, given in bind axes, in the axes that turn with the vertex.
Vec3 with_vertex(const supple_asset& asset, const format::Entry& entry, const ObjectState& o,
                 std::size_t lane, Vec3 force) {
  if (o.shell == nullptr || o.settings.warp == 0) return force;
  const Vec3 w = vertex_sum(asset, entry, lane, o.output, o.settings.modes).second;
  const ExactWarp f = exact_warp(w);
  return turned(-1.0 * w, f.a, f.b, force);
}

/// Q = Phi^T F for every object that moves the vertex; Phi^T R^T F of a shell.
void push(supple_player& player, std::uint32_t vertex, Vec3 force) {
  const supple_asset& asset = *player.asset;
  const std::uint32_t block = vertex / format::kBlock;
  const std::size_t lane = vertex % format::kBlock;
  for (std::uint32_t i = asset.blocks[block]; i < asset.blocks[block + 1]; ++i) {
    const format::Entry& entry = asset.entries[i];
    const format::Object& file = asset.objects[entry.object];
    ObjectState& o = player.objects[entry.object];
    if (o.settings.enabled == 0) continue;
    const std::array<double, 12>& l = file.frame_from_bind;
    const Vec3 f = to_frame(o.has_pose ? o.pose.rotation : rest_rotation(file), force);
    // F . (L u) = (L^T F) . u
    Vec3 bind{l[0] * f.x + l[4] * f.y + l[8] * f.z, l[1] * f.x + l[5] * f.y + l[9] * f.z,
              l[2] * f.x + l[6] * f.y + l[10] * f.z};
    bind = with_vertex(asset, entry, o, lane, bind);
    for (std::size_t k = 0; k < file.mode_count; ++k) {
      const VertexShape u = vertex_shape(asset, entry, k, lane);
      o.push[k] += dot(bind, {u.displacement[0], u.displacement[1], u.displacement[2]});
    }
    o.pushed = true;
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
#if defined(__x86_64__)
  if (set == InstructionSet::Avx2) {
    player.filter = &kFilterKernelsAvx2;
    player.deform = &kDeformKernelsAvx2;
    player.points = &kPointKernelsAvx2;
  } else if (set == InstructionSet::Avx512) {
    player.filter = &kFilterKernelsAvx512;
    player.deform = &kDeformKernelsAvx512;
    player.points = &kPointKernelsAvx512;
  }
#else
  (void)set;
#endif
}

}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_player_create(const supple_asset* asset, supple_player** result) {
  if (result == nullptr) return SUPPLE_BAD_ARGUMENT;
  *result = nullptr;
  if (asset == nullptr) return SUPPLE_BAD_ARGUMENT;
  player::Arena measure;
  measure.take<supple_player>(1);
  supple_player unused{};
  player::lay_out_player(measure, *asset, unused);
  void* block = measure.overflow() ? nullptr : player::allocate(measure.size());
  if (block == nullptr) return SUPPLE_OUT_OF_MEMORY;
  player::Arena arena(block);
  auto* created = arena.take<supple_player>(1);
  created->asset = asset;
  created->wind.gust_size = 1;
  created->wind.density = SUPPLE_MEDIUM_AS_BAKED;
  player::lay_out_player(arena, *asset, *created);
  for (uint32_t i = 0; i < asset->summary->object_count; ++i) {
    player::set_defaults(asset->objects[i], created->objects[i]);
  }
  using player::InstructionSet;
  const InstructionSet best = player::has(InstructionSet::Avx512) ? InstructionSet::Avx512
                              : player::has(InstructionSet::Avx2) ? InstructionSet::Avx2
                                                                  : InstructionSet::Baseline;
  player::choose(*created, best);
  player::prepare_shells(*created);
  player::set_gravity(*created, {0, -player::kGravity, 0});
  for (uint32_t i = 0; i < asset->summary->object_count; ++i) player::retune(*created, i);
  *result = created;
  return SUPPLE_OK;
}

void supple_player_destroy(supple_player* player) {
  if (player != nullptr) player::release(player->handle_memory);
  player::release(player);
}

const float* supple_player_coefficients(const supple_player* player) {
  return player == nullptr ? nullptr : player->coefficients;
}

void supple_player_reset(supple_player* player) {
  if (player == nullptr) return;
  for (uint32_t i = 0; i < player->asset->summary->object_count; ++i) player::reset(*player, i);
}

supple_status supple_player_reset_object(supple_player* player, uint32_t object) {
  if (player == nullptr || object >= player->asset->summary->object_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::reset(*player, object);
  return SUPPLE_OK;
}

supple_status supple_player_push(supple_player* player, uint32_t vertex, const double force[3]) {
  if (player == nullptr || force == nullptr || vertex >= player->asset->summary->vertex_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const player::Vec3 f{force[0], force[1], force[2]};
  if (!player::finite(f)) return SUPPLE_BAD_ARGUMENT;
  player::push(*player, vertex, f);
  return SUPPLE_OK;
}

supple_status supple_player_set_gravity(supple_player* player, const double gravity[3]) {
  if (player == nullptr || gravity == nullptr) return SUPPLE_BAD_ARGUMENT;
  const player::Vec3 g{gravity[0], gravity[1], gravity[2]};
  if (!player::finite(g)) return SUPPLE_BAD_ARGUMENT;
  player::set_gravity(*player, g);
  return SUPPLE_OK;
}

supple_status supple_player_set_wind(supple_player* player, const supple_wind* wind) {
  if (player == nullptr || wind == nullptr) return SUPPLE_BAD_ARGUMENT;
  const player::Vec3 v{wind->velocity[0], wind->velocity[1], wind->velocity[2]};
  const bool good = player::finite(v) && wind->gusts >= 0 && wind->gusts <= 1 &&
                    wind->gust_size > 0 && player::finite(wind->gust_size) &&
                    (wind->density >= 0 || wind->density == SUPPLE_MEDIUM_AS_BAKED) &&
                    player::finite(wind->density);
  if (!good) return SUPPLE_BAD_ARGUMENT;
  player->wind = *wind;
  return SUPPLE_OK;
}

supple_status supple_player_set_force_field(supple_player* player, supple_force_field field,
                                            void* context) {
  if (player == nullptr) return SUPPLE_BAD_ARGUMENT;
  player->field = field;
  player->field_context = context;
  return SUPPLE_OK;
}

supple_status supple_player_shell_state(const supple_player* player, uint32_t object,
                                        supple_shell_state* state) {
  if (player == nullptr || state == nullptr || object >= player->asset->summary->object_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const player::ShellState* shell = player->objects[object].shell;
  if (shell == nullptr) return SUPPLE_BAD_ARGUMENT;
  state->largest_turn = shell->largest_turn;
  state->beyond = shell->largest_turn / shell->file->follow_turn;
  state->handle_residual = shell->residual;
  return SUPPLE_OK;
}

supple_status supple_player_vertex(const supple_player* player, uint32_t vertex,
                                   const float rest[3], double position[3], double orientation[4]) {
  if (player == nullptr || rest == nullptr || vertex >= player->asset->summary->vertex_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const player::Vec3 at{rest[0], rest[1], rest[2]};
  player::VertexPlace place{};
  if (!player::finite(at) || !player::find_vertex(*player, vertex, at, place)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  if (position != nullptr) {
    position[0] = place.position.x;
    position[1] = place.position.y;
    position[2] = place.position.z;
  }
  if (orientation != nullptr) {
    orientation[0] = place.orientation.x;
    orientation[1] = place.orientation.y;
    orientation[2] = place.orientation.z;
    orientation[3] = place.orientation.w;
  }
  return SUPPLE_OK;
}

supple_status supple_player_get_settings(const supple_player* player, uint32_t object,
                                         supple_object_settings* settings) {
  if (player == nullptr || settings == nullptr || object >= player->asset->summary->object_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  *settings = player->objects[object].settings;
  return SUPPLE_OK;
}

supple_status supple_player_set_settings(supple_player* player, uint32_t object,
                                         const supple_object_settings* settings) {
  if (player == nullptr || settings == nullptr || object >= player->asset->summary->object_count ||
      !player::valid(*settings)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::ObjectState& o = player->objects[object];
  const bool switched = (o.settings.enabled != 0) != (settings->enabled != 0);
  const uint32_t most = player->asset->objects[object].mode_count;
  const bool retuned =
      o.settings.stiffness != settings->stiffness || o.settings.damping != settings->damping;
  o.settings = *settings;
  if (o.settings.modes > most) o.settings.modes = most;
  if (o.shell != nullptr) {
    player->bends[object] = settings->warp != 0 ? player::Bend::Warped : player::Bend::Linear;
  }
  if (retuned) player::retune(*player, object);
  if (switched) player::reset(*player, object);
  return SUPPLE_OK;
}

supple_status supple_player_diagnose(const supple_player* player, supple_diagnostics* diagnostics) {
  if (player == nullptr || diagnostics == nullptr) return SUPPLE_BAD_ARGUMENT;
  *diagnostics = player->diagnostics;
  return SUPPLE_OK;
}

}  // extern "C"
