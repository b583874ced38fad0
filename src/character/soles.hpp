// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"

#include <Eigen/Core>

#include <vector>

namespace supple::character {

/// The points of a character that can touch the floor: of each bone's skin the outermost vertices
/// in many directions. Where there is no skin, the bones themselves.
class Soles {
 public:
  explicit Soles(const Character& character);

  /// The height of the lowest point in a pose (world matrices of all bones), along `up`.
  [[nodiscard]] double lowest(const std::vector<Eigen::Matrix4d>& pose,
                              const geometry::Vec3& up) const;

 private:
  const Character& m_character;
  std::vector<std::size_t> m_vertices;
};

}  // namespace supple::character
