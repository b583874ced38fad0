// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/radial_basis.hpp"

#include "supple/core/check.hpp"

#include <fmt/format.h>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Normalised Gaussians at q. The nearest centre's exponent is taken out of all of them, so that
/// some function stays above 0 however far away q is.
VectorXd normalised_gaussians(const MatrixXd& centres, double sigma, const VectorXd& q) {
  const VectorXd squared = (centres.colwise() - q).colwise().squaredNorm();
  const VectorXd phi =
      (-(squared.array() - squared.minCoeff()) / (2 * sigma * sigma)).exp().matrix();
  return phi / phi.sum();
}

/// A row for each sample, here the centres themselves.
MatrixXd design_matrix(const MatrixXd& centres, double sigma) {
  MatrixXd design(centres.cols(), centres.cols());
  for (Index i = 0; i < centres.cols(); ++i) {
    design.row(i) = normalised_gaussians(centres, sigma, centres.col(i)).transpose();
  }
  return design;
}

/// The design matrix of one width, factored for all ridges: Phi = U S V^T.
class RidgeFits {
 public:
  RidgeFits(const MatrixXd& centres, const MatrixXd& values, double sigma)
      : m_centres(centres),
        m_values(values),
        m_sigma(sigma),
        m_svd(design_matrix(centres, sigma), Eigen::ComputeThinU | Eigen::ComputeThinV),
        m_projected(m_svd.matrixU().transpose() * values.transpose()) {}

  /// H = Phi (Phi^T Phi + mu)^-1 Phi^T = U S^2 / (S^2 + mu) U^T, residuals (1 - H) y, and from
  /// them e_i = r_i / (1 - H_ii) [All74].
  [[nodiscard]] double leave_one_out(double ridge) const {
    const Eigen::ArrayXd s = m_svd.singularValues().array().square();
    const VectorXd kept = (s / (s + ridge)).matrix();
    const MatrixXd& u = m_svd.matrixU();
    const MatrixXd residual = m_values.transpose() - u * (kept.asDiagonal() * m_projected);
    double sum = 0;
    for (Index i = 0; i < residual.rows(); ++i) {
      // 1 - H_ii as a sum of parts above 0: U is square and orthogonal.
      const double free = (u.row(i).transpose().array().square() * (ridge / (s + ridge))).sum();
      sum += residual.row(i).squaredNorm() / (free * free);
    }
    return std::sqrt(sum / static_cast<double>(residual.rows()));
  }

  [[nodiscard]] RadialBasis fit(double ridge) const {
    const Eigen::ArrayXd s = m_svd.singularValues().array();
    const VectorXd inverse = (s / (s.square() + ridge)).matrix();
    RadialBasis basis;
    basis.centres = m_centres;
    basis.weights = (m_svd.matrixV() * (inverse.asDiagonal() * m_projected)).transpose();
    basis.sigma = m_sigma;
    basis.ridge = ridge;
    basis.leave_one_out_error = leave_one_out(ridge);
    return basis;
  }

 private:
  const MatrixXd& m_centres;
  const MatrixXd& m_values;
  double m_sigma;
  Eigen::BDCSVD<MatrixXd> m_svd;
  MatrixXd m_projected;  ///< U^T y
};

/// Mean distance to the nearest other centre; 0 if two are the same.
double mean_nearest_distance(const MatrixXd& centres) {
  double sum = 0;
  for (Index i = 0; i < centres.cols(); ++i) {
    double nearest = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < centres.cols(); ++k) {
      if (k != i) nearest = std::min(nearest, (centres.col(i) - centres.col(k)).norm());
    }
    if (nearest == 0) return 0;
    sum += nearest;
  }
  return sum / static_cast<double>(centres.cols());
}

Result<void> check_samples(const MatrixXd& centres, const MatrixXd& values) {
  if (centres.cols() < 2 || centres.rows() < 1) {
    return bad_input(fmt::format("a radial basis needs 2 or more centres, not {}", centres.cols()));
  }
  if (values.cols() != centres.cols() || values.rows() < 1) {
    return bad_input(
        fmt::format("a radial basis of {} centres has {} values", centres.cols(), values.cols()));
  }
  if (!centres.allFinite() || !values.allFinite()) {
    return bad_input("centres and values of a radial basis must be finite");
  }
  if (mean_nearest_distance(centres) == 0) {
    return bad_input("two centres of a radial basis are the same; drop one of them");
  }
  return {};
}

bool all_positive(const std::vector<double>& list) {
  return !list.empty() &&
         std::all_of(list.begin(), list.end(), [](double x) { return x > 0 && std::isfinite(x); });
}

}  // namespace

Result<void> RadialBasisSettings::validate() const {
  if (!all_positive(widths)) return bad_input("the widths of a radial basis must be above 0");
  if (!all_positive(ridges)) return bad_input("the ridges of a radial basis must be above 0");
  return {};
}

VectorXd RadialBasis::functions(const VectorXd& q) const {
  SUPPLE_CHECK_OP(q.size(), ==, centres.rows());
  return normalised_gaussians(centres, sigma, q);
}

Result<RadialBasis> fit_radial_basis(const MatrixXd& centres, const MatrixXd& values, double sigma,
                                     double ridge) {
  SUPPLE_TRY_VOID(check_samples(centres, values));
  if (!all_positive({sigma, ridge})) {
    return bad_input("width and ridge of a radial basis must be above 0");
  }
  return RidgeFits(centres, values, sigma).fit(ridge);
}

Result<RadialBasis> fit_radial_basis(const MatrixXd& centres, const MatrixXd& values,
                                     const RadialBasisSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  SUPPLE_TRY_VOID(check_samples(centres, values));
  const double distance = mean_nearest_distance(centres);
  double best = std::numeric_limits<double>::infinity();
  double sigma = settings.widths.front() * distance;
  double ridge = settings.ridges.front();
  for (const double width : settings.widths) {
    const RidgeFits fits(centres, values, width * distance);
    for (const double candidate : settings.ridges) {
      const double error = fits.leave_one_out(candidate);
      if (!(error < best)) continue;
      best = error;
      sigma = width * distance;
      ridge = candidate;
    }
  }
  return RidgeFits(centres, values, sigma).fit(ridge);
}

}  // namespace supple::reduction
