// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "samples/simulations.hpp"

namespace supple::samples {

/// Built-in scenes for `supple scene`, after those of [JF03].
[[nodiscard]] const std::vector<SimulationSample>& scene_samples();

/// The scene as text. An unknown name is a usage error that lists the known ones.
[[nodiscard]] Result<bake::SimulationModel> scene_model(std::string_view name, SampleSize size);

}  // namespace supple::samples
