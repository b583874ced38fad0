// SPDX-License-Identifier: Apache-2.0
#include "supple/character/facing.hpp"

#include "supple/character/bone_roles.hpp"
#include "supple/core/check.hpp"

#include <cmath>

namespace supple::character {

bool faces_back(const std::vector<std::string>& names, const std::vector<geometry::Vec3>& places) {
  SUPPLE_CHECK_OP(names.size(), ==, places.size());
  std::vector<BoneName> understood;
  understood.reserve(names.size());
  for (const std::string& name : names) understood.push_back(understand(name));
  geometry::Vec3 to_left = geometry::Vec3::Zero();
  for (std::size_t left = 0; left < names.size(); ++left) {
    if (understood[left].side != Side::Left) continue;
    for (std::size_t right = 0; right < names.size(); ++right) {
      BoneName mirrored = understood[right];
      if (mirrored.side != Side::Right) continue;
      mirrored.side = Side::Left;
      if (mirrored == understood[left]) to_left += places[left] - places[right];
    }
  }
  return to_left.x() < 0 && -to_left.x() > std::abs(to_left.z());
}

}  // namespace supple::character
