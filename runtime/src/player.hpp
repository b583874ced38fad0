// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"
#include "deform_kernels.hpp"
#include "filter_kernels.hpp"
#include "point_kernels.hpp"
#include "rigid.hpp"

#include <cstddef>

namespace supple::player {

/// Where a bone is, in metres.
struct Pose {
  Vec3 position;
  Rotation rotation;
};

/// How much of a bone's past is known.
enum class Past { Nothing, Place, Motion };

/// A vertex of a shell that is held. Everything in the shell's frame but where it says world.
struct Handle {
  bool active;
  std::uint32_t object;
  std::uint32_t vertex;
  std::uint32_t components;
  double stiffness;  ///< N/m; 0: hard
  Vec3 rest;
  Vec3 target;            ///< world, metres
  Rotation orientation;   ///< world: of the frame's axes as the vertex turns them
  double* displacements;  ///< Phi: three numbers per mode
  double* turns;          ///< Psi
  double bias[6];         ///< of the target, metres: what takes the last softness out
  double position_error;  ///< metres, after the last step
  double turn_error;      ///< radians
};

/// What a shell has beside its modes.
struct ShellState {
  const format::Shell* file;
  format::Medium medium;  ///< as baked
  const float* rows;      ///< of its points
  std::size_t blocks;     ///< of points
  std::size_t modes;      ///< in the file
  std::uint32_t held;     ///< handles that are active
  float* q;               ///< as the points want them
  float* q_dot;
  float* force;
  double* point_force;   ///< modal force of all points
  double* sway;          ///< most stiffness of a mode while it hangs or is flung, over m/s^2: 1/m
  float* scratch;        ///< of the point kernels
  float* across;         ///< a row per mode, and kMediumRows more: see BrakeJob
  double* drift;         ///< mean q' of the last step
  double* field;         ///< positions, velocities, masses and forces for a force field
  float* displacements;  ///< of nodes, for rotation strain; null: it has none
  double* solution;
  Vec3 centre;          ///< of mass, at rest
  double load;          ///< m/s^2: what pulls at its mass at this step, at most
  float density;        ///< kg/m^3 of the medium at this step
  double largest_turn;  ///< radians, at the last step
  double residual;      ///< metres

  [[nodiscard]] std::size_t points() const { return format::kBlock * blocks; }
  [[nodiscard]] float* areas() const { return across + modes * points(); }
  [[nodiscard]] float* still() const { return areas() + points(); }
  [[nodiscard]] float* weights() const { return still() + points(); }
};
/// Rows beside those of modes: areas, `still` and weights.
inline constexpr std::size_t kMediumRows = 3;

/// An object that moves. Its modes' state (q, q') stands half a step behind the last frame, in the
/// middle between the two frames whose velocity is known: see docs/player.md.
struct ObjectState {
  supple_object_settings settings;
  Pose pose;           ///< as set last
  Pose last_pose;      ///< at the last frame
  Vec3 last_velocity;  ///< m/s, in the world, half a step before the last frame
  Vec3 last_spin;      ///< rad/s, in the bone's axes
  Vec3 borne;          ///< gravity that is in the rest shape already, in the bone's axes
  Past past;
  bool has_pose;          ///< a bone was set at all
  bool bad_pose;          ///< what was set for this step is no transform
  bool pushed;            ///< for the coming step
  bool was_pushed;        ///< during the last step
  double owed;            ///< seconds that were not stepped for want of a transform
  double behind;          ///< seconds by which the state stands behind the last frame
  double half_step;       ///< seconds from where last_velocity was to the last frame
  double lengths[2];      ///< of the two transitions that are kept
  int newest;             ///< which of them belongs to the last step
  std::uint32_t settled;  ///< modes that took part in the last step

  std::size_t lanes;
  const double* constants;  ///< the asset's, or `own` where stiffness or damping were changed
  double* own;
  double* q;
  double* q_dot;
  double* transitions[2];
  double* target;
  double* shifted;    ///< target with a push added
  double* push;       ///< for the coming step, as modal force
  double* last_push;  ///< of the last step
  double* output;     ///< q at the frame
  ShellState* shell;  ///< null: flesh
};

}  // namespace supple::player

struct supple_player {
  const supple_asset* asset;
  const supple::player::FilterKernels* filter;
  const supple::player::DeformKernels* deform;
  supple::player::ObjectState* objects;
  float* coefficients;
  float* scaled;          ///< per mode: coefficient times scale, for positions and for normals
  std::uint32_t* active;  ///< per object: modes with a coefficient other than 0
  double* coriolis;       ///< workspace: a matrix of the largest object and two vectors
  supple::player::Bend* bends;  ///< per object
  const supple::player::PointKernels* points;
  supple::player::ShellState* shells;
  supple::player::Handle* attachments;
  supple::player::Handle* handles;  ///< the program's own
  std::uint32_t handle_count;
  void* handle_memory;  ///< of more slots than there are at first
  double* handle_rows;  ///< workspace: see handles.cpp
  supple_wind wind;
  supple_force_field field;
  void* field_context;
  double time;  ///< seconds stepped
  supple::player::Vec3 gravity;
  supple_diagnostics diagnostics;
};

namespace supple::player {

[[nodiscard]] inline Rotation rest_rotation(const format::Object& object) {
  const std::array<double, 4>& r = object.rest_rotation;
  return {r[0], r[1], r[2], r[3]};
}

/// Which instructions this machine has.
enum class InstructionSet { Baseline, Avx2, Avx512 };
[[nodiscard]] bool has(InstructionSet set);
/// Contract: has(set).
void choose(supple_player& player, InstructionSet set);
/// Those chosen. Where there is but one set the compiler sees through the table.
[[nodiscard]] inline const FilterKernels& filter_of(const supple_player& player) {
#if defined(__x86_64__)
  return *player.filter;
#else
  (void)player;
  return kFilterKernelsBaseline;
#endif
}

/// What follows from an object's coefficients for deforming, after each change.
void publish(supple_player& player, std::size_t object);

void reset(supple_player& player, std::size_t object);
/// Brings the constants in line with the settings.
void retune(supple_player& player, std::size_t object);

}  // namespace supple::player
