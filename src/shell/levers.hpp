// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shell/warping.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/shell/shell_object.hpp"

#include <Eigen/Core>

namespace supple::shell {

/// Where a shell's mass is, by how far its nodes have turned: sum_i m_i x_i = const +
/// sum_i R(w_i) c_i, x the rotation-strain reconstruction of turns without strain. Its equations
/// are linear in the turned edges, so that one solve with the masses finds what every edge carries:
/// in a strip, c is what hangs on a node times the way to the next one. Zero where nothing holds
/// the shell (it falls as a whole), and at nodes that no mode moves.
[[nodiscard]] Eigen::Matrix3Xd node_levers(const fem::DiscreteShell& shell,
                                           const StrainFactor& factor,
                                           const Eigen::MatrixXd& displacements);

/// Changes levers a little, relative to their lengths, so that they pull soft modes at rest as the
/// masses do: sum_i Psi_i x c_i = sum_i m_i Phi_i. Stiff ones that strain the shell more than they
/// turn it stay as they are.
void match_levers(const ShellObject& object, Eigen::Matrix3Xd& levers);

/// Rt(w)^T (R(w) c x a) - c x a: what turning changes about the moment of a lever, which is the
/// change of Psi^T d/dw (a . R(w) c).
[[nodiscard]] inline geometry::Vec3 moment_change(const geometry::Vec3& w, const geometry::Vec3& c,
                                                  const geometry::Vec3& a) {
  const WarpFactors f = warp_factors(w.norm());
  const geometry::Vec3 across = w.cross(c);
  const geometry::Vec3 turned = c + f.a * across + f.b * w.cross(across);
  return warp(turned.cross(a), -w) - c.cross(a);
}

}  // namespace supple::shell
