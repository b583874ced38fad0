// SPDX-License-Identifier: Apache-2.0
#include "light/quadrature.hpp"

#include <cmath>
#include <numbers>

namespace supple::light {

/// Newton's method on the Legendre polynomial, from Tricomi's estimate of its roots.
GaussRule gauss_rule(int n) {
  GaussRule rule{Eigen::VectorXd(n), Eigen::VectorXd(n)};
  constexpr int kNewtonSteps = 8;  // quadratic from an error below 1e-2: five would do
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    double slope = 0;
    for (int step = 0; step < kNewtonSteps; ++step) {
      double before = 1;
      double p = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = n * (before - x * p) / (1 - x * x);
      x -= p / slope;
    }
    rule.nodes(i) = x;
    rule.weights(i) = 2 / ((1 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace supple::light
