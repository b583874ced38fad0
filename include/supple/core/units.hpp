// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

namespace supple {

inline constexpr double kDegree = std::numbers::pi / 180;            ///< radians
inline constexpr double kDegreesPerRadian = 180 / std::numbers::pi;  ///< for messages and reports
inline constexpr double kGravity = 9.81;                             ///< m/s^2, the default weight

}  // namespace supple
