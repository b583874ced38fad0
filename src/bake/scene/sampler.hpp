// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/chain_store.hpp"
#include "bake/scene/drawn_scene.hpp"

#include "supple/bake/scene_settings.hpp"
#include "supple/scene/palette.hpp"
#include "supple/scene/sampling.hpp"
#include "supple/scene/simulator.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace supple::bake::detail {

/// Chains whose starts are chosen together. Fixed, so that results do not depend on the threads.
inline constexpr std::size_t kChainsOfBatch = 8;

/// Makes a simulator for one chain; called from several threads at once.
using MakeSimulator = std::function<Result<std::unique_ptr<scene::Simulator>>()>;

struct SampledScene {
  std::size_t chains = 0;
  std::size_t resumed = 0;
};

/// Samples chains in batches of a fixed size, as many batches as the wanted states take, each chain
/// on one of the threads. After the first quarter of the states, and if the settings want it,
/// chains begin where play would blend furthest: at the saved states and entries that are furthest
/// from the origins of all responses to that entry.
[[nodiscard]] Result<SampledScene> sample_scene(const MakeSimulator& make,
                                                const SceneSettings& settings,
                                                const scene::Palette& palette,
                                                const DrawnScene& drawn, const ChainStore& store);

/// Where a chain begins: some frames after a saved state.
struct AdvancedStart {
  scene::ChainStart start;  ///< its place is that after these frames
  scene::Action action;     ///< during them
  std::size_t frames = 0;
};

/// Samples a chain from each start, as chains `first` and after it, but for those that the store
/// has.
[[nodiscard]] Result<void> sample_more(const MakeSimulator& make, const SceneSettings& settings,
                                       const scene::Palette& palette, const DrawnScene& drawn,
                                       const ChainStore& store,
                                       const std::vector<AdvancedStart>& starts, std::size_t first);

[[nodiscard]] scene::SamplingSettings sampling_settings(const SceneSettings& settings);

}  // namespace supple::bake::detail
