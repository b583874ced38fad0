// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/tet_mesh.hpp"

#include "supple/core/parallel.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::geometry {
namespace {

constexpr std::size_t kQualityGrain = 4096;

/// Of the straight tetrahedron through the corners.
TetQuality element_quality(const TetMesh& mesh, std::size_t e) {
  const auto nodes = mesh.element(e);
  std::array<Vec3, 4> x;
  for (int i = 0; i < 4; ++i) x[i] = mesh.nodes[nodes[i]];
  const Vec3 a = x[1] - x[0];
  const Vec3 b = x[2] - x[0];
  const Vec3 c = x[3] - x[0];
  const double six_volume = a.cross(b).dot(c);

  std::array<Vec3, 4> normal;  // outward, length twice the area
  double twice_surface = 0;
  for (int f = 0; f < 4; ++f) {
    const auto& face = kTetFaces[f];
    normal[f] = (x[face[1]] - x[face[0]]).cross(x[face[2]] - x[face[0]]);
    twice_surface += normal[f].norm();
  }

  TetQuality q;
  q.min_volume = six_volume / 6;
  q.min_dihedral = std::numbers::pi;
  for (int f = 0; f < 4; ++f) {
    for (int g = f + 1; g < 4; ++g) {
      // Inside angle = pi - angle between outward normals; atan2 keeps digits near 0 and pi.
      const double angle = std::atan2(normal[f].cross(normal[g]).norm(), -normal[f].dot(normal[g]));
      q.min_dihedral = std::min(q.min_dihedral, angle);
      q.max_dihedral = std::max(q.max_dihedral, angle);
    }
  }
  // r = 3 V / S and R = | |a|^2 b x c + |b|^2 c x a + |c|^2 a x b | / (12 V); the sign of the
  // volume stays, so that an inverted element is worse than a flat one.
  const double twelve_volume_R =
      (a.squaredNorm() * b.cross(c) + b.squaredNorm() * c.cross(a) + c.squaredNorm() * a.cross(b))
          .norm();
  const double scale = twice_surface * twelve_volume_R;
  q.min_radius_ratio = scale > 0 ? 6 * six_volume * std::abs(six_volume) / scale : 0.0;
  return q;
}

TetQuality worst(const TetQuality& a, const TetQuality& b) {
  return {std::min(a.min_dihedral, b.min_dihedral), std::max(a.max_dihedral, b.max_dihedral),
          std::min(a.min_volume, b.min_volume), std::min(a.min_radius_ratio, b.min_radius_ratio)};
}

}  // namespace

TetQuality quality(const TetMesh& mesh) {
  if (mesh.element_count() == 0) return {};
  return parallel_reduce(
      mesh.element_count(), kQualityGrain, element_quality(mesh, 0),
      [&](std::size_t begin, std::size_t end) {
        TetQuality q = element_quality(mesh, begin);
        for (std::size_t e = begin + 1; e < end; ++e) q = worst(q, element_quality(mesh, e));
        return q;
      },
      worst);
}

}  // namespace supple::geometry
