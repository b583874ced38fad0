// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <Eigen/Core>

#include <vector>

namespace supple::reduction {

/// What is tried for the width and the ridge of a radial basis.
struct RadialBasisSettings {
  /// Widths over the mean distance between a centre and the nearest other one.
  std::vector<double> widths = {0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5};
  std::vector<double> ridges = {1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1};
  [[nodiscard]] Result<void> validate() const;
};

/// Normalised Gaussian radial basis functions [JF03 section 4.3]:
/// f(q) = sum_k w_k phi_k(q) / sum_k phi_k(q), phi_k(q) = exp(-|q - c_k|^2 / (2 sigma^2)).
struct RadialBasis {
  Eigen::MatrixXd centres;  ///< a column for each
  Eigen::MatrixXd weights;  ///< outputs x centres
  double sigma = 0;
  double ridge = 0;
  /// Root mean square over samples of |f_-i(q_i) - y_i|, where f_-i is fitted without sample i but
  /// with all centres.
  double leave_one_out_error = 0;

  /// The normalised functions at q; they add up to 1, also far from all centres.
  [[nodiscard]] Eigen::VectorXd functions(const Eigen::VectorXd& q) const;
  [[nodiscard]] Eigen::VectorXd evaluate(const Eigen::VectorXd& q) const {
    return weights * functions(q);
  }
};

/// With a given width and ridge: minimises sum_i |f(c_i) - y_i|^2 + ridge |w|^2. The values have a
/// column for each centre; centres must differ, and there are two or more.
[[nodiscard]] Result<RadialBasis> fit_radial_basis(const Eigen::MatrixXd& centres,
                                                   const Eigen::MatrixXd& values, double sigma,
                                                   double ridge);

/// With the width and the ridge, of those in the settings, that make the leave-one-out error
/// smallest. It has a closed form for every ridge from one factorisation for each width:
/// e_i = (y_i - f(c_i)) / (1 - H_ii) with the hat matrix H [All74].
[[nodiscard]] Result<RadialBasis> fit_radial_basis(const Eigen::MatrixXd& centres,
                                                   const Eigen::MatrixXd& values,
                                                   const RadialBasisSettings& settings = {});

}  // namespace supple::reduction
