// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"

#include <string>
#include <vector>

namespace supple::gallery {

/// Items from the files that somebody named: characters (.glb .gltf), flesh (.supple), settings
/// (.toml). What is not named but lies beside a character under its name is found: NAME.supple,
/// NAME.bake.toml or NAME.toml. Flesh goes to the character of its name, or to one that was named
/// and has its mesh; flesh for another mesh is bad input.
[[nodiscard]] Result<Gallery> find_items(const std::vector<std::string>& files);

}  // namespace supple::gallery
