// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "coriolis.hpp"
#include "modal_step.hpp"

namespace supple::player {

struct FleshState : ModalState {
  double* targets[2];      ///< of the last two steps: the newer one first
  double* ahead;           ///< where the targets are heading
  double steps[2];         ///< their lengths, seconds
  std::uint32_t known;     ///< how many of the two there are
  const double* coriolis;  ///< three matrices; null: none in the file
  CoriolisScratch scratch;
};

[[nodiscard]] inline FleshState& flesh_of(const supple_player& player, std::size_t object) {
  return static_cast<FleshState&>(modal_state(player, object));
}

void step_flesh(supple_player& player, std::size_t object, double dt);

}  // namespace supple::player
