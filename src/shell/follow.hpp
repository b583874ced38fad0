// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/discrete_shell.hpp"
#include "supple/shell/shell_object.hpp"

namespace supple::shell {

/// The turn, in radians, up to which warping keeps the area within 5%: over the shapes that uniform
/// accelerations give the modes from `first_elastic` on, scaled up until the area is off by more.
/// pi if it never is.
[[nodiscard]] double follow_turn(const fem::DiscreteShell& shell, const ShellObject& object,
                                 Eigen::Index first_elastic);

/// The largest displacement and turn of a node under 1 g in any direction, by the linear modes from
/// `first_mode` on.
struct Sag {
  double length = 0;  ///< metres
  double turn = 0;    ///< radians
};
[[nodiscard]] Sag sag_under_gravity(const ShellObject& object, Eigen::Index first_mode);

}  // namespace supple::shell
