// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"
#include "supple/reduction/block_matrix.hpp"

#include <cstdint>
#include <vector>

namespace supple::fem {

/// The vertices that can move, in ascending order: the nodes of a solver's matrices.
///
/// Vertices with all components fixed, and vertices without mass, are excluded. A vertex with only
/// some components fixed stays: the rows and columns of these are zero except for a positive
/// diagonal.
struct FreeVertices {
  std::vector<geometry::Index> free_nodes;   ///< vertex of each matrix node
  std::vector<geometry::Index> matrix_node;  ///< matrix node of each vertex, or -1
  std::vector<std::int64_t> fixed_rows;      ///< fixed components of free vertices, ascending

  FreeVertices() = default;
  /// `fixed`: kFix* bits per vertex, or empty; `masses`: kg per vertex.
  FreeVertices(const std::vector<std::uint8_t>& fixed, const Eigen::VectorXd& masses);

  [[nodiscard]] std::size_t free_dofs() const { return 3 * free_nodes.size() - fixed_rows.size(); }
  /// Gathers the rows of the free vertices, zero in fixed components; and scatters back, zero
  /// elsewhere.
  [[nodiscard]] reduction::MultiVector gather(const reduction::MultiVector& all) const;
  [[nodiscard]] reduction::MultiVector spread(const reduction::MultiVector& free) const;
  /// Separates the fixed components of a matrix on these nodes from the others.
  void decouple(reduction::BlockMatrix& matrix) const;
};

}  // namespace supple::fem
