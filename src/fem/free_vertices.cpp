// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/free_vertices.hpp"

#include "supple/core/parallel.hpp"
#include "supple/fem/solid_model.hpp"

#include <algorithm>
#include <cmath>

namespace supple::fem {

using geometry::Index;
using reduction::MultiVector;

FreeVertices::FreeVertices(const std::vector<std::uint8_t>& fixed, const Eigen::VectorXd& masses) {
  const auto count = static_cast<std::size_t>(masses.size());
  matrix_node.assign(count, -1);
  free_nodes.reserve(count);
  for (std::size_t node = 0; node < count; ++node) {
    const int bits = fixed.empty() ? 0 : fixed[node] & kFixAll;
    if (bits == kFixAll || masses(static_cast<Eigen::Index>(node)) == 0) continue;
    const auto row = static_cast<std::int64_t>(free_nodes.size());
    matrix_node[node] = static_cast<Index>(row);
    free_nodes.push_back(static_cast<Index>(node));
    for (int c = 0; c < 3; ++c) {
      if ((bits >> c & 1) != 0) fixed_rows.push_back(3 * row + c);
    }
  }
}

MultiVector FreeVertices::gather(const MultiVector& all) const {
  MultiVector result(static_cast<Eigen::Index>(3 * free_nodes.size()), all.cols());
  for (std::size_t row = 0; row < free_nodes.size(); ++row) {
    result.middleRows<3>(static_cast<Eigen::Index>(3 * row)) =
        all.middleRows<3>(3 * Eigen::Index{free_nodes[row]});
  }
  for (const std::int64_t row : fixed_rows) result.row(row).setZero();
  return result;
}

MultiVector FreeVertices::spread(const MultiVector& free) const {
  MultiVector result =
      MultiVector::Zero(static_cast<Eigen::Index>(3 * matrix_node.size()), free.cols());
  for (std::size_t row = 0; row < free_nodes.size(); ++row) {
    result.middleRows<3>(3 * Eigen::Index{free_nodes[row]}) =
        free.middleRows<3>(static_cast<Eigen::Index>(3 * row));
  }
  for (const std::int64_t row : fixed_rows) {
    result.row(3 * Eigen::Index{free_nodes[row / 3]} + row % 3).setZero();
  }
  return result;
}

void FreeVertices::decouple(reduction::BlockMatrix& matrix) const {
  if (fixed_rows.empty()) return;
  std::vector<std::uint8_t> bits(free_nodes.size(), 0);
  for (const std::int64_t row : fixed_rows) bits[row / 3] |= 1U << (row % 3);
  // Any positive number would do; one of the matrix's own magnitude keeps its condition number.
  double diagonal = 0;
  for (const double value : matrix.blocks) diagonal = std::max(diagonal, std::abs(value));
  const reduction::NodeGraph& graph = *matrix.graph;
  parallel_for(bits.size(), 256, [&](std::size_t row) {
    for (auto entry = graph.row_start[row]; entry < graph.row_start[row + 1]; ++entry) {
      const auto column = static_cast<std::size_t>(graph.column[entry]);
      double* block = matrix.blocks.data() + 9 * entry;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          if (((bits[row] >> r | bits[column] >> c) & 1) == 0) continue;
          block[3 * r + c] = row == column && r == c ? diagonal : 0.0;
        }
      }
    }
  });
}

}  // namespace supple::fem
