// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/shell/shell_object.hpp"

#include <Eigen/Core>

/// Where the modes of a shell come to rest under forces, x y z of all nodes in the shell's frame,
/// such as fem::weight.
namespace supple::shell {

/// omega^2 of the modes.
[[nodiscard]] Eigen::VectorXd modal_stiffness(const ShellObject& object);

/// f = Phi^T R(Psi q)^T F: what the modes feel of forces on the shell as it has turned.
[[nodiscard]] Eigen::VectorXd modal_force(const ShellObject& object, const Eigen::VectorXd& q,
                                          const Eigen::VectorXd& forces);

/// q = Phi^T F / omega^2: without turning, for linear_shape.
[[nodiscard]] Eigen::VectorXd linear_response(const ShellObject& object,
                                              const Eigen::VectorXd& forces);

/// q = Phi^T R(Psi q)^T F / omega^2, for warped_shape: what the player settles to. Under large
/// loads there can be several; Newton's method finds one near `start` (empty: at rest).
[[nodiscard]] Result<Eigen::VectorXd> modal_equilibrium(const ShellObject& object,
                                                        const Eigen::VectorXd& forces,
                                                        const Eigen::VectorXd& start = {});

/// Radians: how far the node turns that turns most.
[[nodiscard]] double largest_turn(const ShellObject& object, const Eigen::VectorXd& q);

}  // namespace supple::shell
