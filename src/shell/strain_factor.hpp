// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/shell/shell_object.hpp"

#include <Eigen/Core>

namespace supple::shell {

[[nodiscard]] Result<StrainFactor> factorise_strain(const fem::DiscreteShell& shell);

/// (L L^T)^-1 applied to each column, rows in elimination order.
[[nodiscard]] Eigen::MatrixX3d solve_strain(const StrainFactor& factor, Eigen::MatrixX3d rhs);

}  // namespace supple::shell
