// SPDX-License-Identifier: Apache-2.0
#include "io/meshes/polygon.hpp"

#include <Eigen/Geometry>

namespace supple::io::detail {
namespace {

using geometry::Index;
using geometry::Vec3;

// Ear clipping is cubic at worst; beyond this many corners a hostile file could stall us.
constexpr std::size_t kMaxEarCorners = 128;

class EarClipper {
 public:
  EarClipper(const std::vector<Vec3>& positions, std::span<const Index> polygon)
      : m_positions(positions), m_loop(polygon.begin(), polygon.end()) {
    // Vector area: the exact normal direction for planar polygons, the mean one for warped ones.
    const Vec3& origin = at(0);
    for (std::size_t i = 1; i + 1 < m_loop.size(); ++i) {
      m_normal += (at(i) - origin).cross(at(i + 1) - origin);
    }
  }

  void run(std::vector<geometry::Triangle>& triangles) {
    while (m_loop.size() > 3) {
      const std::size_t ear = find_ear();
      if (ear == m_loop.size()) break;
      const std::size_t n = m_loop.size();
      triangles.push_back({m_loop[(ear + n - 1) % n], m_loop[ear], m_loop[(ear + 1) % n]});
      m_loop.erase(m_loop.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    for (std::size_t i = 1; i + 1 < m_loop.size(); ++i) {
      triangles.push_back({m_loop[0], m_loop[i], m_loop[i + 1]});
    }
  }

 private:
  [[nodiscard]] const Vec3& at(std::size_t i) const {
    return m_positions[static_cast<std::size_t>(m_loop[i])];
  }
  [[nodiscard]] double turn(const Vec3& a, const Vec3& b, const Vec3& c) const {
    return (b - a).cross(c - a).dot(m_normal);
  }
  [[nodiscard]] bool is_ear(std::size_t i) const {
    const std::size_t n = m_loop.size();
    const std::size_t before = (i + n - 1) % n;
    const std::size_t after = (i + 1) % n;
    const Vec3& a = at(before);
    const Vec3& b = at(i);
    const Vec3& c = at(after);
    if (turn(a, b, c) <= 0) return false;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == before || k == i || k == after) continue;
      const Vec3& p = at(k);
      if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
  }
  // Second corner first, so that a convex polygon becomes the fan that every exporter expects.
  [[nodiscard]] std::size_t find_ear() const {
    const std::size_t n = m_loop.size();
    for (std::size_t k = 0; k < n; ++k) {
      if (is_ear((k + 1) % n)) return (k + 1) % n;
    }
    return n;
  }

  const std::vector<Vec3>& m_positions;
  std::vector<Index> m_loop;
  Vec3 m_normal = Vec3::Zero();
};

}  // namespace

void triangulate(const std::vector<Vec3>& positions, std::span<const Index> polygon,
                 std::vector<geometry::Triangle>& triangles) {
  if (polygon.size() == 3) {
    triangles.push_back({polygon[0], polygon[1], polygon[2]});
  } else if (polygon.size() > 3 && polygon.size() <= kMaxEarCorners) {
    EarClipper(positions, polygon).run(triangles);
  } else {
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
      triangles.push_back({polygon[0], polygon[i], polygon[i + 1]});
    }
  }
}

}  // namespace supple::io::detail
