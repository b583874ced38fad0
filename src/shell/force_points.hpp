// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/discrete_shell.hpp"
#include "supple/shell/shell_object.hpp"

#include <vector>

namespace supple::shell {

/// Where forces on turned nodes are sampled. The force on the modes under accelerations a is
///   f = sum_i m_i Phi_i^T R(Psi_i q)^T a_i = f(q = 0) + sum_i m_i Phi_i^T (R_i^T - I) a_i;
/// the first part is H, exactly, and the points stand for all nodes in the second.
struct ForcePoints {
  std::vector<Point> points;
  double error = 0;  ///< of f on fresh samples, relative, in the norm sum f_k^2 / omega_k^2
};

/// `wanted`: 0 chooses. Shells with no more nodes use all that move. Needs Phi, Psi, the modes and
/// follow_turn of `object`.
[[nodiscard]] ForcePoints choose_points(const fem::DiscreteShell& shell, const ShellObject& object,
                                        std::size_t wanted);

}  // namespace supple::shell
