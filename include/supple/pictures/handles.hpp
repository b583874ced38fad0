// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf.hpp"
#include "supple/io/gltf_materials.hpp"

#include <cstddef>

namespace supple::pictures {

/// What a handle holds, and thus how it is drawn, as in [CWK07]: a yellow ball for a position, red,
/// green and blue arrows along x, y and z for an orientation.
struct HandleLook {
  bool position = false;
  bool orientation = false;
};

/// Adds a node that draws a handle of size 1 (the arrows' length) at its origin, and returns the
/// node. It uses vertex colours and a new material after the file's own.
std::size_t add_handle_node(io::GltfAsset& asset, const HandleLook& look);

[[nodiscard]] io::GltfMaterial handle_material();

}  // namespace supple::pictures
