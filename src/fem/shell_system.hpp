// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/reduction/block_matrix.hpp"
#include "supple/reduction/symbolic_factor.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace supple::fem {

/// The nodes of a shell that can move, and what solvers need to know about them before any number:
/// it depends on the mesh and on what is fixed alone, so one serves modes and every Newton step.
///
/// Nodes with every component fixed, and nodes of no triangle, are left out. A node with some
/// components fixed stays: their rows and columns are zero but for a positive diagonal.
struct ShellSystem {
  std::vector<geometry::Index> free_nodes;   ///< node of each matrix node, ascending
  std::vector<geometry::Index> matrix_node;  ///< matrix node of each node, or -1
  std::shared_ptr<const reduction::NodeGraph> graph;
  std::vector<std::int64_t> entries;  ///< of the shell's graph, for each entry of this one
  reduction::NodeMatrix mass;         ///< lumped
  reduction::MultiVector rigid;       ///< M-orthonormal
  /// Absent where nothing can move, or the order could not be found.
  std::shared_ptr<const reduction::SymbolicFactor> symbolic;
  std::optional<Error> failure;

  [[nodiscard]] std::size_t free_dofs() const { return 3 * free_nodes.size() - mass.fixed.size(); }
  [[nodiscard]] reduction::BlockMatrix restrict_to_free(const reduction::BlockMatrix& all) const;
  /// Rows of the free nodes, zero in fixed components; and back, zero elsewhere.
  [[nodiscard]] reduction::MultiVector gather(const reduction::MultiVector& all) const;
  [[nodiscard]] reduction::MultiVector spread(const reduction::MultiVector& free) const;
};

[[nodiscard]] ShellSystem make_shell_system(const DiscreteShell& shell);

/// That of this shell, made on the first call and kept with it.
[[nodiscard]] const ShellSystem& shell_system(const DiscreteShell& shell);

}  // namespace supple::fem
