// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/reduce.hpp"

#include "bake/scene/sampler.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/progress.hpp"

#include <span>
#include <utility>

namespace supple::bake::detail {

namespace {

/// What a simulator recorded as what is drawn; `drawn` must outlive it.
scene::Draw drawing_of(const DrawnScene& drawn) {
  return [&drawn](std::span<const float> recorded, Eigen::VectorXd& points) {
    drawn.draw(recorded, points);
  };
}

}  // namespace

Result<scene::Shapes> find_shapes(const SceneSettings& settings, const DrawnScene& drawn,
                                  const ChainStore& store, std::size_t chains) {
  scene::ShapeSettings wanted;
  wanted.max_rank = settings.shapes.max_rank;
  wanted.rank = settings.shapes.rank;
  wanted.tolerance = settings.shapes.tolerance;
  scene::ShapeReducer reducer(drawn.rest(), drawing_of(drawn), wanted);
  Progress progress("shapes of the motion", static_cast<double>(chains));
  for (std::size_t c = 0; c < chains; ++c) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(const scene::Chain chain, store.load(c));
    SUPPLE_TRY_VOID(reducer.add(chain));
    progress.advance();
  }
  return reducer.finish();
}

Eigen::MatrixXd PortraitMaker::add(const scene::Chain& chain) {
  m_parts.push_back(scene::project(chain, m_shapes, m_draw));
  scene::Chain outline;
  outline.origin = chain.origin;
  outline.responses = chain.responses;
  m_outlines.push_back(std::move(outline));
  return m_parts.back();
}

scene::Portrait PortraitMaker::portrait() const {
  Eigen::Index states = 0;
  for (const Eigen::MatrixXd& part : m_parts) states += part.cols();
  Eigen::MatrixXd q(m_shapes.basis.cols(), states);
  Eigen::Index state = 0;
  for (const Eigen::MatrixXd& part : m_parts) {
    q.middleCols(state, part.cols()) = part;
    state += part.cols();
  }
  return scene::make_portrait(scene::join_responses(m_outlines), std::move(q),
                              1 / m_settings.simulation.rate,
                              sampling_settings(m_settings).shortest);
}

Result<scene::Portrait> find_portrait(const SceneSettings& settings, const scene::Shapes& shapes,
                                      const DrawnScene& drawn, const ChainStore& store,
                                      std::size_t chains, const SeeChain& see) {
  PortraitMaker maker(settings, shapes, drawing_of(drawn));
  for (std::size_t c = 0; c < chains; ++c) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(const scene::Chain chain, store.load(c));
    const Eigen::MatrixXd q = maker.add(chain);
    if (see) see(chain, q);
  }
  return maker.portrait();
}

Result<PlayablePortrait> keep_playable(const scene::Portrait& sampled,
                                       const scene::Palette& palette) {
  PlayablePortrait playable;
  SUPPLE_TRY(playable.sampled, scene::find_playable(sampled, palette));
  playable.portrait = scene::keep_responses(sampled, playable.sampled);
  playable.transitions = scene::find_transitions(playable.portrait, palette);
  return playable;
}

}  // namespace supple::bake::detail
