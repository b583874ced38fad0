// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"

#include <string>

namespace supple::bake {

/// OUT.supple beside OUT.glb.
[[nodiscard]] std::string supple_path(const std::string& glb);

/// An error unless the name is empty or ends in .glb.
[[nodiscard]] Result<void> check_glb_name(const std::string& output);

}  // namespace supple::bake
