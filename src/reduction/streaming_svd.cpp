// SPDX-License-Identifier: Apache-2.0
#include "supple/reduction/streaming_svd.hpp"

#include "reduction/blas.hpp"
#include "reduction/tall_qr.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace supple::reduction {
namespace {

/// Singular values and left vectors of the small factor.
struct SmallSvd {
  Eigen::MatrixXd left;
  Eigen::VectorXd values;
};

SmallSvd small_svd(Eigen::MatrixXd a) {
  const auto rows = static_cast<int>(a.rows());
  const auto columns = static_cast<int>(a.cols());
  const int count = std::min(rows, columns);
  SmallSvd svd{Eigen::MatrixXd(rows, count), Eigen::VectorXd(count)};
  const int one = 1;
  double unused = 0;
  double best = 0;
  int length = -1;
  int info = 0;
  blas::dgesvd_("S", "N", &rows, &columns, a.data(), &rows, svd.values.data(), svd.left.data(),
                &rows, &unused, &one, &best, &length, &info);
  Eigen::VectorXd work(static_cast<Eigen::Index>(best));
  length = static_cast<int>(work.size());
  blas::dgesvd_("S", "N", &rows, &columns, a.data(), &rows, svd.values.data(), svd.left.data(),
                &rows, &unused, &one, work.data(), &length, &info);
  SUPPLE_CHECK_OP(info, ==, 0);  // finite input converges
  return svd;
}

/// Chunk by chunk in a fixed order, as every sum here.
double squared_norm(const Eigen::Ref<const Eigen::VectorXd>& x) {
  return parallel_reduce(
      static_cast<std::size_t>(x.size()), 65536, 0.0,
      [&](std::size_t begin, std::size_t end) {
        return x.segment(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(end - begin))
            .squaredNorm();
      },
      [](double a, double b) { return a + b; });
}

}  // namespace

Result<void> StreamingSvdSettings::validate() const {
  if (max_rank < 1) return bad_input(fmt::format("the rank {} must be at least 1", max_rank));
  if (!(tolerance >= 0 && tolerance < 1)) {
    return bad_input(
        fmt::format("the tolerance {} of the singular values must be in [0, 1)", tolerance));
  }
  if (block < 1) {
    return bad_input(fmt::format("the block of {} columns must have at least 1", block));
  }
  return {};
}

double TruncatedSvd::relative_error() const {
  return energy > 0 ? std::sqrt(discarded / energy) : 0;
}

StreamingSvd::StreamingSvd(Eigen::Index rows, const StreamingSvdSettings& settings)
    : m_settings(settings) {
  SUPPLE_CHECK(settings.validate().ok());
  SUPPLE_CHECK_OP(rows, >, 0);
  m_work.resize(rows, 2 * settings.max_rank + settings.block);
}

std::size_t StreamingSvd::memory_bytes(Eigen::Index rows, const StreamingSvdSettings& settings) {
  // The work space, its reflectors, and half as much again for chunks that are being applied.
  const auto columns = static_cast<std::size_t>(2 * settings.max_rank + settings.block);
  return sizeof(double) * static_cast<std::size_t>(rows) * columns * 5 / 2;
}

Result<void> StreamingSvd::add(const Eigen::Ref<const Eigen::VectorXd>& column) {
  SUPPLE_CHECK_OP(column.size(), ==, m_work.rows());
  const double energy = squared_norm(column);
  if (!std::isfinite(energy) || !std::isfinite(m_energy + energy)) {
    return bad_input(fmt::format(
        "column {} of the motion has numbers that are not finite or too large to square",
        m_columns + 1));
  }
  m_work.col(m_values.size() + m_waiting) = column;
  m_energy += energy;
  ++m_waiting;
  ++m_columns;
  if (m_waiting == m_settings.block) absorb();
  return {};
}

/// The largest r with sigma_r >= tolerance sigma_1.
Eigen::Index StreamingSvd::rank(const Eigen::VectorXd& values) const {
  const Eigen::Index most = std::min(m_settings.max_rank, values.size());
  Eigen::Index count = 0;
  while (count < most && values[count] > 0 && values[count] >= m_settings.tolerance * values[0]) {
    ++count;
  }
  return count;
}

Eigen::Index StreamingSvd::carried(const Eigen::VectorXd& values) const {
  // Where the tolerance asks for few, some more are carried: motions often begin at rest.
  constexpr Eigen::Index kSpare = 8;
  const Eigen::Index wanted = rank(values);
  Eigen::Index count = std::min(values.size(), 2 * m_settings.max_rank);
  if (m_settings.tolerance > 0) count = std::min(count, std::max(2 * wanted, wanted + kSpare));
  // Vectors of values that are rounding errors have arbitrary directions.
  const double noise = static_cast<double>(values.size()) * std::numeric_limits<double>::epsilon() *
                       (values.size() > 0 ? values[0] : 0);
  while (count > 0 && !(values[count - 1] > noise)) --count;
  return count;
}

void StreamingSvd::absorb() {
  if (m_waiting == 0) return;
  const TallQr qr(m_work.leftCols(m_values.size() + m_waiting));
  const SmallSvd small = small_svd(qr.triangle());
  const Eigen::Index kept = carried(small.values);
  for (Eigen::Index i = small.values.size(); i-- > kept;) {
    m_discarded += small.values[i] * small.values[i];
  }
  m_values = small.values.head(kept);
  m_waiting = 0;
  qr.apply(small.left.leftCols(kept) * m_values.asDiagonal(), m_work.leftCols(kept));
}

TruncatedSvd StreamingSvd::finish() {
  absorb();
  TruncatedSvd result;
  const Eigen::Index count = rank(m_values);
  result.values = m_values.head(count);
  result.basis.resize(m_work.rows(), count);
  for (Eigen::Index k = 0; k < count; ++k) result.basis.col(k) = m_work.col(k) / m_values[k];
  result.energy = m_energy;
  result.discarded = m_discarded;
  for (Eigen::Index i = m_values.size(); i-- > count;) {
    result.discarded += m_values[i] * m_values[i];
  }
  result.columns = m_columns;
  return result;
}

}  // namespace supple::reduction
