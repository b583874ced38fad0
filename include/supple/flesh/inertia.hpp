// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/solid_model.hpp"

#include <Eigen/Core>

#include <vector>

namespace supple::flesh {

/// The effect of a moving frame on modes. In the bone's frame a point r feels -rho (a0 + alpha x r
/// + w x (w x r)) [JP02 eq. 16, whose sign is wrong in print].
struct InertialTransfer {
  /// m x 6: H = -Phi^T M Gamma, angular acceleration first [JP02 eq. 18; ours takes accelerations
  /// and has no 1/h, so that it serves every frame rate].
  Eigen::MatrixXd transfer;
  /// m x 6: C s = Phi^T M (S r), s = xx yy zz xy xz yz of S = w w^T - |w|^2 I.
  Eigen::MatrixXd centrifugal;
  /// Per axis 2 Phi^T M [e] Phi; empty unless requested.
  std::vector<Eigen::MatrixXd> coriolis;
  double mass = 0;  ///< kg
};

/// Fixed nodes move with the frame: they enter through the coupling columns of M.
[[nodiscard]] InertialTransfer inertial_transfer(const fem::SolidModel& model,
                                                 const Eigen::MatrixXd& shapes, bool coriolis);

}  // namespace supple::flesh
