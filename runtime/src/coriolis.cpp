// SPDX-License-Identifier: Apache-2.0
#include "coriolis.hpp"

#include <cstring>

namespace supple::player {

void Coriolis::prepare(Vec3 spin, double h) {
  const std::size_t square = m_stride * m_stride;
  for (std::size_t i = 0; i < m_count; ++i) {
    for (std::size_t j = 0; j < m_count; ++j) {
      const double* g = m_matrices + i * m_stride + j;
      m_scratch.spin[i * m_count + j] = spin.x * g[0] + spin.y * g[square] + spin.z * g[2 * square];
    }
  }
  factorise(h);
}

/// I + h/2 W as LU without pivots: its symmetric part is the identity, so none is small.
void Coriolis::factorise(double h) {
  const std::size_t n = m_count;
  double* factor = m_scratch.factor;
  for (std::size_t i = 0; i < n * n; ++i) factor[i] = h / 2 * m_scratch.spin[i];
  for (std::size_t i = 0; i < n; ++i) factor[i * n + i] += 1;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const double ratio = factor[i * n + k] / factor[k * n + k];
      factor[i * n + k] = ratio;
      for (std::size_t j = k + 1; j < n; ++j) factor[i * n + j] -= ratio * factor[k * n + j];
    }
  }
}

/// (I + h/2 W)^-1 (I - h/2 W) x = 2 (I + h/2 W)^-1 x - x.
void Coriolis::turn() {
  const std::size_t n = m_count;
  const double* factor = m_scratch.factor;
  double* x = m_q_dot;
  double* y = m_scratch.vector;
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = x[i];
    for (std::size_t j = 0; j < i; ++j) y[i] -= factor[i * n + j] * y[j];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) y[i] -= factor[i * n + j] * y[j];
    y[i] /= factor[i * n + i];
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = 2 * y[i] - x[i];
}

const double* Coriolis::nudged(double h) {
  const std::size_t n = m_count;
  double* nudged = m_scratch.vector;
  std::memcpy(nudged, m_q_dot, m_lanes * sizeof(double));
  for (std::size_t i = 0; i < n; ++i) {
    double turned = 0;
    for (std::size_t j = 0; j < n; ++j) turned += m_scratch.spin[i * n + j] * m_q_dot[j];
    nudged[i] -= h * turned;
  }
  return nudged;
}

}  // namespace supple::player
