// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rigid.hpp"

#include <cstddef>

namespace supple::player {

/// Room for the term of the largest object that has one.
struct CoriolisScratch {
  double* spin;    ///< W, a square matrix by rows
  double* factor;  ///< of I + h/2 W
  double* vector;
};

/// The force -W q' with W = sum of w_axis G_axis, which turns the modes' velocities among each
/// other. Split off and applied to both sides of the filter's step by Cayley's formula: second
/// order, and never growing whatever the spin, because W is skew. (A predictor and a corrector
/// would grow without bound at about three turns a second.)
class Coriolis {
 public:
  /// `matrices`: the three G of `stride` modes, of which the first `count` move.
  Coriolis(const double* matrices, std::size_t stride, std::size_t count, std::size_t lanes,
           double* q_dot, const CoriolisScratch& scratch)
      : m_matrices(matrices),
        m_stride(stride),
        m_count(count),
        m_lanes(lanes),
        m_q_dot(q_dot),
        m_scratch(scratch) {}

  /// For turns of `h` seconds at this spin (rad/s, bone axes).
  void prepare(Vec3 spin, double h);
  /// q' after h seconds.
  void turn();
  /// A copy of q' after h seconds, by one explicit step.
  [[nodiscard]] const double* nudged(double h);

 private:
  void factorise(double h);

  const double* m_matrices;
  std::size_t m_stride;
  std::size_t m_count;
  std::size_t m_lanes;
  double* m_q_dot;
  const CoriolisScratch& m_scratch;
};

}  // namespace supple::player
