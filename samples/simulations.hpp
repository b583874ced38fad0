// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/simulate.hpp"
#include "supple/core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace supple::samples {

/// A built-in scene for `supple simulate`.
struct SimulationSample {
  std::string name;
  std::string description;
};
[[nodiscard]] const std::vector<SimulationSample>& simulation_samples();

enum class SampleSize { Small, Full };

/// The scene as text. An unknown name is a usage error that lists the known ones.
[[nodiscard]] Result<bake::SimulationModel> simulation_model(std::string_view name,
                                                             SampleSize size);

}  // namespace supple::samples
