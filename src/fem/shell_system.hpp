// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/discrete_shell.hpp"
#include "supple/fem/free_vertices.hpp"
#include "supple/reduction/block_matrix.hpp"
#include "supple/reduction/symbolic_factor.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace supple::fem {

/// The movable nodes of a shell and the structure that solvers need before any values: it depends
/// only on the mesh and the fixed nodes, so one object serves modes and every Newton step.
struct ShellSystem : FreeVertices {
  std::shared_ptr<const reduction::NodeGraph> graph;
  std::vector<std::int64_t> entries;  ///< entry of the shell's graph for each entry of this one
  reduction::NodeMatrix mass;         ///< lumped
  reduction::MultiVector rigid;       ///< M-orthonormal
  /// Absent if nothing can move, or if the ordering failed.
  std::shared_ptr<const reduction::SymbolicFactor> symbolic;
  std::optional<Error> failure;

  [[nodiscard]] reduction::BlockMatrix restrict_to_free(const reduction::BlockMatrix& all) const;
};

[[nodiscard]] ShellSystem make_shell_system(const DiscreteShell& shell);

/// The system of this shell, created on the first call and kept with it.
[[nodiscard]] const ShellSystem& shell_system(const DiscreteShell& shell);

}  // namespace supple::fem
