// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>
#include <vector>

/// Surfaces with sharp edges, as machine parts have them: closed, outward.
namespace supple::geometry::machined {

inline TriMesh box(const Vec3& size) {
  Box bounds;
  bounds.add(Vec3::Zero());
  bounds.add(size);
  return box_surface(bounds);
}

/// Copies of `cap` (counter-clockwise in the plane z = 0) at both ends, and walls along `rims`:
/// loops of its vertices with the solid on their left.
inline TriMesh extruded(const std::vector<Vec3>& points, const std::vector<Triangle>& cap,
                        const std::vector<std::vector<Index>>& rims, double depth) {
  TriMesh mesh;
  mesh.positions = points;
  const auto count = static_cast<Index>(points.size());
  for (const Vec3& p : points) mesh.positions.emplace_back(p + Vec3(0, 0, depth));
  for (const auto& [a, b, c] : cap) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({a + count, b + count, c + count});
  }
  for (const auto& rim : rims) {
    for (std::size_t i = 0; i < rim.size(); ++i) {
      const Index a = rim[i];
      const Index b = rim[(i + 1) % rim.size()];
      mesh.triangles.push_back({a, b, b + count});
      mesh.triangles.push_back({a, b + count, a + count});
    }
  }
  return mesh;
}

/// Two arms along +x and +y from the origin.
inline TriMesh l_bracket(double arm, double thickness, double depth) {
  const double t = thickness;
  const std::vector<Vec3> points{Vec3(0, 0, 0), Vec3(arm, 0, 0), Vec3(arm, t, 0),
                                 Vec3(t, t, 0), Vec3(t, arm, 0), Vec3(0, arm, 0)};
  return extruded(points, {{3, 0, 1}, {3, 1, 2}, {3, 4, 5}, {3, 5, 0}}, {{0, 1, 2, 3, 4, 5}},
                  depth);
}

/// A sheet of constant thickness folded along lines parallel to z: straight strips of these
/// lengths, each turned from the one before by an angle in radians. The first starts at the origin,
/// along x.
inline TriMesh folded(const std::vector<double>& lengths, const std::vector<double>& turns,
                      double thickness, double depth) {
  const std::size_t strips = lengths.size();
  std::vector<Vec3> points(2 * (strips + 1));  // one side out, the other side back
  const auto along = [](double angle) { return Vec3(std::cos(angle), std::sin(angle), 0); };
  const auto across = [](double angle) { return Vec3(-std::sin(angle), std::cos(angle), 0); };
  Vec3 at = Vec3::Zero();
  double angle = 0;
  std::vector<Triangle> cap;
  std::vector<Index> rim(points.size());
  for (std::size_t i = 0; i <= strips; ++i) {
    const double turn = i > 0 && i < strips ? turns[i - 1] : 0;
    const Vec3 half = 0.5 * thickness / std::cos(0.5 * turn) * across(angle + 0.5 * turn);
    const std::size_t opposite = points.size() - 1 - i;
    points[i] = at - half;
    points[opposite] = at + half;
    if (i == strips) break;
    angle += turn;
    at += lengths[i] * along(angle);
    const auto a = static_cast<Index>(i);
    const auto b = static_cast<Index>(opposite);
    cap.push_back({a, a + 1, b - 1});
    cap.push_back({a, b - 1, b});
  }
  for (std::size_t i = 0; i < rim.size(); ++i) rim[i] = static_cast<Index>(i);
  return extruded(points, cap, {rim}, depth);
}

/// A ring about the z axis with teeth of two thirds of the pitch at their foot, a third at the top.
inline TriMesh gear(int teeth, double bore, double foot, double top, double depth) {
  std::vector<Vec3> points;
  const auto at = [](double radius, double angle) {
    return Vec3(radius * std::cos(angle), radius * std::sin(angle), 0);
  };
  const int count = 4 * teeth;
  const double pitch = 2 * std::numbers::pi / teeth;
  for (int i = 0; i < teeth; ++i) {
    for (const auto& [radius, part] : {std::pair(foot, 0.0), std::pair(top, 1.0 / 6),
                                       std::pair(top, 0.5), std::pair(foot, 2.0 / 3)})
      points.push_back(at(radius, pitch * (i + part)));
  }
  for (int i = 0; i < count; ++i) points.push_back(at(bore, 2 * std::numbers::pi * i / count));
  std::vector<Triangle> cap;
  std::vector<Index> outer;
  std::vector<Index> inner;
  for (Index i = 0; i < count; ++i) {
    const Index next = (i + 1) % count;
    cap.push_back({i, next, count + next});
    cap.push_back({i, count + next, count + i});
    outer.push_back(i);
    inner.push_back(count + (count - i) % count);
  }
  return extruded(points, cap, {outer, inner}, depth);
}

/// Along z, drawn as CAD programs draw round walls: `sides` around, `rings` rows of them.
inline TriMesh pipe(double length, double outer, double inner, int sides, int rings) {
  TriMesh mesh;
  const auto at = [&](int wall, int ring, int side) {
    return static_cast<Index>((wall * (rings + 1) + ring) * sides + side % sides);
  };
  const auto quad = [&mesh](Index a, Index b, Index c, Index d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  for (const double radius : {outer, inner}) {
    for (int ring = 0; ring <= rings; ++ring) {
      for (int side = 0; side < sides; ++side) {
        const double angle = 2 * std::numbers::pi * side / sides;
        mesh.positions.emplace_back(radius * std::cos(angle), radius * std::sin(angle),
                                    length * ring / rings);
      }
    }
  }
  for (int s = 0; s < sides; ++s) {
    for (int r = 0; r < rings; ++r) {
      quad(at(0, r, s), at(0, r, s + 1), at(0, r + 1, s + 1), at(0, r + 1, s));
      quad(at(1, r, s), at(1, r + 1, s), at(1, r + 1, s + 1), at(1, r, s + 1));
    }
    quad(at(0, 0, s), at(1, 0, s), at(1, 0, s + 1), at(0, 0, s + 1));
    quad(at(0, rings, s), at(0, rings, s + 1), at(1, rings, s + 1), at(1, rings, s));
  }
  return mesh;
}

inline Mat3 random_turn(Random& random) {
  // Braces fix the order of the three draws.
  const Vec3 axis{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  return Eigen::AngleAxisd(random.uniform(0, 2 * std::numbers::pi), axis.stableNormalized())
      .toRotationMatrix();
}

inline TriMesh turned(TriMesh mesh, const Mat3& turn) {
  for (Vec3& p : mesh.positions) p = turn * p;
  return mesh;
}

}  // namespace supple::geometry::machined
