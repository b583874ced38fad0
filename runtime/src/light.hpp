// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player.hpp"

namespace supple::player {

inline constexpr std::size_t kMostLightNumbers =
    std::size_t{3} * format::kMostLightOrder * format::kMostLightOrder;

/// A 3 x 3 matrix by rows.
struct Turn {
  double m[3][3];
};

/// Where the direction d of a frame at rest, in the file's axes, points in the program's world.
[[nodiscard]] Turn turn_of_frame(const supple_player& player, std::size_t object);

/// Coefficients of the light L'(d) = L(turn d), for three colours; `turn` is orthogonal and may
/// mirror. Spherical harmonics are real, without the sign of Condon and Shortley, index l (l + 1) +
/// m.
void turn_light(const Turn& turn, std::uint32_t order, const double* light, double* turned);

/// The light of a player, and what follows from it. Taken when the light is first set.
struct LightState {
  double given[kMostLightNumbers];  ///< in the program's world
  bool changed;                     ///< since the frames' lights were computed
  FrameLight* frames;               ///< of each object, and of none at the end
  Turn* turns;                      ///< for which those are
  float* colours;                   ///< as in RelightJob
};

/// Memory for the light of a player; false, with a detail: there is none left.
[[nodiscard]] bool make_light(supple_player& player);

/// Appearance coordinates at coefficients of all objects.
void appearance_at(const supple_asset& asset, const float* coefficients, float* appearance);

/// Brings the colours up to date with the light and with where the bones are.
void relight(supple_player& player);

}  // namespace supple::player
