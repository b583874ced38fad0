// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/random.hpp"
#include "supple/light/harmonics.hpp"
#include "supple/light/transfer.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <optional>
#include <vector>

namespace supple::light::testing {

/// Follows paths of light through flat triangles, in double precision, with nothing from src/light
/// but the harmonics: an independent answer to the same question. Colours of a surface are its
/// first albedo; sheets do not transmit.
class PathTracer {
 public:
  void add(const Surface& surface) {
    for (const auto& t : surface.mesh.triangles) {
      const auto corner = [&](std::size_t k) {
        return surface.mesh.positions[static_cast<std::size_t>(t[k])];
      };
      m_triangles.push_back({corner(0), corner(1) - corner(0), corner(2) - corner(0),
                             surface.albedo.front().cast<double>(), surface.two_sided});
    }
  }
  void build() {
    m_order.resize(m_triangles.size());
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    m_nodes.clear();
    split(0, m_order.size());
  }

  /// Mean radiance that leaves a place of the surface, from `paths` paths of at most `bounces`
  /// reflections after the first.
  [[nodiscard]] geometry::Vec3 radiance(const geometry::Vec3& place, const geometry::Vec3& normal,
                                        const geometry::Vec3& albedo, const Coefficients& light,
                                        int paths, int bounces, std::uint64_t stream) const {
    Random random(77, stream);
    const int side = static_cast<int>(std::lround(std::sqrt(paths)));
    geometry::Vec3 sum = geometry::Vec3::Zero();
    for (int i = 0; i < side * side; ++i) {
      // The first direction is stratified.
      const double u = (i % side + random.uniform()) / side;
      const double v = (static_cast<double>(i / side) + random.uniform()) / side;
      sum += follow(place, normal, cosine_direction(normal, u, v), light, bounces, random);
    }
    return albedo.cwiseProduct(sum) / (side * side);
  }

 private:
  struct Flat {
    geometry::Vec3 corner, u, v, albedo;
    bool two_sided;
  };
  struct Node {
    geometry::Box box;
    std::size_t begin = 0, end = 0;  ///< of the triangles, in a leaf
    std::size_t second = 0;          ///< the other child; the first follows this node
  };
  struct Met {
    double distance;
    std::size_t triangle;
  };

  void split(std::size_t begin, std::size_t end) {
    const std::size_t self = m_nodes.size();
    m_nodes.push_back({{}, begin, end, 0});
    geometry::Box middles;
    for (std::size_t i = begin; i < end; ++i) {
      const Flat& t = m_triangles[m_order[i]];
      for (const geometry::Vec3& p :
           {t.corner, geometry::Vec3(t.corner + t.u), geometry::Vec3(t.corner + t.v)}) {
        m_nodes[self].box.add(p);
      }
      middles.add(middle(m_order[i]));
    }
    if (end - begin <= 4) return;
    Eigen::Index axis = 0;
    middles.size().maxCoeff(&axis);
    const std::size_t half = (begin + end) / 2;
    const auto at = [&](std::size_t i) { return m_order.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(at(begin), at(half), at(end), [&](std::size_t a, std::size_t b) {
      return middle(a)(axis) < middle(b)(axis);
    });
    split(begin, half);
    m_nodes[self].second = m_nodes.size();
    split(half, end);
  }
  [[nodiscard]] geometry::Vec3 middle(std::size_t t) const {
    return m_triangles[t].corner + (m_triangles[t].u + m_triangles[t].v) / 3;
  }

  [[nodiscard]] std::optional<Met> nearest(const geometry::Vec3& from,
                                           const geometry::Vec3& d) const {
    std::optional<Met> met;
    std::vector<std::size_t> stack{0};
    while (!stack.empty()) {
      const std::size_t n = stack.back();
      stack.pop_back();
      const Node& node = m_nodes[n];
      const geometry::Vec3 a = (node.box.low - from).cwiseQuotient(d);
      const geometry::Vec3 b = (node.box.high - from).cwiseQuotient(d);
      const double in = a.cwiseMin(b).maxCoeff();
      const double out = a.cwiseMax(b).minCoeff();
      if (!(out >= std::max(in, 0.0)) || (met && in > met->distance)) continue;
      if (node.second != 0) {
        stack.push_back(node.second);
        stack.push_back(n + 1);
        continue;
      }
      for (std::size_t i = node.begin; i < node.end; ++i) meet(from, d, m_order[i], met);
    }
    return met;
  }
  void meet(const geometry::Vec3& from, const geometry::Vec3& d, std::size_t t,
            std::optional<Met>& met) const {
    constexpr double kNear = 1e-7;  // starts lie on triangles
    const Flat& flat = m_triangles[t];
    const geometry::Vec3 p = d.cross(flat.v);
    const double determinant = flat.u.dot(p);
    if (determinant == 0) return;
    const geometry::Vec3 s = from - flat.corner;
    const double u = s.dot(p) / determinant;
    const geometry::Vec3 q = s.cross(flat.u);
    const double v = d.dot(q) / determinant;
    const double distance = flat.v.dot(q) / determinant;
    if (u < 0 || v < 0 || u + v > 1 || distance < kNear) return;
    if (!met || distance < met->distance) met = Met{distance, t};
  }

  static geometry::Vec3 cosine_direction(const geometry::Vec3& n, double u, double v) {
    const geometry::Vec3 a = n.unitOrthogonal();
    const geometry::Vec3 b = n.cross(a);
    const double r = std::sqrt(u);
    const double phi = 2 * std::numbers::pi * v;
    return r * std::cos(phi) * a + r * std::sin(phi) * b + std::sqrt(1 - u) * n;
  }

  [[nodiscard]] geometry::Vec3 follow(geometry::Vec3 from, const geometry::Vec3& normal,
                                      geometry::Vec3 d, const Coefficients& light, int bounces,
                                      Random& random) const {
    geometry::Vec3 kept = geometry::Vec3::Ones();
    from += 1e-6 * normal;
    for (int bounce = 0;; ++bounce) {
      const auto met = nearest(from, d);
      if (!met) return kept.cwiseProduct(evaluate(light, d));
      if (bounce == bounces) return geometry::Vec3::Zero();
      const Flat& flat = m_triangles[met->triangle];
      geometry::Vec3 n = flat.u.cross(flat.v).normalized();
      if (n.dot(d) > 0) {
        if (!flat.two_sided) return geometry::Vec3::Zero();
        n = -n;
      }
      kept = kept.cwiseProduct(flat.albedo);
      from += met->distance * d;
      from += 1e-6 * n;
      const double u = random.uniform();
      d = cosine_direction(n, u, random.uniform());
    }
  }

  std::vector<Flat> m_triangles;
  std::vector<std::size_t> m_order;
  std::vector<Node> m_nodes;
};

}  // namespace supple::light::testing
