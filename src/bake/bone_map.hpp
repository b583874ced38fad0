// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/bone_roles.hpp"

#include "supple/bake/motion.hpp"

namespace supple::bake::detail {

/// Which joint moves which bone.
struct BoneMatch {
  std::vector<std::optional<std::size_t>> joint;  ///< per bone of the character
  std::vector<BoneTag> tags;                      ///< of the character's bones
  std::vector<std::size_t> unused;                ///< joints that found no bone
};

[[nodiscard]] Result<BoneMatch> match_bones(const io::Bvh& bvh, const flesh::Character& character,
                                            const BoneMap& map);

}  // namespace supple::bake::detail
