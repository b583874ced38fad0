// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/reduction/radial_basis.hpp"

#include <Eigen/Core>

#include <span>
#include <vector>

namespace supple::light {

struct AppearanceSettings {
  Eigen::Index rank = 0;  ///< exactly so many; 0: as few as the tolerance allows
  Eigen::Index max_rank = 32;
  /// Of the transfer itself (not of its variation), in the Frobenius norm. Where max_rank does not
  /// reach it, max_rank is kept; `relative_error` says what is left.
  double tolerance = 0.01;
  [[nodiscard]] Result<void> validate() const;
};

/// Reduced global illumination [JF03 section 4]: transfer(q) = mean + basis q_a(q).
struct AppearanceModel {
  Eigen::VectorXf mean;    ///< all transfer values of a shape
  Eigen::MatrixXf basis;   ///< orthonormal columns, the strongest first
  Eigen::VectorXd values;  ///< all singular values of the centred transfers, not only those kept
  Eigen::MatrixXd coordinates;           ///< rank x shapes: q_a of the shapes
  reduction::RadialBasis interpolation;  ///< from q to q_a
  Eigen::VectorXd error_by_rank;         ///< relative, what r columns leave; r from 0
  double variation = 0;                  ///< norm of the centred transfers over that of all
  double leave_one_out_error = 0;        ///< of q_a at a shape left out, over the transfers' norm

  [[nodiscard]] Eigen::Index rank() const { return basis.cols(); }
  [[nodiscard]] double relative_error() const { return error_by_rank(rank()); }
  /// q_a of any shape.
  [[nodiscard]] Eigen::VectorXd coordinates_at(const Eigen::VectorXd& q) const;
  [[nodiscard]] Eigen::VectorXf transfer_at(const Eigen::VectorXd& q) const;
};

/// Relative error of the model at a shape that it may not know: through interpolation, and by the
/// best coordinates that the basis has.
struct HeldOutError {
  double interpolated = 0;
  double projected = 0;
};
[[nodiscard]] HeldOutError held_out_error(const AppearanceModel& model, const Eigen::VectorXd& q,
                                          std::span<const float> transfer);

/// `shapes`: rank_u x N, the reduced coordinates of N representative shapes (see
/// reduction::k_means); `transfers`: N lists of equal length, such as TransferVectors::values,
/// fronts and backs joined. At least two shapes.
[[nodiscard]] Result<AppearanceModel> build_appearance(
    const Eigen::MatrixXd& shapes, const std::vector<std::vector<float>>& transfers,
    const AppearanceSettings& settings);

}  // namespace supple::light
