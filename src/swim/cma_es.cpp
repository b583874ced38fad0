// SPDX-License-Identifier: Apache-2.0
#include "swim/cma_es.hpp"

#include "supple/core/check.hpp"
#include "supple/core/random.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace supple::swim {
namespace {

/// With more variables than this, the state alone would be a large allocation.
constexpr std::size_t kMostVariables = 4096;
constexpr std::size_t kMostCandidates = 1U << 20U;

/// Independent normal numbers by the Box-Muller method, from uniform ones.
Eigen::VectorXd normal_vector(Random& random, Eigen::Index size) {
  Eigen::VectorXd z(size);
  for (Eigen::Index i = 0; i < size; i += 2) {
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    const double angle = 2 * std::numbers::pi * random.uniform();
    z[i] = radius * std::cos(angle);
    if (i + 1 < size) z[i + 1] = radius * std::sin(angle);
  }
  return z;
}

/// Words of a text as numbers, exactly as they were printed.
class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : m_text(text) {}

  template <class T>
  T next() {
    const auto begin = m_text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) {
      m_good = false;
      return {};
    }
    m_text.remove_prefix(begin);
    const auto length = std::min(m_text.find_first_of(" \n"), m_text.size());
    T value{};
    const auto [stop, error] = std::from_chars(m_text.data(), m_text.data() + length, value);
    m_good = m_good && error == std::errc() && stop == m_text.data() + length;
    m_text.remove_prefix(length);
    return value;
  }

  template <class Matrix>
  void fill(Matrix& matrix) {
    for (Eigen::Index i = 0; m_good && i < matrix.size(); ++i) {
      matrix.data()[i] = next<double>();
      m_good = m_good && std::isfinite(matrix.data()[i]);
    }
  }

  [[nodiscard]] bool good() const { return m_good; }

 private:
  std::string_view m_text;
  bool m_good = true;
};

template <class Matrix>
void append(std::string& text, const Matrix& matrix) {
  for (Eigen::Index i = 0; i < matrix.size(); ++i) text += fmt::format("{} ", matrix.data()[i]);
  text += '\n';
}

}  // namespace

CmaEs::CmaEs(Eigen::VectorXd mean, double spread, std::size_t population, std::uint64_t seed)
    : m_mean(std::move(mean)), m_spread(spread), m_population(population), m_seed(seed) {
  SUPPLE_CHECK(m_mean.size() > 0);
  const Eigen::Index n = m_mean.size();
  if (m_population == 0) {
    m_population = static_cast<std::size_t>(4 + std::floor(3 * std::log(static_cast<double>(n))));
  }
  m_population = std::max<std::size_t>(m_population, 4);
  m_covariance.setIdentity(n, n);
  m_path.setZero(n);
  m_spread_path.setZero(n);
  set_strategy();
}

/// [Han16 table 1].
void CmaEs::set_strategy() {
  const auto n = static_cast<double>(m_mean.size());
  const auto parents = static_cast<Eigen::Index>(m_population / 2);
  m_weights.resize(parents);
  for (Eigen::Index i = 0; i < parents; ++i) {
    m_weights[i] = std::log((static_cast<double>(m_population) + 1) / 2) -
                   std::log(static_cast<double>(i) + 1);
  }
  m_weights /= m_weights.sum();
  const double mu = 1 / m_weights.squaredNorm();
  m_effective = mu;
  m_path_rate = (4 + mu / n) / (n + 4 + 2 * mu / n);
  m_spread_path_rate = (mu + 2) / (n + mu + 5);
  m_rank_one = 2 / ((n + 1.3) * (n + 1.3) + mu);
  m_rank_mu = std::min(1 - m_rank_one, 2 * (mu - 2 + 1 / mu) / ((n + 2) * (n + 2) + mu));
  m_spread_damping = 1 + 2 * std::max(0.0, std::sqrt((mu - 1) / (n + 1)) - 1) + m_spread_path_rate;
  m_expected_length = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

std::vector<Eigen::VectorXd> CmaEs::ask() {
  if (!m_candidates.empty()) return m_candidates;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(m_covariance);
  m_axes = solver.eigenvectors();
  // Rounding must not make a direction vanish forever.
  const double least = std::max(solver.eigenvalues().maxCoeff() * 1e-14, 1e-300);
  m_lengths = solver.eigenvalues().cwiseMax(least).cwiseSqrt();
  m_candidates.reserve(m_population);
  for (std::size_t i = 0; i < m_population; ++i) {
    Random random(m_seed, m_generation * m_population + i);
    const Eigen::VectorXd z = normal_vector(random, m_mean.size());
    m_candidates.emplace_back(m_mean + m_spread * (m_axes * m_lengths.cwiseProduct(z)));
  }
  return m_candidates;
}

void CmaEs::tell(const std::vector<double>& costs) {
  SUPPLE_CHECK_OP(costs.size(), ==, m_population);
  static_cast<void>(ask());
  std::vector<std::size_t> order(m_population);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto cost = [&](std::size_t i) {
    return std::isnan(costs[i]) ? std::numeric_limits<double>::infinity() : costs[i];
  };
  std::ranges::stable_sort(order, {}, cost);

  const auto n = static_cast<double>(m_mean.size());
  const Eigen::Index parents = m_weights.size();
  Eigen::MatrixXd steps(m_mean.size(), parents);
  for (Eigen::Index i = 0; i < parents; ++i) {
    steps.col(i) = (m_candidates[order[static_cast<std::size_t>(i)]] - m_mean) / m_spread;
  }
  const Eigen::VectorXd step = steps * m_weights;
  m_mean += m_spread * step;

  const double cs = m_spread_path_rate;
  const Eigen::VectorXd white = m_axes * (m_axes.transpose() * step).cwiseQuotient(m_lengths);
  m_spread_path = (1 - cs) * m_spread_path + std::sqrt(cs * (2 - cs) * m_effective) * white;
  ++m_generation;
  const double bias = 1 - std::pow(1 - cs, 2 * static_cast<double>(m_generation));
  const double length = m_spread_path.norm();
  const bool stalled = length / std::sqrt(bias) >= (1.4 + 2 / (n + 1)) * m_expected_length;

  const double cc = m_path_rate;
  m_path *= 1 - cc;
  if (!stalled) m_path += std::sqrt(cc * (2 - cc) * m_effective) * step;
  const double lost = stalled ? cc * (2 - cc) : 0;
  m_covariance *= 1 - m_rank_one * (1 - lost) - m_rank_mu;
  m_covariance += m_rank_one * m_path * m_path.transpose();
  m_covariance += m_rank_mu * steps * m_weights.asDiagonal() * steps.transpose();
  m_covariance = ((m_covariance + m_covariance.transpose()) / 2).eval();
  m_spread *= std::exp(std::min(1.0, cs / m_spread_damping * (length / m_expected_length - 1)));
  m_candidates.clear();
}

std::string CmaEs::save() const {
  std::string text =
      fmt::format("{} {} {} {} {}\n", m_mean.size(), m_population, m_seed, m_generation, m_spread);
  append(text, m_mean);
  append(text, m_path);
  append(text, m_spread_path);
  append(text, m_covariance);
  return text;
}

Result<CmaEs> CmaEs::restore(std::string_view text) {
  NumberReader reader(text);
  const auto variables = reader.next<std::size_t>();
  const auto population = reader.next<std::size_t>();
  const auto seed = reader.next<std::uint64_t>();
  const auto generation = reader.next<std::size_t>();
  const auto spread = reader.next<double>();
  const bool sane = variables > 0 && variables <= kMostVariables && population >= 4 &&
                    population <= kMostCandidates && spread > 0 && std::isfinite(spread);
  if (!reader.good() || !sane) return bad_input("the state of the search is damaged; start again");
  CmaEs search(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(variables)), spread, population,
               seed);
  search.m_generation = generation;
  reader.fill(search.m_mean);
  reader.fill(search.m_path);
  reader.fill(search.m_spread_path);
  reader.fill(search.m_covariance);
  if (!reader.good()) return bad_input("the state of the search is truncated; start again");
  return search;
}

}  // namespace supple::swim
