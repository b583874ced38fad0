// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"

#include <filesystem>

namespace supple::gallery {

/// Whether a glTF file refers to others: a .gltf, or a .glb with external files. Only a
/// self-contained file can be served as it is. Anything that is not glTF is bad input.
[[nodiscard]] Result<bool> needs_packing(const std::filesystem::path& character);

/// The same as a single .glb with all external files inside.
[[nodiscard]] Result<Bytes> pack_character(const std::filesystem::path& character);

/// An error that names both files unless the .supple was baked for this character's mesh.
[[nodiscard]] Result<void> check_flesh(const std::filesystem::path& character,
                                       const std::filesystem::path& flesh);

}  // namespace supple::gallery
