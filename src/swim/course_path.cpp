// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/course_path.hpp"

#include "supple/core/check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace supple::swim {
namespace {

/// Straight pieces per span: chords of a bend of radius r over a span of length r deviate by r / (8
/// * 32^2), far less than a swimmer can follow.
constexpr std::size_t kPieces = 32;

/// Barry and Goldman's pyramid on four points with knots at the square roots of distances.
Eigen::Vector3d centripetal(const std::array<Eigen::Vector3d, 4>& p, double t) {
  std::array<double, 4> knot{};
  for (std::size_t i = 1; i < 4; ++i) knot[i] = knot[i - 1] + std::sqrt((p[i] - p[i - 1]).norm());
  const double u = knot[1] + t * (knot[2] - knot[1]);
  const auto mix = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, std::size_t i,
                       std::size_t j) -> Eigen::Vector3d {
    return a + (u - knot[i]) / (knot[j] - knot[i]) * (b - a);
  };
  const Eigen::Vector3d a = mix(p[0], p[1], 0, 1);
  const Eigen::Vector3d b = mix(p[1], p[2], 1, 2);
  const Eigen::Vector3d c = mix(p[2], p[3], 2, 3);
  return mix(mix(a, b, 0, 2), mix(b, c, 1, 3), 1, 2);
}

}  // namespace

CoursePath::CoursePath(const std::vector<Eigen::Vector3d>& points, bool closed)
    : m_closed(closed && points.size() > 2) {
  const std::size_t count = points.size();
  SUPPLE_CHECK_OP(count, >=, 2U);
  // Beyond the ends of an open curve, the points are mirrored at the end.
  const auto point = [&](std::ptrdiff_t i) -> Eigen::Vector3d {
    const auto n = static_cast<std::ptrdiff_t>(count);
    if (m_closed) return points[static_cast<std::size_t>((i + n) % n)];
    if (i < 0) return 2 * points[0] - points[1];
    if (i >= n) return 2 * points[count - 1] - points[count - 2];
    return points[static_cast<std::size_t>(i)];
  };
  const std::size_t spans = m_closed ? count : count - 1;
  m_points.reserve(spans * kPieces + 1);
  for (std::size_t s = 0; s < spans; ++s) {
    const auto i = static_cast<std::ptrdiff_t>(s);
    const std::array<Eigen::Vector3d, 4> around{point(i - 1), point(i), point(i + 1), point(i + 2)};
    for (std::size_t k = 0; k < kPieces; ++k) {
      m_points.push_back(
          centripetal(around, static_cast<double>(k) / static_cast<double>(kPieces)));
    }
  }
  m_points.push_back(point(static_cast<std::ptrdiff_t>(spans)));
  m_lengths.assign(1, 0);
  m_lengths.reserve(m_points.size());
  for (std::size_t i = 1; i < m_points.size(); ++i) {
    m_lengths.push_back(m_lengths.back() + (m_points[i] - m_points[i - 1]).norm());
  }
  m_knots.reserve(count);
  for (std::size_t i = 0; i < count; ++i) m_knots.push_back(m_lengths[i * kPieces]);
}

Eigen::Vector3d CoursePath::at(double along) const {
  if (m_closed) along -= std::floor(along / length()) * length();
  along = std::clamp(along, 0.0, length());
  const auto next = std::upper_bound(m_lengths.begin() + 1, m_lengths.end() - 1, along);
  const auto i = static_cast<std::size_t>(next - m_lengths.begin());
  const double piece = m_lengths[i] - m_lengths[i - 1];
  const double t = piece > 0 ? (along - m_lengths[i - 1]) / piece : 0;
  return m_points[i - 1] + t * (m_points[i] - m_points[i - 1]);
}

double CoursePath::nearest(const Eigen::Vector3d& position, double from, double to) const {
  // Steps of about a piece's length bracket the minimum; ternary search finds it.
  const double step = length() / static_cast<double>(m_points.size() - 1);
  const auto steps = static_cast<std::size_t>(std::max(1.0, std::ceil((to - from) / step)));
  const auto distance = [&](double along) { return (at(along) - position).squaredNorm(); };
  double best = from;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i <= steps; ++i) {
    const double along = from + (to - from) * static_cast<double>(i) / static_cast<double>(steps);
    const double d = distance(along);
    if (d < least) {
      least = d;
      best = along;
    }
  }
  double low = std::max(from, best - step);
  double high = std::min(to, best + step);
  constexpr int kThirds = 24;
  for (int i = 0; i < kThirds; ++i) {
    const double third = (high - low) / 3;
    if (distance(low + third) < distance(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return (low + high) / 2;
}

}  // namespace supple::swim
