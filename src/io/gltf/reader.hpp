// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/gltf/accessor.hpp"
#include "io/gltf/document.hpp"

#include "supple/io/gltf.hpp"

#include <string>
#include <vector>

namespace supple::io::gltf {

/// Builds the typed views of a document.
[[nodiscard]] Result<GltfAsset> view_document(std::shared_ptr<const GltfDocument> document,
                                              std::string name);

/// "mesh 'body'", or "mesh 3" if it has no name.
[[nodiscard]] std::string called(const char* kind, std::size_t index, const std::string& name);

[[nodiscard]] Result<GltfMesh> read_mesh(const Json& json, std::size_t index,
                                         std::size_t material_count, AccessorReader& accessors,
                                         std::vector<std::string>& warnings);
[[nodiscard]] Result<GltfAnimation> read_animation(const Json& json, std::size_t index,
                                                   const GltfAsset& asset,
                                                   AccessorReader& accessors,
                                                   std::vector<std::string>& warnings);

}  // namespace supple::io::gltf
