// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/solid_model.hpp"

namespace supple::bake {

/// Loads a CalculiX deck with its own elements, materials and boundary conditions.
[[nodiscard]] Result<void> load_deck(LoadedModel& loaded, const ModelRequest& request);

}  // namespace supple::bake
