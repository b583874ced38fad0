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

}  // namespace supple::contact::testing
