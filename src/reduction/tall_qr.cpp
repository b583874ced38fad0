// SPDX-License-Identifier: Apache-2.0
#include "reduction/tall_qr.hpp"

#include "reduction/blas.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"
#include "supple/reduction/blas_kernels.hpp"

namespace supple::reduction {
namespace {

/// Depends only on the shape of the matrix. Four times the width keeps the triangles small beside
/// the chunks.
Eigen::Index qr_chunk_rows(Eigen::Index columns) {
  return std::max<Eigen::Index>(2048, 4 * columns);
}

Eigen::MatrixXd upper_triangle(const Eigen::MatrixXd& reflectors, Eigen::Index rows) {
  return reflectors.topRows(rows).triangularView<Eigen::Upper>();
}

}  // namespace

void TallQr::Factor::compute() {
  scales.resize(triangle_rows());
  const auto rows = static_cast<int>(reflectors.rows());
  const auto columns = static_cast<int>(reflectors.cols());
  int info = 0;
  double best = 0;
  int length = -1;  // asks for the best length
  blas::dgeqrf_(&rows, &columns, reflectors.data(), &rows, scales.data(), &best, &length, &info);
  Eigen::VectorXd work(static_cast<Eigen::Index>(best));
  length = static_cast<int>(work.size());
  blas::dgeqrf_(&rows, &columns, reflectors.data(), &rows, scales.data(), work.data(), &length,
                &info);
  SUPPLE_CHECK_OP(info, ==, 0);
}

void TallQr::Factor::apply_to(Eigen::MatrixXd& x) const {
  const auto rows = static_cast<int>(x.rows());
  const auto columns = static_cast<int>(x.cols());
  const auto count = static_cast<int>(scales.size());
  int info = 0;
  double best = 0;
  int length = -1;
  blas::dormqr_("L", "N", &rows, &columns, &count, reflectors.data(), &rows, scales.data(),
                x.data(), &rows, &best, &length, &info);
  Eigen::VectorXd work(static_cast<Eigen::Index>(best));
  length = static_cast<int>(work.size());
  blas::dormqr_("L", "N", &rows, &columns, &count, reflectors.data(), &rows, scales.data(),
                x.data(), &rows, work.data(), &length, &info);
  SUPPLE_CHECK_OP(info, ==, 0);
}

TallQr::TallQr(const Eigen::Ref<const Eigen::MatrixXd>& w) : m_chunk_rows(qr_chunk_rows(w.cols())) {
  prepare_blas();
  m_chunks.resize(static_cast<std::size_t>((w.rows() + m_chunk_rows - 1) / m_chunk_rows));
  parallel_for(m_chunks.size(), 1, [&](std::size_t c) {
    const Eigen::Index first = static_cast<Eigen::Index>(c) * m_chunk_rows;
    m_chunks[c].reflectors = w.middleRows(first, std::min(m_chunk_rows, w.rows() - first));
    m_chunks[c].compute();
  });
  Eigen::Index rows = 0;
  for (const Factor& chunk : m_chunks) rows += chunk.triangle_rows();
  m_top.reflectors.resize(rows, w.cols());
  Eigen::Index at = 0;
  for (const Factor& chunk : m_chunks) {
    const Eigen::Index count = chunk.triangle_rows();
    m_top.reflectors.middleRows(at, count) = upper_triangle(chunk.reflectors, count);
    at += count;
  }
  m_top.compute();
}

Eigen::MatrixXd TallQr::triangle() const {
  return upper_triangle(m_top.reflectors, m_top.triangle_rows());
}

void TallQr::apply(const Eigen::MatrixXd& c, Eigen::Ref<Eigen::MatrixXd> out) const {
  SUPPLE_CHECK_OP(c.rows(), ==, m_top.triangle_rows());
  SUPPLE_CHECK_OP(c.cols(), ==, out.cols());
  Eigen::MatrixXd top = Eigen::MatrixXd::Zero(m_top.reflectors.rows(), c.cols());
  top.topRows(c.rows()) = c;
  m_top.apply_to(top);
  std::vector<Eigen::Index> firsts(m_chunks.size(), 0);
  for (std::size_t i = 1; i < m_chunks.size(); ++i) {
    firsts[i] = firsts[i - 1] + m_chunks[i - 1].triangle_rows();
  }
  parallel_for(m_chunks.size(), 1, [&](std::size_t i) {
    const Eigen::Index count = m_chunks[i].triangle_rows();
    Eigen::MatrixXd x = Eigen::MatrixXd::Zero(m_chunks[i].reflectors.rows(), c.cols());
    x.topRows(count) = top.middleRows(firsts[i], count);
    m_chunks[i].apply_to(x);
    out.middleRows(static_cast<Eigen::Index>(i) * m_chunk_rows, x.rows()) = x;
  });
}

}  // namespace supple::reduction
