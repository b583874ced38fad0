// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/tri_mesh.hpp"

#include "supple/core/parallel.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <cmath>

namespace supple::geometry {
namespace {

constexpr std::size_t kTriGrain = 8192;
constexpr std::size_t kMaxTriCount = std::numeric_limits<Index>::max();

template <class Term>
double sum_over_triangles(const TriMesh& mesh, Term&& term) {
  return parallel_reduce(
      mesh.triangles.size(), kTriGrain, 0.0,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t t = begin; t < end; ++t) {
          const Triangle& corner = mesh.triangles[t];
          sum +=
              term(mesh.positions[corner[0]], mesh.positions[corner[1]], mesh.positions[corner[2]]);
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
}

}  // namespace

Result<void> TriMesh::validate() const {
  if (positions.size() > kMaxTriCount || triangles.size() > kMaxTriCount) {
    return bad_input(fmt::format(
        "a surface of {} vertices and {} triangles exceeds the limit of {} each; split it",
        positions.size(), triangles.size(), kMaxTriCount));
  }
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (!positions[v].allFinite()) {
      return bad_input(fmt::format("vertex {} of the surface is not finite: ({}, {}, {})", v + 1,
                                   positions[v].x(), positions[v].y(), positions[v].z()));
    }
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const Index v : triangles[t]) {
      if (v < 0 || static_cast<std::size_t>(v) >= positions.size()) {
        return bad_input(
            fmt::format("triangle {} of the surface names vertex {}, but there are {} "
                        "vertices, numbered from 0",
                        t + 1, v, positions.size()));
      }
    }
  }
  return {};
}

Box bounding_box(const std::vector<Vec3>& points) {
  Box box;
  for (const Vec3& point : points) box.add(point);
  return box;
}

double signed_volume(const TriMesh& mesh) {
  if (mesh.triangles.empty()) return 0;
  // Any origin gives the same volume of a closed surface; one on the surface loses fewer digits
  // when the surface is far from zero.
  const Vec3 origin = mesh.positions[mesh.triangles[0][0]];
  return sum_over_triangles(mesh, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    return (a - origin).dot((b - origin).cross(c - origin)) / 6.0;
  });
}

double area(const TriMesh& mesh) {
  return sum_over_triangles(mesh, [](const Vec3& a, const Vec3& b, const Vec3& c) {
    return 0.5 * (b - a).cross(c - a).norm();
  });
}

std::vector<Vec3> vertex_normals(const TriMesh& mesh) {
  std::vector<Vec3> normals(mesh.positions.size(), Vec3::Zero());
  for (const Triangle& corner : mesh.triangles) {
    const Vec3& a = mesh.positions[corner[0]];
    const Vec3 twice_area = (mesh.positions[corner[1]] - a).cross(mesh.positions[corner[2]] - a);
    for (const Index v : corner) normals[v] += twice_area;
  }
  for (Vec3& normal : normals) {
    const double length = normal.norm();
    normal = length > 0 ? Vec3(normal / length) : Vec3::Zero();
  }
  return normals;
}

}  // namespace supple::geometry
