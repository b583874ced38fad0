// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/gltf_character.hpp"

#include <string>

namespace supple::samples {

/// A sheet of A4, 80 g/m^2, that a bar grips along a short edge. As one does with a sheet to keep
/// it from drooping, it is bent to a gutter.
[[nodiscard]] io::SkinnedModel shell_paper();
[[nodiscard]] std::string shell_paper_toml();

}  // namespace supple::samples
