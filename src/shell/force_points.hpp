// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/discrete_shell.hpp"
#include "supple/shell/shell_object.hpp"

#include <vector>

namespace supple::shell {

/// The points at which forces on turned nodes are sampled: see Point. Masses represent all nodes
/// for accelerations a_i that differ from node to node, in f = sum_i m_i Phi_i^T (R(Psi_i q)^T - I)
/// a_i, and levers for uniform ones.
struct ForcePoints {
  std::vector<Point> points;
  double error = 0;  ///< relative error of f on fresh samples, in the norm sum f_k^2 / omega_k^2
};

/// `wanted`: 0 chooses a number. Shells with no more nodes than that use all moving ones. Needs
/// Phi, Psi, the levers, modes and follow_turn of `object`.
[[nodiscard]] ForcePoints choose_points(const fem::DiscreteShell& shell, const ShellObject& object,
                                        std::size_t wanted);

}  // namespace supple::shell
