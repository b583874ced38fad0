// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/simulation_settings.hpp"
#include "supple/settings/fields.hpp"

namespace supple::bake::detail {

/// The tables of a scene.toml.
[[nodiscard]] const settings::Fields<SimulatedSolid>& solid_fields();
[[nodiscard]] const settings::Fields<SimulatedCloth>& cloth_fields();
[[nodiscard]] const settings::Fields<SimulatedObstacle>& obstacle_fields();
[[nodiscard]] const settings::Fields<PinSettings>& pin_fields();
[[nodiscard]] const settings::Fields<ImpulseSettings>& impulse_fields();

/// Bodies without a name are called by their kind and number.
void complete_body_names(SimulationSettings& settings);

}  // namespace supple::bake::detail
