// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "coriolis.hpp"
#include "modal_step.hpp"

namespace supple::player {

struct FleshState : ModalState {
  const double* coriolis;  ///< three matrices; null: none in the file
  CoriolisScratch scratch;
};

[[nodiscard]] inline FleshState& flesh_of(const supple_player& player, std::size_t object) {
  return static_cast<FleshState&>(modal_state(player, object));
}

void step_flesh(supple_player& player, std::size_t object, double dt);

}  // namespace supple::player
