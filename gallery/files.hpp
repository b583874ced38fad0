// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gallery/gallery.hpp"

#include <string>
#include <vector>

namespace supple::gallery {

/// Makes items from the given files: characters (.glb .gltf), flesh (.supple), settings (.toml).
/// Also finds NAME.supple, NAME.bake.toml, NAME.shell.toml and NAME.toml beside a character. Flesh
/// goes to the character with its name, or to a given character with its mesh; flesh for another
/// mesh is bad input.
[[nodiscard]] Result<Gallery> find_items(const std::vector<std::string>& files);

}  // namespace supple::gallery
