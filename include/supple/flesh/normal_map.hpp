// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <vector>

namespace supple::flesh {

/// How vertex normals change to first order when vertices move [JP02 eqs. 20, 21].
///
/// A normal is the normalised sum of U x V over the faces of its smoothing group: the faces at this
/// point whose vertices have the same normal, so that texture seams stay invisible and hard edges
/// stay hard. If the file's normal deviates from that sum, the correction is rotated accordingly.
class NormalMap {
 public:
  NormalMap(const std::vector<geometry::Vec3>& positions,
            const std::vector<geometry::Vec3>& normals,
            const std::vector<geometry::Triangle>& triangles);

  /// One correction per vertex, perpendicular to its normal.
  [[nodiscard]] std::vector<geometry::Vec3> corrections(
      const std::vector<geometry::Vec3>& displacements) const;

 private:
  std::vector<geometry::Vec3> m_positions;
  std::vector<geometry::Vec3> m_normals;
  std::vector<geometry::Triangle> m_triangles;
  std::vector<geometry::Index> m_group;     // of each vertex
  std::vector<geometry::Vec3> m_group_sum;  // of U x V, per group
};

}  // namespace supple::flesh
