// SPDX-License-Identifier: Apache-2.0
#include "shell/nonnegative.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>
#include <Eigen/QR>

#include <algorithm>

namespace supple::shell {
namespace {

constexpr Eigen::Index kRows = 6;
constexpr Eigen::Index kColumns = 7;
/// Normal equations lose half the digits; the problems here have conditions below 1e3.
constexpr double kFitRounding = 1e-9;

/// Columns in a cone around a direction, as those of force points are, and a right side near it.
struct Problem {
  Eigen::MatrixXd a;
  Eigen::VectorXd b;
};

Problem any_problem(Random& random) {
  Problem problem{Eigen::MatrixXd(kRows, kColumns), Eigen::VectorXd(kRows)};
  for (Eigen::Index i = 0; i < kRows; ++i) {
    for (Eigen::Index j = 0; j < kColumns; ++j) problem.a(i, j) = random.uniform(-0.5, 1);
    problem.b(i) = random.uniform(-0.2, 1);
  }
  return problem;
}

/// The smallest |A x - b| / |b| with x >= 0: that of the best subset whose plain least squares
/// solution is positive, since the solution is the least-squares solution on its support.
double best_of_all_subsets(const Problem& problem) {
  double best = 1;
  for (unsigned subset = 1; subset < 1U << kColumns; ++subset) {
    std::vector<Eigen::Index> columns;
    for (Eigen::Index j = 0; j < kColumns; ++j) {
      if ((subset >> j & 1U) != 0) columns.push_back(j);
    }
    const Eigen::MatrixXd a = problem.a(Eigen::all, columns);
    const Eigen::VectorXd x = a.completeOrthogonalDecomposition().solve(problem.b);
    if (x.minCoeff() < 0) continue;
    best = std::min(best, (a * x - problem.b).norm() / problem.b.norm());
  }
  return best;
}

/// The residual as the caller would compute it.
double residual_of(const Problem& problem, const NonnegativeFit& fit) {
  Eigen::VectorXd r = -problem.b;
  for (std::size_t i = 0; i < fit.columns.size(); ++i) {
    r += fit.weights[i] * problem.a.col(fit.columns[i]);
  }
  return r.norm() / problem.b.norm();
}

TEST(Nonnegative, IsTheBestOfAllSubsetsOrCloseToIt) {
  Random random(5);
  constexpr int kTrials = 500;
  int best = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Problem problem = any_problem(random);
    const NonnegativeFit fit = fit_nonnegative(problem.a, problem.b, kColumns, 0);
    const double least = best_of_all_subsets(problem);
    for (const double weight : fit.weights) EXPECT_GT(weight, 0);
    EXPECT_NEAR(fit.residual, residual_of(problem, fit), kFitRounding);
    EXPECT_GE(fit.residual, least - kFitRounding);
    EXPECT_LE(fit.residual, 1.05 * least + kFitRounding);
    if (fit.residual <= least + kFitRounding) ++best;
  }
  // Columns that lost their weight do not return: of these problems one ends beside the
  // best answer.
  EXPECT_GE(best, kTrials * 99 / 100);
}

TEST(Nonnegative, WeightsAreTheBestForTheColumnsChosen) {
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Problem problem = any_problem(random);
    const NonnegativeFit fit = fit_nonnegative(problem.a, problem.b, 3, 0);
    ASSERT_LE(fit.columns.size(), 3U);
    ASSERT_FALSE(fit.columns.empty());
    const Eigen::MatrixXd a = problem.a(Eigen::all, fit.columns);
    const Eigen::VectorXd x = a.colPivHouseholderQr().solve(problem.b);
    for (std::size_t i = 0; i < fit.weights.size(); ++i) {
      EXPECT_NEAR(fit.weights[i], x(static_cast<Eigen::Index>(i)), kFitRounding);
    }
  }
}

TEST(Nonnegative, StopsAtTheTolerance) {
  Random random(7);
  Problem problem = any_problem(random);
  problem.b = problem.a.col(1) + 0.4 * problem.a.col(4) + 0.01 * problem.a.col(2);
  const NonnegativeFit rough = fit_nonnegative(problem.a, problem.b, kColumns, 0.3);
  const NonnegativeFit fine = fit_nonnegative(problem.a, problem.b, kColumns, 1e-6);
  EXPECT_LE(rough.residual, 0.3);
  EXPECT_LE(fine.residual, 1e-6);
  EXPECT_LT(rough.columns.size(), fine.columns.size());
}

TEST(Nonnegative, LeavesOutWhatCannotHelp) {
  // A column of zeros, copies of one column, and one that points away.
  Eigen::MatrixXd a(2, 4);
  a << 0, 1, 1, -1,  //
      0, 1, 1, -1;
  const Eigen::VectorXd b = Eigen::Vector2d(1, 1);
  const NonnegativeFit fit = fit_nonnegative(a, b, 4, 0);
  ASSERT_FALSE(fit.columns.empty());
  double sum = 0;
  for (std::size_t i = 0; i < fit.columns.size(); ++i) {
    EXPECT_TRUE(fit.columns[i] == 1 || fit.columns[i] == 2);
    EXPECT_GT(fit.weights[i], 0);
    sum += fit.weights[i];
  }
  EXPECT_NEAR(sum, 1, kFitRounding);
  EXPECT_TRUE(fit_nonnegative(a, -b, 4, 0).columns == std::vector<Eigen::Index>{3});
  EXPECT_TRUE(fit_nonnegative(a, Eigen::Vector2d::Zero(), 4, 0).columns.empty());
}

}  // namespace
}  // namespace supple::shell
