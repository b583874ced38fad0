// SPDX-License-Identifier: Apache-2.0
#include "bake/export/thinning.hpp"

#include <algorithm>
#include <utility>

namespace supple::bake::detail {
namespace {

Eigen::RowVectorXd between(const Eigen::MatrixXd& values, Eigen::Index a, Eigen::Index b,
                           double row) {
  if (a == b) return values.row(a);
  const double t = (row - static_cast<double>(a)) / static_cast<double>(b - a);
  return (1 - t) * values.row(a) + t * values.row(b);
}

}  // namespace

std::vector<Eigen::Index> thin(const Eigen::MatrixXd& values, double tolerance) {
  const Eigen::Index last = values.rows() - 1;
  if (last <= 0) return {0};
  std::vector<Eigen::Index> kept{0, last};
  std::vector<std::pair<Eigen::Index, Eigen::Index>> open{{0, last}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    double worst = tolerance;
    Eigen::Index where = -1;
    for (Eigen::Index row = a + 1; row < b; ++row) {
      const Eigen::RowVectorXd line = between(values, a, b, static_cast<double>(row));
      const double error = values.cols() == 0 ? 0 : (values.row(row) - line).cwiseAbs().maxCoeff();
      if (error > worst) {
        worst = error;
        where = row;
      }
    }
    if (where < 0) continue;
    kept.push_back(where);
    open.emplace_back(a, where);
    open.emplace_back(where, b);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

Eigen::RowVectorXd on_polyline(const Eigen::MatrixXd& values, const std::vector<Eigen::Index>& kept,
                               double row) {
  const auto after = std::upper_bound(kept.begin(), kept.end(), row, [](double r, Eigen::Index k) {
    return r < static_cast<double>(k);
  });
  if (after == kept.begin()) return values.row(kept.front());
  if (after == kept.end()) return values.row(kept.back());
  return between(values, *(after - 1), *after, row);
}

}  // namespace supple::bake::detail
