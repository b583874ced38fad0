// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/contact/closest.hpp"

namespace supple::contact {

enum class BarrierKind {
  Cubic,       ///< [Ando24]: finite at contact; continuous collision detection keeps gaps positive
  Logarithmic  ///< [LFSJ20]: infinite at contact
};

/// A function and its first two derivatives.
struct Curve {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

/// The energy that keeps gaps positive, in m^2; a contact's stiffness in N/m multiplies it. It
/// vanishes, with two derivatives, for gaps of at least `width`:
///   cubic        2/3 (width - g)^3 / width
///   logarithmic  -(width - g)^2 ln(g / width)
struct Barrier {
  BarrierKind kind = BarrierKind::Cubic;
  double width = 1e-3;  ///< metres

  [[nodiscard]] Curve operator()(double gap) const;
};

/// Fades the energy of two edges out as they become parallel, where their distance has a kink
/// [LFSJ20 eq. 24]: with c = |u x v|^2 of the edges u, v and e = 1e-3 |u0|^2 |v0|^2 of their rest
/// lengths, the factor is c / e (2 - c / e) below e, and 1 above.
struct ParallelFade {
  double value = 1;
  Gradient gradient = Gradient::Zero();
  Hessian hessian = Hessian::Zero();
};
[[nodiscard]] ParallelFade fade_of_parallel_edges(const Stencil& x, double rest_length_a,
                                                  double rest_length_b);

}  // namespace supple::contact
