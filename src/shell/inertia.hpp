// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/discrete_shell.hpp"

#include <Eigen/Core>

namespace supple::shell {

/// The effect of a moving frame on modes, as for flesh: in the frame a point r feels -rho (a0 +
/// alpha x r + w x (w x r)). The mass is lumped, so fixed nodes do not contribute.
struct Inertia {
  Eigen::MatrixXd transfer;     ///< m x 6: H = -Phi^T M Gamma, angular acceleration first
  Eigen::MatrixXd centrifugal;  ///< m x 6: C s = Phi^T M (S r), s = xx yy zz xy xz yz
};

/// `shapes`: 3 nodes x m.
[[nodiscard]] Inertia inertia(const fem::DiscreteShell& shell, const Eigen::MatrixXd& shapes);

}  // namespace supple::shell
