// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/scene_settings.hpp"
#include "supple/core/result.hpp"

#include <cstddef>
#include <string>

namespace supple::bake::detail {

/// What the sizes of a scene are, before its sampling begins.
struct SceneSize {
  std::size_t vertices = 0;     ///< that are recorded
  std::size_t drawn = 0;        ///< vertices that are drawn
  std::size_t state_bytes = 0;  ///< of a state to branch from
};

/// What sampling and reduction take, in bytes, about.
struct SceneDemand {
  double disk = 0;
  double memory = 0;
};
[[nodiscard]] SceneDemand estimate_demand(const SceneSettings& settings, const SceneSize& size);

/// An error where less is there than the scene takes; the figures are in it. Infinite supply is
/// supply that could not be measured.
[[nodiscard]] Result<void> check_demand(const SceneDemand& demand, const SceneDemand& supply,
                                        const std::string& folder);
/// What is free on the disk of a folder, which need not exist yet, and the machine's memory.
[[nodiscard]] SceneDemand measure_supply(const std::string& folder);

}  // namespace supple::bake::detail
