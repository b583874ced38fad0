// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/random.hpp"
#include "supple/reduction/block_matrix.hpp"

#include <memory>
#include <vector>

namespace supple::reduction::testing {

/// Neighbours on an nx x ny x nz grid of nodes.
inline std::shared_ptr<NodeGraph> grid_graph(int nx, int ny, int nz) {
  auto graph = std::make_shared<NodeGraph>();
  graph->row_start = {0};
  const auto id = [&](int i, int j, int k) { return (k * ny + j) * nx + i; };
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        if (k > 0) graph->column.push_back(id(i, j, k - 1));
        if (j > 0) graph->column.push_back(id(i, j - 1, k));
        if (i > 0) graph->column.push_back(id(i - 1, j, k));
        graph->column.push_back(id(i, j, k));
        if (i + 1 < nx) graph->column.push_back(id(i + 1, j, k));
        if (j + 1 < ny) graph->column.push_back(id(i, j + 1, k));
        if (k + 1 < nz) graph->column.push_back(id(i, j, k + 1));
        graph->row_start.push_back(static_cast<std::int64_t>(graph->column.size()));
      }
    }
  }
  return graph;
}

/// A random symmetric, diagonally dominant matrix on a graph.
inline BlockMatrix random_definite(const std::shared_ptr<const NodeGraph>& graph,
                                   std::uint64_t seed) {
  BlockMatrix matrix;
  matrix.graph = graph;
  matrix.blocks.assign(9 * graph->column.size(), 0.0);
  for (std::int32_t row = 0; row < graph->node_count(); ++row) {
    for (auto entry = graph->row_start[row]; entry < graph->row_start[row + 1]; ++entry) {
      const std::int32_t column = graph->column[entry];
      // The same numbers from both sides, transposed.
      Random random(seed, 1'000'003ULL * std::min(row, column) + std::max(row, column));
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          const double value = random.uniform(-1, 1);
          double& out = matrix.blocks[9 * entry + (row <= column ? 3 * r + c : 3 * c + r)];
          out = row == column ? (r == c ? 25.0 + value : 0.1) : value;
        }
      }
    }
  }
  return matrix;
}

/// The second difference on a grid with zero beyond its borders, alike in x, y and z. Its
/// eigenvalues are sums of 2 - 2 cos(i pi / (n + 1)) over the three directions, each three times.
inline BlockMatrix grid_laplacian(const std::shared_ptr<const NodeGraph>& graph) {
  BlockMatrix matrix;
  matrix.graph = graph;
  matrix.blocks.assign(9 * graph->column.size(), 0.0);
  for (std::int32_t row = 0; row < graph->node_count(); ++row) {
    for (auto entry = graph->row_start[row]; entry < graph->row_start[row + 1]; ++entry) {
      for (int c = 0; c < 3; ++c) {
        matrix.blocks[9 * entry + 4 * c] = graph->column[entry] == row ? 6.0 : -1.0;
      }
    }
  }
  return matrix;
}

inline NodeMatrix identity_mass(const std::shared_ptr<const NodeGraph>& graph) {
  NodeMatrix mass;
  mass.graph = graph;
  mass.values.assign(graph->column.size(), 0.0);
  for (std::int32_t row = 0; row < graph->node_count(); ++row) {
    for (auto entry = graph->row_start[row]; entry < graph->row_start[row + 1]; ++entry) {
      if (graph->column[entry] == row) mass.values[entry] = 1.0;
    }
  }
  return mass;
}

inline MultiVector random_vectors(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  Random random(seed);
  MultiVector x(rows, columns);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = random.uniform(-1, 1);
  return x;
}

inline Eigen::MatrixXd dense(const LinearOperator& matrix, Eigen::Index size) {
  MultiVector result;
  matrix.apply(MultiVector::Identity(size, size), result);
  return result;
}

}  // namespace supple::reduction::testing
