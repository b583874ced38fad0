// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/motion.hpp"
#include "supple/io/gltf_editor.hpp"

namespace supple::bake::detail {

/// Adds to an animation the channels that move the bones as in `motion`; bones at rest get none.
[[nodiscard]] Result<void> add_bone_channels(io::GltfEditor& editor, std::size_t animation,
                                             const io::GltfAsset& asset,
                                             const GltfCharacter& source, const Motion& motion);

}  // namespace supple::bake::detail
