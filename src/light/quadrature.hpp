// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

namespace supple::light {

/// Gauss' rule on [-1, 1]: exact for polynomials of degree 2 n - 1.
struct GaussRule {
  Eigen::VectorXd nodes;  ///< descending
  Eigen::VectorXd weights;
};
[[nodiscard]] GaussRule gauss_rule(int n);

}  // namespace supple::light
