// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/reduction/multivector.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace supple::reduction {

/// Which nodes share a matrix entry: compressed rows, columns ascending, symmetric, every
/// diagonal present. One graph serves every matrix of a model.
struct NodeGraph {
  std::vector<std::int64_t> row_start;  ///< nodes + 1
  std::vector<std::int32_t> column;

  [[nodiscard]] std::int32_t node_count() const {
    return static_cast<std::int32_t>(row_start.size()) - 1;
  }
  /// The index of an existing entry.
  [[nodiscard]] std::int64_t entry(std::int32_t row, std::int32_t other) const {
    const auto begin = column.begin() + row_start[row];
    const auto end = column.begin() + row_start[row + 1];
    return std::lower_bound(begin, end, other) - column.begin();
  }
};

/// A symmetric matrix of 3 x 3 blocks, such as a stiffness. Both triangles are stored, so that
/// products run over rows in parallel without races.
struct BlockMatrix final : public LinearOperator {
  std::shared_ptr<const NodeGraph> graph;
  std::vector<double> blocks;  ///< 9 per graph entry, row-major

  void apply(const MultiVector& x, MultiVector& y) const override;
};

/// A symmetric matrix with one number per pair of nodes, acting equally on x, y and z, such as a
/// mass: a ninth of the memory. Components in `fixed` are removed from the space.
struct NodeMatrix final : public LinearOperator {
  std::shared_ptr<const NodeGraph> graph;
  std::vector<double> values;       ///< one per graph entry
  std::vector<std::int64_t> fixed;  ///< unknowns whose rows and columns are zero, ascending

  void apply(const MultiVector& x, MultiVector& y) const override;
};

}  // namespace supple::reduction
