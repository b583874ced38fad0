// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace supple::scene {

/// x with (1 + x) exp(-x) = 1/2: a critically damped offset is halved after x / rate seconds. The
/// player has the same number.
inline constexpr double kHalfOfCritical = 1.6783469900166605;

}  // namespace supple::scene
