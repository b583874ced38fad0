// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/chain_store.hpp"
#include "bake/scene/reduce.hpp"

#include "supple/bake/scene_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/scene/palette.hpp"
#include "supple/scene/portrait.hpp"
#include "supple/scene/sampling.hpp"
#include "supple/scene/simulator.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace supple::bake::detail {

/// Where a chain begins: some frames after a saved state, or at rest.
struct AdvancedStart {
  scene::ChainStart start = {};  ///< its place is that after these frames
  scene::Action action = {};     ///< during them
  std::size_t frames = 0;
};

/// The start of a chain with an entry at a frame of a response: from the nearest saved state before
/// it. `first`: number of the chain's first response among all. None: the response has no saved
/// state.
[[nodiscard]] std::optional<AdvancedStart> start_at(const scene::Chain& chain, std::size_t first,
                                                    const scene::Place& place, std::size_t entry);

/// Finds where samples are missing: it plays at random what there is, and looks where entries act
/// far from the origins of the responses that answer.
class BranchFinder {
 public:
  BranchFinder(const SceneSettings& settings, const scene::Palette& palette,
               const ChainStore& store)
      : m_settings(settings), m_palette(palette), m_store(store) {}

  /// So many starts, or fewer, of which each lowers the squared distances of this play by as much
  /// as any start can, with those before it; none where some entry cannot be played yet. `chains`
  /// exist.
  [[nodiscard]] Result<std::vector<AdvancedStart>> find(std::size_t chains, std::size_t count);

 private:
  /// An entry that acted in a sampled state.
  struct Demand {
    scene::Place place;  ///< among all that was sampled
    std::size_t entry = 0;
    Eigen::VectorXd point;
    double left = 0;  ///< squared distance from the nearest origin
  };

  [[nodiscard]] Result<void> look_at(std::size_t chains);
  /// Empty where some entry cannot be played yet.
  [[nodiscard]] std::vector<Demand> find_demand(const scene::Portrait& sampled,
                                                std::size_t chains) const;
  /// The demand that a start at one of them would serve best.
  [[nodiscard]] static std::size_t best_of(const std::vector<Demand>& demand);
  [[nodiscard]] Result<std::optional<AdvancedStart>> start_for(const Demand& demand) const;

  const SceneSettings& m_settings;
  const scene::Palette& m_palette;
  const ChainStore& m_store;
  std::optional<PortraitMaker> m_seen;
  std::vector<std::size_t> m_first_response = {0};  ///< of each chain that it has seen, and of more
};

}  // namespace supple::bake::detail
