// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/prepared_shells.hpp"
#include "supple/core/result.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/shell/shell_object.hpp"

#include <Eigen/Core>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace supple::experiments {

/// The methods for finding a shell's shape under a load.
enum class ShellMethod { Linear, Warped, RotationStrain, Nonlinear };
inline constexpr std::array kShellMethods{ShellMethod::Linear, ShellMethod::Warped,
                                          ShellMethod::RotationStrain, ShellMethod::Nonlinear};

/// One value for each method.
template <class T>
struct ByMethod {
  std::array<T, kShellMethods.size()> values{};

  [[nodiscard]] T& operator[](ShellMethod method) {
    return values[static_cast<std::size_t>(method)];
  }
  [[nodiscard]] const T& operator[](ShellMethod method) const {
    return values[static_cast<std::size_t>(method)];
  }
};

/// One load of a comparison.
struct ComparedLoad {
  double gravity = 0;           ///< m/s^2
  ByMethod<Eigen::VectorXd> x;  ///< positions in the shell's frame
  ByMethod<double> error;       ///< relative L2 of the displacements; nonlinear: 0
  ByMethod<double> area;        ///< relative change
  double turn = 0;              ///< largest, radians, of the warped shape
  double residual = 0;          ///< of the nonlinear solve
};

struct ShellComparison {
  Eigen::Vector3d direction = -Eigen::Vector3d::UnitY();  ///< of gravity, in the shell's frame
  std::vector<ComparedLoad> loads;
};

/// Loads from zero up to this one in equal steps, for solvers that follow one branch.
[[nodiscard]] std::vector<double> ramp(double most, int steps);
/// From zero to about four times the Earth's gravity, m/s^2.
[[nodiscard]] std::vector<double> viewer_loads();

/// The shell under growing gravity, computed with all methods [CWK07 4.3]. Each load starts from
/// the solution of the last. `direction` is a unit vector of the shell's frame. `done` is called
/// after each load. A shell without the rotation-strain solve is bad input.
[[nodiscard]] Result<ShellComparison> compare_shell(
    const fem::DiscreteShell& shell, const shell::ShellObject& object,
    const std::vector<double>& gravities,
    const Eigen::Vector3d& direction = -Eigen::Vector3d::UnitY(),
    const std::function<void()>& done = {});

/// The world's downward direction in the frame of a shell at rest.
[[nodiscard]] Eigen::Vector3d down_in_frame(const bake::PreparedShell& shell);

/// What the viewer reads: the nonlinear shapes of the vertices in the asset's bind space, the
/// direction in the world's axes, and the curves.
[[nodiscard]] std::string comparison_json(const ShellComparison& comparison,
                                          const bake::PreparedShell& shell);
/// gravity, turn, errors and areas, one line per load.
[[nodiscard]] std::string comparison_csv(const ShellComparison& comparison);

}  // namespace supple::experiments
