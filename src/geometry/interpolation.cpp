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
#include <numeric>

namespace supple::geometry {
namespace {

constexpr std::size_t kLeafSize = 4;

/// A point closer to an element than this fraction of its size counts as inside: rounding, not a
/// gap.
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

/// Orders elements so that every node of the complete tree over them splits its elements at the
/// median of their centres along the longest side: level by level, nodes in parallel. Ties go by
/// number, so the order depends only on the mesh.
std::vector<Index> sort_into_tree(const std::vector<Box>& boxes, std::size_t leaves) {
  std::vector<Index> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto split = [&](std::size_t begin, std::size_t middle, std::size_t end) {
    if (middle >= end) return;
    Box centres;
    for (std::size_t i = begin; i < end; ++i) centres.add(boxes[order[i]].centre());
    int axis = 0;
    centres.size().maxCoeff(&axis);
    const auto first = order.begin();
    const auto key = [&](Index e) { return boxes[e].low[axis] + boxes[e].high[axis]; };
    std::nth_element(first + static_cast<std::ptrdiff_t>(begin),
                     first + static_cast<std::ptrdiff_t>(middle),
                     first + static_cast<std::ptrdiff_t>(end),
                     [&](Index e, Index f) { return key(e) != key(f) ? key(e) < key(f) : e < f; });
  };
  for (std::size_t nodes = 1; nodes < leaves; nodes *= 2) {
    const std::size_t width = leaves / nodes * kLeafSize;
    parallel_for(nodes, 1, [&](std::size_t n) {
      split(n * width, n * width + width / 2, std::min((n + 1) * width, order.size()));
    });
  }
  return order;
}

/// Whether the midside nodes are half-way, up to rounding.
bool is_straight(const ElementGeometry& element) {
  constexpr double kStraight = 1e-14;
  if (element.count == 4) return true;
  for (int e = 0; e < 6; ++e) {
    const Vec3 middle = 0.5 * (element.node[kTetEdges[e][0]] + element.node[kTetEdges[e][1]]);
    const double scale = middle.cwiseAbs().maxCoeff();
    const double off = (element.node[4 + e] - middle).cwiseAbs().maxCoeff();
    if (off > kStraight * scale) return false;
  }
  return true;
}

/// Barycentric coordinates of the point of a tetrahedron, of either orientation, closest to p: p
/// itself if inside.
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

  // Outside: on one of the faces visible from the point, which are those with a negative
  // coordinate.
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

/// The point of an element closest to a given point, by constrained Gauss-Newton: replace the map
/// by its tangent at L, take the closest point of the tangent tetrahedron, repeat. Inside a curved
/// element this is Newton's inversion of the map, outside a projection; a straight element needs no
/// step. Steps that do not come closer are halved, so a folded element still gives the best point
/// found, at worst that of its straight hull.
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
  const bool curved = !is_straight(element);
  for (int step = 0; step < kSteps && curved && distance > 1e-3 * touching; ++step) {
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
  std::vector<Box> element_boxes(count);
  parallel_for(count, 4096,
               [&](std::size_t e) { element_boxes[e] = element_box(ElementGeometry(mesh, e)); });
  const std::size_t leaves = std::bit_ceil((count + kLeafSize - 1) / kLeafSize);
  m_elements = sort_into_tree(element_boxes, leaves);

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
    // Ties go to the lower number: neighbours share the point closest to a point outside.
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
