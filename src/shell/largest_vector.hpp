// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include <algorithm>

namespace supple::shell {

/// The length of the longest of the vectors x y z of all nodes.
[[nodiscard]] inline double largest_vector(const Eigen::VectorXd& vectors) {
  double most = 0;
  for (Eigen::Index i = 0; i < vectors.size(); i += 3) {
    most = std::max(most, vectors.segment<3>(i).norm());
  }
  return most;
}

}  // namespace supple::shell
