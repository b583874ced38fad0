// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/scene/portrait.hpp"
#include "supple/soft/object.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace supple::scene {

/// A portrait as a player has it: the opposite of make_traits. Origins of responses are not stored;
/// all begin at rest here. Rules are in the table of next responses alone.
struct StoredPortrait {
  Portrait portrait;
  Transitions transitions;
  std::vector<std::uint32_t> first;  ///< per entry: its response from the start, or kNone
  double half_life = 0;              ///< s, of what is left of a transition
  double beta = 0;                   ///< s^2, of [JF03 eq. 9]
  double size = 0;  ///< the largest |q| of a state: distances are told relative to it
  /// (q, sqrt(beta) v) of every state; before the impulse at the first of a response.
  Eigen::MatrixXd points;

  /// The response and the frame of a state.
  [[nodiscard]] Place place(std::size_t state) const;
  [[nodiscard]] std::size_t state(const Place& place) const {
    return portrait.first_state[place.response] + place.frame;
  }
};

[[nodiscard]] StoredPortrait unpack(const soft::SceneTraits& traits);

/// Frames that pass while no entry is triggered, as the player counts them: after its last frame a
/// response goes on elsewhere, or stays where it is.
[[nodiscard]] Place next_frame(const StoredPortrait& stored, const Place& place);

}  // namespace supple::scene
