// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"
#include "supple/io/gltf.hpp"
#include "supple/io/gltf_editor.hpp"

#include <optional>

namespace supple::io {

/// The water of a scene: an empty node of this name at the height of its surface, so that every
/// program can open the file and those that draw water know where. The viewer looks for it too.
inline constexpr const char* kWaterSurface = "water_surface";

void add_water_surface(GltfEditor& editor, const geometry::Vec3& place);

/// Its height at rest, in the file's units; none: the file has no such node.
[[nodiscard]] std::optional<double> water_surface(const GltfAsset& asset);

}  // namespace supple::io
