// SPDX-License-Identifier: Apache-2.0
#include "samples/implicit_surface.hpp"

#include "samples/remesh.hpp"

#include "supple/geometry/shapes.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>

namespace supple::samples {

using geometry::Vec3;

Vec3 implicit_normal(const Implicit& shape, const Vec3& point) {
  constexpr double kStep = 1e-4;  // metres: well below any feature of our shapes
  Vec3 gradient;
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 step = kStep * Vec3::Unit(axis);
    gradient[axis] = shape(point + step) - shape(point - step);
  }
  const double length = gradient.norm();
  return length > 0 ? Vec3(gradient / length) : Vec3::UnitY();
}

geometry::TriMesh triangulate(const Implicit& shape, const geometry::Box& box, double cell,
                              const std::function<double(const Vec3&)>& edge_length) {
  constexpr int kPasses = 6;
  Remesher remesher(geometry::polygonise(shape, box, cell), shape, edge_length);
  for (int pass = 0; pass < kPasses; ++pass) {
    remesher.split_long_edges();
    remesher.collapse_short_edges();
    remesher.even_valences();
    remesher.relax();
  }
  remesher.even_valences();
  for (int pass = 0; pass < 3; ++pass) remesher.relax();
  return std::move(remesher).finish();
}

namespace {

/// The smallest angle of a triangle as its sine.
double sharpest(const geometry::TriMesh& mesh, const geometry::Triangle& t) {
  const Vec3& a = mesh.positions[t[0]];
  const Vec3& b = mesh.positions[t[1]];
  const Vec3& c = mesh.positions[t[2]];
  const double area = (b - a).cross(c - a).norm();
  const std::array<double, 3> edges{(b - a).norm(), (c - b).norm(), (a - c).norm()};
  const double shortest = *std::min_element(edges.begin(), edges.end());
  return area * shortest / (edges[0] * edges[1] * edges[2]);
}

}  // namespace

void align_vertices(geometry::TriMesh& mesh, const Implicit& shape, const Implicit& border) {
  constexpr double kMostOfAnEdge = 0.5;
  constexpr double kSharp = 0.25;  // 15 degrees
  const std::vector<Vec3> original = mesh.positions;
  std::vector<double> value;
  value.reserve(original.size());
  for (const Vec3& point : original) value.push_back(border(point));
  std::vector<double> best(original.size(), kMostOfAnEdge);
  for (const geometry::Triangle& triangle : mesh.triangles) {
    for (std::size_t c = 0; c < 3; ++c) {
      const auto from = static_cast<std::size_t>(triangle[c]);
      const auto to = static_cast<std::size_t>(triangle[(c + 1) % 3]);
      if ((value[from] < 0) == (value[to] < 0)) continue;
      const double t = value[from] / (value[from] - value[to]);
      const auto move = [&](std::size_t v, double part, const Vec3& other) {
        if (part >= best[v]) return;
        best[v] = part;
        const Vec3 point = original[v] + part * (other - original[v]);
        mesh.positions[v] = point - shape(point) * implicit_normal(shape, point);
      };
      move(from, t, original[to]);
      move(to, 1 - t, original[from]);
    }
  }
  // If three vertices become collinear, they move back.
  bool changed = true;
  while (changed) {
    changed = false;
    for (const geometry::Triangle& triangle : mesh.triangles) {
      if (sharpest(mesh, triangle) > kSharp) continue;
      for (const geometry::Index v : triangle) {
        changed = changed || mesh.positions[v] != original[v];
        mesh.positions[v] = original[v];
      }
    }
  }
}

double melt(double a, double b, double blend) {
  const double h = std::max(blend - std::abs(a - b), 0.0) / blend;
  return std::min(a, b) - 0.25 * h * h * blend;
}

double carve(double a, double b, double blend) {
  return -melt(-a, -b, blend);
}

double ellipsoid(const Vec3& point, const Vec3& centre, const Vec3& radii) {
  const Vec3 unit = (point - centre).cwiseQuotient(radii);
  const double length = unit.norm();
  // First order in the distance from the surface; undefined at its centre.
  const double slope = unit.cwiseQuotient(radii).norm();
  return slope > 0 ? length * (length - 1) / slope : -radii.minCoeff();
}

double cone(const Vec3& point, const Vec3& a, const Vec3& b, double radius_a, double radius_b) {
  const Vec3 along = b - a;
  const double t = std::clamp((point - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (point - a - t * along).norm() - (radius_a + t * (radius_b - radius_a));
}

double flat_cone(const Vec3& point, const Vec3& a, const Vec3& b, double radius_a, double radius_b,
                 const Vec3& axis, double factor) {
  const auto stretch = [&](const Vec3& p) -> Vec3 { return p + (factor - 1) * axis.dot(p) * axis; };
  return cone(stretch(point), stretch(a), stretch(b), radius_a, radius_b) / std::sqrt(factor);
}

}  // namespace supple::samples
