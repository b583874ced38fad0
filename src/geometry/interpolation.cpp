// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/interpolation.hpp"

#include "geometry/tet10_map.hpp"
#include "geometry/triangle_bvh.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <bit>
#include <cmath>

namespace supple::geometry {
namespace {

constexpr std::size_t kLeafSize = 4;

/// A point closer than this part of an element's size is inside it: rounding, not a gap.
constexpr double kTouching = 1e-12;

/// Contains the curved element: the hull of its Bezier points, 2 m - (a + b)/2 on edges.
Box element_box(const ElementGeometry& element) {
  Box box;
  for (int i = 0; i < 4; ++i) box.add(element.node[i]);
  for (int e = 0; e < 6 && element.count == 10; ++e) {
    const Vec3 ends = element.node[kTetEdges[e][0]] + element.node[kTetEdges[e][1]];
    box.add(2 * element.node[4 + e] - 0.5 * ends);
  }
  return box;
}

double squared_distance(const Box& box, const Vec3& p) {
  return (box.low - p).cwiseMax(p - box.high).cwiseMax(0.0).squaredNorm();
}

/// Spreads 21 bits to every third place.
std::uint64_t spread(std::uint64_t x) {
  x &= 0x1fffffU;
  x = (x | x << 32U) & 0x1f00000000ffffU;
  x = (x | x << 16U) & 0x1f0000ff0000ffU;
  x = (x | x << 8U) & 0x100f00f00f00f00fU;
  x = (x | x << 4U) & 0x10c30c30c30c30c3U;
  return (x | x << 2U) & 0x1249249249249249U;
}

/// Position along a Z-shaped space-filling curve.
std::uint64_t morton_code(const Vec3& p, const Box& bounds) {
  constexpr double kSteps = (1 << 21) - 1;
  const double scale = kSteps / std::max(bounds.size().maxCoeff(), 1e-300);
  std::uint64_t code = 0;
  for (int k = 0; k < 3; ++k) {
    const double step = std::clamp((p[k] - bounds.low[k]) * scale, 0.0, kSteps);
    code |= spread(static_cast<std::uint64_t>(step)) << static_cast<unsigned>(k);
  }
  return code;
}

/// Barycentric coordinates of the place of a tetrahedron, of either orientation, that is closest to
/// p: p itself if inside.
Barycentric closest_on_tetrahedron(const Vec3& p, const std::array<Vec3, 4>& corner) {
  const Vec3 a = corner[1] - corner[0];
  const Vec3 b = corner[2] - corner[0];
  const Vec3 c = corner[3] - corner[0];
  const Vec3 to_p = p - corner[0];
  const double det = a.dot(b.cross(c));
  Barycentric L = Barycentric::Constant(-1);
  if (det != 0) {
    L[1] = to_p.dot(b.cross(c)) / det;
    L[2] = a.dot(to_p.cross(c)) / det;
    L[3] = a.dot(b.cross(to_p)) / det;
    L[0] = 1 - L[1] - L[2] - L[3];
    if (L.minCoeff() >= 0) return L;
  }

  // Outside: on one of the faces that the point sees, which are those with a negative coordinate.
  double least = std::numeric_limits<double>::infinity();
  Barycentric closest = Barycentric::Unit(0);
  for (int f = 0; f < 4; ++f) {
    if (L[f] >= 0) continue;
    const int i = (f + 1) % 4;
    const int j = (f + 2) % 4;
    const int k = (f + 3) % 4;
    const ClosestPoint found = closest_point_on_triangle(p, {corner[i], corner[j], corner[k]});
    if (found.distance < least) {
      least = found.distance;
      closest.setZero();
      closest[i] = found.barycentric[0];
      closest[j] = found.barycentric[1];
      closest[k] = found.barycentric[2];
    }
  }
  return closest;
}

/// The place of an element that is closest to a point, by constrained Gauss-Newton: replace the
/// map by its tangent at L, take the closest place of the tangent tetrahedron, repeat. Inside a
/// curved element this is Newton's inversion of the map, outside a projection; a straight element
/// needs no step. Steps that do not come closer are halved, so a folded element still gives the
/// best place found, at worst the one of its straight hull.
struct Nearest {
  Barycentric L;
  double distance;
};
Nearest nearest_in(const ElementGeometry& element, const Vec3& p) {
  constexpr int kSteps = 20;
  constexpr int kHalvings = 6;
  const std::array<Vec3, 4> hull{element.node[0], element.node[1], element.node[2],
                                 element.node[3]};
  Barycentric L = closest_on_tetrahedron(p, hull);
  double distance = (element.position(L) - p).norm();
  const double touching = kTouching * element.size();
  for (int step = 0; step < kSteps && element.count == 10 && distance > 0; ++step) {
    const Mat3 J = element.jacobian(L);
    const Vec3 x = element.position(L);
    std::array<Vec3, 4> tangent;
    tangent[0] = x - J * L.tail<3>();
    for (int k = 0; k < 3; ++k) tangent[k + 1] = tangent[0] + J.col(k);
    const Barycentric towards = closest_on_tetrahedron(p, tangent) - L;
    double part = 1;
    double next = (element.position(L + towards) - p).norm();
    for (int h = 0; h < kHalvings && !(next < distance); ++h) {
      part /= 2;
      next = (element.position(L + part * towards) - p).norm();
    }
    if (!(next < distance)) break;
    const double gain = distance - next;
    L += part * towards;
    distance = next;
    if (gain < 1e-3 * touching) break;
  }
  return {L, distance <= touching ? 0.0 : distance};
}

}  // namespace

struct VolumeLocator::Best {
  Index element = -1;
  Barycentric L = Barycentric::Zero();
  double distance = std::numeric_limits<double>::infinity();
};

VolumeLocator::VolumeLocator(const TetMesh& mesh) : m_mesh(&mesh) {
  const std::size_t count = mesh.element_count();
  const Box bounds = bounding_box(mesh.nodes);
  std::vector<Box> element_boxes(count);
  std::vector<std::pair<std::uint64_t, Index>> order(count);
  parallel_for(count, 4096, [&](std::size_t e) {
    element_boxes[e] = element_box(ElementGeometry(mesh, e));
    order[e] = {morton_code(element_boxes[e].centre(), bounds), static_cast<Index>(e)};
  });
  std::sort(order.begin(), order.end());
  m_elements.resize(count);
  for (std::size_t i = 0; i < count; ++i) m_elements[i] = order[i].second;

  const std::size_t leaves = std::bit_ceil((count + kLeafSize - 1) / kLeafSize);
  m_first_leaf = leaves - 1;
  m_boxes.resize(2 * leaves - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const Box& box = element_boxes[m_elements[i]];
    m_boxes[m_first_leaf + i / kLeafSize].add(box.low);
    m_boxes[m_first_leaf + i / kLeafSize].add(box.high);
  }
  for (std::size_t i = m_first_leaf; i-- > 0;) {
    for (const std::size_t child : {2 * i + 1, 2 * i + 2}) {
      m_boxes[i].low = m_boxes[i].low.cwiseMin(m_boxes[child].low);
      m_boxes[i].high = m_boxes[i].high.cwiseMax(m_boxes[child].high);
    }
  }
}

void VolumeLocator::visit_leaf(std::size_t leaf, const Vec3& query, Best& best) const {
  const std::size_t begin = leaf * kLeafSize;
  const std::size_t end = std::min(begin + kLeafSize, m_elements.size());
  for (std::size_t i = begin; i < end && best.distance > 0; ++i) {
    const Index e = m_elements[i];
    const ElementGeometry element(*m_mesh, static_cast<std::size_t>(e));
    if (squared_distance(element_box(element), query) > best.distance * best.distance) continue;
    const Nearest found = nearest_in(element, query);
    // Ties go to the lower number: neighbours share the closest place of points outside.
    if (found.distance < best.distance || (found.distance == best.distance && e < best.element)) {
      best = {e, found.L, found.distance};
    }
  }
}

Location VolumeLocator::locate(const Vec3& query) const {
  Best best;
  // Depth first, nearer child first; a complete tree over 2^31 elements is 30 levels deep.
  std::array<std::size_t, 64> stack;
  int top = 0;
  if (!m_elements.empty() && query.allFinite()) stack[top++] = 0;
  while (top > 0 && best.distance > 0) {
    const std::size_t i = stack[--top];
    if (squared_distance(m_boxes[i], query) > best.distance * best.distance) continue;
    if (i >= m_first_leaf) {
      visit_leaf(i - m_first_leaf, query, best);
      continue;
    }
    std::size_t near = 2 * i + 1;
    std::size_t far = 2 * i + 2;
    if (squared_distance(m_boxes[far], query) < squared_distance(m_boxes[near], query)) {
      std::swap(near, far);
    }
    stack[top++] = far;
    stack[top++] = near;
  }

  Location location;
  location.element = best.element;
  location.distance = best.distance;
  location.barycentric = best.L;
  if (best.element < 0) return location;
  const auto nodes = m_mesh->element(static_cast<std::size_t>(best.element));
  location.count = m_mesh->nodes_per_element();
  std::copy(nodes.begin(), nodes.end(), location.nodes.begin());
  if (location.count == 10) {
    location.weights = quadratic_weights(best.L);
  } else {
    for (int i = 0; i < 4; ++i) location.weights[i] = best.L[i];
  }
  return location;
}

Interpolation interpolate_at(const TetMesh& mesh, const std::vector<Vec3>& points) {
  const VolumeLocator locator(mesh);
  Interpolation result;
  result.point_count = points.size();
  result.node_count = mesh.nodes.size();
  result.per_point = static_cast<std::size_t>(mesh.nodes_per_element());
  result.nodes.resize(points.size() * result.per_point);
  result.weights.resize(points.size() * result.per_point);
  result.elements.resize(points.size());
  result.distances.resize(points.size());
  parallel_for(points.size(), 256, [&](std::size_t i) {
    const Location location = locator.locate(points[i]);
    std::copy_n(location.nodes.begin(), result.per_point, &result.nodes[i * result.per_point]);
    std::copy_n(location.weights.begin(), result.per_point, &result.weights[i * result.per_point]);
    result.elements[i] = location.element;
    result.distances[i] = location.distance;
  });
  return result;
}

std::vector<Vec3> Interpolation::apply(const std::vector<Vec3>& field) const {
  SUPPLE_CHECK_OP(field.size(), ==, node_count);
  std::vector<Vec3> values(point_count, Vec3::Zero());
  parallel_for(point_count, 1024, [&](std::size_t i) {
    // Zero weights of points that were not found must not touch a node of an empty mesh.
    if (elements[i] < 0) return;
    for (std::size_t k = i * per_point; k < (i + 1) * per_point; ++k) {
      values[i] += weights[k] * field[nodes[k]];
    }
  });
  return values;
}

Eigen::MatrixXd Interpolation::apply(const Eigen::MatrixXd& field, int components) const {
  SUPPLE_CHECK_OP(components, >=, 1);
  SUPPLE_CHECK_OP(static_cast<std::size_t>(field.rows()), ==,
                  node_count * static_cast<std::size_t>(components));
  Eigen::MatrixXd values =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(point_count) * components, field.cols());
  parallel_for(point_count, 1024, [&](std::size_t i) {
    if (elements[i] < 0) return;
    auto rows = values.middleRows(static_cast<Eigen::Index>(i) * components, components);
    for (std::size_t k = i * per_point; k < (i + 1) * per_point; ++k) {
      const Eigen::Index from = static_cast<Eigen::Index>(nodes[k]) * components;
      rows += weights[k] * field.middleRows(from, components);
    }
  });
  return values;
}

}  // namespace supple::geometry
