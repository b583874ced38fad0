// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/branching.hpp"
#include "bake/scene/chain_store.hpp"

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
/// on one of the threads.
///
/// Chains at random begin at rest [JF03 section 3.1]. Adaptive sampling answers each entry once at
/// rest, or as soon as the rules let it act, until the scene rests again; then it branches, where
/// BranchFinder says, a response at a time.
[[nodiscard]] Result<SampledScene> sample_scene(const MakeSimulator& make,
                                                const SceneSettings& settings,
                                                const scene::Palette& palette,
                                                const ChainStore& store);

/// Samples a response from each start, as chains `first` and after it, but for those that the store
/// has.
[[nodiscard]] Result<void> sample_more(const MakeSimulator& make, const SceneSettings& settings,
                                       const scene::Palette& palette, const ChainStore& store,
                                       const std::vector<AdvancedStart>& starts, std::size_t first);

[[nodiscard]] scene::SamplingSettings sampling_settings(const SceneSettings& settings);

}  // namespace supple::bake::detail
