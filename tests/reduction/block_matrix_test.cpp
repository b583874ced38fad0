// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/block_matrix.hpp"

#include "reduction/test_matrices.hpp"

#include <gtest/gtest.h>

namespace supple::reduction {
namespace {

/// Sums of a dozen products of order one.
constexpr double kRounding = 1e-13;

TEST(BlockMatrix, MultipliesAnyNumberOfVectors) {
  const auto graph = testing::grid_graph(4, 3, 2);
  const BlockMatrix matrix = testing::random_definite(graph, 1);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(72, 72);
  for (int row = 0; row < 24; ++row) {
    for (auto entry = graph->row_start[row]; entry < graph->row_start[row + 1]; ++entry) {
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          dense(3 * row + r, 3 * graph->column[entry] + c) = matrix.blocks[9 * entry + 3 * r + c];
        }
      }
    }
  }
  for (int columns = 1; columns <= 19; ++columns) {
    const MultiVector x = testing::random_vectors(72, columns, 2);
    MultiVector y;
    matrix.apply(x, y);
    EXPECT_LT((y - dense * x).cwiseAbs().maxCoeff(), 25 * kRounding) << columns << " vectors";
  }
}

TEST(NodeMatrix, ActsAlikeOnTheThreeComponents) {
  const auto graph = testing::grid_graph(3, 3, 1);
  NodeMatrix mass;
  mass.graph = graph;
  mass.values.resize(graph->column.size());
  for (std::size_t i = 0; i < mass.values.size(); ++i)
    mass.values[i] = 1.0 + static_cast<double>(i);
  for (int columns = 1; columns <= 11; ++columns) {
    const MultiVector x = testing::random_vectors(27, columns, 3);
    MultiVector y;
    mass.apply(x, y);
    for (int row = 0; row < 9; ++row) {
      MultiVector expected = MultiVector::Zero(3, columns);
      for (auto entry = graph->row_start[row]; entry < graph->row_start[row + 1]; ++entry) {
        expected += mass.values[entry] * x.middleRows(3 * graph->column[entry], 3);
      }
      EXPECT_LT((y.middleRows(3 * row, 3) - expected).cwiseAbs().maxCoeff(), 100 * kRounding);
    }
  }
}

TEST(NodeMatrix, FixedComponentsHaveNoMass) {
  const auto graph = testing::grid_graph(2, 1, 1);
  NodeMatrix mass = testing::identity_mass(graph);
  mass.fixed = {1, 5};
  MultiVector y;
  mass.apply(MultiVector::Ones(6, 2), y);
  const Eigen::VectorXd expected = (Eigen::VectorXd(6) << 1, 0, 1, 1, 1, 0).finished();
  EXPECT_EQ(Eigen::VectorXd(y.col(0)), expected);
}

}  // namespace
}  // namespace supple::reduction
