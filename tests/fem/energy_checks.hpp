// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/random.hpp"
#include "supple/fem/energy.hpp"

#include <gtest/gtest.h>

namespace supple::fem {

inline Eigen::VectorXd random_vector(Random& random, Eigen::Index size, double amplitude) {
  Eigen::VectorXd result(size);
  for (double& value : result) value = random.uniform(-amplitude, amplitude);
  return result;
}

inline Eigen::VectorXd gradient_of(const Energy& energy, const Eigen::VectorXd& x) {
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(x.size());
  energy.add_gradient(x, gradient);
  return gradient;
}

inline Eigen::MatrixXd dense_hessian(const Energy& energy, const Eigen::VectorXd& x,
                                     Curvature curvature) {
  reduction::MultiVector columns;
  hessian(energy, x, curvature)
      .apply(reduction::MultiVector::Identity(x.size(), x.size()), columns);
  return columns;
}

/// Compares gradient and Hessian with differences of the fourth order along random directions;
/// `step` is a small length next to the elements.
inline void expect_derivatives(const Energy& energy, const Eigen::VectorXd& x, double step,
                               Random& random) {
  constexpr double kDerivativeError = 1e-7;
  const Eigen::VectorXd gradient = gradient_of(energy, x);
  const reduction::BlockMatrix k = hessian(energy, x, Curvature::Exact);
  for (int i = 0; i < 5; ++i) {
    const Eigen::VectorXd direction = random_vector(random, x.size(), 1);
    const auto value = [&](double t) { return energy.value(x + t * direction).joules; };
    const auto slope = [&](double t) { return gradient_of(energy, x + t * direction); };
    const double by_values =
        (8 * (value(step) - value(-step)) - (value(2 * step) - value(-2 * step))) / (12 * step);
    const Eigen::VectorXd by_gradients =
        (8 * (slope(step) - slope(-step)) - (slope(2 * step) - slope(-2 * step))) / (12 * step);
    reduction::MultiVector product;
    k.apply(direction, product);
    EXPECT_NEAR(gradient.dot(direction), by_values,
                kDerivativeError * gradient.norm() * direction.norm());
    EXPECT_LT((by_gradients - product.col(0)).norm(), kDerivativeError * product.norm());
  }
}

}  // namespace supple::fem
