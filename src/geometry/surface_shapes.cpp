// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/shapes.hpp"

#include "supple/core/check.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::geometry {
namespace {

constexpr double kPi = std::numbers::pi;

/// A point (distance from the axis, height) of the profile of a solid of revolution.
struct ProfilePoint {
  double radius;
  double y;
};

/// Revolves a profile, from the bottom upwards on its outside, about the y axis. An open profile
/// begins and ends on the axis; a closed one never touches it.
TriMesh revolve(const std::vector<ProfilePoint>& profile, bool closed, int segments) {
  SUPPLE_CHECK_OP(segments, >=, 3);
  TriMesh mesh;
  std::vector<Index> ring_start;  // a ring of `segments` vertices, or a single pole
  for (const ProfilePoint& point : profile) {
    ring_start.push_back(static_cast<Index>(mesh.positions.size()));
    const int copies = point.radius > 0 ? segments : 1;
    for (int s = 0; s < copies; ++s) {
      const double angle = 2 * kPi * s / segments;
      mesh.positions.emplace_back(point.radius * std::cos(angle), point.y,
                                  point.radius * std::sin(angle));
    }
  }
  const auto vertex = [&](std::size_t ring, int s) {
    return ring_start[ring] + (profile[ring].radius > 0 ? s % segments : 0);
  };
  const auto add = [&](Index a, Index b, Index c) {
    if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
  };
  const std::size_t bands = closed ? profile.size() : profile.size() - 1;
  for (std::size_t low = 0; low < bands; ++low) {
    const std::size_t high = (low + 1) % profile.size();
    for (int s = 0; s < segments; ++s) {
      add(vertex(low, s), vertex(high, s), vertex(high, s + 1));
      add(vertex(low, s), vertex(high, s + 1), vertex(low, s + 1));
    }
  }
  return mesh;
}

/// The twelve vertices of an icosahedron are (0, +-1, +-g) and its cyclic shifts.
TriMesh icosahedron() {
  const double g = std::numbers::phi;
  TriMesh mesh;
  mesh.positions = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                    {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  mesh.triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                    {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                    {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                    {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  return mesh;
}

/// Every triangle into four; midpoints are shared through the sorted list of edges.
void split_edges(TriMesh& mesh) {
  const auto key = [](Index a, Index b) {
    return static_cast<std::uint64_t>(std::min(a, b)) << 32U |
           static_cast<std::uint64_t>(std::max(a, b));
  };
  std::vector<std::uint64_t> edges;
  for (const Triangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) edges.push_back(key(t[k], t[(k + 1) % 3]));
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  const auto corner_count = static_cast<Index>(mesh.positions.size());
  for (const std::uint64_t edge : edges) {
    const auto a = static_cast<Index>(edge >> 32U);
    const auto b = static_cast<Index>(edge & 0xffffffffU);
    mesh.positions.emplace_back(0.5 * (mesh.positions[a] + mesh.positions[b]));
  }
  const auto middle = [&](Index a, Index b) {
    const auto it = std::lower_bound(edges.begin(), edges.end(), key(a, b));
    return corner_count + static_cast<Index>(it - edges.begin());
  };
  std::vector<Triangle> split;
  split.reserve(4 * mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    const Index ab = middle(a, b);
    const Index bc = middle(b, c);
    const Index ca = middle(c, a);
    split.insert(split.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(split);
}

/// Distance to the hull of two balls. In the plane of the axis and the point, x along the axis:
/// the hull is bounded by the two circles and their common tangent, whose normal leans by
/// sin = (ra - rb) / length.
double capsule_distance(const BlendedCapsules::Capsule& capsule, const Vec3& point) {
  const Vec3 axis = capsule.b - capsule.a;
  const double length = axis.norm();
  const double difference = capsule.radius_a - capsule.radius_b;
  if (length <= std::abs(difference)) {  // one ball contains the other
    return difference >= 0 ? (point - capsule.a).norm() - capsule.radius_a
                           : (point - capsule.b).norm() - capsule.radius_b;
  }
  const Vec3 to_point = point - capsule.a;
  const double x = to_point.dot(axis) / length;
  const double y = std::sqrt(std::max(0.0, to_point.squaredNorm() - x * x));
  const double lean = difference / length;
  const double upright = std::sqrt(1 - lean * lean);
  // Where the tangent's normal through the point meets the axis.
  const double foot = x - y * lean / upright;
  if (foot <= 0) return std::hypot(x, y) - capsule.radius_a;
  if (foot >= length) return std::hypot(x - length, y) - capsule.radius_b;
  return x * lean + y * upright - capsule.radius_a;
}

}  // namespace

TriMesh box_surface(const Box& box) {
  SUPPLE_CHECK(box.size().minCoeff() > 0);
  TriMesh mesh;
  for (int v = 0; v < 8; ++v) {
    mesh.positions.emplace_back((v & 1) != 0 ? box.high.x() : box.low.x(),
                                (v & 2) != 0 ? box.high.y() : box.low.y(),
                                (v & 4) != 0 ? box.high.z() : box.low.z());
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

TriMesh sphere_surface(double radius, int subdivisions) {
  SUPPLE_CHECK(radius > 0);
  SUPPLE_CHECK(subdivisions >= 0 && subdivisions <= 10);
  TriMesh mesh = icosahedron();
  const auto project = [&] {
    for (Vec3& p : mesh.positions) p *= radius / p.norm();
  };
  project();
  for (int s = 0; s < subdivisions; ++s) {
    split_edges(mesh);
    project();
  }
  return mesh;
}

TriMesh cylinder_surface(double radius, double height, int segments, int rings) {
  SUPPLE_CHECK(radius > 0 && height > 0);
  SUPPLE_CHECK_OP(rings, >=, 1);
  std::vector<ProfilePoint> profile{{0, -height / 2}};
  for (int i = 0; i <= rings; ++i) {
    profile.push_back({radius, height * (static_cast<double>(i) / rings - 0.5)});
  }
  profile.push_back({0, height / 2});
  return revolve(profile, false, segments);
}

TriMesh capsule_surface(double radius, double height, int segments, int rings) {
  SUPPLE_CHECK(radius > 0 && height > 0);
  SUPPLE_CHECK_OP(rings, >=, 1);
  std::vector<ProfilePoint> profile{{0, -height / 2 - radius}};
  for (int i = 1; i <= rings; ++i) {
    const double angle = kPi / 2 * i / rings;
    profile.push_back({radius * std::sin(angle), -height / 2 - radius * std::cos(angle)});
  }
  for (std::size_t i = profile.size(); i-- > 0;) {
    profile.push_back({profile[i].radius, -profile[i].y});
  }
  return revolve(profile, false, segments);
}

TriMesh torus_surface(double major_radius, double minor_radius, int segments, int sides) {
  SUPPLE_CHECK(minor_radius > 0 && major_radius > minor_radius);
  SUPPLE_CHECK_OP(sides, >=, 3);
  std::vector<ProfilePoint> profile;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * kPi * i / sides;
    profile.push_back(
        {major_radius + minor_radius * std::cos(angle), minor_radius * std::sin(angle)});
  }
  return revolve(profile, true, segments);
}

double BlendedCapsules::signed_distance(const Vec3& point) const {
  double distance = std::numeric_limits<double>::infinity();
  for (const Capsule& capsule : capsules) {
    const double next = capsule_distance(capsule, point);
    // smin(a, b) = min(a, b) - k h^2 / 4 with h = max(0, 1 - |a - b| / k).
    const double gap = std::abs(next - distance);
    const double h = gap < blend ? 1 - gap / blend : 0.0;
    distance = std::min(distance, next) - 0.25 * blend * h * h;
  }
  return distance;
}

Box BlendedCapsules::bounds() const {
  if (capsules.empty()) return {};
  // Each blend lowers the distance by at most k/4, and all of them together by at most k, where
  // h vanishes.
  const double swell = blend * std::min(1.0, 0.25 * static_cast<double>(capsules.size() - 1));
  Box box;
  for (const Capsule& capsule : capsules) {
    for (const auto& [centre, radius] :
         {std::pair(capsule.a, capsule.radius_a), std::pair(capsule.b, capsule.radius_b)}) {
      box.add(centre - Vec3::Constant(radius + swell));
      box.add(centre + Vec3::Constant(radius + swell));
    }
  }
  return box;
}

}  // namespace supple::geometry
