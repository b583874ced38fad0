// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/contact/closest.hpp"
#include "supple/core/random.hpp"

namespace supple::contact::testing {

inline Vec3 random_vector(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

inline Stencil random_stencil(Random& random) {
  Stencil x;
  for (int i = 0; i < 4; ++i) x.col(i) = random_vector(random);
  return x;
}

/// The same stencil with one of its 12 numbers changed.
inline Stencil moved(const Stencil& x, int number, double by) {
  Stencil result = x;
  result(number % 3, number / 3) += by;
  return result;
}

/// The derivative at 0 of a function of one number, to the fourth order of the step.
template <class Function>
auto derivative(const Function& f, double step) {
  using Value = decltype(f(step));
  return Value((8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step));
}

}  // namespace supple::contact::testing
