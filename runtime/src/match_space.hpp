// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "size.hpp"

#include <cstddef>

namespace supple::player {

/// The scale and shift that lay vertices over where they were, baked = scale * now + shift, by
/// least squares. The rounding of n vertices contributes the root of n times less than it moved
/// one of them.
class SpaceFit {
 public:
  SUPPLE_FOR_SIZE void add(const double now[3], const double baked[3]) {
    if (m_count == 0) {
      for (int i = 0; i < 3; ++i) m_from[i] = now[i], m_to[i] = baked[i];
    }
    ++m_count;
    for (int i = 0; i < 3; ++i) {
      // From the first vertex, so that far from the origin no digits are lost.
      const double x = now[i] - m_from[i];
      const double y = baked[i] - m_to[i];
      const double moved = now[i] - baked[i];
      m_x[i] += x;
      m_y[i] += y;
      m_xx += x * x;
      m_xy += x * y;
      m_yy += y * y;
      m_moved += moved * moved;
    }
  }

  /// False: the vertices are at one place, and say nothing.
  SUPPLE_FOR_SIZE bool solve() {
    double xx = m_xx;
    double xy = m_xy;
    double yy = m_yy;
    for (int i = 0; i < 3; ++i) {
      xx -= m_x[i] * m_x[i] / m_count;
      xy -= m_x[i] * m_y[i] / m_count;
      yy -= m_y[i] * m_y[i] / m_count;
    }
    if (!(xx > kDigits * m_xx) || !(xy > 0)) return false;
    m_scale = xy / xx;
    m_spread = yy;
    m_left = yy - m_scale * xy;
    return true;
  }

  [[nodiscard]] double scale() const { return m_scale; }
  [[nodiscard]] double shift(int i) const {
    return m_to[i] + m_y[i] / m_count - m_scale * (m_from[i] + m_x[i] / m_count);
  }

  /// Whether the vertices are nearly as close to the baked ones without scale and shift. Then they
  /// were rounded, and nothing else.
  [[nodiscard]] bool is_as_it_was() const {
    return m_moved <= kDigits * m_spread || 4 * m_left >= m_moved;
  }

 private:
  static constexpr double kDigits = 1e-12;  // of squares: what sums of doubles leave of them

  double m_count = 0;
  double m_from[3] = {}, m_to[3] = {};
  double m_x[3] = {}, m_y[3] = {};
  double m_xx = 0, m_xy = 0, m_yy = 0;
  double m_moved = 0;  // squares of the distances as they are
  double m_scale = 1;
  double m_spread = 0, m_left = 0;  // squares about the mean, and what the fit leaves
};

}  // namespace supple::player
