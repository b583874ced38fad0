// SPDX-License-Identifier: Apache-2.0
#include "geometry/closest_on_simplex.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <limits>

namespace supple::geometry {
namespace {

/// part / whole in [0, 1]; 0 where an edge has no length.
double fraction(double part, double whole) {
  return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 0.0;
}

}  // namespace

Vec3 closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 ap = p - a;
  const double d1 = ab.dot(ap);
  const double d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const Vec3 bp = p - b;
  const double d3 = ab.dot(bp);
  const double d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double t = fraction(d1, d1 - d3);
    return {1 - t, t, 0};
  }
  const Vec3 cp = p - c;
  const double d5 = ab.dot(cp);
  const double d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double t = fraction(d2, d2 - d6);
    return {1 - t, 0, t};
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double t = fraction(d4 - d3, (d4 - d3) + (d5 - d6));
    return {0, 1 - t, t};
  }
  const double total = va + vb + vc;
  const double v = vb / total;
  const double w = vc / total;
  return {1 - v - w, v, w};
}

Eigen::Vector4d closest_on_tetrahedron(const Vec3& p, const std::array<Vec3, 4>& corner) {
  const Vec3 a = corner[1] - corner[0];
  const Vec3 b = corner[2] - corner[0];
  const Vec3 c = corner[3] - corner[0];
  const Vec3 to_p = p - corner[0];
  const double det = a.dot(b.cross(c));
  Eigen::Vector4d L = Eigen::Vector4d::Constant(-1);
  if (det != 0) {
    L[1] = to_p.dot(b.cross(c)) / det;
    L[2] = a.dot(to_p.cross(c)) / det;
    L[3] = a.dot(b.cross(to_p)) / det;
    L[0] = 1 - L[1] - L[2] - L[3];
    if (L.minCoeff() >= 0) return L;
  }

  // Outside: on one of the faces that the point sees, which are those with a negative coordinate.
  double least = std::numeric_limits<double>::infinity();
  Eigen::Vector4d closest = Eigen::Vector4d::Unit(0);
  for (int f = 0; f < 4; ++f) {
    if (L[f] >= 0) continue;
    const int i = (f + 1) % 4;
    const int j = (f + 2) % 4;
    const int k = (f + 3) % 4;
    const Vec3 on_face = closest_on_triangle(p, corner[i], corner[j], corner[k]);
    const Vec3 place = on_face[0] * corner[i] + on_face[1] * corner[j] + on_face[2] * corner[k];
    const double distance = (place - p).squaredNorm();
    if (distance < least) {
      least = distance;
      closest.setZero();
      closest[i] = on_face[0];
      closest[j] = on_face[1];
      closest[k] = on_face[2];
    }
  }
  return closest;
}

}  // namespace supple::geometry
