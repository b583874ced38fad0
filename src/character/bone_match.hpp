// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/bone_roles.hpp"
#include "supple/character/retarget.hpp"

namespace supple::character {

/// Which joint moves which bone.
struct BoneMatch {
  std::vector<std::optional<std::size_t>> joint;  ///< per bone of the character
  std::vector<BoneTag> tags;                      ///< of the character's bones
  std::vector<std::size_t> unused;                ///< joints without a matching bone
};

[[nodiscard]] Result<BoneMatch> match_bones(const Recording& recording, const Character& character,
                                            const BoneMap& map);

}  // namespace supple::character
