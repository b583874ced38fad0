// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/reduction/block_matrix.hpp"

#include <cstdint>
#include <vector>

namespace supple::reduction {

enum class Ordering {
  Best,  ///< the better of the two below by predicted work; only nested dissection for large
         ///< matrices
  NestedDissection,  ///< METIS [KK98]
  MinimumDegree      ///< AMD [ADD96]
};

/// Everything about a Cholesky factor except its numbers, per node (three unknowns each):
/// elimination order, supernodes, their rows, and the tree along which fronts are assembled
/// [Liu90]. Nodes and rows below are in elimination order.
struct SymbolicFactor {
  struct Supernode {
    std::int32_t first = 0;            ///< first column
    std::int32_t last = 0;             ///< one past the last column
    std::int32_t parent = -1;          ///< supernode that receives the update; -1 at a root
    std::vector<std::int32_t> rows;    ///< rows below the columns, ascending
    std::vector<std::int32_t> target;  ///< position of each row in the parent's columns + rows
    [[nodiscard]] std::int32_t columns() const { return last - first; }
  };

  std::vector<std::int32_t> order;    ///< order[k]: node eliminated k-th
  std::vector<Supernode> supernodes;  ///< children before parents
  std::vector<std::vector<std::int32_t>> children;
  Ordering ordering = Ordering::NestedDissection;
  double entries = 0;  ///< scalars in the stored factor
  double flops = 0;    ///< multiplications and additions to compute it
};

/// Deterministic: the same graph gives the same factor.
[[nodiscard]] Result<SymbolicFactor> analyse(const NodeGraph& graph,
                                             Ordering ordering = Ordering::Best);

}  // namespace supple::reduction
