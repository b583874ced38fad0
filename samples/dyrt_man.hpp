// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/gltf_character.hpp"

#include <cstddef>
#include <string>

namespace supple::samples {

/// Vertices of the character in [JP02 6].
inline constexpr std::size_t kDyrtManVertices = 17953;

/// A stout man of 1.75 m with a full skeleton and clips: our stand-in for the character of [JP02
/// 6]. +Y up, he looks along +Z and stands on y = 0. `vertices` is met within a few percent; fewer
/// than 1500 are an error, because hands and face fall apart. The mask "_BELLY" is 1 at the navel
/// and falls to 0 at the border of the soft belly.
[[nodiscard]] Result<io::SkinnedModel> dyrt_man(std::size_t vertices = kDyrtManVertices);

/// Settings for baking him as [JP02 6] did: two thighs of 10,000 and an abdomen of 30,000
/// quadratic elements, five modes each.
[[nodiscard]] std::string dyrt_man_bake_toml();

}  // namespace supple::samples
