// SPDX-License-Identifier: Apache-2.0
#include "geometry/winding_number.hpp"

#include "supple/core/parallel.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace supple::geometry {

namespace {

/// [BDSKJ18 section 4]: a group is far when the query is more than beta radii away. With terms up
/// to the second order, 2 keeps the error of closed characters near 1e-3.
constexpr double kBeta = 2.0;

constexpr std::array<std::array<int, 3>, 10> kThird{{{0, 0, 0},
                                                     {1, 1, 1},
                                                     {2, 2, 2},
                                                     {0, 0, 1},
                                                     {0, 0, 2},
                                                     {1, 1, 0},
                                                     {1, 1, 2},
                                                     {2, 2, 0},
                                                     {2, 2, 1},
                                                     {0, 1, 2}}};

/// Sums half solid angles [VS83]: tan(Omega / 2) = a . (b x c) /
/// (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|). Small angles are multiplied as complex numbers
/// 1 + i tan, so that one arctangent serves several triangles.
class HalfAngles {
 public:
  void add(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double la = a.norm();
    const double lb = b.norm();
    const double lc = c.norm();
    const double numerator = a.dot(b.cross(c));
    const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    if (!(denominator > 0.5 * std::abs(numerator))) {
      // atan2(-0, x < 0) would be -pi; a query in the triangle's plane sees no sign.
      if (numerator != 0) m_sum += std::atan2(numerator, denominator);
      return;
    }
    const double tangent = numerator / denominator;
    const double re = m_re - m_im * tangent;
    const double im = m_im + m_re * tangent;
    m_re = re;
    m_im = im;
    // The next factor could pass pi, or many of them overflow.
    if (m_re <= 0 || m_re > 1e100) flush();
  }
  [[nodiscard]] double sum() const { return m_sum + std::atan2(m_im, m_re); }

 private:
  void flush() {
    m_sum += std::atan2(m_im, m_re);
    m_re = 1;
    m_im = 0;
  }
  double m_sum = 0;
  double m_re = 1;
  double m_im = 0;
};

}  // namespace

WindingNumber::WindingNumber(const TriangleBvh& bvh)
    : m_bvh(bvh), m_reach(bvh.nodes().size()), m_moments(bvh.nodes().size()) {
  parallel_for(m_moments.size(), 64, [this](std::size_t n) {
    m_reach[n] = reach(m_bvh.nodes()[n]);
    m_moments[n] = moments(m_bvh.nodes()[n], m_reach[n].centre);
  });
}

WindingNumber::Reach WindingNumber::reach(const TriangleBvh::Node& node) const {
  const auto begin = m_bvh.corners().begin() + node.first;
  const auto end = begin + node.count;
  double area = 0;
  Vec3 weighted = Vec3::Zero();
  for (auto t = begin; t != end; ++t) {
    const double a = ((*t)[1] - (*t)[0]).cross((*t)[2] - (*t)[0]).norm() / 2;
    area += a;
    weighted += a * ((*t)[0] + (*t)[1] + (*t)[2]) / 3;
  }
  Reach result;
  result.centre = area > 0 ? Vec3(weighted / area) : Vec3(0.5 * (node.low + node.high));
  for (auto t = begin; t != end; ++t) {
    for (const Vec3& corner : *t)
      result.squared = std::max(result.squared, (corner - result.centre).squaredNorm());
  }
  result.squared *= kBeta * kBeta;
  return result;
}

WindingNumber::Moments WindingNumber::moments(const TriangleBvh::Node& node,
                                              const Vec3& centre) const {
  const auto begin = m_bvh.corners().begin() + node.first;
  const auto end = begin + node.count;
  Moments m;
  Mat3 first = Mat3::Zero();
  for (auto t = begin; t != end; ++t) {
    const std::array<Vec3, 3> y{(*t)[0] - centre, (*t)[1] - centre, (*t)[2] - centre};
    const Vec3 s = y[0] + y[1] + y[2];
    const Vec3 n = (y[1] - y[0]).cross(y[2] - y[0]) / 2;
    // The exact mean of y y^T over a triangle.
    Mat3 yy = s * s.transpose();
    for (const Vec3& v : y) yy += v * v.transpose();
    yy /= 12;
    m.dipole += n;
    first += n * s.transpose() / 3;
    for (std::size_t c = 0; c < kThird.size(); ++c) {
      const auto [i, j, k] = kThird[c];
      m.second[c] += (n[i] * yy(j, k) + n[j] * yy(k, i) + n[k] * yy(i, j)) / 3;
    }
  }
  m.first = {first(0, 0),
             first(1, 1),
             first(2, 2),
             first(0, 1) + first(1, 0),
             first(1, 2) + first(2, 1),
             first(2, 0) + first(0, 2)};
  m.first_trace = first.trace();
  const auto& s = m.second;
  m.second_trace = Vec3(s[0] + s[5] + s[7], s[3] + s[1] + s[8], s[4] + s[6] + s[2]);
  return m;
}

/// Taylor expansion of n . x / |x|^3 about d, the node's centre seen from the query
/// [BDSKJ18 section 3], with F_i = d_i / r^3 and its derivatives contracted by hand.
double WindingNumber::expand(const Moments& m, const Vec3& d, double distance_squared) {
  const double r2 = 1 / distance_squared;
  const double r3 = r2 * std::sqrt(r2);
  const auto& f = m.first;
  const auto& s = m.second;
  const double x = d[0];
  const double y = d[1];
  const double z = d[2];
  const double order0 = m.dipole.dot(d);
  const double quadratic =
      x * (f[0] * x + f[3] * y) + y * (f[1] * y + f[4] * z) + z * (f[2] * z + f[5] * x);
  const double order1 = m.first_trace - 3 * r2 * quadratic;
  const double cubic = x * x * (s[0] * x + 3 * (s[3] * y + s[4] * z)) +
                       y * y * (s[1] * y + 3 * (s[5] * x + s[6] * z)) +
                       z * z * (s[2] * z + 3 * (s[7] * x + s[8] * y)) + 6 * s[9] * x * y * z;
  const double order2 = r2 * (-4.5 * m.second_trace.dot(d) + 7.5 * r2 * cubic);
  return r3 * (order0 + order1 + order2);
}

double WindingNumber::operator()(const Vec3& query) const {
  const auto& nodes = m_bvh.nodes();
  if (nodes.empty()) return 0;
  double far = 0;
  HalfAngles near;
  std::array<Index, TriangleBvh::kMaxStack> stack;
  std::size_t top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const auto index = static_cast<std::size_t>(stack[--top]);
    const Vec3 d = m_reach[index].centre - query;
    const double distance_squared = d.squaredNorm();
    if (distance_squared > m_reach[index].squared) {
      far += expand(m_moments[index], d, distance_squared);
      continue;
    }
    const TriangleBvh::Node& node = nodes[index];
    if (!node.leaf()) {
      stack[top++] = node.right;
      stack[top++] = static_cast<Index>(index + 1);
      continue;
    }
    for (Index t = node.first; t < node.first + node.count; ++t) {
      const Corners& c = m_bvh.corners()[static_cast<std::size_t>(t)];
      near.add(c[0] - query, c[1] - query, c[2] - query);
    }
  }
  return (far + 2 * near.sum()) / (4 * std::numbers::pi);
}

}  // namespace supple::geometry
