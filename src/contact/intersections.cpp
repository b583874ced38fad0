// SPDX-License-Identifier: Apache-2.0
#include "supple/contact/intersections.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace supple::contact {
namespace {

using Integer = boost::multiprecision::cpp_int;

int sign_of(double value) {
  return (value > 0) - (value < 0);
}

/// A double is an integer times a power of two. With one power for all, sums and products of these
/// integers are exact.
class CommonScale {
 public:
  /// Adds numbers that will be converted.
  void cover(std::initializer_list<double> numbers) {
    for (const double number : numbers) {
      if (number != 0) m_exponent = std::min(m_exponent, std::ilogb(number) - kBits);
    }
  }
  [[nodiscard]] Integer operator()(double number) const {
    if (number == 0) return 0;
    const int exponent = std::ilogb(number) - kBits;
    return Integer(static_cast<std::int64_t>(std::scalbn(number, -exponent)))
           << static_cast<unsigned>(exponent - m_exponent);
  }

 private:
  static constexpr int kBits = 52;  ///< behind the binary point
  int m_exponent = std::numeric_limits<int>::max();
};

/// The determinant of three edge vectors from d, in integers: exact, and needed only when four
/// points are coplanar to within rounding.
int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  CommonScale scaled;
  for (const Vec3* p : {&a, &b, &c, &d}) scaled.cover({p->x(), p->y(), p->z()});
  std::array<std::array<Integer, 3>, 3> m;
  for (int k = 0; k < 3; ++k) {
    const auto column = static_cast<std::size_t>(k);
    const Integer origin = scaled(d[k]);
    m[0][column] = scaled(a[k]) - origin;
    m[1][column] = scaled(b[k]) - origin;
    m[2][column] = scaled(c[k]) - origin;
  }
  const Integer determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                              m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                              m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  return determinant.sign();
}

using Vec2 = Eigen::Vector2d;

/// The side of the line from a to b on which c lies, in a plane.
int turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  const double left = (a.x() - c.x()) * (b.y() - c.y());
  const double right = (a.y() - c.y()) * (b.x() - c.x());
  constexpr double kError = 4 * std::numeric_limits<double>::epsilon();
  const double determinant = left - right;
  const double bound = kError * (std::abs(left) + std::abs(right));
  if (std::abs(determinant) > bound && bound > std::numeric_limits<double>::min()) {
    return sign_of(determinant);
  }
  CommonScale scaled;
  for (const Vec2* p : {&a, &b, &c}) scaled.cover({p->x(), p->y()});
  const Integer x = scaled(c.x());
  const Integer y = scaled(c.y());
  const Integer exact =
      (scaled(a.x()) - x) * (scaled(b.y()) - y) - (scaled(a.y()) - y) * (scaled(b.x()) - x);
  return exact.sign();
}

/// Whether two segments in a plane have a point in common.
bool segments_meet(const Vec2& p, const Vec2& q, const Vec2& a, const Vec2& b) {
  const int pa = turn(a, b, p);
  const int qa = turn(a, b, q);
  const int ap = turn(p, q, a);
  const int bp = turn(p, q, b);
  if (pa == 0 && qa == 0) {  // on one line: their boxes decide
    return (p.cwiseMin(q).array() <= a.cwiseMax(b).array()).all() &&
           (a.cwiseMin(b).array() <= p.cwiseMax(q).array()).all();
  }
  return pa * qa <= 0 && ap * bp <= 0;
}

/// The point seen along a coordinate axis.
Vec2 along(int axis, const Vec3& point) {
  return {point[(axis + 1) % 3], point[(axis + 2) % 3]};
}

/// A coordinate axis along which the triangle has an area, or -1 if it has none.
int axis_that_sees(const Vec3& a, const Vec3& b, const Vec3& c) {
  int best = 0;
  (b - a).cross(c - a).cwiseAbs().maxCoeff(&best);
  for (int i = 0; i < 3; ++i) {
    const int axis = (best + i) % 3;
    if (turn(along(axis, a), along(axis, b), along(axis, c)) != 0) return axis;
  }
  return -1;
}

/// All five points lie in one plane.
bool coplanar_edge_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b,
                                  const Vec3& c) {
  const int axis = axis_that_sees(a, b, c);
  if (axis < 0) return false;
  const auto flat = [&](const Vec3& point) { return along(axis, point); };
  const Vec2 fp = flat(p);
  const Vec2 fq = flat(q);
  const Vec2 fa = flat(a);
  const Vec2 fb = flat(b);
  const Vec2 fc = flat(c);
  if (segments_meet(fp, fq, fa, fb) || segments_meet(fp, fq, fb, fc) ||
      segments_meet(fp, fq, fc, fa)) {
    return true;
  }
  const int first = turn(fa, fb, fp);
  return first != 0 && first == turn(fb, fc, fp) && first == turn(fc, fa, fp);
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = a - d;
  const Vec3 v = b - d;
  const Vec3 w = c - d;
  const Vec3 product = v.cross(w);
  const double determinant = u.dot(product);
  // Every difference, product and sum is rounded: at most eight roundings per term.
  constexpr double kError = 8 * std::numeric_limits<double>::epsilon();
  const Vec3 magnitude(std::abs(v.y() * w.z()) + std::abs(v.z() * w.y()),
                       std::abs(v.z() * w.x()) + std::abs(v.x() * w.z()),
                       std::abs(v.x() * w.y()) + std::abs(v.y() * w.x()));
  const double bound = kError * u.cwiseAbs().dot(magnitude);
  if (std::abs(determinant) > bound && bound > std::numeric_limits<double>::min()) {
    return sign_of(determinant);
  }
  return exact_orientation(a, b, c, d);
}

bool edge_meets_triangle(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b,
                         const Vec3& c) {
  const Vec3 low = a.cwiseMin(b).cwiseMin(c);
  const Vec3 high = a.cwiseMax(b).cwiseMax(c);
  if ((p.cwiseMin(q).array() > high.array()).any() || (p.cwiseMax(q).array() < low.array()).any()) {
    return false;
  }
  const int side_p = orientation(a, b, c, p);
  const int side_q = orientation(a, b, c, q);
  if (side_p * side_q > 0) return false;
  if (side_p == 0 && side_q == 0) return coplanar_edge_meets_triangle(p, q, a, b, c);
  const std::array<int, 3> around{orientation(p, q, a, b), orientation(p, q, b, c),
                                  orientation(p, q, c, a)};
  const auto [least, most] = std::minmax_element(around.begin(), around.end());
  return *least >= 0 || *most <= 0;
}

}  // namespace supple::contact
