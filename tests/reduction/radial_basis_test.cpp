// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/radial_basis.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include <cmath>
#include <limits>
#include <string>

namespace supple::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Samples {
  MatrixXd centres;
  MatrixXd values;
};
Samples samples(Index count, std::uint64_t seed) {
  Random random(seed);
  Samples result{MatrixXd(3, count), MatrixXd(2, count)};
  for (Index i = 0; i < count; ++i) {
    result.centres.col(i) = Eigen::Vector3d::NullaryExpr([&] { return random.uniform(-1, 1); });
    const auto q = result.centres.col(i);
    result.values.col(i) = Eigen::Vector2d(std::sin(2 * q(0)) + q(1), q(2) * q(0));
  }
  return result;
}

RadialBasis good_fit(const Result<RadialBasis>& fit) {
  EXPECT_TRUE(fit.ok()) << (fit.ok() ? "" : fit.error().describe());
  return fit.ok() ? *fit : RadialBasis{};
}

double mean_nearest(const MatrixXd& centres) {
  double sum = 0;
  for (Index i = 0; i < centres.cols(); ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < centres.cols(); ++k) {
      if (k != i) nearest = std::min(nearest, (centres.col(i) - centres.col(k)).norm());
    }
    sum += nearest;
  }
  return sum / static_cast<double>(centres.cols());
}

/// The textbook formula, written down once more.
MatrixXd design(const MatrixXd& centres, double sigma) {
  MatrixXd phi(centres.cols(), centres.cols());
  for (Index i = 0; i < phi.rows(); ++i) {
    for (Index k = 0; k < phi.cols(); ++k) {
      phi(i, k) = std::exp(-(centres.col(i) - centres.col(k)).squaredNorm() / (2 * sigma * sigma));
    }
    phi.row(i) /= phi.row(i).sum();
  }
  return phi;
}

/// Fits without each sample in turn, by normal equations, and predicts it.
double leave_one_out_by_force(const Samples& s, double sigma, double ridge) {
  const MatrixXd all = design(s.centres, sigma);
  const Index n = all.rows();
  double sum = 0;
  for (Index left = 0; left < n; ++left) {
    MatrixXd normal = ridge * MatrixXd::Identity(n, n);
    MatrixXd right = MatrixXd::Zero(n, s.values.rows());
    for (Index i = 0; i < n; ++i) {
      if (i == left) continue;
      normal += all.row(i).transpose() * all.row(i);
      right += all.row(i).transpose() * s.values.col(i).transpose();
    }
    const MatrixXd weights = normal.ldlt().solve(right);
    sum += (all.row(left) * weights - s.values.col(left).transpose()).squaredNorm();
  }
  return std::sqrt(sum / static_cast<double>(n));
}

TEST(RadialBasis, LeaveOneOutFormulaEqualsLeavingOneOut) {
  const Samples s = samples(18, 1);
  const double distance = mean_nearest(s.centres);
  for (const double width : {0.5, 1.0, 1.5}) {
    for (const double ridge : {1e-6, 1e-3, 1e-1}) {
      const RadialBasis fit =
          good_fit(fit_radial_basis(s.centres, s.values, width * distance, ridge));
      const double forced = leave_one_out_by_force(s, width * distance, ridge);
      // Normal equations have the square of the condition, up to 1 / ridge.
      const double accuracy = 1e-13 / ridge + 1e-10;
      EXPECT_NEAR(fit.leave_one_out_error, forced, accuracy * forced) << width << " " << ridge;
    }
  }
}

TEST(RadialBasis, ChoosesTheSmallestLeaveOneOutError) {
  const Samples s = samples(25, 2);
  RadialBasisSettings settings;
  settings.ridges = {1e-5, 1e-3, 1e-1};
  const RadialBasis chosen = good_fit(fit_radial_basis(s.centres, s.values, settings));
  const double distance = mean_nearest(s.centres);
  double best = std::numeric_limits<double>::infinity();
  for (const double width : settings.widths) {
    for (const double ridge : settings.ridges) {
      best = std::min(best, leave_one_out_by_force(s, width * distance, ridge));
    }
  }
  EXPECT_NEAR(chosen.leave_one_out_error, best, 1e-7 * best);
  EXPECT_GE(chosen.sigma, 0.5 * distance * (1 - 1e-12));
  EXPECT_LE(chosen.sigma, 1.5 * distance * (1 + 1e-12));
}

TEST(RadialBasis, SolvesTheRidgeEquations) {
  const Samples s = samples(20, 3);
  const double sigma = mean_nearest(s.centres);
  const RadialBasis fit = good_fit(fit_radial_basis(s.centres, s.values, sigma, 1e-3));
  const MatrixXd phi = design(s.centres, sigma);
  const MatrixXd gradient =
      phi.transpose() * (phi * fit.weights.transpose() - s.values.transpose()) +
      1e-3 * fit.weights.transpose();
  EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 1e-13);
  for (Index i = 0; i < 20; ++i) {
    const VectorXd q = s.centres.col(i);
    EXPECT_LT((fit.evaluate(q) - fit.weights * phi.row(i).transpose()).norm(), 1e-13);
  }
}

TEST(RadialBasis, FunctionsAddUpToOneEverywhere) {
  const Samples s = samples(10, 4);
  const RadialBasis fit = good_fit(fit_radial_basis(s.centres, s.values));
  Random random(5);
  for (const double far : {0.1, 10.0, 1e8}) {
    const VectorXd q = far * VectorXd::NullaryExpr(3, [&](Index) { return random.uniform(-1, 1); });
    const VectorXd phi = fit.functions(q);
    EXPECT_TRUE(phi.allFinite());
    EXPECT_NEAR(phi.sum(), 1, 1e-14);
    EXPECT_GE(phi.minCoeff(), 0);
  }
}

TEST(RadialBasis, MoreCentresComeCloser) {
  Random random(6);
  double before = std::numeric_limits<double>::infinity();
  for (const Index count : {20, 80, 320}) {
    const Samples s = samples(count, 7);
    const RadialBasis fit = good_fit(fit_radial_basis(s.centres, s.values));
    double error = 0;
    for (int i = 0; i < 200; ++i) {
      const Eigen::Vector3d q =
          Eigen::Vector3d::NullaryExpr([&] { return random.uniform(-0.8, 0.8); });
      error +=
          (fit.evaluate(q) - Eigen::Vector2d(std::sin(2 * q(0)) + q(1), q(2) * q(0))).squaredNorm();
    }
    EXPECT_LT(error, 0.9 * before);
    before = error;
  }
}

TEST(RadialBasis, RejectsWhatIsWrong) {
  const auto message = [](const MatrixXd& centres, const MatrixXd& values) {
    const auto result = fit_radial_basis(centres, values);
    return result.ok() ? std::string("accepted") : result.error().message();
  };
  const Samples s = samples(5, 8);
  EXPECT_NE(message(s.centres.leftCols(1), s.values.leftCols(1)).find("2 or more"),
            std::string::npos);
  EXPECT_NE(message(s.centres, s.values.leftCols(4)).find("4 values"), std::string::npos);
  MatrixXd same = s.centres;
  same.col(3) = same.col(1);
  EXPECT_NE(message(same, s.values).find("the same"), std::string::npos);
  MatrixXd bad = s.values;
  bad(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_NE(message(s.centres, bad).find("finite"), std::string::npos);
  EXPECT_FALSE(fit_radial_basis(s.centres, s.values, 0, 1).ok());
  EXPECT_FALSE(fit_radial_basis(s.centres, s.values, 1, -1).ok());
}

}  // namespace
}  // namespace supple::reduction
