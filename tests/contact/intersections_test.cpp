// SPDX-License-Identifier: Apache-2.0
#include "supple/contact/intersections.hpp"

#include "contact/stencils.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace supple::contact::testing {
namespace {

using Number = boost::multiprecision::cpp_rational;
using Point = std::array<Number, 3>;

Point exact(const Vec3& v) {
  return {Number(v.x()), Number(v.y()), Number(v.z())};
}
Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Number dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
bool is_zero(const Point& a) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

/// Whether a point in the plane of a triangle lies in it.
bool inside(const Point& p, const std::array<Point, 3>& t, const Point& normal) {
  for (std::size_t i = 0; i < 3; ++i) {
    const Point& a = t[i];
    if (dot(cross(minus(t[(i + 1) % 3], a), minus(p, a)), normal) < 0) return false;
  }
  return true;
}

/// Whether two segments in one plane meet: a point p + s u = a + r v.
bool segments_meet(const Point& p, const Point& q, const Point& a, const Point& b,
                   const Point& normal) {
  const Point u = minus(q, p);
  const Point v = minus(b, a);
  const Number determinant = dot(cross(u, v), normal);
  // Along one line: if they overlap, an end lies in the triangle or another side is met.
  if (determinant == 0) return false;
  const Number s = dot(cross(minus(a, p), v), normal) / determinant;
  const Number r = dot(cross(minus(a, p), u), normal) / determinant;
  return s >= 0 && s <= 1 && r >= 0 && r <= 1;
}

/// By solving for the common point in rational numbers.
bool meets(const Vec3& p3, const Vec3& q3, const std::array<Vec3, 3>& corners) {
  const Point p = exact(p3);
  const Point q = exact(q3);
  const std::array<Point, 3> t{exact(corners[0]), exact(corners[1]), exact(corners[2])};
  const Point normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
  if (is_zero(normal)) return false;
  const Point along = minus(q, p);
  const Number rate = dot(along, normal);
  const Number offset = dot(minus(t[0], p), normal);
  if (rate != 0) {
    const Number s = offset / rate;
    if (s < 0 || s > 1) return false;
    return inside({p[0] + s * along[0], p[1] + s * along[1], p[2] + s * along[2]}, t, normal);
  }
  if (offset != 0) return false;
  if (inside(p, t, normal) || inside(q, t, normal)) return true;
  bool met = false;
  for (std::size_t i = 0; i < 3; ++i) {
    met = met || segments_meet(p, q, t[i], t[(i + 1) % 3], normal);
  }
  return met;
}

TEST(Intersections, AgreeWithRationalSolutionsOnGridsFullOfDegenerateCases) {
  Random random(21);
  const auto grid_point = [&](double scale) {
    const auto whole = [&] { return static_cast<double>(random.below(4)); };
    return Vec3(scale * Vec3(whole(), whole(), whole()));
  };
  int met = 0;
  for (int i = 0; i < 6000; ++i) {
    // 0.1 is rounded: points that look coplanar on paper are not, by the last bit.
    const double scale = i % 2 == 0 ? 1.0 : 0.1;
    const Vec3 p = grid_point(scale);
    const Vec3 q = grid_point(scale);
    const std::array<Vec3, 3> t{grid_point(scale), grid_point(scale), grid_point(scale)};
    const bool expected = meets(p, q, t);
    met += expected ? 1 : 0;
    ASSERT_EQ(edge_meets_triangle(p, q, t[0], t[1], t[2]), expected)
        << p.transpose() << " to " << q.transpose() << " and " << t[0].transpose() << ", "
        << t[1].transpose() << ", " << t[2].transpose();
  }
  EXPECT_GT(met, 300);
}

TEST(Intersections, OrientationSeesTheLastBit) {
  const Vec3 a(0.1, 0.1, 0.1);
  const Vec3 b(0.9, 0.3, 0.1);
  const Vec3 c(0.2, 0.7, 0.1);
  EXPECT_EQ(orientation(a, b, c, Vec3(0.4, 0.4, 0.1)), 0);
  const int above = orientation(a, b, c, Vec3(0.4, 0.4, std::nextafter(0.1, 1)));
  const int below = orientation(a, b, c, Vec3(0.4, 0.4, std::nextafter(0.1, 0)));
  EXPECT_EQ(above * below, -1);
  // Products that underflow.
  EXPECT_EQ(orientation(1e-120 * a, 1e-120 * b, 1e-120 * c, Vec3(0, 0, 1e-100)), above);
}

}  // namespace
}  // namespace supple::contact::testing
