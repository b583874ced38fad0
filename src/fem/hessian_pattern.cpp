// SPDX-License-Identifier: Apache-2.0
#include "fem/hessian_pattern.hpp"

#include "supple/core/parallel.hpp"

#include <algorithm>
#include <numeric>

namespace supple::fem {
namespace {

using geometry::Index;
using reduction::NodeGraph;

constexpr std::size_t kPatternGrain = 256;

/// A block as seen from one of its rows.
struct RowBlock {
  Index column;
  std::int64_t source;
};

/// Blocks sorted by row, in the order of the list within a row.
struct RowBlocks {
  std::vector<std::int64_t> start;
  std::vector<RowBlock> blocks;
};

/// Calls visit(row, column, source) for both triangles.
template <class Visit>
void for_each_block(const std::vector<Coupling>& couplings, const FreeVertices& free,
                    const Visit& visit) {
  for (std::size_t k = 0; k < couplings.size(); ++k) {
    const Index row = free.matrix_node[couplings[k][0]];
    const Index column = free.matrix_node[couplings[k][1]];
    if (row < 0 || column < 0) continue;
    const auto source = static_cast<std::int64_t>(2 * k);
    visit(row, column, source);
    if (row != column) visit(column, row, source + 1);
  }
}

RowBlocks sort_by_row(const std::vector<Coupling>& couplings, const FreeVertices& free) {
  RowBlocks rows;
  rows.start.assign(free.free_nodes.size() + 1, 0);
  for_each_block(couplings, free, [&](Index row, Index, std::int64_t) { ++rows.start[row + 1]; });
  std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
  rows.blocks.resize(static_cast<std::size_t>(rows.start.back()));
  std::vector<std::int64_t> next(rows.start.begin(), rows.start.end() - 1);
  for_each_block(couplings, free, [&](Index row, Index column, std::int64_t source) {
    rows.blocks[next[row]++] = {column, source};
  });
  return rows;
}

/// The distinct columns of sorted blocks, with the diagonal.
void list_columns(std::span<const RowBlock> blocks, Index row, std::vector<Index>& columns) {
  columns.clear();
  columns.push_back(row);
  for (const RowBlock& block : blocks) columns.push_back(block.column);
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}

void add_block(const double* block, bool transposed, double* sum) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) sum[3 * r + c] += transposed ? block[3 * c + r] : block[3 * r + c];
  }
}

}  // namespace

HessianPattern::HessianPattern(const std::vector<Coupling>& couplings, const FreeVertices& free) {
  m_blocks.resize(9 * couplings.size());
  RowBlocks rows = sort_by_row(couplings, free);
  const std::size_t count = free.free_nodes.size();
  const auto blocks_of = [&](std::size_t row) {
    return std::span(rows.blocks)
        .subspan(static_cast<std::size_t>(rows.start[row]),
                 static_cast<std::size_t>(rows.start[row + 1] - rows.start[row]));
  };
  auto graph = std::make_shared<NodeGraph>();
  graph->row_start.assign(count + 1, 0);
  parallel_chunks(count, kPatternGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Index> columns;
    for (std::size_t row = begin; row < end; ++row) {
      std::ranges::stable_sort(blocks_of(row), {}, &RowBlock::column);
      list_columns(blocks_of(row), static_cast<Index>(row), columns);
      graph->row_start[row + 1] = static_cast<std::int64_t>(columns.size());
    }
  });
  std::partial_sum(graph->row_start.begin(), graph->row_start.end(), graph->row_start.begin());
  graph->column.resize(static_cast<std::size_t>(graph->row_start.back()));
  m_source_start.assign(graph->column.size() + 1, 0);
  m_sources.resize(rows.blocks.size());
  parallel_chunks(count, kPatternGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Index> columns;
    for (std::size_t row = begin; row < end; ++row) {
      list_columns(blocks_of(row), static_cast<Index>(row), columns);
      std::copy(columns.begin(), columns.end(), graph->column.begin() + graph->row_start[row]);
      // The sorted blocks are the sources of the row's entries, one entry after the other.
      auto source = rows.start[row];
      for (std::size_t i = 0; i < columns.size(); ++i) {
        while (source < rows.start[row + 1] && rows.blocks[source].column == columns[i]) {
          m_sources[source] = rows.blocks[source].source;
          ++source;
        }
        m_source_start[graph->row_start[row] + static_cast<std::int64_t>(i) + 1] = source;
      }
    }
  });
  m_graph = std::move(graph);
}

reduction::BlockMatrix HessianPattern::assemble(const Energy& energy, const FreeVertices& free,
                                                const Eigen::VectorXd& x, Curvature curvature) {
  energy.write_hessian(x, curvature, m_blocks);
  reduction::BlockMatrix matrix;
  matrix.graph = m_graph;
  matrix.blocks.assign(9 * m_graph->column.size(), 0.0);
  parallel_for(m_graph->column.size(), 16 * kPatternGrain, [&](std::size_t entry) {
    for (auto k = m_source_start[entry]; k < m_source_start[entry + 1]; ++k) {
      const std::int64_t source = m_sources[k];
      add_block(m_blocks.data() + 9 * (source / 2), source % 2 != 0,
                matrix.blocks.data() + 9 * entry);
    }
  });
  free.decouple(matrix);
  return matrix;
}

reduction::BlockMatrix hessian(const Energy& energy, const Eigen::VectorXd& x,
                               Curvature curvature) {
  const FreeVertices all({}, Eigen::VectorXd::Ones(x.size() / 3));
  std::vector<Coupling> couplings;
  energy.list_couplings(couplings);
  return HessianPattern(couplings, all).assemble(energy, all, x, curvature);
}

}  // namespace supple::fem
