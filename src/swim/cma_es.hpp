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

/// Minimises a function of some dozen numbers by sampling: the (mu/mu_w, lambda) evolution strategy
/// with adaptation of the covariance matrix, [Han16] with positive weights only. Candidate i of
/// generation g has a random stream of its own, so nothing but the numbers below is its state.
class CmaEs {
 public:
  /// `population` 0: the usual 4 + 3 ln n.
  CmaEs(Eigen::VectorXd mean, double spread, std::size_t population, std::uint64_t seed);

  /// The candidates of this generation; the same again until `tell`.
  [[nodiscard]] std::vector<Eigen::VectorXd> ask();
  /// One cost per candidate, lower is better; infinity is allowed, not-a-number counts as such.
  void tell(const std::vector<double>& costs);

  [[nodiscard]] const Eigen::VectorXd& mean() const { return m_mean; }
  [[nodiscard]] double spread() const { return m_spread; }
  [[nodiscard]] std::size_t generation() const { return m_generation; }
  [[nodiscard]] std::size_t population() const { return m_population; }

  /// Text from which `restore` makes an equal search, to the last bit.
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

  // Of the population and the dimension alone.
  Eigen::VectorXd m_weights;
  double m_effective = 0;
  double m_path_rate = 0;
  double m_spread_path_rate = 0;
  double m_rank_one = 0;
  double m_rank_mu = 0;
  double m_spread_damping = 0;
  double m_expected_length = 0;

  // Of `ask`.
  Eigen::MatrixXd m_axes;
  Eigen::VectorXd m_lengths;
  std::vector<Eigen::VectorXd> m_candidates;
};

}  // namespace supple::swim
