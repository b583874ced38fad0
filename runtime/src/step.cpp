// SPDX-License-Identifier: Apache-2.0
#include "detail.hpp"
#include "player.hpp"

namespace supple::player {

void publish(supple_player& player, std::size_t object) {
  const format::Object& file = player.asset->objects[object];
  std::uint32_t active = 0;
  for (std::uint32_t k = 0; k < file.mode_count; ++k) {
    const std::size_t mode = file.first_mode + k;
    const float c = player.coefficients[mode];
    player.scaled[2 * mode] = c * player.asset->modes[mode].position_scale;
    player.scaled[2 * mode + 1] = c * player.asset->modes[mode].normal_scale;
    if (c != 0) active = k + 1;
  }
  player.active[object] = active;
}

}  // namespace supple::player

using namespace supple;

extern "C" supple_status supple_player_step(supple_player* player, double dt) {
  if (!player::given(player, "player")) return SUPPLE_BAD_ARGUMENT;
  if (!(dt > 0) || !player::finite(dt)) {
    ++player->diagnostics.bad_time_steps;
    player::Detail("dt is 0, negative or not finite");
    return SUPPLE_BAD_TIME_STEP;
  }
  ++player->diagnostics.steps;
  const std::size_t objects = player->asset->summary->object_count;
  for (std::size_t i = 0; i < objects; ++i) player->objects[i].kind->step(*player, i, dt);
  player->time += dt;
  return SUPPLE_OK;
}
