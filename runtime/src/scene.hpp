// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player.hpp"

namespace supple::player {

/// A scene's own part of the sections that all scenes share.
struct SceneView {
  const format::Scene* scene;
  const format::PaletteEntry* entries;
  const format::Response* responses;
  const std::int16_t* states;      ///< a row of modes each
  const float* scales;             ///< per mode
  const float* origin_velocities;  ///< a row of modes for each response
  const std::uint16_t* next;       ///< a row of entries for each state, and one for the start
  std::uint32_t modes;

  [[nodiscard]] const std::int16_t* state(std::uint32_t response, std::uint32_t frame) const {
    return states + (std::size_t{responses[response].first_state} + frame) * modes;
  }
  /// The last frame of a response.
  [[nodiscard]] std::uint32_t last(std::uint32_t response) const {
    return responses[response].state_count - 1;
  }
};

/// The object must be a scene.
[[nodiscard]] SceneView view_of(const supple_asset& asset, std::size_t object);

/// A response, or two of neighbouring strengths, being replayed.
struct Track {
  std::uint32_t response = format::kNone;  ///< none: at rest as it began
  std::uint32_t stronger = format::kNone;
  double weight = 0;  ///< of the stronger one
};

/// Where the curve of a track is, in units of coefficients and per second, for one mode.
struct CurvePoint {
  double q = 0, v = 0;
};

/// Cubic from state to state, so that play is smooth at any frame rate, and passes through every
/// sample. Its slope at a state is a difference of the second order, central inside of a response
/// and one-sided at its ends, so that nothing reaches across an impulse.
[[nodiscard]] CurvePoint curve(const SceneView& view, const Track& track, double frame,
                               std::uint32_t mode);

struct SceneState {
  SceneView view;
  supple_scene_settings settings;
  Track track;
  double frame;  ///< of the track
  std::uint32_t entry;
  double* offset;           ///< per mode: what is left of transitions, in coefficients
  double* offset_velocity;  ///< per second
  double last_blend;        ///< distance of the last transition, relative
  std::uint64_t transitions;
};

[[nodiscard]] inline SceneState& scene_of(supple_player& player, std::size_t object) {
  return *static_cast<SceneState*>(player.objects[object].state);
}

/// Entries that may act now, as bits.
[[nodiscard]] std::uint64_t allowed_entries(const SceneState& state);
/// Whether it has come to the end of a response that rests, or not begun.
[[nodiscard]] bool at_rest(const SceneState& state);
/// Distance from the samples, relative to the portrait's size.
[[nodiscard]] double distance_off(const SceneState& state);

/// Goes over to another track where the present one is, and keeps position and velocity by the
/// offset. `before` has the velocity that the new track stands for, for each mode: that of its
/// origin, before the impulse, or null: of its curve.
void go_over(SceneState& state, const Track& track, double frame, const float* before);
/// The entry must be allowed.
void trigger(SceneState& state, std::uint32_t entry, double strength);
void advance(SceneState& state, double dt);

}  // namespace supple::player
