// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/energy.hpp"
#include "supple/reduction/block_matrix.hpp"

#include <algorithm>

namespace supple::fem {

/// The couplings of an energy whose Hessian is a matrix with this graph: its lower triangle, in the
/// order of its entries; every vertex has a diagonal.
inline std::size_t lower_triangle_size(const reduction::NodeGraph& graph) {
  return (graph.column.size() + static_cast<std::size_t>(graph.node_count())) / 2;
}

/// Calls visit(row, column, entry).
template <class Visit>
void for_each_lower_entry(const reduction::NodeGraph& graph, const Visit& visit) {
  for (std::int32_t row = 0; row < graph.node_count(); ++row) {
    for (auto entry = graph.row_start[row]; entry < graph.row_start[row + 1]; ++entry) {
      if (graph.column[entry] > row) break;
      visit(row, graph.column[entry], entry);
    }
  }
}

inline void list_lower_triangle(const reduction::NodeGraph& graph, geometry::Index first_vertex,
                                std::vector<Coupling>& list) {
  for_each_lower_entry(graph, [&](std::int32_t row, std::int32_t column, std::int64_t) {
    list.push_back({first_vertex + row, first_vertex + column});
  });
}

inline void write_lower_triangle(const reduction::BlockMatrix& matrix, double factor,
                                 std::span<double> blocks) {
  double* out = blocks.data();
  for_each_lower_entry(*matrix.graph, [&](std::int32_t, std::int32_t, std::int64_t entry) {
    const double* block = matrix.blocks.data() + 9 * entry;
    out = std::transform(block, block + 9, out, [&](double value) { return factor * value; });
  });
}

}  // namespace supple::fem
