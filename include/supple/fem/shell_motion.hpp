// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/discrete_shell.hpp"

#include <Eigen/Core>

#include <functional>

namespace supple::fem {

/// Forces in newtons, x y z of all nodes, at positions x, velocities v and a time.
using ShellForces =
    std::function<Eigen::VectorXd(const Eigen::VectorXd& x, const Eigen::VectorXd& v, double time)>;
/// m g on every node.
[[nodiscard]] Eigen::VectorXd weight(const DiscreteShell& shell, const Eigen::Vector3d& gravity);

struct EquilibriumSettings {
  /// Unbalanced force relative to the load's norm; the remainder that rounding of positions leaves
  /// for stiff sheets under small loads is accepted too.
  double tolerance = 1e-8;
  int max_iterations = 500;  ///< Newton iterations over all load steps
  int load_steps = 1;        ///< number of steps in which the load grows
};
struct Equilibrium {
  Eigen::VectorXd x;
  double energy = 0;    ///< elastic
  double residual = 0;  ///< unbalanced force over the load's norm
  int iterations = 0;
};
/// Equilibrium under dead loads: Newton with line search on the total energy, from `start` (empty:
/// rest). This is the nonlinear reference, "DS" of [CWK07 4.3]. Failure to converge is an error
/// with its figures.
[[nodiscard]] Result<Equilibrium> find_equilibrium(const DiscreteShell& shell,
                                                   const Eigen::VectorXd& load,
                                                   const EquilibriumSettings& settings = {},
                                                   const Eigen::VectorXd& start = {});

struct ShellState {
  Eigen::VectorXd x, v;
  double time = 0;
};
struct ShellDamping {
  double mass = 0;       ///< xi of C = xi M + zeta K, 1/s
  double stiffness = 0;  ///< zeta, s; K at rest
};

/// One explicit (symplectic Euler) step, like the paper's reference, which uses h = 1/30000 s.
void step_explicit(const DiscreteShell& shell, const ShellForces& forces,
                   const ShellDamping& damping, double h, ShellState& state);

/// One implicit Euler step by Newton with line search on the incremental potential: any h.
[[nodiscard]] Result<void> step_implicit(const DiscreteShell& shell, const ShellForces& forces,
                                         const ShellDamping& damping, double h, ShellState& state);

}  // namespace supple::fem
