// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf_character.hpp"

#include <vector>

namespace supple::samples {

/// When the DyRT man's soles leave the floor and meet it again in his clip "jump", seconds.
inline constexpr double kJumpTakeOff = 0.7;
inline constexpr double kJumpLanding = 1.2;

/// "walk" (1.1 s, loops on the spot), "jump" (2.5 s, from rest to rest) and "dance" (4 s, loops).
[[nodiscard]] std::vector<io::SkinnedClip> dyrt_man_clips();

}  // namespace supple::samples
