// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/shell/shell_object.hpp"

#include <Eigen/Core>

/// The equilibrium of a shell's modes under an acceleration such as gravity, in its frame.
namespace supple::shell {

/// omega^2 of the modes.
[[nodiscard]] Eigen::VectorXd modal_stiffness(const ShellObject& object);

/// f = sum m Phi^T a + sum Psi^T (Rt^T (R c x a) - c x a) over all nodes, c their levers: the modal
/// force of an acceleration on the turned shell.
[[nodiscard]] Eigen::VectorXd modal_force(const ShellObject& object, const Eigen::VectorXd& q,
                                          const Eigen::Vector3d& acceleration);

/// q = Phi^T F / omega^2, without turning, for linear_shape. Forces are x y z of all nodes, such as
/// fem::weight.
[[nodiscard]] Eigen::VectorXd linear_response(const ShellObject& object,
                                              const Eigen::VectorXd& forces);

/// q = f(q) / omega^2, for warped_shape: the state to which the player settles. Large loads can
/// have several equilibria; Newton's method finds one near `start` (empty: at rest).
[[nodiscard]] Result<Eigen::VectorXd> modal_equilibrium(const ShellObject& object,
                                                        const Eigen::Vector3d& acceleration,
                                                        const Eigen::VectorXd& start = {});

/// The largest turn of any node, in radians.
[[nodiscard]] double largest_turn(const ShellObject& object, const Eigen::VectorXd& q);

}  // namespace supple::shell
