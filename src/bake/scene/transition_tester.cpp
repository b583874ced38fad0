// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/transition_tester.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace supple::bake::detail {
namespace {

/// Shares of the blend's time at which a frame is tested; offsets matter most at the beginning, and
/// those with a velocity grow for half of a half-life.
constexpr std::array<double, 8> kTestedShares{0, 0.06, 0.12, 0.2, 0.3, 0.45, 0.7, 1};
/// After so many half-lives 1 % of an offset is left, critically damped.
constexpr double kBlendHalfLives = 3.96;

}  // namespace

std::vector<CachedTransition> cached_transitions(const soft::SceneTraits& traits) {
  std::vector<CachedTransition> all;
  std::size_t state = 0;
  for (std::uint32_t r = 0; r < traits.responses.size(); ++r) {
    for (std::uint32_t f = 0; f < traits.responses[r].states; ++f, ++state) {
      for (std::uint32_t e = 0; e < traits.palette.size(); ++e) {
        if (traits.next[state * traits.palette.size() + e]) all.push_back({r, f, e});
      }
    }
    if (traits.responses[r].onward) all.push_back({r, traits.responses[r].states - 1, {}});
  }
  return all;
}

std::vector<CachedTransition> spread_transitions(const std::vector<CachedTransition>& all,
                                                 std::size_t most) {
  const std::size_t count = std::min(most, all.size());
  std::vector<CachedTransition> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
  return some;
}

TransitionTester::TransitionTester(const soft::SceneTraits& traits, const RecordedShapes& recorded,
                                   const CrossingTest& crossings)
    : m_traits(traits), m_recorded(recorded), m_crossings(crossings) {
  const double blend = kBlendHalfLives * traits.half_life / traits.frame_seconds;
  for (const double share : kTestedShares) {
    const auto frame = static_cast<std::size_t>(std::max(1.0, std::round(share * blend)));
    if (m_frames.empty() || frame > m_frames.back()) m_frames.push_back(frame);
  }
}

scene::Playback TransitionTester::begin(const CachedTransition& transition) const {
  scene::Playback playback(m_traits);
  playback.place(transition.response, transition.frame);
  if (transition.entry) {
    playback.trigger(*transition.entry, m_traits.palette[*transition.entry].strongest);
  }
  return playback;
}

TransitionOutcome TransitionTester::count(scene::Playback playback, bool blended,
                                          std::size_t most) const {
  TransitionOutcome outcome;
  std::size_t at = 0;
  for (const std::size_t frame : m_frames) {
    for (; at < frame; ++at) playback.advance(m_traits.frame_seconds);
    const std::size_t pairs = crossings(blended ? playback.position() : playback.sample()).size();
    outcome.intersections += pairs;
    if (pairs > outcome.worst_count) {
      outcome.worst_count = pairs;
      outcome.worst_frame = frame;
    }
    if (outcome.intersections >= most) break;
  }
  return outcome;
}

TransitionOutcome TransitionTester::test(const CachedTransition& transition) const {
  return count(begin(transition), true);
}

TransitionOutcome TransitionTester::test_unblended(const CachedTransition& transition) const {
  return count(begin(transition), false);
}

TransitionOutcome TransitionTester::test_answer(const CachedTransition& transition,
                                                std::uint32_t group, std::size_t most) const {
  scene::Playback playback(m_traits);
  playback.place(transition.response, transition.frame);
  playback.answer(group, m_traits.palette[m_traits.responses[group].entry].strongest);
  return count(std::move(playback), true, most);
}

Eigen::VectorXd TransitionTester::play(const CachedTransition& transition,
                                       std::size_t frame) const {
  scene::Playback playback = begin(transition);
  for (std::size_t f = 0; f < frame; ++f) playback.advance(m_traits.frame_seconds);
  return playback.position();
}

}  // namespace supple::bake::detail
