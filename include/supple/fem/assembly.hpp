// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/reduction/block_matrix.hpp"

#include <vector>

namespace supple::fem {

/// Stiffness and mass over the nodes that can move.
///
/// Nodes with all components fixed, and nodes that no element uses, are excluded. A node with only
/// some components fixed stays: the rows and columns of these are zero in M, and zero except for a
/// positive diagonal in K, so that they decouple.
struct SolidMatrices {
  reduction::BlockMatrix stiffness;
  reduction::NodeMatrix mass;
  std::vector<geometry::Index> free_nodes;   ///< mesh node of each matrix node, ascending
  std::vector<geometry::Index> matrix_node;  ///< matrix node of each mesh node, or -1

  [[nodiscard]] std::size_t free_dofs() const { return 3 * free_nodes.size() - mass.fixed.size(); }
};

/// Numbers the free nodes and builds the graph; the values stay empty. The model must be valid.
[[nodiscard]] Result<SolidMatrices> lay_out(const SolidModel& model);

/// Computes the values. Row by row in parallel: each row gathers from its elements in ascending
/// order, so the bits do not depend on the number of threads.
void fill(const SolidModel& model, SolidMatrices& matrices);

/// Does both at once.
[[nodiscard]] Result<SolidMatrices> assemble(const SolidModel& model);

}  // namespace supple::fem
