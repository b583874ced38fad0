// SPDX-License-Identifier: Apache-2.0
// What supple.h has for shells beside handles.
#include "detail.hpp"
#include "shapes.hpp"
#include "shell.hpp"
#include "sized.hpp"
#include "warp.hpp"

namespace supple::player {
namespace {

Rotation rotation_by(Vec3 w) {
  const ExactWarp f = exact_warp(0.5 * w);  // A of half the angle is sin(th / 2) / (th / 2)
  const Vec3 v = (0.5 * f.a) * w;
  const double cosine = 1 - f.b * dot(0.5 * w, 0.5 * w);
  return {v.x, v.y, v.z, cosine};
}

/// Where a vertex of a shell is and how it is turned, in the program's world. `rest` is in its bind
/// space.
Pose vertex_pose(const supple_player& player, const format::Entry& entry, std::size_t lane,
                 Vec3 rest) {
  const supple_asset& asset = *player.asset;
  const format::Object& file = asset.objects[entry.object];
  const VertexSum sum =
      vertex_sum(asset, entry, lane, player.coefficients + file.first_mode, file.mode_count);
  const Vec3 w = player.bends[entry.object] == Bend::Linear ? Vec3{} : sum.second;
  const ExactWarp f = exact_warp(w);
  double scale = 1;
  const Rotation bind = bind_rotation(file, scale);
  const Pose frame = frame_of(player, entry.object);
  const Vec3 local = from_bind(asset, file, rest + turned(w, f.b, f.c, sum.displacement));
  const Vec3 metres = frame.position + to_world(frame.rotation, local);
  const Rotation turn = product(product(frame.rotation, bind), rotation_by(asset.world.turn_in(w)));
  return {(1 / asset.world.metres) * asset.world.out(metres), asset.world.out(turn)};
}

bool blows(const supple_wind& wind) {
  if (!finite(wind.velocity, 3)) return refuse("the wind's velocity is not finite");
  if (!(wind.gusts >= 0 && wind.gusts <= 1)) return refuse("gusts are not between 0 and 1");
  if (!(wind.gust_size > 0) || !finite(wind.gust_size)) return refuse("gust_size is not above 0");
  return (wind.density >= 0 && finite(wind.density)) || wind.density == SUPPLE_MEDIUM_AS_BAKED ||
         refuse("the density is negative or not finite");
}

}  // namespace

supple_status no_shell_at(std::uint32_t vertex) {
  Detail("vertex ") << vertex << " belongs to no shell, or the shell is fixed there";
  return SUPPLE_BAD_ARGUMENT;
}

}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_player_set_wind(supple_player* player, const supple_wind* wind) {
  if (!player::given(player, "player")) return SUPPLE_BAD_ARGUMENT;
  supple_wind ours = player::kNoWind;
  if (!player::take(wind, ours)) return SUPPLE_BAD_ARGUMENT;
  const player::World& world = player->asset->world;
  const player::Vec3 velocity = world.physical_in(ours.velocity);
  ours.velocity[0] = velocity.x;
  ours.velocity[1] = velocity.y;
  ours.velocity[2] = velocity.z;
  ours.gust_size *= world.physical_metres;
  if (!player::blows(ours)) return SUPPLE_BAD_ARGUMENT;
  player->wind = ours;
  return SUPPLE_OK;
}

supple_status supple_player_set_force_field(supple_player* player, supple_force_field field,
                                            void* context) {
  if (!player::given(player, "player")) return SUPPLE_BAD_ARGUMENT;
  player->field = field;
  player->field_context = context;
  return SUPPLE_OK;
}

supple_status supple_player_shell_state(const supple_player* player, uint32_t object,
                                        supple_shell_state* state) {
  if (!player::has_object(player, object)) return SUPPLE_BAD_ARGUMENT;
  const player::ShellState* shell = player::find_shell(*player, object);
  if (shell == nullptr) return player::bad_argument(player::kNotAShell);
  supple_shell_state ours{};
  ours.largest_turn = shell->largest_turn;
  ours.beyond = shell->largest_turn / shell->file->follow_turn;
  ours.handle_residual = shell->residual;
  ours.strained = shell->strained;
  return player::give(ours, state);
}

supple_status supple_player_vertex(const supple_player* player, uint32_t vertex,
                                   const float rest[3], double position[3], double orientation[4]) {
  if (!player::given(player, "player") || !player::given(rest, "rest") ||
      !player::is_one_of("vertex", vertex, player->asset->summary->vertex_count)) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const player::Vec3 at{rest[0], rest[1], rest[2]};
  if (!player::finite(at)) return player::bad_argument("the rest position is not finite");
  const format::Entry* entry = player::shell_entry_of(*player->asset, vertex);
  if (entry == nullptr) return player::no_shell_at(vertex);
  const player::Pose pose = player::vertex_pose(*player, *entry, vertex % format::kBlock, at);
  if (position != nullptr) {
    position[0] = pose.position.x;
    position[1] = pose.position.y;
    position[2] = pose.position.z;
  }
  if (orientation != nullptr) {
    orientation[0] = pose.rotation.x;
    orientation[1] = pose.rotation.y;
    orientation[2] = pose.rotation.z;
    orientation[3] = pose.rotation.w;
  }
  return SUPPLE_OK;
}

}  // extern "C"
