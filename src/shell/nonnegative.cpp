// SPDX-License-Identifier: Apache-2.0
#include "shell/nonnegative.hpp"

#include <Eigen/Cholesky>

#include <algorithm>

namespace supple::shell {
namespace {

/// Without it, parallel columns would make the normal equations singular.
constexpr double kRidge = 1e-12;

class Fit {
 public:
  Fit(const Eigen::MatrixXd& a, const Eigen::VectorXd& b)
      : m_a(a), m_b(b), m_norms(a.colwise().norm()), m_closed(a.cols(), 0), m_residual(b) {
    for (Eigen::Index j = 0; j < a.cols(); ++j) m_closed[j] = m_norms(j) > 0 ? 0 : 1;
  }

  [[nodiscard]] std::size_t size() const { return m_columns.size(); }
  [[nodiscard]] double residual() const {
    const double size = m_b.norm();
    return size > 0 ? m_residual.norm() / size : 0;
  }

  /// Adds the column that would help most; false if none does.
  bool add() {
    const Eigen::VectorXd pull = m_a.transpose() * m_residual;
    Eigen::Index best = -1;
    double most = 0;
    for (Eigen::Index j = 0; j < m_a.cols(); ++j) {
      if (m_closed[j] == 0 && pull(j) > most * m_norms(j)) {
        most = pull(j) / m_norms(j);
        best = j;
      }
    }
    if (best < 0) return false;
    m_closed[best] = 1;
    m_columns.push_back(best);
    m_weights.push_back(0);
    grow_normal();
    solve();
    return true;
  }

  [[nodiscard]] NonnegativeFit result() && {
    NonnegativeFit fit;
    fit.columns = std::move(m_columns);
    fit.weights = std::move(m_weights);
    fit.residual = residual();
    return fit;
  }

 private:
  void grow_normal() {
    const auto n = static_cast<Eigen::Index>(m_columns.size());
    m_normal.conservativeResize(n, n);
    m_moment.conservativeResize(n);
    const auto last = m_a.col(m_columns.back());
    for (Eigen::Index i = 0; i < n; ++i) {
      m_normal(i, n - 1) = m_normal(n - 1, i) = m_a.col(m_columns[i]).dot(last);
    }
    m_moment(n - 1) = last.dot(m_b);
  }

  /// Weights of the chosen columns; columns that would turn negative are removed.
  void solve() {
    for (;;) {
      Eigen::MatrixXd normal = m_normal;
      normal.diagonal() *= 1 + kRidge;
      const Eigen::VectorXd wanted = normal.ldlt().solve(m_moment);
      double step = 1;
      for (std::size_t i = 0; i < m_weights.size(); ++i) {
        const double target = wanted(static_cast<Eigen::Index>(i));
        if (target > 0) continue;
        // A column of weight 0 allows no step at all, and 0 / 0 would count as a full step.
        const double part = m_weights[i] > 0 ? m_weights[i] / (m_weights[i] - target) : 0;
        step = std::min(step, part);
      }
      for (std::size_t i = 0; i < m_weights.size(); ++i) {
        m_weights[i] += step * (wanted(static_cast<Eigen::Index>(i)) - m_weights[i]);
      }
      if (step >= 1) break;
      drop_spent();
      if (m_columns.empty()) break;
    }
    m_residual = m_b;
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
      m_residual -= m_weights[i] * m_a.col(m_columns[i]);
    }
  }

  /// Removes columns whose weight is gone. They stay excluded: letting them return can cycle.
  void drop_spent() {
    const double tiny = 1e-14 * *std::max_element(m_weights.begin(), m_weights.end());
    std::vector<Eigen::Index> keep;
    keep.reserve(m_columns.size());
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
      if (m_weights[i] > tiny) keep.push_back(static_cast<Eigen::Index>(i));
    }
    const Eigen::MatrixXd normal = m_normal(keep, keep);
    const Eigen::VectorXd moment = m_moment(keep);
    for (std::size_t i = 0; i < keep.size(); ++i) {
      m_columns[i] = m_columns[keep[i]];
      m_weights[i] = m_weights[keep[i]];
    }
    m_columns.resize(keep.size());
    m_weights.resize(keep.size());
    m_normal = normal;
    m_moment = moment;
  }

  const Eigen::MatrixXd& m_a;
  const Eigen::VectorXd& m_b;
  Eigen::VectorXd m_norms;
  std::vector<char> m_closed;
  std::vector<Eigen::Index> m_columns;
  std::vector<double> m_weights;
  Eigen::MatrixXd m_normal;  // A_P^T A_P of the chosen
  Eigen::VectorXd m_moment;  // A_P^T b
  Eigen::VectorXd m_residual;
};

}  // namespace

NonnegativeFit fit_nonnegative(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, std::size_t most,
                               double tolerance) {
  Fit fit(a, b);
  while (fit.size() < most && fit.residual() > tolerance && fit.add()) {
  }
  return std::move(fit).result();
}

}  // namespace supple::shell
