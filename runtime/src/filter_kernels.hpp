// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "asset.hpp"

#include <cstddef>

namespace supple::player {

/// The four numbers by which q and q' of a free mode follow from those before, a row of lanes each:
/// q+ = a q + b q', q'+ = c q + d q'.
enum TransitionRow : std::size_t { kTransitionRows = 4 };

/// What moves an object's modes: angular acceleration, apparent acceleration, and the six numbers
/// of S.
struct Drive {
  double alpha[3];
  double acceleration[3];
  double s[6];
};

/// How much differences of targets count: see refine().
struct Refinement {
  double share, slope, curve;
};

/// Compiled once per instruction set, from one source and with the same bits as result. Rows are
/// `lanes` apart; the first `used` of them, rounded up to a register, are worked on.
struct FilterKernels {
  /// The exact transition over `h` seconds, for any damping.
  void (*transition)(const double* constants, std::size_t lanes, std::size_t used, double h,
                     double* rows);
  /// u = (H [alpha; a] - C s) / w^2: where the modes would come to rest.
  void (*target)(const double* constants, std::size_t lanes, std::size_t used, const Drive& drive,
                 double* u);
  /// One exact step towards u, in place.
  void (*advance)(const double* rows, std::size_t lanes, std::size_t used, const double* u,
                  double* q, double* q_dot);
  /// The same without keeping q': where q will be.
  void (*look_ahead)(const double* rows, std::size_t lanes, std::size_t used, const double* u,
                     const double* q, const double* q_dot, double* q_then);
  /// The usual step of flesh at one go: advance() by both, look_ahead() by the second towards
  /// `ahead`.
  void (*sweep)(const double* before, const double* after, std::size_t lanes, std::size_t used,
                const double* u, const double* ahead, double* q, double* q_dot, double* q_then);
  /// What is known with a new target u about the one before it, `last`, which came after `older`:
  /// it was `share` of their second difference off. That acted for a while whose middle lies `rows`
  /// ago, as an impulse there; `share` is times its seconds. And where the targets are heading:
  /// ahead = u + slope (u - last) + curve (u - 2 last + older).
  void (*refine)(const double* constants, const double* rows, std::size_t lanes, std::size_t used,
                 const Refinement& by, const double* u, const double* last, const double* older,
                 double* q, double* q_dot, double* ahead);
};

extern const FilterKernels kFilterKernelsBaseline;
extern const FilterKernels kFilterKernelsAvx2;
extern const FilterKernels kFilterKernelsAvx512;

}  // namespace supple::player
