// SPDX-License-Identifier: Apache-2.0
#include "swim/segment_shapes.hpp"

#include "supple/core/check.hpp"
#include "supple/geometry/solid_moments.hpp"

#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <numbers>

namespace supple::swim {
namespace {

using Eigen::Vector3d;

void box_surface(Segment& segment, const Vector3d& middle) {
  const Vector3d half = segment.size / 2;
  for (int corner = 0; corner < 8; ++corner) {
    const Vector3d sign((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1,
                        (corner & 4) != 0 ? 1 : -1);
    segment.surface.positions.emplace_back(middle + sign.cwiseProduct(half));
  }
  constexpr std::array<std::array<int, 4>, 6> kSides{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& side : kSides) {
    segment.surface.triangles.push_back({side[0], side[1], side[2]});
    segment.surface.triangles.push_back({side[0], side[2], side[3]});
  }
}

void box_faces(Segment& segment, const Vector3d& middle, std::size_t cuts) {
  segment.faces.reserve(6 * cuts * cuts);
  const auto n = static_cast<double>(cuts);
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3;
    const int w = (axis + 2) % 3;
    for (const double sign : {-1.0, 1.0}) {
      for (std::size_t i = 0; i < cuts; ++i) {
        for (std::size_t j = 0; j < cuts; ++j) {
          Face face;
          face.normal = sign * Vector3d::Unit(axis);
          face.centre = middle + 0.5 * segment.size[axis] * face.normal;
          face.centre[u] += segment.size[u] * ((static_cast<double>(i) + 0.5) / n - 0.5);
          face.centre[w] += segment.size[w] * ((static_cast<double>(j) + 0.5) / n - 0.5);
          face.area = segment.size[u] * segment.size[w] / (n * n);
          face.end = axis == 0 ? 1 : 0;
          segment.faces.push_back(face);
        }
      }
    }
  }
}

/// A ring of points at every station along x, a point at either end.
void capsule_surface(Segment& segment, const Vector3d& middle, std::size_t cuts) {
  const auto sides = static_cast<geometry::Index>(4 * cuts);
  const auto caps = static_cast<int>(cuts);
  const Vector3d half = segment.size / 2;
  const double cap = std::min({half.x(), half.y(), half.z()});
  std::vector<std::array<double, 2>> stations;  // x, and the radius as a share of the half sizes
  stations.reserve(2 * cuts);
  for (int k = 1; k <= caps; ++k) {
    const double angle = std::numbers::pi / 2 * k / caps;
    stations.push_back({-half.x() + cap * (1 - std::cos(angle)), std::sin(angle)});
  }
  for (std::size_t k = stations.size(); k > 0; --k) {
    stations.push_back({-stations[k - 1][0], stations[k - 1][1]});
  }
  auto& mesh = segment.surface;
  for (const auto& [x, radius] : stations) {
    for (geometry::Index s = 0; s < sides; ++s) {
      const double angle = 2 * std::numbers::pi * s / sides;
      mesh.positions.emplace_back(middle + Vector3d(x, radius * half.y() * std::cos(angle),
                                                    radius * half.z() * std::sin(angle)));
    }
  }
  const auto rings = static_cast<geometry::Index>(stations.size());
  const auto point = [&](geometry::Index ring, geometry::Index s) {
    return ring * sides + s % sides;
  };
  for (geometry::Index ring = 0; ring + 1 < rings; ++ring) {
    for (geometry::Index s = 0; s < sides; ++s) {
      mesh.triangles.push_back({point(ring, s), point(ring, s + 1), point(ring + 1, s)});
      mesh.triangles.push_back({point(ring, s + 1), point(ring + 1, s + 1), point(ring + 1, s)});
    }
  }
  const auto low = static_cast<geometry::Index>(mesh.positions.size());
  mesh.positions.emplace_back(middle - Vector3d(half.x(), 0, 0));
  mesh.positions.emplace_back(middle + Vector3d(half.x(), 0, 0));
  for (geometry::Index s = 0; s < sides; ++s) {
    mesh.triangles.push_back({low, point(0, s + 1), point(0, s)});
    mesh.triangles.push_back({low + 1, point(rings - 1, s), point(rings - 1, s + 1)});
  }
}

}  // namespace

void faces_from_surface(Segment& segment, const Vector3d& long_axis) {
  const auto& mesh = segment.surface;
  segment.faces.reserve(mesh.triangles.size());
  for (const geometry::Triangle& triangle : mesh.triangles) {
    const auto at = [&](std::size_t k) {
      return mesh.positions[static_cast<std::size_t>(triangle[k])];
    };
    const Vector3d cross = (at(1) - at(0)).cross(at(2) - at(0));
    const double twice = cross.norm();
    if (!(twice > 0)) continue;
    Face face;
    face.normal = cross / twice;
    face.centre = (at(0) + at(1) + at(2)) / 3;
    face.area = twice / 2;
    face.end = std::pow(face.normal.dot(long_axis), 2);
    segment.faces.push_back(face);
  }
}

void give_shape(Segment& segment, SegmentShape shape, const Vector3d& middle, std::size_t cuts) {
  if (shape == SegmentShape::Box) {
    box_surface(segment, middle);
    box_faces(segment, middle, cuts);
  } else {
    capsule_surface(segment, middle, cuts);
    faces_from_surface(segment, Vector3d::UnitX());
  }
}

void give_mass(Segment& segment, double mass) {
  const geometry::SolidMoments moments = geometry::solid_moments(segment.surface);
  SUPPLE_CHECK_OP(moments.volume, >, 0);
  segment.mass = mass;
  segment.centre = moments.centre;
  segment.inertia = mass / moments.volume * moments.inertia;
}

}  // namespace supple::swim
