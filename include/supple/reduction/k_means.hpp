// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace supple::reduction {

struct KMeansSettings {
  Eigen::Index clusters = 32;
  int most_iterations = 100;
  std::uint64_t seed = 1;
  [[nodiscard]] Result<void> validate() const;
};

struct Clusters {
  Eigen::MatrixXd centres;                    ///< a column for each
  std::vector<Eigen::Index> cluster_of;       ///< of each point
  std::vector<Eigen::Index> representatives;  ///< of each cluster the point nearest to its centre
  double inertia = 0;                         ///< sum of squared distances to the own centre
  int iterations = 0;
  bool converged = false;  ///< no point changed its cluster in the last iteration
};

/// Lloyd's iterations from seeds by K-means++ [AV07]. `points` has a column for each point, at
/// least as many as clusters and at least so many different ones. A cluster that loses all of its
/// points gets the point farthest from its centre. Same bits for any number of threads.
[[nodiscard]] Result<Clusters> k_means(const Eigen::MatrixXd& points,
                                       const KMeansSettings& settings);

}  // namespace supple::reduction
