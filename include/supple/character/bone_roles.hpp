// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::character {

enum class BoneRole {
  None,
  Hips,
  Spine,
  Neck,
  Head,
  Clavicle,
  UpperArm,
  LowerArm,
  Hand,
  UpperLeg,
  LowerLeg,
  Foot,
  Toe
};
enum class Side { None, Left, Right };

/// The content of a bone name without its naming convention: "mixamorig:LeftUpLeg", "upleg.L" and
/// "Left_Up_Leg" are the same.
struct BoneName {
  std::string words;  ///< lower case, without separators, side and digits
  Side side = Side::None;
  std::vector<std::string> numbers;  ///< without leading zeros

  bool operator==(const BoneName&) const = default;
};
[[nodiscard]] BoneName understand(std::string_view name);

struct BoneTag {
  BoneRole role = BoneRole::None;
  Side side = Side::None;

  bool operator==(const BoneTag&) const = default;
};

/// The body part of each bone, from its name and, in rigs that only number a limb's bones, from its
/// position in the chain. Parents may come before or after their children.
[[nodiscard]] std::vector<BoneTag> find_roles(
    const std::vector<std::string>& names, const std::vector<std::optional<std::size_t>>& parents);

/// The bones of a part, from the root outwards.
[[nodiscard]] std::vector<std::size_t> bones_with(
    const std::vector<BoneTag>& tags, const std::vector<std::optional<std::size_t>>& parents,
    BoneTag tag);

}  // namespace supple::character
