// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/discrete_shell.hpp"

#include <Eigen/Core>

#include <string>
#include <utility>
#include <vector>

namespace supple::fem {

struct ShellModes {
  Eigen::VectorXd omega_squared;  ///< (rad/s)^2, ascending, elastic modes only
  Eigen::MatrixXd shapes;         ///< 3 nodes x modes, zero where fixed; Phi^T M Phi = I
  /// 3 nodes x (0 .. 6, for each piece): the free rigid motions, found from the geometry; R^T M R =
  /// I.
  Eigen::MatrixXd rigid;
  /// Zero-energy motions besides the rigid ones, caused by missing bending or stretching stiffness.
  int mechanisms = 0;
  double residual_max = 0;
  std::vector<std::pair<std::string, double>> seconds;  ///< per stage, in order
};

/// The lowest `count` vibrations of the shell at rest. Mechanisms are excluded and counted;
/// hundreds of them on a large mesh, as in a flat sheet without bending stiffness, are an error
/// (ErrorCode::NotConverged). Having fewer vibrations than `count` is an error too, unless `fewer`
/// accepts the available ones; having none always is.
[[nodiscard]] Result<ShellModes> solve_shell_modes(const DiscreteShell& shell, int count,
                                                   double tolerance = 1e-6, bool fewer = false);

}  // namespace supple::fem
