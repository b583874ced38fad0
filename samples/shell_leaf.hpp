// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf_character.hpp"

#include <string>

namespace supple::samples {

/// A large leaf on an arching midrib; colour 0 marks its veins, which are stiffer, and its stalk.
[[nodiscard]] io::SkinnedModel shell_leaf();
[[nodiscard]] std::string shell_leaf_toml();

}  // namespace supple::samples
