// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/play_file.hpp"

#include <string>
#include <vector>

namespace supple::bake::detail {

/// Of all modes of the file, in the order of coefficients.
[[nodiscard]] std::vector<ModeName> name_modes(const BakedFile& file);

/// A line of names, then for each frame its time and its coefficients.
[[nodiscard]] std::string csv_text(const std::vector<ModeName>& modes, const Tracks& tracks);

}  // namespace supple::bake::detail
