// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/normal_map.hpp"

#include "supple/core/check.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <numeric>

namespace supple::flesh {

using geometry::Index;
using geometry::Vec3;

namespace {

/// Coincident vertices whose normals differ by less than this angle (radians) look like one vertex;
/// hard edges differ by far more.
constexpr double kSameNormal = 0.05;

std::vector<Index> smoothing_groups(const std::vector<Vec3>& positions,
                                    const std::vector<Vec3>& normals) {
  const std::vector<Index> place = geometry::weld({positions, {}}).vertex_of_input;
  std::vector<Index> order(positions.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return place[a] < place[b]; });
  std::vector<Index> group(positions.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Index v = order[i];
    group[v] = v;
    for (std::size_t j = i; j-- > 0 && place[order[j]] == place[v];) {
      const Index other = order[j];
      if (normals[v].cross(normals[other]).norm() < kSameNormal &&
          normals[v].dot(normals[other]) > 0) {
        group[v] = group[other];
        break;
      }
    }
  }
  return group;
}

}  // namespace

NormalMap::NormalMap(const std::vector<Vec3>& positions, const std::vector<Vec3>& normals,
                     const std::vector<geometry::Triangle>& triangles)
    : m_positions(positions),
      m_normals(normals),
      m_triangles(triangles),
      m_group(smoothing_groups(positions, normals)),
      m_group_sum(positions.size(), Vec3::Zero()) {
  SUPPLE_CHECK_OP(positions.size(), ==, normals.size());
  for (const geometry::Triangle& t : m_triangles) {
    const Vec3 u = m_positions[t[1]] - m_positions[t[0]];
    const Vec3 v = m_positions[t[2]] - m_positions[t[0]];
    for (const Index corner : t) m_group_sum[m_group[corner]] += u.cross(v);
  }
}

std::vector<Vec3> NormalMap::corrections(const std::vector<Vec3>& displacements) const {
  SUPPLE_CHECK_OP(displacements.size(), ==, m_positions.size());
  // d(sum of U x V), then (I - n n^T) / |sum|: the derivative of the normalised sum.
  std::vector<Vec3> change(m_positions.size(), Vec3::Zero());
  for (const geometry::Triangle& t : m_triangles) {
    const Vec3 u = m_positions[t[1]] - m_positions[t[0]];
    const Vec3 v = m_positions[t[2]] - m_positions[t[0]];
    const Vec3 du = displacements[t[1]] - displacements[t[0]];
    const Vec3 dv = displacements[t[2]] - displacements[t[0]];
    if (du.isZero(0) && dv.isZero(0)) continue;
    const Vec3 d = du.cross(v) + u.cross(dv);
    for (const Index corner : t) change[m_group[corner]] += d;
  }
  std::vector<Vec3> result(m_positions.size(), Vec3::Zero());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Vec3& sum = m_group_sum[m_group[i]];
    const double length = sum.norm();
    if (!(length > 0) || !(m_normals[i].norm() > 0)) continue;
    const Vec3 file_normal = m_normals[i].normalized();
    // Back sides of double-sided skin have the opposite winding.
    const double side = sum.dot(file_normal) < 0 ? -1 : 1;
    const Vec3 n = side / length * sum;
    const Vec3 d = side / length * change[m_group[i]];
    result[i] = Eigen::Quaterniond::FromTwoVectors(n, file_normal) * (d - n * n.dot(d));
  }
  return result;
}

}  // namespace supple::flesh
