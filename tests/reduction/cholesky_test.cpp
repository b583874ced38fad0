// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/cholesky.hpp"

#include "reduction/test_matrices.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

namespace supple::reduction {
namespace {

/// Condition numbers here are below 100.
constexpr double kDouble = 1e-13;
constexpr double kSingle = 1e-5;

template <class Scalar>
std::unique_ptr<Cholesky<Scalar>> factor(const BlockMatrix& matrix,
                                         Ordering ordering = Ordering::Best,
                                         const NodeMatrix* mass = nullptr, double shift = 0) {
  auto symbolic = analyse(*matrix.graph, ordering);
  EXPECT_TRUE(symbolic.ok());
  auto result = Cholesky<Scalar>::factorise(
      std::make_shared<const SymbolicFactor>(*std::move(symbolic)), matrix, mass, shift);
  EXPECT_TRUE(result.ok());
  return *std::move(result);
}

class CholeskyOnGrids : public ::testing::TestWithParam<std::array<int, 3>> {};

TEST_P(CholeskyOnGrids, SolvesLikeADenseFactor) {
  const auto [nx, ny, nz] = GetParam();
  const auto graph = testing::grid_graph(nx, ny, nz);
  const BlockMatrix matrix = testing::random_definite(graph, 5);
  const Eigen::Index size = 3 * Eigen::Index{graph->node_count()};
  const MultiVector b = testing::random_vectors(size, 5, 6);
  const MultiVector expected = testing::dense(matrix, size).llt().solve(b);
  for (const Ordering ordering : {Ordering::NestedDissection, Ordering::MinimumDegree}) {
    MultiVector x;
    factor<double>(matrix, ordering)->apply(b, x);
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), kDouble);
    factor<float>(matrix, ordering)->apply(b, x);
    EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), kSingle);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, CholeskyOnGrids,
                         ::testing::Values(std::array{1, 1, 1}, std::array{2, 1, 1},
                                           std::array{40, 1, 1}, std::array{15, 14, 1},
                                           std::array{7, 8, 6}));

TEST(Cholesky, LargeFrontsInParallelGiveSmallResiduals) {
  // 24^3 nodes: the top separators have about 1,700 unknowns and take the tiled path.
  const auto graph = testing::grid_graph(24, 24, 24);
  const BlockMatrix matrix = testing::random_definite(graph, 7);
  const MultiVector b = testing::random_vectors(3 * 24 * 24 * 24, 9, 8);
  MultiVector x;
  MultiVector product;
  factor<double>(matrix)->apply(b, x);
  matrix.apply(x, product);
  EXPECT_LT((product - b).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Cholesky, SameBitsForAnyNumberOfThreads) {
  const auto graph = testing::grid_graph(20, 20, 20);
  const BlockMatrix matrix = testing::random_definite(graph, 9);
  const MultiVector b = testing::random_vectors(3 * 8000, 11, 10);
  MultiVector expected;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    MultiVector x;
    factor<float>(matrix)->apply(b, x);
    if (threads == 1) expected = x;
    EXPECT_EQ(x, expected) << threads << " threads";
  }
  set_thread_count(0);
}

TEST(Cholesky, AddsTheShiftedMass) {
  const auto graph = testing::grid_graph(5, 4, 3);
  const BlockMatrix matrix = testing::random_definite(graph, 11);
  NodeMatrix mass = testing::identity_mass(graph);
  for (double& value : mass.values) value *= 2;
  const Eigen::MatrixXd sum =
      testing::dense(matrix, 180) + 3.0 * Eigen::MatrixXd(testing::dense(mass, 180));
  const MultiVector b = testing::random_vectors(180, 2, 12);
  MultiVector x;
  factor<double>(matrix, Ordering::Best, &mass, 3.0)->apply(b, x);
  EXPECT_LT((sum * x - b).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Cholesky, SolvesInPlace) {
  const auto graph = testing::grid_graph(4, 4, 4);
  const BlockMatrix matrix = testing::random_definite(graph, 13);
  const MultiVector b = testing::random_vectors(192, 3, 14);
  const auto cholesky = factor<double>(matrix);
  MultiVector x;
  cholesky->apply(b, x);
  MultiVector in_place = b;
  cholesky->apply(in_place, in_place);
  EXPECT_EQ(in_place, x);
}

TEST(Cholesky, FactorsSeparatePieces) {
  auto graph = std::make_shared<NodeGraph>();  // three nodes, no edges
  graph->row_start = {0, 1, 2, 3};
  graph->column = {0, 1, 2};
  const BlockMatrix matrix = testing::random_definite(graph, 15);
  const MultiVector b = testing::random_vectors(9, 1, 16);
  MultiVector x;
  MultiVector product;
  factor<double>(matrix)->apply(b, x);
  matrix.apply(x, product);
  EXPECT_LT((product - b).cwiseAbs().maxCoeff(), kDouble);
}

/// Whichever diagonal entry is negative, and in both precisions.
TEST(Cholesky, RefusesIndefiniteMatricesWithARemedy) {
  const auto graph = testing::grid_graph(6, 6, 6);
  auto analysed = analyse(*graph);
  const auto symbolic = std::make_shared<const SymbolicFactor>(*std::move(analysed));
  const auto expect_remedy = [](const auto& result) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code(), ErrorCode::NotConverged);
    const std::string& text = result.error().message();
    EXPECT_NE(text.find("of 648)"), std::string::npos) << text;
    EXPECT_NE(text.find("hold the body"), std::string::npos) << text;
    EXPECT_NE(text.find("check the mesh"), std::string::npos) << text;
  };
  Random random(17);
  for (int i = 0; i < 8; ++i) {
    BlockMatrix matrix = testing::random_definite(graph, 17);
    const auto node = static_cast<std::int32_t>(random.below(216));
    for (auto entry = graph->row_start[node]; entry < graph->row_start[node + 1]; ++entry) {
      if (graph->column[entry] == node) matrix.blocks[9 * entry + 4 * random.below(3)] = -1;
    }
    expect_remedy(Cholesky<double>::factorise(symbolic, matrix, nullptr, 0));
    expect_remedy(Cholesky<float>::factorise(symbolic, matrix, nullptr, 0));
  }
}

TEST(Cholesky, StopsWhenInterrupted) {
  const BlockMatrix matrix = testing::random_definite(testing::grid_graph(6, 6, 6), 18);
  auto symbolic = analyse(*matrix.graph);
  set_interrupted(true);
  const auto result = Cholesky<double>::factorise(
      std::make_shared<const SymbolicFactor>(*std::move(symbolic)), matrix, nullptr, 0);
  set_interrupted(false);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::Interrupted);
}

}  // namespace
}  // namespace supple::reduction
