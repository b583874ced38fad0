// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/chain_store.hpp"
#include "bake/scene/drawn_scene.hpp"

#include "supple/bake/scene_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/scene/palette.hpp"
#include "supple/scene/portrait.hpp"
#include "supple/scene/reduction.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace supple::bake::detail {

/// Shapes of the first `chains` chains, as the settings want them.
[[nodiscard]] Result<scene::Shapes> find_shapes(const SceneSettings& settings,
                                                const DrawnScene& drawn, const ChainStore& store,
                                                std::size_t chains);

/// Collects responses in the coordinates of shapes, chain by chain, without their vertices.
class PortraitMaker {
 public:
  /// The settings must outlive this object.
  PortraitMaker(const SceneSettings& settings, scene::Shapes shapes, scene::Draw draw)
      : m_settings(settings), m_shapes(std::move(shapes)), m_draw(std::move(draw)) {}

  /// Returns the coordinates of the chain, a column for each frame.
  Eigen::MatrixXd add(const scene::Chain& chain);
  [[nodiscard]] scene::Portrait portrait() const;

 private:
  const SceneSettings& m_settings;
  scene::Shapes m_shapes;
  scene::Draw m_draw;
  std::vector<scene::Chain> m_outlines;
  std::vector<Eigen::MatrixXd> m_parts;
};

/// The portrait of the first `chains` chains; `see` gets each of them with its coordinates.
using SeeChain = std::function<void(const scene::Chain& chain, const Eigen::MatrixXd& q)>;
[[nodiscard]] Result<scene::Portrait> find_portrait(const SceneSettings& settings,
                                                    const scene::Shapes& shapes,
                                                    const DrawnScene& drawn,
                                                    const ChainStore& store, std::size_t chains,
                                                    const SeeChain& see = {});

/// The part of a portrait that can be played.
struct PlayablePortrait {
  scene::Portrait portrait;
  scene::Transitions transitions;
  std::vector<std::size_t> sampled;  ///< number of each response among all that were sampled
};
[[nodiscard]] Result<PlayablePortrait> keep_playable(const scene::Portrait& sampled,
                                                     const scene::Palette& palette);

}  // namespace supple::bake::detail
