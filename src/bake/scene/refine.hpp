// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/branching.hpp"
#include "bake/scene/chain_store.hpp"
#include "bake/scene/drawn_scene.hpp"
#include "bake/scene/reduce.hpp"

#include "supple/bake/scene.hpp"
#include "supple/bake/scene_log.hpp"
#include "supple/scene/palette.hpp"

#include <cstddef>
#include <vector>

namespace supple::bake::detail {

/// New samples from the worst blends of live play.
///
/// Each log of a work folder has chains of its own behind those of the bake: the same log again
/// samples nothing more and gives the same bytes, also after an interruption, and further logs add
/// to earlier ones.
class SceneRefiner {
 public:
  SceneRefiner(const SceneSettings& settings, const scene::Palette& palette,
               const DrawnScene& drawn, const ChainStore& store)
      : m_settings(settings), m_palette(palette), m_drawn(drawn), m_store(store) {}

  /// Finds out which states of the samples the log means. `chains`: those of the bake. A log that
  /// does not fit the samples is an error.
  [[nodiscard]] Result<void> prepare(const SceneLog& log, const Hash& hash, std::size_t chains);
  /// The first of the new chains, and where they begin.
  [[nodiscard]] std::size_t first() const { return m_first; }
  [[nodiscard]] const std::vector<AdvancedStart>& starts() const { return m_starts; }
  [[nodiscard]] std::size_t chains() const { return m_first + m_starts.size(); }

  /// Before and after, once the new chains are there and reduced.
  [[nodiscard]] SceneRefinement compare(const PlayablePortrait& after) const;

 private:
  /// A blend of the log in terms of the samples.
  struct Target {
    scene::Place place;  ///< response among all sampled ones
    std::size_t entry = 0;
    double before = 0;  ///< distance, relative
  };

  [[nodiscard]] Result<void> find_first(const Hash& hash, std::size_t chains);
  [[nodiscard]] Result<void> find_targets(const SceneLog& log, const PlayablePortrait& before);
  [[nodiscard]] Result<Target> find_target(const SceneBlend& blend, std::size_t number,
                                           const PlayablePortrait& before,
                                           const scene::AnswerFinder& answers) const;
  [[nodiscard]] Result<void> find_starts();
  [[nodiscard]] Result<void> mark(const Hash& hash) const;

  const SceneSettings& m_settings;
  const scene::Palette& m_palette;
  const DrawnScene& m_drawn;
  const ChainStore& m_store;
  std::size_t m_first = 0;
  std::vector<std::size_t> m_first_response;  ///< of each chain, among all
  std::vector<Target> m_targets;
  std::vector<AdvancedStart> m_starts;
  double m_coverage_before = 0;
};

}  // namespace supple::bake::detail
