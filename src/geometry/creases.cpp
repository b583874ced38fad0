// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/creases.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace supple::geometry {
namespace {

Vec3 facet_normal(const TriMesh& mesh, const Triangle& t) {
  const Vec3& a = mesh.positions[t[0]];
  return (mesh.positions[t[1]] - a).cross(mesh.positions[t[2]] - a).stableNormalized();
}

/// Corners around one vertex, joined into fans across edges that are not sharp.
class CornerFans {
 public:
  explicit CornerFans(std::size_t corners) : m_fan(corners) {
    std::iota(m_fan.begin(), m_fan.end(), std::size_t{0});
  }
  [[nodiscard]] std::size_t of(std::size_t corner) {
    while (m_fan[corner] != corner) corner = m_fan[corner] = m_fan[m_fan[corner]];
    return corner;
  }
  void join(std::size_t a, std::size_t b) {
    const std::size_t first = of(a);
    const std::size_t second = of(b);
    m_fan[std::max(first, second)] = std::min(first, second);
  }

 private:
  std::vector<std::size_t> m_fan;
};

/// Joins corners 3 t + c at both ends of every edge that two triangles bend by less than `crease`.
void join_smooth_edges(const TriMesh& mesh, double crease, CornerFans& fans) {
  struct Side {
    Index low, high;
    std::size_t at_low, at_high;  // corners
  };
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      Side side{mesh.triangles[t][c], mesh.triangles[t][(c + 1) % 3], 3 * t + c,
                3 * t + (c + 1) % 3};
      if (side.low > side.high) {
        std::swap(side.low, side.high);
        std::swap(side.at_low, side.at_high);
      }
      sides.push_back(side);
    }
  }
  std::stable_sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    return std::pair(a.low, a.high) < std::pair(b.low, b.high);
  });
  const double least_cosine = std::cos(crease);
  for (std::size_t i = 1; i < sides.size(); ++i) {
    const Side& a = sides[i - 1];
    const Side& b = sides[i];
    if (a.low != b.low || a.high != b.high) continue;
    const Vec3 normal_a = facet_normal(mesh, mesh.triangles[a.at_low / 3]);
    const Vec3 normal_b = facet_normal(mesh, mesh.triangles[b.at_low / 3]);
    if (normal_a.dot(normal_b) < least_cosine) continue;
    fans.join(a.at_low, b.at_low);
    fans.join(a.at_high, b.at_high);
  }
}

}  // namespace

SplitSurface split_creases(const TriMesh& mesh, double crease) {
  CornerFans fans(3 * mesh.triangles.size());
  join_smooth_edges(mesh, crease, fans);
  SplitSurface split;
  std::vector<Index> vertex_of_fan(3 * mesh.triangles.size(), -1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Triangle triangle{};
    for (std::size_t c = 0; c < 3; ++c) {
      Index& vertex = vertex_of_fan[fans.of(3 * t + c)];
      if (vertex < 0) {
        vertex = static_cast<Index>(split.source.size());
        split.source.push_back(mesh.triangles[t][c]);
        split.mesh.positions.push_back(mesh.positions[mesh.triangles[t][c]]);
      }
      triangle[c] = vertex;
    }
    split.mesh.triangles.push_back(triangle);
  }
  return split;
}

}  // namespace supple::geometry
