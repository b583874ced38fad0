// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "modal_step.hpp"

#include <cstddef>
#include <cstdint>

namespace supple::player {

/// Slots for handles of a player of shells before supple_player_reserve_handles.
inline constexpr std::uint32_t kFirstSlots = 16;

/// A vertex of a shell that is held. Everything in the shell's frame but where it says world.
struct Handle {
  bool active;
  std::uint32_t object;
  std::uint32_t vertex;
  std::uint32_t components;
  double stiffness;    ///< N/m; 0: hard
  double max_force;    ///< N; 0: any
  std::uint32_t node;  ///< of the rotation-strain solve; kNone: unknown
  Vec3 rest;
  Vec3 target;            ///< world, metres
  Rotation orientation;   ///< world: of the frame's axes as the vertex turns them
  double* displacements;  ///< Phi: three numbers per mode
  double* turns;          ///< Psi
  double bias[6];         ///< of the target, metres: what takes the last softness out
  Vec3 place;             ///< of the node while the handles are solved, in the frame
  double position_error;  ///< metres, after the last step
  double turn_error;      ///< radians
};

/// What a medium takes from the mean speed of a step, one number per mode.
struct BrakeRows {
  double* speed;  ///< mean q' without the brake; out: with it
  double* gain;   ///< by which a modal force of 1 would raise it, >= 0; lost
  double* force;  ///< out: modal force of the brake over the step
  double* share;  ///< out: 0 for a light brake, up to 1 for a heavy one
};

/// What all shells of a player share: handles, and room for the step of the one with the most
/// modes.
struct ShellCommons {
  Handle* attachments;
  Handle* handles;  ///< the program's own
  std::uint32_t handle_count;
  void* handle_memory;  ///< of more slots than there are at first

  double* matrix;  ///< square, of the modes: of the handles' equations, or of the brake
  BrakeRows brake;
  double* gamma;   ///< per mode: what a modal force counts in the step
  double* free;    ///< q as it would be without handles
  double* goal;    ///< q where a hanging shell goes next
  double* before;  ///< q before the handles were solved
  double* shown;   ///< q as the program has it, for rotation strain
  /// The state while a step is looked ahead of in pieces.
  struct {
    double *q, *q_dot, *drift;
  } kept;
  /// Of the handles' equations.
  struct {
    double *vector, *root, *trial;
    double* rows;  ///< six, of one handle
  } solver;
};

/// Numbers per force point, for a force field of the program's.
struct FieldRows {
  double* positions;  ///< three each
  double* velocities;
  double* masses;  ///< one
  double* forces;
};

/// A row of numbers per force point, filled up to whole blocks.
struct MediumRows {
  float* across;   ///< one row per mode: see BrakeJob
  float* areas;    ///< m^2
  float* still;    ///< see PointJob
  float* weights;  ///< of the brake
};

/// What bounds a shell: see ShellBound. Null rows: nothing does.
struct SampleRows {
  float* triangles;   ///< kTriangleRows and kTriangleModeRows per mode, for each block
  double* steepness;  ///< per mode: most that it turns or strains a sample, at coefficient 1
  float* q;           ///< scratch
  double* trial;      ///< scratch
  std::size_t blocks;
};

struct ShellState : ModalState {
  const format::Shell* file;
  ShellCommons* commons;
  format::Medium medium;   ///< as baked
  const float* rows;       ///< of its points
  std::size_t blocks;      ///< of points
  std::size_t mode_count;  ///< in the file
  std::uint32_t held;      ///< handles that are active
  float* point_q;          ///< as the points want them
  float* point_q_dot;
  float* force;
  double* point_force;  ///< modal force of all points
  double* sway;         ///< most stiffness of a mode while it hangs or is flung, over m/s^2: 1/m
  float* turned;        ///< six rows for each block, of the point kernels
  MediumRows in_medium;
  FieldRows field;
  double* drift;              ///< mean q' of the last step
  float* node_displacements;  ///< for rotation strain; null: it has none
  double* node_positions;     ///< the same
  double* node_weights;       ///< the same
  const float* rest;    ///< three for each of those nodes, in the frame; null: not in the file
  Vec3 centre;          ///< of mass, at rest
  double load;          ///< m/s^2: what pulls at its mass at this step, at most
  float density;        ///< kg/m^3 of the medium at this step
  double largest_turn;  ///< radians, at the last step
  double residual;      ///< metres
  SampleRows samples;
  double strained;  ///< part of its bounds, at the last frame

  [[nodiscard]] std::size_t points() const { return format::kBlock * blocks; }
};

/// Contract: the object is a shell.
[[nodiscard]] inline ShellState& shell_state(const supple_player& player, std::size_t object) {
  return static_cast<ShellState&>(modal_state(player, object));
}
/// Null where it is something else.
[[nodiscard]] inline ShellState* find_shell(const supple_player& player, std::size_t object) {
  return player.objects[object].kind == &kShell ? &shell_state(player, object) : nullptr;
}

inline void set(float to[3], Vec3 v) {
  to[0] = static_cast<float>(v.x);
  to[1] = static_cast<float>(v.y);
  to[2] = static_cast<float>(v.z);
}

/// The sections that shells have.
[[nodiscard]] bool read_shells(FileReader& file);

/// Of its modes; see ModalStep.
void prepare_modes(supple_player& player, std::size_t object);
void adjust_shell(supple_player& player, std::size_t object);
void reset_shell(supple_player& player, std::size_t object);
void push_shell(supple_player& player, const format::Entry& entry, std::uint32_t vertex,
                Vec3 force);
void step_shell(supple_player& player, std::size_t object, double dt);

/// What all points say together and never changes: centre, areas, rows across, sway.
void survey_points(ShellState& shell);

/// Modal force of everything that acts along a shell, beyond what the filter's target has from the
/// frame's motion at rest: point_force.
void find_point_forces(supple_player& player, std::size_t object, const FrameMotion& motion,
                       const double* q, const double* q_dot);

/// The medium that a shell is in, as its points see it.
void set_medium(const supple_player& player, ShellState& shell, const FrameMotion& motion,
                PointField& field);

/// What it takes from the shell's own motion. Contract: the point forces were found for this step.
void brake(supple_player& player, std::size_t object);

/// Solves for x in place by Cholesky's factor of a lower triangle that has the identity in it.
void factorise_and_solve(std::size_t n, double* a, double* x);

/// Moves q to where the handles of an object want it: the least change in the metric of 1 / gamma,
/// from `free`, the step without them. No further than this part of the shell's bounds.
void hold(supple_player& player, std::size_t object, const Pose& pose, const double* gamma,
          const double* free, double* q, int iterations, double bound);

/// N: as much as it takes to bend a shell to its bound at a handle's vertex, and to carry it.
[[nodiscard]] double hand_force(const supple_player& player, const Handle& handle);

/// Slows q' down until no held vertex turns faster than this, in rad/s; 0: any speed. A handle that
/// jumps would else leave its whole jump behind as speed.
void limit_turning(supple_player& player, std::size_t object, double fastest, double* q_dot);

/// Of all shells: the most lanes, and so the longest rows of a handle.
[[nodiscard]] std::size_t most_lanes(const supple_asset& asset);
void lay_out_rows(Arena& arena, std::size_t lanes, std::size_t count, Handle* handles);
/// Phi and Psi of a vertex, in the frame.
void fill_rows(const supple_asset& asset, const format::Entry& entry, std::uint32_t vertex,
               Handle& handle);

/// A bad argument, with a detail.
[[nodiscard]] supple_status no_shell_at(std::uint32_t vertex);

/// The rotation within an object's frame_from_bind, and its scale.
[[nodiscard]] Rotation bind_rotation(const format::Object& object, double& scale);
/// A position in the program's bind space, in the frame.
[[nodiscard]] Vec3 from_bind(const supple_asset& asset, const format::Object& object,
                             Vec3 position);

}  // namespace supple::player
