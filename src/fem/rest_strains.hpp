// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fem/bending_strains.hpp"
#include "fem/shell_system.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/reduction/multivector.hpp"

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <vector>

namespace supple::fem {

/// K = G^T G of a shell at rest over its free nodes, kept as G: one row per triangle and edge, the
/// gradient of its measure times the square root of twice its stiffness, and the strains of bending
/// times the gradients of the angles.
///
/// Stretching a thin sheet is so much stiffer than bending it that rounding errors of the product
/// with an assembled K drown its lowest modes. Rounding errors of G^T (G u) hardly affect them.
class RestStrains final : public reduction::LinearOperator {
 public:
  /// The shell must outlive this.
  RestStrains(const DiscreteShell& shell, const ShellSystem& system);

  /// y = G^T G u.
  void apply(const reduction::MultiVector& u, reduction::MultiVector& y) const override;
  /// u^T G^T G u.
  [[nodiscard]] Eigen::MatrixXd products(const reduction::MultiVector& u) const;

 private:
  struct Row {
    std::array<geometry::Index, 4> nodes{-1, -1, -1, -1};  ///< matrix nodes; -1: none
    Eigen::Matrix<double, 3, 4> gradient = Eigen::Matrix<double, 3, 4>::Zero();
  };
  void add(const ShellSystem& system, const geometry::Index* nodes, int count,
           const double* gradient, double weight);
  void take_out_fixed(const std::vector<std::uint8_t>& fixed, const ShellSystem& system);
  /// The strains of stretching, then the turn of each edge.
  [[nodiscard]] reduction::MultiVector measures(const reduction::MultiVector& u) const;

  const BendingStrains& m_bending;
  std::vector<Row> m_rows;
  Eigen::Index m_turns;                    ///< the last rows
  std::vector<std::int64_t> m_slot_start;  ///< per matrix node, into m_slots
  std::vector<std::int64_t> m_slots;       ///< 4 row + position, ascending
};

}  // namespace supple::fem
