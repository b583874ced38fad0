// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/newton.hpp"
#include "supple/reduction/block_matrix.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace supple::fem {

/// Positions and velocities of all vertices, and those of one step before if there was one.
struct MotionState {
  Eigen::VectorXd x, v;
  Eigen::VectorXd x_before, v_before;  ///< empty at the start
  double time = 0;
};

enum class TimeScheme : std::uint8_t {
  ImplicitEuler,  ///< of first order; damps what it cannot resolve
  Bdf2,           ///< of second order, with far less damping; its first step is an Euler step
};

struct StepSettings {
  TimeScheme scheme = TimeScheme::ImplicitEuler;
  double h = 1.0 / 60;  ///< s; for Bdf2 the same in every step
  /// C = mass_damping M + stiffness_damping K.
  double mass_damping = 0;                    ///< 1/s
  double stiffness_damping = 0;               ///< s
  const reduction::BlockMatrix* k = nullptr;  ///< over all vertices; needed for the latter
  double relative_force =
      1e-9;          ///< unbalanced force relative to those of all energies at the start
  double speed = 0;  ///< m/s: an error of velocities that is small enough
  int max_iterations = 200;
};

/// One implicit step of M v' = -dE/dx - C v, where E is the sum of the energies, as the minimum of
/// the incremental potential
///   E(x) + 1/2 b^-2 |x - x* - b v*|_M^2 + 1/2 b^-1 |x - x*|_C^2,   v = (x - x*) / b,
/// with b = h, x* = x, v* = v of the last state (implicit Euler), or b = 2/3 h and 4/3 of the last
/// state less 1/3 of the one before (BDF2). Fixed vertices stay where x has them. A step that does
/// not converge is an error and leaves the state alone.
[[nodiscard]] Result<NewtonReport> step(Newton& newton, const std::vector<Energy*>& energies,
                                        const StepSettings& settings, MotionState& state);

}  // namespace supple::fem
