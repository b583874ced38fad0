// SPDX-License-Identifier: Apache-2.0
#include "bake/export/motion_shapes.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/reduction/streaming_svd.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace supple::bake::detail {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Frames that are in memory at once.
constexpr std::size_t kBatch = 32;

/// A column of all frames: displacements or changes of normals.
using FrameColumn = Result<VectorXd> (FrameSource::*)(std::size_t frame) const;

/// Calls `each` with the columns of one batch of frames after the other.
Result<void> by_batches(
    const FrameSource& motion, FrameColumn column,
    const std::function<Result<void>(std::size_t first, const MatrixXd&)>& each) {
  for (std::size_t first = 0; first < motion.frames(); first += kBatch) {
    SUPPLE_TRY_VOID(check_interrupt());
    const std::size_t count = std::min(kBatch, motion.frames() - first);
    MatrixXd batch(motion.rows(), static_cast<Eigen::Index>(count));
    std::vector<Result<void>> read(count);
    parallel_for(count, 1, [&](std::size_t i) {
      const Result<VectorXd> values = (motion.*column)(first + i);
      if (values.ok()) {
        batch.col(static_cast<Eigen::Index>(i)) = *values;
      } else {
        read[i] = values.error();
      }
    });
    for (const Result<void>& done : read) {
      if (!done.ok()) return done.error();
    }
    SUPPLE_TRY_VOID(each(first, batch));
  }
  return {};
}

Result<reduction::TruncatedSvd> leading_shapes(const FrameSource& motion, int most) {
  reduction::StreamingSvdSettings settings;
  settings.max_rank = std::min<Eigen::Index>(most, static_cast<Eigen::Index>(motion.frames()));
  settings.tolerance = 1e-7;  // weaker shapes move nothing that a file in single precision shows
  reduction::StreamingSvd svd(motion.rows(), settings);
  const auto add = [&](std::size_t /*first*/, const MatrixXd& batch) -> Result<void> {
    for (Eigen::Index i = 0; i < batch.cols(); ++i) SUPPLE_TRY_VOID(svd.add(batch.col(i)));
    return {};
  };
  SUPPLE_TRY_VOID(by_batches(motion, &FrameSource::displacement, add));
  return svd.finish();
}

/// What the first k shapes leave of the motion, for every k from 0 to all of them.
struct RankErrors {
  VectorXd largest;  ///< of any vertex in any frame
  VectorXd squares;  ///< |A - B B^T A|_F^2
};

/// What the first k shapes leave of one frame; takes them away one by one.
RankErrors frame_errors(VectorXd left, const MatrixXd& shapes, const VectorXd& c) {
  RankErrors errors{VectorXd(shapes.cols() + 1), VectorXd(shapes.cols() + 1)};
  for (Eigen::Index k = 0; k <= shapes.cols(); ++k) {
    errors.largest[k] = largest_vector(left);
    errors.squares[k] = left.squaredNorm();
    if (k < shapes.cols()) left -= c[k] * shapes.col(k);
  }
  return errors;
}

/// `coefficients` receives a column per frame.
Result<RankErrors> errors_by_rank(const FrameSource& motion, const MatrixXd& shapes,
                                  MatrixXd& coefficients) {
  RankErrors total{VectorXd::Zero(shapes.cols() + 1), VectorXd::Zero(shapes.cols() + 1)};
  coefficients.resize(shapes.cols(), static_cast<Eigen::Index>(motion.frames()));
  std::vector<RankErrors> by_frame(kBatch);
  SUPPLE_TRY_VOID(by_batches(motion, &FrameSource::displacement,
                             [&](std::size_t first, const MatrixXd& batch) -> Result<void> {
                               const auto count = static_cast<std::size_t>(batch.cols());
                               parallel_for(count, 1, [&](std::size_t i) {
                                 const VectorXd whole = batch.col(static_cast<Eigen::Index>(i));
                                 const VectorXd c = shapes.transpose() * whole;
                                 coefficients.col(static_cast<Eigen::Index>(first + i)) = c;
                                 by_frame[i] = frame_errors(whole, shapes, c);
                               });
                               for (std::size_t i = 0; i < count; ++i) {
                                 total.largest = total.largest.cwiseMax(by_frame[i].largest);
                                 total.squares += by_frame[i].squares;
                               }
                               return {};
                             }));
  return total;
}

/// The changes of the normals that fit all frames best: (sum n c^T) (sum c c^T)^-1.
Result<MatrixXd> fit_normals(const FrameSource& motion, const MatrixXd& coefficients) {
  MatrixXd sums = MatrixXd::Zero(motion.rows(), coefficients.rows());
  SUPPLE_TRY_VOID(by_batches(
      motion, &FrameSource::normal_change,
      [&](std::size_t first, const MatrixXd& batch) -> Result<void> {
        const auto c =
            coefficients.middleCols(static_cast<Eigen::Index>(first), batch.cols()).transpose();
        constexpr std::size_t kRows = 4096;
        parallel_chunks(static_cast<std::size_t>(motion.rows()), kRows,
                        [&](std::size_t begin, std::size_t end) {
                          const auto row = static_cast<Eigen::Index>(begin);
                          const auto rows = static_cast<Eigen::Index>(end - begin);
                          sums.middleRows(row, rows).noalias() += batch.middleRows(row, rows) * c;
                        });
        return {};
      }));
  if (coefficients.rows() == 0) return sums;
  // Scaled to a unit diagonal: coefficients of singular vectors are nearly orthogonal, and their
  // sizes differ by the square of the tolerance.
  const MatrixXd squares = coefficients * coefficients.transpose();
  const VectorXd scale = squares.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * squares * scale.asDiagonal();
  const MatrixXd inverse = scaled.ldlt().solve(MatrixXd::Identity(squares.rows(), squares.cols()));
  return MatrixXd(sums * (scale.asDiagonal() * inverse * scale.asDiagonal()));
}

}  // namespace

double largest_vector(const VectorXd& vectors) {
  double largest = 0;
  for (Eigen::Index i = 0; i < vectors.size(); i += 3) {
    largest = std::max(largest, vectors.segment<3>(i).squaredNorm());
  }
  return std::sqrt(largest);
}

std::vector<soft::Mode> shape_modes(const MotionShapes& shapes) {
  std::vector<soft::Mode> modes(static_cast<std::size_t>(shapes.positions.cols()));
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    for (Eigen::Index i = 0; i < shapes.positions.rows(); i += 3) {
      modes[k].displacements.emplace_back(shapes.positions.col(column).segment<3>(i));
      modes[k].normals.emplace_back(shapes.normals.col(column).segment<3>(i));
    }
  }
  return modes;
}

double weight_tolerance(const MatrixXd& shapes, const VectorXd& largest, double share) {
  double reach = 0;
  for (Eigen::Index k = 0; k < shapes.cols(); ++k) {
    const double moves = largest[k] * largest_vector(shapes.col(k));
    reach += moves * moves;
  }
  return reach > 0 ? share / std::sqrt(reach) : std::numeric_limits<double>::infinity();
}

Result<MotionShapes> find_motion_shapes(const FrameSource& motion, double tolerance, int most) {
  if (motion.rows() == 0 || motion.frames() == 0) {
    return MotionShapes{MatrixXd(motion.rows(), 0), MatrixXd(motion.rows(), 0)};
  }
  SUPPLE_TRY(const reduction::TruncatedSvd svd, leading_shapes(motion, most));
  MatrixXd coefficients;
  SUPPLE_TRY(const RankErrors errors, errors_by_rank(motion, svd.basis, coefficients));
  Eigen::Index kept = 0;
  while (kept < svd.basis.cols() && errors.largest[kept] > tolerance) ++kept;
  MotionShapes shapes;
  shapes.positions = svd.basis.leftCols(kept);
  shapes.relative_error = svd.energy > 0 ? std::sqrt(errors.squares[kept] / svd.energy) : 0;
  SUPPLE_TRY(shapes.normals, fit_normals(motion, coefficients.topRows(kept)));
  return shapes;
}

}  // namespace supple::bake::detail
