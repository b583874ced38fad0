// SPDX-License-Identifier: Apache-2.0
#include "supple/light/appearance.hpp"

#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <fmt/format.h>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <utility>

namespace supple::light {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kTransferRows = 8192;

/// Transfers of all shapes as columns, never as one matrix in memory.
class TransferMatrix {
 public:
  explicit TransferMatrix(const std::vector<std::vector<float>>& columns)
      : m_columns(columns), m_mean(static_cast<Eigen::Index>(columns.front().size())) {
    parallel_for(columns.front().size(), kTransferRows, [&](std::size_t row) {
      double sum = 0;
      for (const auto& column : columns) sum += double{column[row]};
      // Rounded, because the mean is stored with as many digits.
      const auto mean = static_cast<float>(sum / static_cast<double>(columns.size()));
      m_mean(static_cast<Eigen::Index>(row)) = mean;
    });
  }

  [[nodiscard]] std::size_t rows() const { return m_columns.front().size(); }
  [[nodiscard]] Eigen::Index columns() const { return static_cast<Eigen::Index>(m_columns.size()); }
  [[nodiscard]] const Eigen::VectorXf& mean() const { return m_mean; }

  /// Centred rows begin .. end - 1.
  [[nodiscard]] MatrixXd centred(std::size_t begin, std::size_t end) const {
    MatrixXd rows(static_cast<Eigen::Index>(end - begin), columns());
    for (Eigen::Index c = 0; c < columns(); ++c) {
      const auto& column = m_columns[static_cast<std::size_t>(c)];
      for (std::size_t r = begin; r < end; ++r) {
        rows(static_cast<Eigen::Index>(r - begin), c) =
            double{column[r]} - double{m_mean(static_cast<Eigen::Index>(r))};
      }
    }
    return rows;
  }

  /// Squared norm of all transfers, not centred.
  [[nodiscard]] double energy() const {
    double total = 0;
    for (const auto& column : m_columns) {
      total += parallel_reduce(
          column.size(), std::size_t{65536}, 0.0,
          [&](std::size_t begin, std::size_t end) {
            double sum = 0;
            for (std::size_t i = begin; i < end; ++i) sum += double{column[i]} * double{column[i]};
            return sum;
          },
          [](double a, double b) { return a + b; });
    }
    return total;
  }

 private:
  const std::vector<std::vector<float>>& m_columns;
  Eigen::VectorXf m_mean;
};

/// The triangle of a QR factorisation by Householder reflections; all of it if it has few rows.
MatrixXd triangle_of(const MatrixXd& a) {
  const Eigen::Index n = a.cols();
  const Eigen::HouseholderQR<MatrixXd> qr(a);
  const Eigen::Index rows = std::min(a.rows(), n);
  return qr.matrixQR().topRows(rows).triangularView<Eigen::Upper>();
}

/// R of the centred matrix, from rows that are factored in pieces and joined [DGHL12].
MatrixXd triangle_of(const TransferMatrix& matrix) {
  return parallel_reduce(
      matrix.rows(), kTransferRows, MatrixXd(0, matrix.columns()),
      [&](std::size_t begin, std::size_t end) { return triangle_of(matrix.centred(begin, end)); },
      [](const MatrixXd& a, const MatrixXd& b) -> MatrixXd {
        if (a.rows() == 0) return b;
        MatrixXd both(a.rows() + b.rows(), a.cols());
        both << a, b;
        return triangle_of(both);
      });
}

/// U = A V S^-1, of the columns that are kept.
Eigen::MatrixXf left_vectors(const TransferMatrix& matrix, const MatrixXd& scaled_right) {
  Eigen::MatrixXf basis(static_cast<Eigen::Index>(matrix.rows()), scaled_right.cols());
  parallel_chunks(matrix.rows(), kTransferRows, [&](std::size_t begin, std::size_t end) {
    const MatrixXd part = matrix.centred(begin, end) * scaled_right;
    basis.middleRows(static_cast<Eigen::Index>(begin), part.rows()) = part.cast<float>();
  });
  return basis;
}

/// What r columns leave, r = 0 .. n, relative to the norm of all transfers.
VectorXd errors_by_rank(const VectorXd& values, double norm) {
  VectorXd errors = VectorXd::Zero(values.size() + 1);
  double left = 0;
  for (Eigen::Index r = values.size(); r-- > 0;) {
    left += values(r) * values(r);
    errors(r) = norm > 0 ? std::sqrt(left) / norm : 0;
  }
  return errors;
}

Eigen::Index chosen_rank(const VectorXd& values, const VectorXd& errors,
                         const AppearanceSettings& settings) {
  // Columns of values that are rounding errors have arbitrary directions; transfers are floats.
  constexpr double kNoise = 1e-6;
  Eigen::Index most =
      std::min(values.size(), settings.rank > 0 ? settings.rank : settings.max_rank);
  while (most > 0 && !(values(most - 1) > kNoise * values(0))) --most;
  if (settings.rank > 0) return most;
  Eigen::Index rank = 0;
  while (rank < most && errors(rank) > settings.tolerance) ++rank;
  return rank;
}

Result<void> check_transfers(const MatrixXd& shapes,
                             const std::vector<std::vector<float>>& transfers) {
  if (transfers.size() < 2 || static_cast<std::size_t>(shapes.cols()) != transfers.size()) {
    return bad_input(fmt::format(
        "an appearance model of {} shapes with {} transfers; give two or more, one for each",
        shapes.cols(), transfers.size()));
  }
  for (std::size_t j = 0; j < transfers.size(); ++j) {
    if (transfers[j].size() != transfers.front().size() || transfers[j].empty()) {
      return bad_input(fmt::format("the transfer of shape {} has {} values, that of the first {}",
                                   j + 1, transfers[j].size(), transfers.front().size()));
    }
    const bool finite = std::all_of(transfers[j].begin(), transfers[j].end(),
                                    [](float x) { return std::isfinite(x); });
    if (!finite) return bad_input(fmt::format("the transfer of shape {} is not finite", j + 1));
  }
  return {};
}

}  // namespace

Result<void> AppearanceSettings::validate() const {
  if (rank < 0) return bad_input(fmt::format("the rank {} of light must be 0 or more", rank));
  if (max_rank < 1) {
    return bad_input(fmt::format("the largest rank {} of light must be 1 or more", max_rank));
  }
  if (tolerance >= 0 && tolerance < 1) return {};
  return bad_input(fmt::format("the tolerance {} of light must be in [0, 1)", tolerance));
}

VectorXd AppearanceModel::coordinates_at(const VectorXd& q) const {
  return interpolation.evaluate(q);
}

Eigen::VectorXf AppearanceModel::transfer_at(const VectorXd& q) const {
  return mean + basis * coordinates_at(q).cast<float>();
}

HeldOutError held_out_error(const AppearanceModel& model, const VectorXd& q,
                            std::span<const float> transfer) {
  SUPPLE_CHECK_OP(static_cast<Eigen::Index>(transfer.size()), ==, model.mean.size());
  const Eigen::Map<const Eigen::VectorXf> exact(transfer.data(), model.mean.size());
  const double norm = exact.cast<double>().norm();
  if (!(norm > 0)) return {};
  const Eigen::VectorXf centred = exact - model.mean;
  const Eigen::VectorXf best = model.basis * (model.basis.transpose() * centred);
  const Eigen::VectorXf guess = model.basis * model.coordinates_at(q).cast<float>();
  return {(centred - guess).cast<double>().norm() / norm,
          (centred - best).cast<double>().norm() / norm};
}

/// [JF03 section 4.2]: A = transfers less their mean = U S V^T; coordinates of shape j are
/// S V^T e_j. R of A = Q R has the same singular values and right vectors; squares of A, which
/// would lose half of the digits, are not formed.
Result<AppearanceModel> build_appearance(const MatrixXd& shapes,
                                         const std::vector<std::vector<float>>& transfers,
                                         const AppearanceSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  SUPPLE_TRY_VOID(check_transfers(shapes, transfers));
  const TransferMatrix matrix(transfers);
  const double norm = std::sqrt(matrix.energy());
  const Eigen::JacobiSVD<MatrixXd> svd(triangle_of(matrix),
                                       Eigen::ComputeThinU | Eigen::ComputeThinV);
  AppearanceModel model;
  model.mean = matrix.mean();
  model.values = svd.singularValues();
  model.error_by_rank = errors_by_rank(model.values, norm);
  model.variation = model.error_by_rank(0);
  // At least one column: a model without any could not be stored or interpolated.
  const Eigen::Index rank =
      std::max<Eigen::Index>(1, chosen_rank(model.values, model.error_by_rank, settings));
  const VectorXd kept = model.values.head(rank);
  const MatrixXd right = svd.matrixV().leftCols(rank);
  const VectorXd inverse = kept.unaryExpr([](double sigma) { return sigma > 0 ? 1 / sigma : 0.0; });
  model.basis = left_vectors(matrix, right * inverse.asDiagonal());
  model.coordinates = kept.asDiagonal() * right.transpose();
  SUPPLE_TRY(model.interpolation,
             reduction::fit_radial_basis(shapes, model.coordinates).during("interpolating light"));
  const double count = static_cast<double>(transfers.size());
  model.leave_one_out_error =
      norm > 0 ? model.interpolation.leave_one_out_error * std::sqrt(count) / norm : 0;
  return model;
}

}  // namespace supple::light
