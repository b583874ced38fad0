// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf_character.hpp"

#include <string>

namespace supple::samples {

/// A sheet of A4, 80 g/m^2, gripped by a bar along a short edge. It is bent to a gutter, which
/// keeps it from drooping.
[[nodiscard]] io::SkinnedModel shell_paper();
[[nodiscard]] std::string shell_paper_toml();

}  // namespace supple::samples
