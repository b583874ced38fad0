// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace supple::swim {

/// Minimises a function of a few dozen numbers by sampling: the (mu/mu_w, lambda) evolution
/// strategy with covariance matrix adaptation, [Han16] with positive weights only. Candidate i of
/// generation g has its own random stream, so the state consists only of the numbers below.
class CmaEs {
 public:
  /// `population` 0: the usual 4 + 3 ln n.
  CmaEs(Eigen::VectorXd mean, double spread, std::size_t population, std::uint64_t seed);

  /// The candidates of this generation; the same again until `tell`.
  [[nodiscard]] std::vector<Eigen::VectorXd> ask();
  /// One cost per candidate, lower is better; infinity is allowed, NaN counts as infinity.
  void tell(const std::vector<double>& costs);

  [[nodiscard]] const Eigen::VectorXd& mean() const { return m_mean; }
  [[nodiscard]] double spread() const { return m_spread; }
  [[nodiscard]] std::size_t generation() const { return m_generation; }
  [[nodiscard]] std::size_t population() const { return m_population; }

  /// Text from which `restore` recreates the search, to the last bit.
  [[nodiscard]] std::string save() const;
  [[nodiscard]] static Result<CmaEs> restore(std::string_view text);

 private:
  void set_strategy();

  Eigen::VectorXd m_mean;
  double m_spread;
  std::size_t m_population;
  std::uint64_t m_seed;
  std::size_t m_generation = 0;
  Eigen::MatrixXd m_covariance;
  Eigen::VectorXd m_path;         ///< of the mean, for the covariance
  Eigen::VectorXd m_spread_path;  ///< the same in the whitened space, for the spread

  // Derived from the population and the dimension only.
  Eigen::VectorXd m_weights;
  double m_effective = 0;
  double m_path_rate = 0;
  double m_spread_path_rate = 0;
  double m_rank_one = 0;
  double m_rank_mu = 0;
  double m_spread_damping = 0;
  double m_expected_length = 0;

  // Result of `ask`.
  Eigen::MatrixXd m_axes;
  Eigen::VectorXd m_lengths;
  std::vector<Eigen::VectorXd> m_candidates;
};

}  // namespace supple::swim
