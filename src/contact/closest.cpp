// SPDX-License-Identifier: Apache-2.0
#include "supple/contact/closest.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <utility>

namespace supple::contact {
namespace {

/// Squared sine of the angle between edges above which the normal equations find the closest points
/// to nearly all digits.
constexpr double kWellCrossed = 1e-6;
/// The same below which edges count as parallel: one of the closest points may be anywhere.
constexpr double kParallelEdges = 1e-14;
/// The same two for the corners of a triangle: squared double area over the fourth power of the
/// longest edge.
constexpr double kWellShaped = 1e-6;
constexpr double kFlatTriangle = 1e-14;

/// Weights sum to zero, so positions relative to one of them give the gap with fewer lost digits.
Closest& measured(const Stencil& x, Closest& closest) {
  closest.gap.setZero();
  for (int i = 1; i < 4; ++i) closest.gap += closest.weights[i] * (x.col(i) - x.col(0));
  closest.distance = closest.gap.norm();
  return closest;
}

/// Between vertex `point` and the edge from `a` to `b`.
Closest closest_point_edge(const Stencil& x, int point, int a, int b) {
  Closest closest;
  const Vec3 edge = x.col(b) - x.col(a);
  const double length_squared = edge.squaredNorm();
  const double t = length_squared > 0 ? (x.col(point) - x.col(a)).dot(edge) / length_squared : 0.0;
  closest.weights[point] = 1;
  closest.weights[a] = -(1 - std::clamp(t, 0.0, 1.0));
  closest.weights[b] = -std::clamp(t, 0.0, 1.0);
  if (t > 0 && t < 1) {
    closest.freedoms = 1;
    closest.slides[0][a] = 1;
    closest.slides[0][b] = -1;
  }
  return measured(x, closest);
}

void keep_closer(const Closest& candidate, Closest& best) {
  if (candidate.distance < best.distance) best = candidate;
}

/// The same pair seen from the other primitive.
Closest reversed(Closest closest) {
  closest.weights = -closest.weights;
  for (Weights& slide : closest.slides) slide = -slide;
  closest.gap = -closest.gap;
  return closest;
}

/// The points x0 + s u and x2 + t v where two lines are closest.
class Crossing {
 public:
  explicit Crossing(const Stencil& x) {
    const Vec3 u = x.col(1) - x.col(0);
    const Vec3 v = x.col(3) - x.col(2);
    const Vec3 offset = x.col(0) - x.col(2);
    const double uu = u.squaredNorm();
    const double uv = u.dot(v);
    const double vv = v.squaredNorm();
    const double determinant = u.cross(v).squaredNorm();
    if (!(determinant > 0)) return;
    m_determinant = determinant / (uu * vv);
    m_s = (uv * v.dot(offset) - vv * u.dot(offset)) / determinant;
    // Errors of s grow as the lines become parallel. Perpendiculars from one line to the other
    // correct them: their errors do not grow.
    for (int i = 0; i < 2; ++i) {
      m_t = (uv * m_s + v.dot(offset)) / vv;
      m_s = (uv * m_t - u.dot(offset)) / uu;
    }
  }

  /// The squared sine of the angle between the lines.
  [[nodiscard]] double determinant() const { return m_determinant; }
  [[nodiscard]] bool is_inside() const {
    return m_determinant > 0 && m_s > 0 && m_s < 1 && m_t > 0 && m_t < 1;
  }
  [[nodiscard]] Closest closest(const Stencil& x) const {
    Closest inside;
    inside.weights = Weights(1 - m_s, m_s, -(1 - m_t), -m_t);
    inside.slides[0] = Weights(-1, 1, 0, 0);
    inside.freedoms = 1;
    if (m_determinant > kParallelEdges) {
      inside.slides[1] = Weights(0, 0, 1, -1);
      inside.freedoms = 2;
    }
    return measured(x, inside);
  }

 private:
  double m_determinant = 0;
  double m_s = 0;
  double m_t = 0;
};

/// The foot a + v (b - a) + w (c - a) of the perpendicular from the point to the triangle's plane.
class Foot {
 public:
  explicit Foot(const Stencil& x)
      : m_e1(x.col(2) - x.col(1)), m_e2(x.col(3) - x.col(1)), m_normal(m_e1.cross(m_e2)) {
    const double area_squared = m_normal.squaredNorm();
    if (!(area_squared > 0)) return;
    const double longest =
        std::max({m_e1.squaredNorm(), m_e2.squaredNorm(), (m_e2 - m_e1).squaredNorm()});
    m_shape = area_squared / (longest * longest);
    Vec3 offset = x.col(0) - x.col(1);
    // Errors grow with the offset's length over the width of the triangle. The perpendicular itself
    // is the offset from the foot: every round corrects the one before.
    for (int i = 0; i < (m_shape > kWellShaped ? 1 : 4); ++i) {
      const double v = offset.cross(m_e2).dot(m_normal) / area_squared;
      const double w = m_e1.cross(offset).dot(m_normal) / area_squared;
      offset -= v * m_e1 + w * m_e2;
      m_v += v;
      m_w += w;
    }
  }

  /// 0 for a triangle without area.
  [[nodiscard]] double shape() const { return m_shape; }
  [[nodiscard]] bool is_inside() const {
    return m_shape > 0 && m_v > 0 && m_w > 0 && m_v + m_w < 1;
  }
  [[nodiscard]] Closest closest(const Stencil& x) const {
    Closest inside;
    inside.weights = Weights(1, -(1 - m_v - m_w), -m_v, -m_w);
    inside.slides = {Weights(0, 1, -1, 0), Weights(0, 1, 0, -1)};
    inside.freedoms = 2;
    if (m_shape <= kFlatTriangle) {  // a line in all but name: slide along its longer edge
      if (m_e2.squaredNorm() > m_e1.squaredNorm()) std::swap(inside.slides[0], inside.slides[1]);
      inside.slides[1].setZero();
      inside.freedoms = 1;
    }
    return measured(x, inside);
  }

 private:
  Vec3 m_e1, m_e2, m_normal;
  double m_shape = 0;
  double m_v = 0;
  double m_w = 0;
};

/// The 12 numbers w_i v.
Gradient outer(const Weights& weights, const Vec3& vector) {
  Gradient result;
  for (int i = 0; i < 4; ++i) result.segment<3>(3 * i) = weights[i] * vector;
  return result;
}

}  // namespace

Closest closest_point_triangle(const Stencil& x) {
  const Foot foot(x);
  if (foot.shape() > kWellShaped && foot.is_inside()) return foot.closest(x);
  Closest best = closest_point_edge(x, 0, 1, 2);
  keep_closer(closest_point_edge(x, 0, 2, 3), best);
  keep_closer(closest_point_edge(x, 0, 3, 1), best);
  if (foot.is_inside()) keep_closer(foot.closest(x), best);
  return best;
}

Closest closest_edges(const Stencil& x) {
  const Crossing crossing(x);
  if (crossing.determinant() > kWellCrossed && crossing.is_inside()) return crossing.closest(x);
  Closest best = closest_point_edge(x, 0, 2, 3);
  keep_closer(closest_point_edge(x, 1, 2, 3), best);
  keep_closer(reversed(closest_point_edge(x, 2, 0, 1)), best);
  keep_closer(reversed(closest_point_edge(x, 3, 0, 1)), best);
  if (crossing.is_inside()) keep_closer(crossing.closest(x), best);
  return best;
}

Gradient distance_gradient(const Closest& closest) {
  return outer(closest.weights, closest.gap / closest.distance);
}

Hessian distance_hessian(const Stencil& x, const Closest& closest) {
  Hessian half;  // of the squared distance, by two
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      half.block<3, 3>(3 * i, 3 * j) =
          closest.weights[i] * closest.weights[j] * Eigen::Matrix3d::Identity();
    }
  }
  if (closest.freedoms > 0) {
    Eigen::Matrix<double, 12, 2> m = Eigen::Matrix<double, 12, 2>::Zero();
    Eigen::Matrix2d slide_products = Eigen::Matrix2d::Identity();
    Eigen::Matrix<double, 3, 2> b = Eigen::Matrix<double, 3, 2>::Zero();
    for (int k = 0; k < closest.freedoms; ++k) {
      const Weights& slide = closest.slides[static_cast<std::size_t>(k)];
      b.col(k) = x * slide;
      m.col(k) = outer(closest.weights, b.col(k)) + outer(slide, closest.gap);
    }
    const int n = closest.freedoms;
    slide_products.topLeftCorner(n, n) = b.leftCols(n).transpose() * b.leftCols(n);
    half -= m * slide_products.inverse() * m.transpose();
  }
  const Gradient gradient = distance_gradient(closest);
  return (half - gradient * gradient.transpose()) / closest.distance;
}

}  // namespace supple::contact
