// SPDX-License-Identifier: Apache-2.0
#include "player.hpp"

namespace supple::player {
namespace {

constexpr double kFarthest = 1e12;  // metres from the origin; beyond, doubles are too coarse

/// What set_bone_* found goes to the coming step; a bad transform leaves the last good one.
supple_status set_pose(supple_player& player, std::uint32_t object, Vec3 position, bool turned,
                       Rotation rotation) {
  ObjectState& o = player.objects[object];
  const Vec3 metres = player.asset->summary->metres_per_unit * position;
  const bool near = length(metres) <= kFarthest;  // false for NaN too
  o.bad_pose = !near || !turned;
  if (o.bad_pose) {
    ++player.diagnostics.bad_transforms;
    return SUPPLE_BAD_TRANSFORM;
  }
  o.pose = {metres, rotation};
  o.has_pose = true;
  return SUPPLE_OK;
}

}  // namespace
}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_player_set_bone_matrix(supple_player* player, uint32_t object,
                                            const float m[16]) {
  if (player == nullptr || m == nullptr || object >= player->asset->summary->object_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const player::Vec3 columns[3] = {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}};
  player::Rotation rotation{};
  const bool turned = player::rotation_of(columns, rotation);
  return player::set_pose(*player, object, {m[12], m[13], m[14]}, turned, rotation);
}

supple_status supple_player_set_bone_pose(supple_player* player, uint32_t object,
                                          const double position[3], const double rotation[4]) {
  if (player == nullptr || position == nullptr || rotation == nullptr ||
      object >= player->asset->summary->object_count) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::Rotation unit{rotation[0], rotation[1], rotation[2], rotation[3]};
  const bool turned = player::normalise(unit);
  return player::set_pose(*player, object, {position[0], position[1], position[2]}, turned, unit);
}

}  // extern "C"
