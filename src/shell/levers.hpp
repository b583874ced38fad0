// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shell/warping.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/shell/shell_object.hpp"

#include <Eigen/Core>

namespace supple::shell {

/// The position of a shell's mass as a function of its nodes' turns: sum_i m_i x_i = const + sum_i
/// R(w_i) c_i, x the rotation-strain reconstruction of turns without strain. Its equations are
/// linear in the turned edges, so that one solve with the masses finds the load that every edge
/// carries: in a strip, c is the mass that hangs on a node times the vector to the next node. Zero
/// if nothing holds the shell (it falls as a whole), and at nodes that no mode moves.
[[nodiscard]] Eigen::Matrix3Xd node_levers(const fem::DiscreteShell& shell,
                                           const StrainFactor& factor,
                                           const Eigen::MatrixXd& displacements);

/// Adjusts levers slightly, relative to their lengths, so that they pull on soft modes at rest as
/// the masses do: sum_i Psi_i x c_i = sum_i m_i Phi_i. Stiff modes, which strain the shell more
/// than they turn it, are ignored.
void match_levers(const ShellObject& object, Eigen::Matrix3Xd& levers);

/// Rt(w)^T (R(w) c x a) - c x a: the change of a lever's moment caused by turning, which is the
/// change of Psi^T d/dw (a . R(w) c).
[[nodiscard]] inline geometry::Vec3 moment_change(const geometry::Vec3& w, const geometry::Vec3& c,
                                                  const geometry::Vec3& a) {
  const WarpFactors f = warp_factors(w.norm());
  const geometry::Vec3 across = w.cross(c);
  const geometry::Vec3 turned = c + f.a * across + f.b * w.cross(across);
  return warp(turned.cross(a), -w) - c.cross(a);
}

}  // namespace supple::shell
