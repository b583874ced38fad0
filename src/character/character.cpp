// SPDX-License-Identifier: Apache-2.0
#include "supple/character/character.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::character {
namespace {

Result<void> check_bones(const std::vector<Bone>& bones) {
  if (bones.empty()) return bad_input("the character has no bones; flesh needs a rigged character");
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const Bone& bone = bones[b];
    if (!bone.rest_world.allFinite() || !bone.inverse_bind.allFinite()) {
      return bad_input(fmt::format("bone '{}' has a transform that is not finite", bone.name));
    }
    if (bone.parent && *bone.parent >= bones.size()) {
      return bad_input(fmt::format("bone '{}' has a parent out of range", bone.name));
    }
    std::size_t steps = 0;
    for (auto up = bone.parent; up; up = bones[*up].parent) {
      if (++steps > bones.size()) {
        return bad_input(fmt::format("bone '{}' is its own ancestor", bone.name));
      }
    }
  }
  return {};
}

}  // namespace

Result<void> Character::validate() const {
  SUPPLE_TRY_VOID(check_bones(bones));
  const std::size_t count = positions.size();
  if (count == 0 || triangles.empty()) return bad_input("the character has no skin to deform");
  const bool sizes_agree = (normals.empty() || normals.size() == count) &&
                           materials.size() == triangles.size() &&
                           joints.size() == influences * count && weights.size() == joints.size();
  if (!sizes_agree) return bad_input("the character's vertex arrays differ in length");
  for (const geometry::Vec3& position : positions) {
    if (!position.allFinite()) return bad_input("a vertex position is not finite");
  }
  for (const geometry::Triangle& triangle : triangles) {
    for (const geometry::Index v : triangle) {
      if (v < 0 || static_cast<std::size_t>(v) >= count) {
        return bad_input(fmt::format("a triangle names vertex {} of {}", v, count));
      }
    }
  }
  for (const std::uint32_t joint : joints) {
    if (joint >= bones.size()) {
      return bad_input(fmt::format("a vertex follows bone {} of {}", joint, bones.size()));
    }
  }
  for (const auto& [mask, values] : masks) {
    if (values.size() != count) {
      return bad_input(
          fmt::format("mask '{}' has {} values for {} vertices", mask, values.size(), count));
    }
  }
  if (!(metres_per_unit > 0)) return bad_input("metres per unit must be positive");
  return {};
}

Result<std::size_t> Character::find_bone(std::string_view bone) const {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < bones.size(); ++b) {
    if (bones[b].name == bone) return b;
    names.push_back(bones[b].name);
  }
  // Several similar names help more than one: skeletons have a left and a right.
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(bone, a) < edit_distance(bone, b);
  });
  constexpr std::size_t kShown = 4;
  names.resize(std::min(names.size(), kShown));
  return bad_input(fmt::format("no bone is named '{}'; similar names: {}", bone,
                               fmt::format("'{}'", fmt::join(names, "', '"))));
}

}  // namespace supple::character
