// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/baked_file.hpp"
#include "supple/bake/gltf_character.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"

#include <string>

namespace supple::bake {

/// The character that a .supple moves.
struct FittedMesh {
  GltfCharacter source;
  std::string note;  ///< how its vertices were matched; "": the mesh is the one that was baked
};

/// Ties a .supple to a glTF file: by the hash of its mesh, or else by the positions of its
/// vertices, since tools compress, quantise, weld and reorder meshes. Nodes that have moved in the
/// file's list are found by name. Then `file` is replaced by one for the mesh as it is now. An
/// error, which says what does not fit, if the mesh is a different one.
[[nodiscard]] Result<FittedMesh> fit_to_mesh(BakedFile& file, const io::GltfAsset& asset);

}  // namespace supple::bake
