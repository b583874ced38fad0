// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/shell/shell_object.hpp"

#include <Eigen/Core>

/// Where the modes of a shell come to rest under an acceleration such as gravity, in its frame.
namespace supple::shell {

/// omega^2 of the modes.
[[nodiscard]] Eigen::VectorXd modal_stiffness(const ShellObject& object);

/// f = sum m Phi^T a + sum Psi^T (Rt^T (R c x a) - c x a) over all nodes, c their levers: what the
/// modes feel of an acceleration as the shell has turned.
[[nodiscard]] Eigen::VectorXd modal_force(const ShellObject& object, const Eigen::VectorXd& q,
                                          const Eigen::Vector3d& acceleration);

/// q = Phi^T F / omega^2: without turning, for linear_shape. Forces are x y z of all nodes, such as
/// fem::weight.
[[nodiscard]] Eigen::VectorXd linear_response(const ShellObject& object,
                                              const Eigen::VectorXd& forces);

/// q = f(q) / omega^2, for warped_shape: what the player settles to. Under large loads there can be
/// several; Newton's method finds one near `start` (empty: at rest).
[[nodiscard]] Result<Eigen::VectorXd> modal_equilibrium(const ShellObject& object,
                                                        const Eigen::Vector3d& acceleration,
                                                        const Eigen::VectorXd& start = {});

/// Radians: how far the node turns that turns most.
[[nodiscard]] double largest_turn(const ShellObject& object, const Eigen::VectorXd& q);

}  // namespace supple::shell
