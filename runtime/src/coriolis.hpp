// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "player.hpp"

namespace supple::player {

/// The force -W q' with W = sum of w_axis G_axis, which turns the modes' velocities among each
/// other. Split off and applied to both sides of the filter's step by Cayley's formula: second
/// order, and never growing whatever the spin, because W is skew. (A predictor and a corrector
/// would grow without bound at about three turns a second.)
class Coriolis {
 public:
  Coriolis(supple_player& player, const format::Object& file, ObjectState& state)
      : m_matrices(player.asset->coriolis == nullptr ? nullptr
                                                     : player.asset->coriolis + file.coriolis),
        m_state(state),
        m_stride(file.mode_count),
        m_count(state.settings.modes),
        m_w(player.coriolis),
        m_factor(player.coriolis + player.asset->largest_square),
        m_vector(player.coriolis + 2 * player.asset->largest_square) {}

  /// For turns of `h` seconds at this spin (rad/s, bone axes).
  void prepare(Vec3 spin, double h);
  /// q' after h seconds.
  void turn();
  /// A copy of q' after h seconds, by one explicit step.
  [[nodiscard]] const double* nudged(double h);

 private:
  void factorise(double h);

  const double* m_matrices;
  ObjectState& m_state;
  std::size_t m_stride;
  std::size_t m_count;
  double* m_w;
  double* m_factor;
  double* m_vector;
};

}  // namespace supple::player
