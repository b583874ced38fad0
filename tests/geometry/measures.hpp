// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

namespace supple::geometry {

/// Sums of a few thousand terms of order 1 in double precision.
inline constexpr double kRounding = 1e-12;

inline const Box kUnitBox{Vec3::Zero(), Vec3::Ones()};

}  // namespace supple::geometry
