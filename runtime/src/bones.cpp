// SPDX-License-Identifier: Apache-2.0
#include "detail.hpp"
#include "player.hpp"

namespace supple::player {
namespace {

constexpr double kFarthest = 1e12;  // metres from the origin; beyond, doubles are too coarse

/// The last good transform stays.
[[gnu::cold]] SUPPLE_FOR_SIZE supple_status refuse_pose(supple_player& player, std::uint32_t object,
                                                        bool near) {
  player.objects[object].bad_pose = true;
  ++player.diagnostics.bad_transforms;
  Detail("object ") << object << ": "
                    << (near ? "the rotation is not finite, mirrored or flat"
                             : "the position is not finite or beyond 1e12 m");
  return SUPPLE_BAD_TRANSFORM;
}

/// What set_bone_* found goes to the coming step.
SUPPLE_FOR_SPEED supple_status set_pose(supple_player& player, std::uint32_t object, Vec3 position,
                                        bool turned, Rotation rotation) {
  ObjectState& o = player.objects[object];
  const World& world = player.asset->world;
  if (!world.same_axes) {
    position = world.in(position);
    rotation = world.in(rotation);
  }
  const Vec3 metres = world.metres * position;
  const bool near = length(metres) <= kFarthest;  // false for NaN too
  if (!near || !turned) return refuse_pose(player, object, near);
  o.pose = {metres, rotation};
  o.has_pose = true;
  o.bad_pose = false;
  return SUPPLE_OK;
}

/// A vector that may be null. False where it is not finite.
bool take_vector(const double* given, Vec3& taken) {
  taken = given == nullptr ? Vec3{} : Vec3{given[0], given[1], given[2]};
  return finite(taken);
}

}  // namespace
}  // namespace supple::player

using namespace supple;

extern "C" {

supple_status supple_player_set_bone_matrix(supple_player* player, uint32_t object,
                                            const float m[16]) {
  if (!player::has_object(player, object) || !player::given(m, "matrix")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  const player::Vec3 columns[3] = {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}};
  player::Rotation rotation{};
  const bool turned = player::rotation_of(columns, rotation);
  return player::set_pose(*player, object, {m[12], m[13], m[14]}, turned, rotation);
}

supple_status supple_player_set_bone_pose(supple_player* player, uint32_t object,
                                          const double position[3], const double rotation[4]) {
  if (!player::has_object(player, object) || !player::given(position, "position") ||
      !player::given(rotation, "rotation")) {
    return SUPPLE_BAD_ARGUMENT;
  }
  player::Rotation unit{rotation[0], rotation[1], rotation[2], rotation[3]};
  const bool turned = player::normalise(unit);
  return player::set_pose(*player, object, {position[0], position[1], position[2]}, turned, unit);
}

supple_status supple_player_set_bone_motion(supple_player* player, uint32_t object,
                                            const double velocity[3], const double acceleration[3],
                                            const double spin[3],
                                            const double angular_acceleration[3]) {
  if (!player::has_object(player, object)) return SUPPLE_BAD_ARGUMENT;
  player::BoneMotion motion{};
  if (!player::take_vector(velocity, motion.velocity) ||
      !player::take_vector(acceleration, motion.acceleration) ||
      !player::take_vector(spin, motion.spin) ||
      !player::take_vector(angular_acceleration, motion.alpha)) {
    return player::bad_argument("a velocity or an acceleration is not finite");
  }
  const player::World& world = player->asset->world;
  motion.velocity = world.physical_metres * world.in(motion.velocity);
  motion.acceleration = world.physical_metres * world.in(motion.acceleration);
  motion.spin = world.turn_in(motion.spin);
  motion.alpha = world.turn_in(motion.alpha);
  player->objects[object].begun = motion;
  player->objects[object].has_begun = true;
  return SUPPLE_OK;
}

}  // extern "C"
