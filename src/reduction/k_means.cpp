// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/k_means.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace supple::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kPointsPerChunk = 256;

/// The nearest centre of each point, the first of several, and the squared distance to it.
struct Nearest {
  std::vector<Index> centre;
  VectorXd squared;
};

Nearest nearest_centres(const MatrixXd& points, const MatrixXd& centres) {
  Nearest nearest{std::vector<Index>(static_cast<std::size_t>(points.cols())),
                  VectorXd(points.cols())};
  parallel_for(nearest.centre.size(), kPointsPerChunk, [&](std::size_t i) {
    const auto column = static_cast<Index>(i);
    double best = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < centres.cols(); ++k) {
      const double squared = (points.col(column) - centres.col(k)).squaredNorm();
      if (squared < best) {
        best = squared;
        nearest.centre[i] = k;
      }
    }
    nearest.squared(column) = best;
  });
  return nearest;
}

/// The first point whose sum of squared distances up to it exceeds `target`; never one that is a
/// seed already.
Index drawn_point(const VectorXd& squared, double target) {
  double sum = 0;
  Index last = 0;
  for (Index i = 0; i < squared.size(); ++i) {
    if (!(squared(i) > 0)) continue;
    sum += squared(i);
    last = i;
    if (sum > target) break;
  }
  return last;
}

/// K-means++ [AV07]: each next seed is a point drawn with the probability of its squared distance
/// to the seeds before; of a few that are drawn, the one that leaves least. Nothing if fewer points
/// differ than there are clusters.
std::optional<MatrixXd> seeds(const MatrixXd& points, Index clusters, std::uint64_t seed) {
  Random random(seed);
  const int candidates = 2 + static_cast<int>(std::log(static_cast<double>(clusters)));
  MatrixXd centres(points.rows(), clusters);
  centres.col(0) =
      points.col(static_cast<Index>(random.below(static_cast<std::uint64_t>(points.cols()))));
  VectorXd squared = (points.colwise() - centres.col(0)).colwise().squaredNorm();
  for (Index k = 1; k < clusters; ++k) {
    const double total = squared.sum();
    if (!(total > 0)) return std::nullopt;
    VectorXd best;
    for (int c = 0; c < candidates; ++c) {
      const Index drawn = drawn_point(squared, random.uniform() * total);
      const VectorXd added = (points.colwise() - points.col(drawn)).colwise().squaredNorm();
      VectorXd left = squared.cwiseMin(added);
      if (c > 0 && !(left.sum() < best.sum())) continue;
      best = std::move(left);
      centres.col(k) = points.col(drawn);
    }
    squared = std::move(best);
  }
  return centres;
}

/// Means of the clusters. An empty one gets the point farthest from its own centre that no other
/// empty one has taken.
MatrixXd means(const MatrixXd& points, Nearest nearest, Index clusters) {
  MatrixXd sums = MatrixXd::Zero(points.rows(), clusters);
  VectorXd counts = VectorXd::Zero(clusters);
  for (Index i = 0; i < points.cols(); ++i) {
    const Index k = nearest.centre[static_cast<std::size_t>(i)];
    sums.col(k) += points.col(i);
    counts(k) += 1;
  }
  for (Index k = 0; k < clusters; ++k) {
    if (counts(k) > 0) {
      sums.col(k) /= counts(k);
      continue;
    }
    Index farthest = 0;
    nearest.squared.maxCoeff(&farthest);
    sums.col(k) = points.col(farthest);
    nearest.squared(farthest) = 0;
  }
  return sums;
}

std::vector<Index> representatives(const Nearest& nearest, Index clusters) {
  std::vector<Index> best(static_cast<std::size_t>(clusters), -1);
  for (Index i = 0; i < nearest.squared.size(); ++i) {
    Index& current = best[static_cast<std::size_t>(nearest.centre[static_cast<std::size_t>(i)])];
    if (current < 0 || nearest.squared(i) < nearest.squared(current)) current = i;
  }
  return best;
}

bool all_used(const std::vector<Index>& representatives) {
  for (const Index i : representatives) {
    if (i < 0) return false;
  }
  return true;
}

}  // namespace

Result<void> KMeansSettings::validate() const {
  if (clusters < 1)
    return bad_input(fmt::format("{} clusters: there must be at least 1", clusters));
  if (most_iterations < 1) {
    return bad_input(fmt::format("{} iterations: there must be at least 1", most_iterations));
  }
  return {};
}

Result<Clusters> k_means(const MatrixXd& points, const KMeansSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  if (points.cols() < settings.clusters) {
    return bad_input(fmt::format("{} clusters of {} points; ask for fewer clusters",
                                 settings.clusters, points.cols()));
  }
  if (!points.allFinite()) return bad_input("points to cluster must be finite");
  std::optional<MatrixXd> start = seeds(points, settings.clusters, settings.seed);
  if (!start) {
    return bad_input(
        fmt::format("fewer than {} points differ; ask for fewer clusters", settings.clusters));
  }
  Clusters result;
  result.centres = *std::move(start);
  Nearest nearest = nearest_centres(points, result.centres);
  while (result.iterations < settings.most_iterations) {
    SUPPLE_TRY_VOID(check_interrupt());
    ++result.iterations;
    result.centres = means(points, nearest, settings.clusters);
    Nearest next = nearest_centres(points, result.centres);
    result.converged = next.centre == nearest.centre;
    nearest = std::move(next);
    if (result.converged) break;
  }
  result.representatives = representatives(nearest, settings.clusters);
  if (!all_used(result.representatives)) {
    return not_converged(
        fmt::format("{} iterations leave a cluster empty; allow more of them", result.iterations));
  }
  result.inertia = nearest.squared.sum();
  result.cluster_of = std::move(nearest.centre);
  return result;
}

}  // namespace supple::reduction
