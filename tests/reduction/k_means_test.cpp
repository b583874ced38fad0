// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/k_means.hpp"

#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace supple::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kSumRounding = 1e-12;  // of sums of a few thousand numbers near 1

MatrixXd cloud(Index dimensions, Index points, std::uint64_t seed) {
  Random random(seed);
  return MatrixXd::NullaryExpr(dimensions, points, [&] { return random.uniform(-1, 1); });
}

KMeansSettings wanting(Index clusters, std::uint64_t seed = 1) {
  KMeansSettings settings;
  settings.clusters = clusters;
  settings.seed = seed;
  return settings;
}

Clusters good_clusters(const MatrixXd& points, const KMeansSettings& settings) {
  auto found = k_means(points, settings);
  EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().describe());
  return found.ok() ? *std::move(found) : Clusters{};
}

TEST(KMeans, FindsSeparateHeaps) {
  Random random(2);
  constexpr Index kHeaps = 7;
  constexpr Index kEach = 40;
  MatrixXd points(3, kHeaps * kEach);
  for (Index i = 0; i < points.cols(); ++i) {
    const double heap = static_cast<double>(i % kHeaps);
    points.col(i) = Eigen::Vector3d(10 * heap, 5 * heap * heap, -3 * heap) +
                    Eigen::Vector3d::NullaryExpr([&] { return random.uniform(-0.5, 0.5); });
  }
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const Clusters found = good_clusters(points, wanting(kHeaps, seed));
    EXPECT_TRUE(found.converged);
    for (Index i = 0; i < points.cols(); ++i) {
      EXPECT_EQ(found.cluster_of[static_cast<std::size_t>(i)],
                found.cluster_of[static_cast<std::size_t>(i % kHeaps)]);
    }
    const std::set<Index> used(found.cluster_of.begin(), found.cluster_of.end());
    EXPECT_EQ(used.size(), static_cast<std::size_t>(kHeaps));
  }
}

TEST(KMeans, IsAFixedPoint) {
  // Every point belongs to its nearest centre, every centre is the mean of its points.
  for (const std::uint64_t seed : {5U, 6U, 7U}) {
    const MatrixXd points = cloud(4, 900, seed);
    const Clusters found = good_clusters(points, wanting(12, seed));
    ASSERT_TRUE(found.converged);
    MatrixXd sums = MatrixXd::Zero(4, 12);
    Eigen::VectorXd counts = Eigen::VectorXd::Zero(12);
    double inertia = 0;
    for (Index i = 0; i < points.cols(); ++i) {
      const Index own = found.cluster_of[static_cast<std::size_t>(i)];
      Index nearest = 0;
      const double squared =
          (found.centres.colwise() - points.col(i)).colwise().squaredNorm().minCoeff(&nearest);
      EXPECT_EQ(own, nearest);
      inertia += squared;
      sums.col(own) += points.col(i);
      counts(own) += 1;
    }
    EXPECT_NEAR(found.inertia, inertia, kSumRounding * inertia);
    for (Index k = 0; k < 12; ++k) {
      EXPECT_LT((sums.col(k) / counts(k) - found.centres.col(k)).norm(), kSumRounding);
      const Index own = found.representatives[static_cast<std::size_t>(k)];
      EXPECT_EQ(found.cluster_of[static_cast<std::size_t>(own)], k);
      for (Index i = 0; i < points.cols(); ++i) {
        if (found.cluster_of[static_cast<std::size_t>(i)] != k) continue;
        EXPECT_GE((points.col(i) - found.centres.col(k)).norm(),
                  (points.col(own) - found.centres.col(k)).norm());
      }
    }
  }
}

TEST(KMeans, ComesCloseToTheBestSplitOfALine) {
  // On a line clusters are intervals: all splits into three are tried. Lloyd's iterations end in
  // minima nearby; the best of ten comes within 2 %.
  constexpr double kNearby = 0.02;
  const MatrixXd points = cloud(1, 40, 8);
  std::vector<double> sorted(points.data(), points.data() + points.size());
  std::sort(sorted.begin(), sorted.end());
  const auto spread = [&](std::size_t begin, std::size_t end) {
    double mean = 0;
    for (std::size_t i = begin; i < end; ++i) mean += sorted[i] / static_cast<double>(end - begin);
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += std::pow(sorted[i] - mean, 2);
    return sum;
  };
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t a = 1; a < 39; ++a) {
    for (std::size_t b = a + 1; b < 40; ++b) {
      best = std::min(best, spread(0, a) + spread(a, b) + spread(b, 40));
    }
  }
  double found = std::numeric_limits<double>::infinity();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const double inertia = good_clusters(points, wanting(3, seed)).inertia;
    EXPECT_GE(inertia, best * (1 - kSumRounding));
    found = std::min(found, inertia);
  }
  EXPECT_LT(found, (1 + kNearby) * best);
}

TEST(KMeans, IsTheSameForAnyNumberOfThreads) {
  const MatrixXd points = cloud(6, 3000, 9);
  set_thread_count(1);
  const Clusters one = good_clusters(points, wanting(20));
  set_thread_count(3);
  const Clusters three = good_clusters(points, wanting(20));
  set_thread_count(0);
  EXPECT_EQ(one.centres, three.centres);
  EXPECT_EQ(one.representatives, three.representatives);
  EXPECT_EQ(one.inertia, three.inertia);
}

TEST(KMeans, EveryPointCanBeACluster) {
  const MatrixXd points = cloud(2, 15, 10);
  const Clusters found = good_clusters(points, wanting(15));
  EXPECT_EQ(found.inertia, 0);
  EXPECT_EQ(std::set<Index>(found.representatives.begin(), found.representatives.end()).size(),
            15U);
}

TEST(KMeans, RejectsWhatIsWrong) {
  const auto message = [](const MatrixXd& points, const KMeansSettings& settings) {
    const auto result = k_means(points, settings);
    return result.ok() ? std::string("accepted") : result.error().message();
  };
  EXPECT_NE(message(cloud(2, 5, 1), wanting(6)).find("6 clusters of 5 points"), std::string::npos);
  EXPECT_NE(message(cloud(2, 5, 1), wanting(0)).find("at least 1"), std::string::npos);
  EXPECT_NE(message(MatrixXd::Ones(2, 9), wanting(2)).find("fewer than 2 points differ"),
            std::string::npos);
  MatrixXd bad = cloud(2, 5, 1);
  bad(1, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message(bad, wanting(2)).find("finite"), std::string::npos);
}

}  // namespace
}  // namespace supple::reduction
