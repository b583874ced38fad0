// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"

#include <filesystem>

namespace supple::gallery {

/// Whether a glTF file is more than the one file: a .gltf, or a .glb that names others. Only one
/// that is complete can be served as it lies there. What is no glTF is bad input.
[[nodiscard]] Result<bool> needs_packing(const std::filesystem::path& character);

/// The same as one .glb, with all that it names inside.
[[nodiscard]] Result<Bytes> pack_character(const std::filesystem::path& character);

/// An error that names both files unless the .supple was baked for this character's mesh.
[[nodiscard]] Result<void> check_flesh(const std::filesystem::path& character,
                                       const std::filesystem::path& flesh);

}  // namespace supple::gallery
