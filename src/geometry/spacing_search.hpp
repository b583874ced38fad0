// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace supple::geometry {

/// Searches for the spacing at which a mesher makes `target` elements: a secant on the logarithms
/// of spacing and count, because the count grows as spacing^-3 inside and spacing^-2 at the
/// surface, kept between the nearest tries on both sides.
class SpacingSearch {
 public:
  explicit SpacingSearch(double target) : m_target(target) {}

  [[nodiscard]] double next() const {
    double spacing = m_spacing * std::pow(std::max(m_count, 0.5) / m_target, 1 / m_exponent);
    // One far step at a time: extrapolation from a coarse lattice overestimates thin parts.
    spacing = std::clamp(spacing, m_spacing / 8, m_spacing * 8);
    if (m_fine && m_coarse && *m_fine < *m_coarse && !(spacing > *m_fine && spacing < *m_coarse))
      spacing = std::sqrt(*m_coarse * *m_fine);
    return spacing;
  }

  void learn(double spacing, std::size_t elements) {
    const auto count = static_cast<double>(elements);
    if (m_count > 0 && count > 0 && spacing != m_spacing) {
      const double slope = std::log(count / m_count) / std::log(m_spacing / spacing);
      m_exponent = std::clamp(slope, m_least_exponent, 4.0);
    }
    m_spacing = spacing;
    m_count = count;
    if (count < m_target) {
      m_coarse = m_coarse ? std::min(*m_coarse, m_spacing) : m_spacing;
    } else {
      m_fine = m_fine ? std::max(*m_fine, m_spacing) : m_spacing;
    }
  }

  /// Lattices that keep one cell across a beam or a plate grow in fewer directions.
  void expect_slow_growth() { m_least_exponent = 1; }

 private:
  double m_target;
  double m_spacing = 0;
  double m_count = 0;
  double m_exponent = 3;
  double m_least_exponent = 2;
  std::optional<double> m_coarse;  ///< the finest spacing with too few elements ...
  std::optional<double> m_fine;    ///< ... and the coarsest with too many
};

/// How far a number of elements is from the one asked for, as the logarithm of their ratio.
[[nodiscard]] inline double count_miss(std::size_t elements, double target) {
  return std::abs(std::log(static_cast<double>(elements) / target));
}

}  // namespace supple::geometry
