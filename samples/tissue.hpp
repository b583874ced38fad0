// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/io/gltf_character.hpp"

#include <cstddef>
#include <string>

namespace supple::samples {

inline constexpr std::size_t kTissueVertices = 8000;

/// A patch of tissue of 20 x 20 x 5 cm on a tray, and an instrument that probes it, after the
/// second example of [JP02 6]. Bones: "Table", and on it "Tissue" and "Instrument"; one clip,
/// "probe" (4 s, loops). The patch has about `vertices` (1000 to 100,000); its mask "_TISSUE" is 1
/// on the free surface and falls to 0 at the rim and below, where the patch is attached.
[[nodiscard]] Result<io::SkinnedModel> tissue(std::size_t vertices = kTissueVertices);

[[nodiscard]] std::string tissue_bake_toml();

}  // namespace supple::samples
