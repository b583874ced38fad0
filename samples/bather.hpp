// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/gltf_character.hpp"

#include <cstddef>
#include <string>

namespace supple::samples {

/// The DyRT man in the water: a bathing cap with a frill, and fins on his feet. Cap and fins are
/// separate meshes "cap", "left-fin" and "right-fin". No clips.
[[nodiscard]] Result<io::SkinnedModel> bather(std::size_t vertices);

/// Flesh of thighs and belly, and three shells.
[[nodiscard]] std::string bather_bake_toml();

}  // namespace supple::samples
