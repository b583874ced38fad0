// SPDX-License-Identifier: Apache-2.0
#include "character/soles.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <limits>

namespace supple::character {
namespace {

using geometry::Vec3;

/// Towards faces, edges and corners of a cube.
std::vector<Vec3> all_around() {
  std::vector<Vec3> directions;
  directions.reserve(26);
  for (const int x : {-1, 0, 1}) {
    for (const int y : {-1, 0, 1}) {
      for (const int z : {-1, 0, 1}) {
        if (x != 0 || y != 0 || z != 0) directions.emplace_back(Vec3(x, y, z).normalized());
      }
    }
  }
  return directions;
}

}  // namespace

Soles::Soles(const Character& character) : m_character(character) {
  const std::size_t influences = character.influences;
  if (character.weights.size() != influences * character.positions.size()) return;
  struct Outermost {
    double reach = -std::numeric_limits<double>::infinity();
    std::size_t vertex = 0;
  };
  const std::vector<Vec3> directions = all_around();
  std::vector<std::vector<Outermost>> of_bone(character.bones.size());
  for (std::size_t v = 0; influences > 0 && v < character.positions.size(); ++v) {
    const auto own = character.weights.begin() + static_cast<std::ptrdiff_t>(v * influences);
    const auto most = std::max_element(own, own + static_cast<std::ptrdiff_t>(influences));
    const auto at = static_cast<std::size_t>(most - character.weights.begin());
    std::vector<Outermost>& outermost = of_bone[character.joints[at]];
    outermost.resize(directions.size());
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const double reach = directions[d].dot(character.positions[v]);
      if (reach > outermost[d].reach) outermost[d] = {reach, v};
    }
  }
  for (const auto& outermost : of_bone) {
    for (const Outermost& point : outermost) m_vertices.push_back(point.vertex);
  }
  std::sort(m_vertices.begin(), m_vertices.end());
  m_vertices.erase(std::unique(m_vertices.begin(), m_vertices.end()), m_vertices.end());
}

double Soles::lowest(const std::vector<Eigen::Matrix4d>& pose, const Vec3& up) const {
  // Heights are linear in the matrices: one row per bone serves all its vertices.
  std::vector<Eigen::RowVector4d> height(pose.size());
  double low = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < pose.size(); ++b) {
    const Eigen::RowVector4d row = up.transpose() * pose[b].topRows<3>();
    if (m_vertices.empty()) low = std::min(low, row[3]);
    height[b] = row * m_character.bones[b].inverse_bind;
  }
  for (const std::size_t v : m_vertices) {
    double own = 0;
    for (std::size_t k = 0; k < m_character.influences; ++k) {
      const std::size_t at = v * m_character.influences + k;
      own += m_character.weights[at] *
             height[m_character.joints[at]].dot(m_character.positions[v].homogeneous());
    }
    low = std::min(low, own);
  }
  return low;
}

}  // namespace supple::character
