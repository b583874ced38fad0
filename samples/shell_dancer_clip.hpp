// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf_character.hpp"

#include <vector>

namespace supple::samples::dancer {

enum Bone : std::uint32_t { Root, Hips, Chest, Head, LeftFoot, RightFoot };

/// Joints at rest, in the world: bones have the world's axes there.
[[nodiscard]] std::vector<io::SkinnedBone> skeleton();

/// Side steps with the weight from foot to foot, a bow, and a turn on the spot: 16 beats.
[[nodiscard]] io::SkinnedClip dance();

}  // namespace supple::samples::dancer
