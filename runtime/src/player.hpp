// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"
#include "deform_kernels.hpp"
#include "detail.hpp"
#include "filter_kernels.hpp"
#include "kinds.hpp"
#include "light_kernels.hpp"
#include "point_kernels.hpp"
#include "rigid.hpp"

#include <cstddef>

namespace supple::player {

struct LightState;
struct ShellCommons;

/// How a bone moves when it is seen first; in the file's world axes and metres.
struct BoneMotion {
  Vec3 velocity, acceleration, spin, alpha;
};

/// What every object has, whatever its kind.
struct ObjectState {
  const Kind* kind;
  void* state;  ///< the kind's own
  supple_object_settings settings;
  Pose pose;         ///< of its bone, as set last
  bool has_pose;     ///< a bone was set at all, or there is none
  bool bad_pose;     ///< the matrix set for this step is not a transform
  BoneMotion begun;  ///< at the first step; all 0: at rest
  bool has_begun;    ///< `begun` was set since the last reset
};

}  // namespace supple::player

struct supple_player {
  const supple_asset* asset;
  const supple::player::FilterKernels* filter;
  const supple::player::DeformKernels* deform;
  const supple::player::PointKernels* points;
  const supple::player::LightKernels* shade;
  supple::player::ObjectState* objects;
  float* coefficients;
  float* scaled;          ///< per mode: coefficient times scale, for positions and for normals
  std::uint32_t* active;  ///< per object: modes with a coefficient other than 0
  supple::player::Bend* bends;           ///< per object
  supple::player::ShellCommons* shells;  ///< what they share; null: there is none
  supple::player::LightState* light;     ///< null: never set
  supple_wind wind;                      ///< in the file's axes, metres
  supple_force_field field;
  void* field_context;
  supple::player::Vec3 gravity;  ///< in the file's axes, m/s^2
  double time;                   ///< seconds stepped
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

/// Whether there is a force field. A module for the web calls nobody back, and does without the
/// code.
[[nodiscard]] inline bool has_field(const supple_player& player) {
#ifdef __wasm__
  (void)player;
  return false;
#else
  return player.field != nullptr;
#endif
}

/// What follows from an object's coefficients for deforming, after each change.
void publish(supple_player& player, std::size_t object);

/// Where an object's frame is: its bone, or at rest before one was set.
[[nodiscard]] inline Pose frame_of(const supple_player& player, std::size_t object) {
  const ObjectState& o = player.objects[object];
  if (o.has_pose) return o.pose;
  return {{}, rest_rotation(player.asset->objects[object])};
}

/// What blows until the program says otherwise.
inline constexpr supple_wind kNoWind{
    .velocity = {}, .gusts = 0, .gust_size = 1, .density = SUPPLE_MEDIUM_AS_BAKED};

/// Whether there is such an object; false with a detail.
[[nodiscard]] inline bool has_object(const supple_player* player, std::uint32_t object) {
  return given(player, "player") &&
         (object < player->asset->summary->object_count ||
          refuse_number("object", object, player->asset->summary->object_count));
}

}  // namespace supple::player
