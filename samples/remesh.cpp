// SPDX-License-Identifier: Apache-2.0
#include "samples/remesh.hpp"

#include "supple/core/parallel.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace supple::samples {

using geometry::Index;
using geometry::Triangle;
using geometry::TriMesh;
using geometry::Vec3;

namespace {
// [BK04]: between these, splitting or collapsing would only make an edge worse.
constexpr double kLong = 4.0 / 3;
constexpr double kShort = 4.0 / 5;
constexpr std::size_t kGrain = 256;
}  // namespace

Remesher::Remesher(const TriMesh& mesh, Implicit shape,
                   std::function<double(const Vec3&)> edge_length)
    : m_shape(std::move(shape)),
      m_edge_length(std::move(edge_length)),
      m_positions(mesh.positions),
      m_triangles(mesh.triangles),
      m_around(mesh.positions.size()) {
  for (std::size_t t = 0; t < m_triangles.size(); ++t) {
    for (const Index vertex : m_triangles[t]) m_around[vertex].push_back(static_cast<Index>(t));
  }
}

std::vector<Remesher::Edge> Remesher::edges() const {
  std::vector<Edge> result;
  for (const Triangle& t : m_triangles) {
    if (t[0] < 0) continue;
    for (std::size_t c = 0; c < 3; ++c) {
      if (t[c] < t[(c + 1) % 3]) result.emplace_back(t[c], t[(c + 1) % 3]);
    }
  }
  return result;
}

double Remesher::relative_length(const Vec3& a, const Vec3& b) const {
  return (b - a).norm() / m_edge_length(0.5 * (a + b));
}

template <class Keep>
std::vector<Remesher::Edge> Remesher::chosen_edges(const Keep& keep, bool longest_first) const {
  std::vector<std::pair<double, Edge>> found;
  for (const Edge& edge : edges()) {
    const double length = relative_length(m_positions[edge.first], m_positions[edge.second]);
    if (keep(length)) found.emplace_back(longest_first ? -length : length, edge);
  }
  std::sort(found.begin(), found.end());
  std::vector<Edge> result;
  result.reserve(found.size());
  for (const auto& entry : found) result.push_back(entry.second);
  return result;
}

Vec3 Remesher::projected(Vec3 point) const {
  constexpr double kStep = 1e-4;
  for (int newton = 0; newton < 2; ++newton) {
    const Vec3 direction = implicit_normal(m_shape, point);
    const double slope =
        (m_shape(point + kStep * direction) - m_shape(point - kStep * direction)) / (2 * kStep);
    if (!(slope > 0.1)) break;  // a ridge: no descent direction
    point -= m_shape(point) / slope * direction;
  }
  return point;
}

Vec3 Remesher::normal(const Triangle& t) const {
  const Vec3& a = m_positions[t[0]];
  return (m_positions[t[1]] - a).cross(m_positions[t[2]] - a);
}

std::optional<std::array<Index, 2>> Remesher::sides(Index a, Index b) const {
  std::array<Index, 2> found{-1, -1};
  int count = 0;
  for (const Index t : m_around[a]) {
    const Triangle& triangle = m_triangles[t];
    if (std::find(triangle.begin(), triangle.end(), b) == triangle.end()) continue;
    if (count == 2) return std::nullopt;
    found[static_cast<std::size_t>(count++)] = t;
  }
  if (count != 2) return std::nullopt;
  return found;
}

Index Remesher::opposite(Index triangle, Index a, Index b) const {
  const Triangle& t = m_triangles[triangle];
  return *std::find_if(t.begin(), t.end(), [&](Index v) { return v != a && v != b; });
}

std::vector<Index> Remesher::neighbours(Index vertex) const {
  std::vector<Index> result;
  for (const Index t : m_around[vertex]) {
    for (const Index other : m_triangles[t]) {
      if (other != vertex) result.push_back(other);
    }
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

void Remesher::replace_corner(Index triangle, Index from, Index to) {
  Triangle& t = m_triangles[triangle];
  std::replace(t.begin(), t.end(), from, to);
  m_around[to].push_back(triangle);
}

void Remesher::detach(Index triangle, Index vertex) {
  auto& around = m_around[vertex];
  around.erase(std::find(around.begin(), around.end(), triangle));
}

void Remesher::split(Index a, Index b) {
  const auto both = sides(a, b);
  if (!both) return;
  const auto middle = static_cast<Index>(m_positions.size());
  m_positions.push_back(projected(0.5 * (m_positions[a] + m_positions[b])));
  m_around.emplace_back();
  for (const Index side : *both) {
    // The copy keeps b, the old triangle keeps a.
    const Index c = opposite(side, a, b);
    const auto copy = static_cast<Index>(m_triangles.size());
    m_triangles.push_back(m_triangles[side]);
    std::replace(m_triangles.back().begin(), m_triangles.back().end(), a, middle);
    m_around[middle].push_back(copy);
    m_around[b].push_back(copy);
    m_around[c].push_back(copy);
    detach(side, b);
    replace_corner(side, b, middle);
  }
}

void Remesher::split_long_edges() {
  constexpr int kMostSweeps = 8;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    const auto found = chosen_edges([](double length) { return length > kLong; }, true);
    if (found.empty()) return;
    for (const Edge& edge : found) split(edge.first, edge.second);
  }
}

bool Remesher::may_move(Index vertex, Index partner, const Vec3& target) const {
  constexpr double kLeastCosine = 0.5;
  for (const Index t : m_around[vertex]) {
    Triangle triangle = m_triangles[t];
    if (std::find(triangle.begin(), triangle.end(), partner) != triangle.end()) continue;
    while (triangle[0] != vertex)
      std::rotate(triangle.begin(), triangle.begin() + 1, triangle.end());
    const Vec3& b = m_positions[triangle[1]];
    const Vec3& c = m_positions[triangle[2]];
    const Vec3 before = normal(triangle);
    const Vec3 after = (b - target).cross(c - target);
    if (!(before.dot(after) > kLeastCosine * before.norm() * after.norm())) return false;
    if (relative_length(target, b) > kLong || relative_length(target, c) > kLong) return false;
  }
  return true;
}

void Remesher::collapse(Index a, Index b) {
  if (m_around[a].empty() || m_around[b].empty()) return;
  const auto both = sides(a, b);
  if (!both || relative_length(m_positions[a], m_positions[b]) >= kShort) return;
  const std::vector<Index> of_a = neighbours(a);
  const std::vector<Index> of_b = neighbours(b);
  std::vector<Index> common;
  std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                        std::back_inserter(common));
  // More than the two opposite corners in common: the collapse would pinch the surface.
  if (common.size() != 2 || m_around[common[0]].size() < 5 || m_around[common[1]].size() < 5)
    return;
  const Vec3 target = projected(0.5 * (m_positions[a] + m_positions[b]));
  if (!may_move(a, b, target) || !may_move(b, a, target)) return;
  for (const Index side : *both) {
    for (const Index vertex : m_triangles[side]) detach(side, vertex);
    m_triangles[side][0] = -1;
  }
  const std::vector<Index> moved = std::exchange(m_around[b], {});
  for (const Index t : moved) replace_corner(t, b, a);
  m_positions[a] = target;
}

void Remesher::collapse_short_edges() {
  for (const Edge& edge : chosen_edges([](double length) { return length < kShort; }, false)) {
    collapse(edge.first, edge.second);
  }
}

void Remesher::flip(Index a, Index b) {
  const auto both = sides(a, b);
  if (!both) return;
  const Index c = opposite((*both)[0], a, b);
  const Index d = opposite((*both)[1], a, b);
  if (sides(c, d) || c == d) return;
  const auto off = [&](Index v, int change) {
    return std::abs(static_cast<int>(m_around[v].size()) + change - 6);
  };
  if (off(a, -1) + off(b, -1) + off(c, 1) + off(d, 1) >=
      off(a, 0) + off(b, 0) + off(c, 0) + off(d, 0)) {
    return;
  }
  if (m_around[a].size() <= 3 || m_around[b].size() <= 3) return;
  Triangle first = m_triangles[(*both)[0]];
  Triangle second = m_triangles[(*both)[1]];
  const Vec3 mean = normal(first).normalized() + normal(second).normalized();
  std::replace(first.begin(), first.end(), b, d);
  std::replace(second.begin(), second.end(), a, c);
  constexpr double kLeastCosine = 0.7;
  for (const Triangle& t : {first, second}) {
    const Vec3 n = normal(t);
    if (!(n.dot(mean) > kLeastCosine * n.norm() * mean.norm())) return;
  }
  detach((*both)[0], b);
  replace_corner((*both)[0], b, d);
  detach((*both)[1], a);
  replace_corner((*both)[1], a, c);
}

void Remesher::even_valences() {
  for (const Edge& edge : edges()) flip(edge.first, edge.second);
}

void Remesher::relax() {
  std::vector<Vec3> moved = m_positions;
  parallel_for(m_positions.size(), kGrain, [&](std::size_t v) {
    if (m_around[v].empty()) return;
    Vec3 sum = Vec3::Zero();
    double total = 0;
    for (const Index t : m_around[v]) {
      const Triangle& triangle = m_triangles[t];
      const Vec3 centre =
          (m_positions[triangle[0]] + m_positions[triangle[1]] + m_positions[triangle[2]]) / 3;
      const double wanted = m_edge_length(centre);
      const double weight = normal(triangle).norm() / (wanted * wanted);
      sum += weight * centre;
      total += weight;
    }
    if (!(total > 0)) return;
    const Vec3 n = implicit_normal(m_shape, m_positions[v]);
    const Vec3 step = sum / total - m_positions[v];
    moved[v] = projected(m_positions[v] + step - n.dot(step) * n);
  });
  m_positions = std::move(moved);
}

TriMesh Remesher::finish() && {
  TriMesh mesh;
  std::vector<Index> place(m_positions.size(), -1);
  for (std::size_t v = 0; v < m_positions.size(); ++v) {
    if (m_around[v].empty()) continue;
    place[v] = static_cast<Index>(mesh.positions.size());
    mesh.positions.push_back(m_positions[v]);
  }
  for (const Triangle& t : m_triangles) {
    if (t[0] >= 0) mesh.triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
  }
  return mesh;
}

}  // namespace supple::samples
