// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/lowest_modes.hpp"

#include "reduction/test_matrices.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/reduction/cholesky.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

extern "C" {
// LAPACK's generalised symmetric-definite solver: the independent reference for ours.
void dsygv_(const int* type, const char* job, const char* uplo, const int* n, double* a,
            const int* lda, double* b, const int* ldb, double* w, double* work, const int* lwork,
            int* info);
}

namespace supple::reduction {
namespace {

std::unique_ptr<Cholesky<float>> inverse(const BlockMatrix& matrix) {
  auto symbolic = analyse(*matrix.graph);
  auto factor = Cholesky<float>::factorise(
      std::make_shared<const SymbolicFactor>(*std::move(symbolic)), matrix, nullptr, 0);
  EXPECT_TRUE(factor.ok());
  return *std::move(factor);
}

/// Eigenvalues of grid_laplacian in closed form, ascending.
std::vector<double> laplacian_eigenvalues(int nx, int ny, int nz) {
  std::vector<double> values;
  const auto term = [](int i, int n) { return 2 - 2 * std::cos(i * std::numbers::pi / (n + 1)); };
  for (int i = 1; i <= nx; ++i) {
    for (int j = 1; j <= ny; ++j) {
      for (int k = 1; k <= nz; ++k) {
        values.insert(values.end(), 3, term(i, nx) + term(j, ny) + term(k, nz));
      }
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

/// The eigenvalue error is the square of the tolerance on shapes.
constexpr double kEigenvalue = 1e-11;

TEST(LowestModes, FindsClusteredAndRepeatedPairsOfACube) {
  // A cube repeats eigenvalues by symmetry, the three components by construction: up to 18 times,
  // more often than the block is wide.
  const auto graph = testing::grid_graph(12, 12, 12);
  const BlockMatrix k = testing::grid_laplacian(graph);
  const NodeMatrix m = testing::identity_mass(graph);
  const auto t = inverse(k);
  EigenSettings settings;
  settings.count = 60;
  settings.block = 8;  // fewer than the repetitions
  const auto pairs = lowest_modes({k, m, *t, 3 * 1728, {}, {}}, settings);
  ASSERT_TRUE(pairs.ok()) << pairs.error().describe();
  const std::vector<double> expected = laplacian_eigenvalues(12, 12, 12);
  for (int i = 0; i < settings.count; ++i) {
    EXPECT_NEAR(pairs->values(i), expected[i], kEigenvalue * expected[i]) << "pair " << i;
  }
  const Eigen::MatrixXd gram = pairs->vectors.transpose() * pairs->vectors;
  EXPECT_LT((gram - Eigen::MatrixXd::Identity(60, 60)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT(pairs->residuals.maxCoeff(), 1e-4);
}

TEST(LowestModes, AgreesWithLapack) {
  const auto graph = testing::grid_graph(6, 5, 4);
  const BlockMatrix k = testing::random_definite(graph, 21);
  NodeMatrix m = testing::identity_mass(graph);
  for (std::int32_t row = 0; row < graph->node_count(); ++row) {
    for (auto e = graph->row_start[row]; e < graph->row_start[row + 1]; ++e) {
      m.values[e] = graph->column[e] == row ? 1.0 + 0.01 * row : 0.05;
    }
  }
  const int n = 360;
  Eigen::MatrixXd a = testing::dense(k, n);
  Eigen::MatrixXd b = testing::dense(m, n);
  Eigen::VectorXd expected(n);
  Eigen::VectorXd work(64 * n);
  const int type = 1;
  const int lwork = 64 * n;
  int info = 0;
  dsygv_(&type, "N", "L", &n, a.data(), &n, b.data(), &n, expected.data(), work.data(), &lwork,
         &info);
  ASSERT_EQ(info, 0);

  const auto t = inverse(k);
  EigenSettings settings;
  settings.count = 12;
  const EigenProblem problem{k, m, *t, n, {}, {}};
  const auto pairs = lowest_modes(problem, settings);
  ASSERT_TRUE(pairs.ok()) << pairs.error().describe();
  const auto dense = lowest_modes_dense(problem, 12);
  ASSERT_TRUE(dense.ok());
  for (int i = 0; i < 12; ++i) {
    EXPECT_NEAR(pairs->values(i), expected(i), kEigenvalue * expected(i));
    EXPECT_NEAR(dense->values(i), expected(i), 1e-12 * expected(i));
  }
}

TEST(LowestModes, ARoughInverseOnlyCostsIterations) {
  const auto graph = testing::grid_graph(10, 9, 8);
  const BlockMatrix k = testing::grid_laplacian(graph);
  const NodeMatrix m = testing::identity_mass(graph);
  EigenSettings settings;
  settings.count = 6;
  const auto pairs = lowest_modes({k, m, m, 2160, {}, {}}, settings);  // T = I
  ASSERT_TRUE(pairs.ok()) << pairs.error().describe();
  const std::vector<double> expected = laplacian_eigenvalues(10, 9, 8);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(pairs->values(i), expected[i], 1e-9 * expected[i]);
  EXPECT_GT(pairs->iterations, 10);
}

TEST(LowestModes, LeavesOutTheDeflatedSpace) {
  const auto graph = testing::grid_graph(9, 8, 7);
  const BlockMatrix k = testing::grid_laplacian(graph);
  const NodeMatrix m = testing::identity_mass(graph);
  const auto t = inverse(k);
  EigenSettings settings;
  settings.count = 9;
  const auto first = lowest_modes({k, m, *t, 1512, {}, {}}, settings);
  ASSERT_TRUE(first.ok());
  settings.count = 6;
  const MultiVector lowest = first->vectors.leftCols(3);
  const auto rest = lowest_modes({k, m, *t, 1512, lowest, {}}, settings);
  ASSERT_TRUE(rest.ok());
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(rest->values(i), first->values(i + 3), kEigenvalue * rest->values(i));
  }
}

TEST(LowestModes, SameBitsForAnyNumberOfThreads) {
  const auto graph = testing::grid_graph(14, 13, 12);
  const BlockMatrix k = testing::random_definite(graph, 22);
  const NodeMatrix m = testing::identity_mass(graph);
  EigenPairs expected;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    const auto t = inverse(k);
    auto pairs = lowest_modes({k, m, *t, 3 * 14 * 13 * 12, {}, {}}, {.count = 5});
    ASSERT_TRUE(pairs.ok());
    if (threads == 1) expected = *pairs;
    EXPECT_EQ(pairs->values, expected.values) << threads << " threads";
    EXPECT_EQ(pairs->vectors, expected.vectors) << threads << " threads";
  }
  set_thread_count(0);
}

TEST(LowestModes, RefusesImpossibleCounts) {
  const auto graph = testing::grid_graph(2, 1, 1);
  const BlockMatrix k = testing::grid_laplacian(graph);
  const NodeMatrix m = testing::identity_mass(graph);
  const auto t = inverse(k);
  EXPECT_FALSE(lowest_modes({k, m, *t, 6, {}, {}}, {.count = 7}).ok());
  EXPECT_FALSE(lowest_modes({k, m, *t, 6, {}, {}}, {.count = 0}).ok());
  EXPECT_FALSE(lowest_modes_dense({k, m, *t, 6, {}, {}}, 7).ok());
  EXPECT_TRUE(lowest_modes({k, m, *t, 6, {}, {}}, {.count = 6}).ok());
}

TEST(LowestModes, SaysHowFarItCameWhenItGivesUp) {
  const auto graph = testing::grid_graph(10, 10, 10);
  const BlockMatrix k = testing::grid_laplacian(graph);
  const NodeMatrix m = testing::identity_mass(graph);
  const auto pairs = lowest_modes({k, m, m, 3000, {}, {}}, {.count = 5, .max_iterations = 3});
  ASSERT_FALSE(pairs.ok());
  EXPECT_EQ(pairs.error().code(), ErrorCode::NotConverged);
  EXPECT_NE(pairs.error().message().find("0 of 5"), std::string::npos);
  EXPECT_NE(pairs.error().message().find("request fewer modes"), std::string::npos);
}

/// One entry anywhere that is not a number, or too large, and the message says what to check.
TEST(LowestModes, SaysWhatToCheckWhenEntriesAreNotFinite) {
  const auto graph = testing::grid_graph(5, 4, 3);
  const NodeMatrix m = testing::identity_mass(graph);
  const auto t = inverse(testing::grid_laplacian(graph));
  Random random(23);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (int i = 0; i < 5; ++i) {
      BlockMatrix k = testing::grid_laplacian(graph);
      k.blocks[random.below(k.blocks.size())] = bad;
      const auto pairs = lowest_modes({k, m, *t, 180, {}, {}}, {.count = 4});
      ASSERT_FALSE(pairs.ok());
      EXPECT_EQ(pairs.error().code(), ErrorCode::NotConverged);
      EXPECT_NE(pairs.error().message().find("check"), std::string::npos)
          << pairs.error().message();
    }
  }
}

}  // namespace
}  // namespace supple::reduction
