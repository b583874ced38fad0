// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/certificate.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace supple::bake::detail {
namespace {

/// More cached transitions are tested in part.
constexpr std::size_t kMostTested = 256;
/// Shares of the blend's time at which a frame is tested; offsets matter most at the beginning, and
/// those with a velocity grow for half of a half-life.
constexpr std::array<double, 8> kTestedShares{0, 0.06, 0.12, 0.2, 0.3, 0.45, 0.7, 1};
/// After so many half-lives 1 % of an offset is left, critically damped.
constexpr double kBlendHalfLives = 3.96;

struct CachedTransition {
  std::uint32_t response = 0, frame = 0, entry = 0;
};

std::vector<CachedTransition> cached_transitions(const soft::SceneTraits& traits) {
  std::vector<CachedTransition> all;
  std::size_t state = 0;
  for (std::uint32_t r = 0; r < traits.responses.size(); ++r) {
    for (std::uint32_t f = 0; f < traits.responses[r].states; ++f, ++state) {
      for (std::uint32_t e = 0; e < traits.palette.size(); ++e) {
        if (traits.next[state * traits.palette.size() + e]) all.push_back({r, f, e});
      }
    }
  }
  return all;
}

/// Frames after a transition, ascending.
std::vector<std::size_t> tested_frames(const soft::SceneTraits& traits) {
  const double blend = kBlendHalfLives * traits.half_life / traits.frame_seconds;
  std::vector<std::size_t> frames;
  for (const double share : kTestedShares) {
    const auto frame = static_cast<std::size_t>(std::max(1.0, std::round(share * blend)));
    if (frames.empty() || frame > frames.back()) frames.push_back(frame);
  }
  return frames;
}

/// One transition, tested.
struct TransitionOutcome {
  std::size_t intersections = 0, unblended = 0;
  std::size_t worst_frame = 0, worst_count = 0;
};

class TransitionTester {
 public:
  TransitionTester(const soft::SceneTraits& traits, const Eigen::VectorXd& rest,
                   const Eigen::MatrixXd& shapes, const CrossingTest& crossings)
      : m_traits(traits),
        m_rest(rest),
        m_shapes(shapes),
        m_crossings(crossings),
        m_frames(tested_frames(traits)) {}

  [[nodiscard]] const soft::SceneTraits& traits() const { return m_traits; }
  [[nodiscard]] const std::vector<std::size_t>& frames() const { return m_frames; }

  [[nodiscard]] TransitionOutcome test(const CachedTransition& transition) const {
    TransitionOutcome outcome;
    scene::Playback playback = begin(transition);
    std::size_t at = 0;
    for (const std::size_t frame : m_frames) {
      for (; at < frame; ++at) playback.advance(m_traits.frame_seconds);
      const std::size_t count = m_crossings(recorded(playback.position())).size();
      outcome.intersections += count;
      outcome.unblended += m_crossings(recorded(playback.sample())).size();
      if (count <= outcome.worst_count) continue;
      outcome.worst_count = count;
      outcome.worst_frame = frame;
    }
    return outcome;
  }

  /// Just after the transition, at its full strength.
  [[nodiscard]] scene::Playback begin(const CachedTransition& transition) const {
    scene::Playback playback(m_traits);
    playback.place(transition.response, transition.frame);
    playback.trigger(transition.entry, m_traits.palette[transition.entry].strongest);
    return playback;
  }

  [[nodiscard]] Eigen::VectorXd recorded(const Eigen::VectorXd& q) const {
    return m_rest + m_shapes * q;
  }

 private:
  const soft::SceneTraits& m_traits;
  const Eigen::VectorXd& m_rest;
  const Eigen::MatrixXd& m_shapes;
  const CrossingTest& m_crossings;
  std::vector<std::size_t> m_frames;
};

void sum_up(const std::vector<TransitionOutcome>& outcomes,
            const std::vector<CachedTransition>& tested, const TransitionTester& tester,
            const CrossingTest& crossings, TransitionTest& result) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    result.intersections += outcomes[i].intersections;
    result.unblended += outcomes[i].unblended;
    if (outcomes[i].intersections > 0) ++result.crossing;
    if (outcomes[i].unblended > 0) ++result.crossing_unblended;
    if (outcomes[i].worst_count > outcomes[worst].worst_count) worst = i;
  }
  if (outcomes[worst].worst_count == 0) return;
  const soft::SceneTraits& traits = tester.traits();
  result.worst.from = traits.palette[traits.responses[tested[worst].response].entry].name;
  result.worst.to = traits.palette[tested[worst].entry].name;
  result.worst.frame = outcomes[worst].worst_frame;
  scene::Playback playback = tester.begin(tested[worst]);
  for (std::size_t f = 0; f < result.worst.frame; ++f) playback.advance(traits.frame_seconds);
  result.worst.q = playback.position();
  result.worst.triangles = crossings(tester.recorded(result.worst.q));
  result.worst.intersections = result.worst.triangles.size();
}

}  // namespace

Result<TransitionTest> test_transitions(const soft::SceneTraits& traits,
                                        const Eigen::VectorXd& rest, const Eigen::MatrixXd& shapes,
                                        const CrossingTest& crossings) {
  TransitionTest result;
  const std::vector<CachedTransition> cached = cached_transitions(traits);
  result.cached = cached.size();
  if (!crossings || cached.empty()) return result;
  result.tested = std::min(kMostTested, cached.size());
  std::vector<CachedTransition> tested;
  for (std::size_t i = 0; i < result.tested; ++i) {
    tested.push_back(cached[i * cached.size() / result.tested]);
  }
  const TransitionTester tester(traits, rest, shapes, crossings);
  std::vector<TransitionOutcome> outcomes(tested.size());
  Progress progress("testing transitions", static_cast<double>(tested.size()));
  parallel_for(tested.size(), 1, [&](std::size_t i) {
    if (!check_interrupt().ok()) return;
    outcomes[i] = tester.test(tested[i]);
    progress.advance();
  });
  SUPPLE_TRY_VOID(check_interrupt());
  result.frames = tested.size() * tester.frames().size();
  sum_up(outcomes, tested, tester, crossings, result);
  return result;
}

}  // namespace supple::bake::detail
