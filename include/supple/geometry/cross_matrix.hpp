// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

namespace supple::geometry {

/// [a] with [a] b = a x b.
[[nodiscard]] inline Mat3 cross_matrix(const Vec3& a) {
  return Mat3{{0, -a.z(), a.y()}, {a.z(), 0, -a.x()}, {-a.y(), a.x(), 0}};
}

}  // namespace supple::geometry
