// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/streaming_svd.hpp"

#include "reduction/test_matrices.hpp"
#include "supple/core/parallel.hpp"

#include <gtest/gtest.h>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <cmath>
#include <functional>
#include <limits>

namespace supple::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_orthonormal(Index rows, Index columns, std::uint64_t seed) {
  const MatrixXd random = testing::random_vectors(rows, columns, seed);
  const Eigen::HouseholderQR<MatrixXd> qr(random);
  return qr.householderQ() * MatrixXd::Identity(rows, columns);
}

/// A matrix with these singular values and random vectors.
MatrixXd with_values(Index rows, Index columns, const std::function<double(Index)>& value,
                     std::uint64_t seed) {
  const Index count = std::min(rows, columns);
  VectorXd values(count);
  for (Index i = 0; i < count; ++i) values[i] = value(i);
  return random_orthonormal(rows, count, seed) * values.asDiagonal() *
         random_orthonormal(columns, count, seed + 1).transpose();
}

TruncatedSvd stream(const MatrixXd& a, const StreamingSvdSettings& settings) {
  StreamingSvd svd(a.rows(), settings);
  for (Index c = 0; c < a.cols(); ++c) EXPECT_TRUE(svd.add(a.col(c)).ok());
  return svd.finish();
}

/// |A - U U^T A| against the best that a basis of the same rank can do, by Eigen's own SVD.
double excess_error(const MatrixXd& a, const TruncatedSvd& svd) {
  const VectorXd exact = Eigen::BDCSVD<MatrixXd>(a).singularValues();
  const double best = exact.tail(exact.size() - svd.basis.cols()).norm();
  const double ours = (a - svd.basis * (svd.basis.transpose() * a)).norm();
  return ours / best - 1;
}

double orthogonality_error(const MatrixXd& u) {
  return (u.transpose() * u - MatrixXd::Identity(u.cols(), u.cols())).cwiseAbs().maxCoeff();
}

// equations.md section 4: over the optimum, with 2 r columns carried.
constexpr double kExcessOfFastDecay = 1e-14;
constexpr double kExcessOfSlowDecay = 2e-5;
constexpr double kSvdRounding = 1e-13;  // of products of a few hundred numbers near 1

TEST(StreamingSvd, FastDecayIsOptimalToRounding) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const MatrixXd a = with_values(
        900, 400, [](Index i) { return std::pow(0.6, double(i)); }, 10 * seed);
    const TruncatedSvd svd = stream(a, {12, 0, 24});
    ASSERT_EQ(svd.basis.cols(), 12);
    // Both norms are differences of numbers near 1 that leave 0.6^12 = 2e-3.
    EXPECT_LT(excess_error(a, svd), kExcessOfFastDecay + kSvdRounding);
    const VectorXd exact = Eigen::BDCSVD<MatrixXd>(a).singularValues();
    EXPECT_LT((svd.values - exact.head(12)).cwiseAbs().maxCoeff(), kSvdRounding);
    EXPECT_LT(orthogonality_error(svd.basis), kSvdRounding);
  }
}

TEST(StreamingSvd, SlowDecayStaysNearTheOptimum) {
  for (const std::uint64_t seed : {4U, 5U, 6U}) {
    const MatrixXd a = with_values(
        900, 400, [](Index i) { return 1 / double((i + 1) * (i + 1)); }, 10 * seed);
    const TruncatedSvd svd = stream(a, {12, 0, 64});
    EXPECT_LT(excess_error(a, svd), kExcessOfSlowDecay);
    EXPECT_LT(orthogonality_error(svd.basis), kSvdRounding);
  }
}

// What is weak at first and strong later must not have been thrown away.
TEST(StreamingSvd, FollowsDirectionsThatGrow) {
  MatrixXd a = with_values(
      700, 300, [](Index i) { return std::pow(0.7, double(i)); }, 70);
  for (Index c = 0; c < a.cols(); ++c) a.col(c) *= std::pow(10.0, -4 + 4 * double(c) / 300);
  EXPECT_LT(excess_error(a, stream(a, {10, 0, 16})), kExcessOfSlowDecay);
}

TEST(StreamingSvd, StatesTheErrorOfTheFactorisation) {
  const MatrixXd a = with_values(
      500, 250, [](Index i) { return 1 / double(i + 1); }, 90);
  for (const double unit : {1e-6, 1.0, 1e6}) {
    const TruncatedSvd svd = stream(unit * a, {9, 0, 20});
    EXPECT_NEAR(svd.energy, unit * unit * a.squaredNorm(), 1e-12 * svd.energy);
    // Pythagoras: what was kept and what was dropped are orthogonal.
    EXPECT_NEAR(svd.values.squaredNorm() + svd.discarded, svd.energy, 1e-12 * svd.energy);
    const double projection = (unit * a - svd.basis * (svd.basis.transpose() * (unit * a))).norm();
    EXPECT_LE(projection, std::sqrt(svd.discarded) * (1 + 1e-12));
    EXPECT_GT(projection, 0.99 * std::sqrt(svd.discarded));
    EXPECT_EQ(svd.columns, 250);
  }
}

TEST(StreamingSvd, AllColumnsInOneBlockGiveTheFullDecomposition) {
  const MatrixXd a = testing::random_vectors(60, 40, 91);
  const TruncatedSvd svd = stream(a, {40, 0, 64});
  ASSERT_EQ(svd.basis.cols(), 40);
  EXPECT_LT((a - svd.basis * (svd.basis.transpose() * a)).norm(), 1e-12 * a.norm());
  EXPECT_LT(svd.relative_error(), 1e-14);
}

TEST(StreamingSvd, ToleranceChoosesTheRank) {
  const MatrixXd a = with_values(
      400, 200, [](Index i) { return std::pow(0.5, double(i)); }, 92);
  // sigma_r >= eps sigma_1 holds up to 0.5^9 = 0.00195, the tenth.
  EXPECT_EQ(stream(a, {50, 1.9e-3, 16}).basis.cols(), 10);
  EXPECT_EQ(stream(a, {50, 2.0e-3, 16}).basis.cols(), 9);
  EXPECT_EQ(stream(a, {4, 1.9e-3, 16}).basis.cols(), 4);
}

TEST(StreamingSvd, ExactRankHasNoNoise) {
  const MatrixXd a = with_values(
      800, 100, [](Index i) { return i < 5 ? 1.0 : 0.0; }, 93);
  const TruncatedSvd svd = stream(a, {20, 0, 8});
  EXPECT_EQ(svd.basis.cols(), 5);
  EXPECT_LT(svd.relative_error(), 1e-14);
  EXPECT_LT(orthogonality_error(svd.basis), kSvdRounding);
}

TEST(StreamingSvd, AcceptsShortWideRepeatedAndZeroColumns) {
  EXPECT_EQ(stream(MatrixXd::Zero(30, 10), {4, 0, 3}).basis.cols(), 0);
  EXPECT_EQ(stream(MatrixXd::Zero(30, 10), {4, 0, 3}).relative_error(), 0);
  const MatrixXd repeated = VectorXd::Ones(30) * VectorXd::Ones(50).transpose();
  EXPECT_EQ(stream(repeated, {4, 0, 7}).basis.cols(), 1);
  // Fewer rows than columns carried.
  const MatrixXd wide = testing::random_vectors(6, 90, 94);
  const TruncatedSvd svd = stream(wide, {10, 0, 11});
  EXPECT_EQ(svd.basis.cols(), 6);
  EXPECT_LT(orthogonality_error(svd.basis), kSvdRounding);
  EXPECT_EQ(stream(MatrixXd(30, 0), {4, 0, 3}).basis.cols(), 0);
}

TEST(StreamingSvd, MayBeAskedBetweenColumns) {
  const MatrixXd a = with_values(
      300, 90, [](Index i) { return 1 / double(i + 1); }, 95);
  StreamingSvd svd(a.rows(), {12, 0, 16});
  for (Index c = 0; c < a.cols(); ++c) {
    ASSERT_TRUE(svd.add(a.col(c)).ok());
    if (c == 37) {
      EXPECT_EQ(svd.finish().columns, 38);
    }
  }
  EXPECT_LT(excess_error(a, svd.finish()), 1e-2);
}

TEST(StreamingSvd, RefusesNumbersThatAreNotFinite) {
  StreamingSvd svd(3, {2, 0, 4});
  ASSERT_TRUE(svd.add(VectorXd::Ones(3)).ok());
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e200}) {
    VectorXd column = VectorXd::Ones(3);
    column[1] = bad;
    const auto added = svd.add(column);
    ASSERT_FALSE(added.ok());
    EXPECT_NE(added.error().message().find("column 2"), std::string::npos);
  }
  EXPECT_NEAR(svd.finish().values[0], std::sqrt(3.0), 1e-15);
}

TEST(StreamingSvd, RefusesSettingsOutOfRange) {
  EXPECT_FALSE((StreamingSvdSettings{0, 0, 8}).validate().ok());
  EXPECT_FALSE((StreamingSvdSettings{4, -1e-9, 8}).validate().ok());
  EXPECT_FALSE((StreamingSvdSettings{4, 1, 8}).validate().ok());
  EXPECT_FALSE((StreamingSvdSettings{4, std::nan(""), 8}).validate().ok());
  EXPECT_FALSE((StreamingSvdSettings{4, 0, 0}).validate().ok());
  EXPECT_TRUE(StreamingSvdSettings{}.validate().ok());
}

TEST(StreamingSvd, SameBitsForAnyNumberOfThreads) {
  // Several chunks of rows.
  const MatrixXd a = testing::random_vectors(9000, 70, 96);
  set_thread_count(1);
  const TruncatedSvd expected = stream(a, {6, 0, 20});
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    const TruncatedSvd svd = stream(a, {6, 0, 20});
    EXPECT_EQ(svd.basis, expected.basis) << threads << " threads";
    EXPECT_EQ(svd.values, expected.values) << threads << " threads";
    EXPECT_EQ(svd.energy, expected.energy) << threads << " threads";
    EXPECT_EQ(svd.discarded, expected.discarded) << threads << " threads";
  }
  set_thread_count(0);
}

// A tall matrix goes through several chunks and their triangles on top of each other.
TEST(StreamingSvd, TallMatricesAgreeWithEigen) {
  const MatrixXd a = with_values(
      7000, 60, [](Index i) { return std::pow(0.8, double(i)); }, 97);
  const TruncatedSvd svd = stream(a, {30, 0, 60});
  const Eigen::BDCSVD<MatrixXd> exact(a, Eigen::ComputeThinU);
  EXPECT_LT((svd.values - exact.singularValues().head(30)).cwiseAbs().maxCoeff(), kSvdRounding);
  // Same spaces: each vector up to its sign.
  for (Index k = 0; k < 10; ++k) {
    EXPECT_NEAR(std::abs(svd.basis.col(k).dot(exact.matrixU().col(k))), 1, 1e-10);
  }
}

}  // namespace
}  // namespace supple::reduction
