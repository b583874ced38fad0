// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"

#include <string>
#include <vector>

namespace supple::character {

/// Whether a rig faces -Z, the back of a glTF scene: its bones of the left side, by their names,
/// are on the right of someone who looks towards +Z. Rigs without pairs of bones, and those that
/// face sideways, do not.
[[nodiscard]] bool faces_back(const std::vector<std::string>& names,
                              const std::vector<geometry::Vec3>& places);

}  // namespace supple::character
