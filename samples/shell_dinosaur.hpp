// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf_character.hpp"

#include <cstddef>
#include <string>

namespace supple::samples {

/// Number of triangles of the shell in [CWK07 4.1].
inline constexpr std::size_t kDinosaurTriangles = 25830;

/// A long-necked dinosaur with a crest, 1.5 m from nose to tail: a hollow skin, held at its feet.
[[nodiscard]] io::SkinnedModel shell_dinosaur();
[[nodiscard]] std::string shell_dinosaur_toml();

}  // namespace supple::samples
