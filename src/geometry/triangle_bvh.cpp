// SPDX-License-Identifier: Apache-2.0
#include "geometry/triangle_bvh.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace supple::geometry {

namespace {

/// Below this ratio of (2 area)^2 to (longest edge)^4 barycentric coordinates lose half their
/// digits or more, and the triangle is treated as its three edges.
constexpr double kFlatTriangle = 1e-16;

/// How far outside a triangle, in barycentric coordinates, a segment still counts as a hit: more
/// than rounding, so that no segment slips through between two neighbours.
constexpr double kEdgeSlack = 1e-10;

double box_distance_squared(const TriangleBvh::Node& node, const Vec3& query) {
  const Vec3 outside = (node.low - query).cwiseMax(query - node.high).cwiseMax(0.0);
  return outside.squaredNorm();
}

/// Fraction along the segment of the point nearest to `query`; 0 for a segment of zero length.
double closest_fraction(const Vec3& query, const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double length_squared = ab.squaredNorm();
  if (!(length_squared > 0)) return 0;
  return std::clamp((query - a).dot(ab) / length_squared, 0.0, 1.0);
}

ClosestPoint closest_on_edges(const Vec3& query, const Corners& corners) {
  ClosestPoint best;
  best.distance = std::numeric_limits<double>::infinity();
  for (int e = 0; e < 3; ++e) {
    const auto i = static_cast<std::size_t>(e);
    const std::size_t j = (i + 1) % 3;
    const double t = closest_fraction(query, corners[i], corners[j]);
    const Vec3 point = corners[i] + t * (corners[j] - corners[i]);
    const double distance = (point - query).norm();
    if (distance >= best.distance) continue;
    best.distance = distance;
    best.point = point;
    best.barycentric.setZero();
    best.barycentric[static_cast<int>(i)] = 1 - t;
    best.barycentric[static_cast<int>(j)] = t;
  }
  return best;
}

/// The slab test of a segment with parameter in [0, 1] against a box.
bool segment_meets_box(const Vec3& origin, const Vec3& inverse, const TriangleBvh::Node& node,
                       double slack) {
  const Vec3 t0 = ((node.low.array() - slack - origin.array()) * inverse.array()).matrix();
  const Vec3 t1 = ((node.high.array() + slack - origin.array()) * inverse.array()).matrix();
  const double enter = std::max(0.0, t0.cwiseMin(t1).maxCoeff());
  const double leave = std::min(1.0, t0.cwiseMax(t1).minCoeff());
  return enter <= leave;
}

/// Moeller and Trumbore's test, with slack at the triangle's edges and the segment's ends.
bool segment_meets_triangle(const Vec3& a, const Vec3& direction, const Corners& corners,
                            double& t) {
  const Vec3 e1 = corners[1] - corners[0];
  const Vec3 e2 = corners[2] - corners[0];
  const Vec3 normal = e1.cross(e2);
  const double det = -direction.dot(normal);
  // Parallel or without area: neighbours or the caller's bisection find the crossing.
  if (!(std::abs(det) > 1e-14 * direction.norm() * e1.norm() * e2.norm())) return false;
  const Vec3 offset = a - corners[0];
  const Vec3 moment = offset.cross(direction);
  const double u = e2.dot(moment) / det;
  const double v = -e1.dot(moment) / det;
  t = offset.dot(normal) / det;
  return u >= -kEdgeSlack && v >= -kEdgeSlack && u + v <= 1 + kEdgeSlack && t >= -kEdgeSlack &&
         t <= 1 + kEdgeSlack;
}

}  // namespace

ClosestPoint closest_point_on_triangle(const Vec3& query, const Corners& corners) {
  const Vec3 e1 = corners[1] - corners[0];
  const Vec3 e2 = corners[2] - corners[0];
  const Vec3 normal = e1.cross(e2);
  const double area_squared = normal.squaredNorm();
  const double longest =
      std::max({e1.squaredNorm(), e2.squaredNorm(), (corners[2] - corners[1]).squaredNorm()});
  if (area_squared > kFlatTriangle * longest * longest) {
    // The foot of the perpendicular, if it lies within the triangle.
    const Vec3 offset = query - corners[0];
    const double v = offset.cross(e2).dot(normal) / area_squared;
    const double w = e1.cross(offset).dot(normal) / area_squared;
    const double u = 1 - v - w;
    if (u >= 0 && v >= 0 && w >= 0) {
      ClosestPoint inner;
      inner.point = corners[0] + v * e1 + w * e2;
      inner.barycentric = Vec3(u, v, w);
      inner.distance = (inner.point - query).norm();
      return inner;
    }
  }
  return closest_on_edges(query, corners);
}

TriangleBvh::TriangleBvh(const TriMesh& mesh) {
  const std::size_t count = mesh.triangles.size();
  const auto corners_of = [&](std::size_t triangle) {
    const Triangle& t = mesh.triangles[triangle];
    return Corners{mesh.positions[static_cast<std::size_t>(t[0])],
                   mesh.positions[static_cast<std::size_t>(t[1])],
                   mesh.positions[static_cast<std::size_t>(t[2])]};
  };
  std::vector<Vec3> centroids(count);
  std::vector<Box> boxes(count);
  for (std::size_t t = 0; t < count; ++t) {
    const Corners c = corners_of(t);
    centroids[t] = (c[0] + c[1] + c[2]) / 3;
    for (const Vec3& corner : c) boxes[t].add(corner);
  }
  m_tree = BoxTree(boxes, centroids);
  m_corners.reserve(count);
  for (const Index t : m_tree.order()) m_corners.push_back(corners_of(static_cast<std::size_t>(t)));
}

ClosestPoint TriangleBvh::closest_point(const Vec3& query) const {
  ClosestPoint best;
  best.distance = std::numeric_limits<double>::infinity();
  const std::vector<Node>& nodes = m_tree.nodes();
  if (nodes.empty()) return best;
  double bound = best.distance;

  std::array<std::pair<double, Index>, kMaxStack> stack;
  std::size_t top = 0;
  stack[top++] = {box_distance_squared(nodes[0], query), 0};
  while (top > 0) {
    const auto [distance, index] = stack[--top];
    if (distance > bound) continue;
    const Node& node = nodes[static_cast<std::size_t>(index)];
    if (node.leaf()) {
      for (Index t = node.first; t < node.first + node.count; ++t) {
        ClosestPoint here =
            closest_point_on_triangle(query, m_corners[static_cast<std::size_t>(t)]);
        if (!(here.distance < best.distance)) continue;
        here.triangle = m_tree.order()[static_cast<std::size_t>(t)];
        best = here;
        bound = here.distance * here.distance;
      }
      continue;
    }
    std::pair<double, Index> near{
        box_distance_squared(nodes[static_cast<std::size_t>(index) + 1], query), index + 1};
    std::pair<double, Index> far{
        box_distance_squared(nodes[static_cast<std::size_t>(node.right)], query), node.right};
    if (far.first < near.first) std::swap(near, far);
    if (far.first <= bound) stack[top++] = far;
    stack[top++] = near;
  }
  return best;
}

void TriangleBvh::segment_hits(const Vec3& a, const Vec3& b, std::vector<SegmentHit>& hits) const {
  hits.clear();
  const std::vector<Node>& nodes = m_tree.nodes();
  if (nodes.empty()) return;
  const Vec3 direction = b - a;
  // A huge but finite inverse keeps 0 * infinity out of the slab test.
  const Vec3 inverse = direction.unaryExpr(
      [](double d) { return std::abs(d) > 1e-300 ? 1 / d : std::copysign(1e300, d); });
  const double slack = kEdgeSlack * (nodes[0].high - nodes[0].low).maxCoeff();

  std::array<Index, kMaxStack> stack;
  std::size_t top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const Index index = stack[--top];
    const Node& node = nodes[static_cast<std::size_t>(index)];
    if (!segment_meets_box(a, inverse, node, slack)) continue;
    if (!node.leaf()) {
      stack[top++] = node.right;
      stack[top++] = index + 1;
      continue;
    }
    for (Index t = node.first; t < node.first + node.count; ++t) {
      double where = 0;
      if (segment_meets_triangle(a, direction, m_corners[static_cast<std::size_t>(t)], where))
        hits.push_back({std::clamp(where, 0.0, 1.0), m_tree.order()[static_cast<std::size_t>(t)]});
    }
  }
  std::sort(hits.begin(), hits.end(), [](const SegmentHit& x, const SegmentHit& y) {
    return x.t < y.t || (x.t == y.t && x.triangle < y.triangle);
  });
}

}  // namespace supple::geometry
