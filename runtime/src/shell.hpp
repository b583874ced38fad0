// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memory.hpp"
#include "player.hpp"

#include <cstddef>
#include <cstdint>

namespace supple::player {

/// Slots for handles of a player of shells before supple_player_reserve_handles.
inline constexpr std::uint32_t kFirstSlots = 16;

/// How a shell's frame moves at the moment, in its own axes.
struct FrameMotion {
  Pose pose;
  Vec3 acceleration;  ///< gravity less the frame's own
  Vec3 alpha, spin;
  Vec3 velocity;  ///< world
};

inline void set(float to[3], Vec3 v) {
  to[0] = static_cast<float>(v.x);
  to[1] = static_cast<float>(v.y);
  to[2] = static_cast<float>(v.z);
}

/// Memory of all shells, attachments and first slots.
void lay_out_shells(Arena& arena, const supple_asset& asset, supple_player& placed);
/// What never changes about them.
void prepare_shells(supple_player& player);

/// Modal force of everything that acts along a shell, beyond what the filter's target has from the
/// frame's motion at rest: point_force.
void find_point_forces(supple_player& player, ObjectState& o, const FrameMotion& motion,
                       const double* q, const double* q_dot);

/// The medium that a shell is in, as its points see it.
void set_medium(const supple_player& player, ShellState& shell, const FrameMotion& motion,
                PointField& field);

/// What a medium takes from the mean speed of a step, one number per mode.
struct BrakeRows {
  double* speed;  ///< mean q' without the brake; out: with it
  double* gain;   ///< by which a modal force of 1 would raise it, >= 0; lost
  double* force;  ///< out: modal force of the brake over the step
  double* share;  ///< out: 0 for a light brake, up to 1 for a heavy one
};
/// In the player's workspace, until handles are solved.
[[nodiscard]] inline BrakeRows brake_rows(const supple_player& player, const ObjectState& o) {
  double* rows = player.handle_rows + o.lanes * o.lanes;
  return {rows, rows + o.lanes, rows + 2 * o.lanes, rows + 3 * o.lanes};
}
/// Three rows more, which a brake leaves alone.
[[nodiscard]] inline double* kept_rows(const supple_player& player, const ObjectState& o) {
  return brake_rows(player, o).share + o.lanes;
}
/// Contract: the point forces were found for this step.
void brake(supple_player& player, ObjectState& o, const BrakeRows& rows);

/// Solves for x in place by Cholesky's factor of a lower triangle that has the identity in it.
void factorise_and_solve(std::size_t n, double* a, double* x);

/// Moves q to where the handles of an object want it: the least change in the metric of 1 / gamma,
/// from `free`, the step without them.
void hold(supple_player& player, std::size_t object, const Pose& pose, const double* gamma,
          const double* free, double* q, int iterations);

/// Slows q' down until no held vertex turns faster than this, in rad/s; 0: any speed. A handle that
/// jumps would else leave its whole jump behind as speed.
void limit_turning(supple_player& player, std::size_t object, double fastest, double* q_dot);

/// Of all shells: the most lanes, and so the longest rows of a handle.
[[nodiscard]] std::size_t most_lanes(const supple_asset& asset);
void lay_out_rows(Arena& arena, std::size_t lanes, std::size_t count, Handle* handles);
/// Phi and Psi of a vertex, in the frame.
void fill_rows(const supple_asset& asset, const format::Entry& entry, std::uint32_t vertex,
               Handle& handle);

/// Where a vertex of a shell is and how it is turned, in the world and its units. False where no
/// shell moves it.
struct VertexPlace {
  Vec3 position;
  Rotation orientation;
};
[[nodiscard]] bool find_vertex(const supple_player& player, std::uint32_t vertex, Vec3 rest,
                               VertexPlace& place);

/// The rotation within an object's frame_from_bind, and its scale.
[[nodiscard]] Rotation bind_rotation(const format::Object& object, double& scale);
[[nodiscard]] Vec3 from_bind(const format::Object& object, Vec3 position);

/// Where a shell's frame is: its bone, or at rest before one was set.
[[nodiscard]] Pose frame_of(const supple_player& player, std::uint32_t object);

}  // namespace supple::player
