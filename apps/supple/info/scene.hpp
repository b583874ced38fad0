// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/json.hpp"

#include "supple/bake/asset_file.hpp"

#include <string>

namespace supple::app {

/// The palettes and portraits of the scenes in a file; empty: it has none.
[[nodiscard]] std::string scenes_text(const bake::AssetFile& file);
/// Of an object that is a scene.
[[nodiscard]] Json scene_json(const bake::AssetFile& file, std::uint32_t object);

}  // namespace supple::app
