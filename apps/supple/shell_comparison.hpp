// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/shell/shell_object.hpp"

#include <Eigen/Core>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace supple::app {

/// The ways to find where a load holds a shell.
enum class ShellMethod { Linear, Warped, RotationStrain, Nonlinear };
inline constexpr std::size_t kShellMethods = 4;

/// Modal coordinates at equilibrium under dead loads: lambda q = Phi^T R(q)^T F, what the player
/// comes to rest at. Newton from `start`, which ought to be the answer of a slightly smaller load.
/// `warped` false leaves R out. Not converged is an error with the residual.
[[nodiscard]] Result<Eigen::VectorXd> modal_equilibrium(const shell::ShellObject& object,
                                                        const Eigen::VectorXd& load, bool warped,
                                                        const Eigen::VectorXd& start = {});

/// One load of a comparison.
struct ComparedLoad {
  double gravity = 0;                            ///< m/s^2
  std::array<Eigen::VectorXd, kShellMethods> x;  ///< positions, by ShellMethod
  std::array<double, kShellMethods> error{};     ///< relative L2 of the displacements; last: 0
  std::array<double, kShellMethods> area{};      ///< relative change
  double turn = 0;                               ///< largest, radians, of the warped shape
  double residual = 0;                           ///< of the nonlinear solve
};

struct ShellComparison {
  Eigen::Vector3d direction = -Eigen::Vector3d::UnitY();
  std::vector<ComparedLoad> loads;
};

/// The shell under growing gravity by all methods [CWK07 4.3]. Each load begins where the last one
/// ended. `done` is called after each.
[[nodiscard]] Result<ShellComparison> compare_shell(const fem::DiscreteShell& shell,
                                                    const shell::ShellObject& object,
                                                    const std::vector<double>& gravities,
                                                    const std::function<void()>& done = {});

/// From nothing to about four times the Earth's gravity, m/s^2.
[[nodiscard]] std::vector<double> viewer_loads();

/// What the viewer reads: the nonlinear shapes and the curves. `node_of_vertex` and the rest of the
/// bind space are the mesh's that is drawn.
[[nodiscard]] std::string comparison_json(const ShellComparison& comparison,
                                          const std::vector<geometry::Index>& node_of_vertex);
/// gravity, turn, errors and areas, one line per load.
[[nodiscard]] std::string comparison_csv(const ShellComparison& comparison);

}  // namespace supple::app
