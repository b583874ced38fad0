// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/clear_transitions.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace supple::bake::detail {
namespace {

/// Spread over all, they tell whether anything intersects at all.
constexpr std::size_t kMostProbed = 128;
/// States and entries that are tested.
constexpr std::size_t kMostCleared = 2048;
/// An answer may be so much further away than the nearest, of the portrait's size.
constexpr double kDetour = 0.1;

/// Frames first .. last of a response, in the middle one of which an entry is tested.
struct Stretch {
  std::uint32_t response = 0, entry = 0;
  std::uint32_t first = 0, last = 0;
  std::optional<std::uint32_t> group = {};  ///< that was chosen; none: nothing changes
};

class TransitionClearer {
 public:
  TransitionClearer(PlayablePortrait& playable, const scene::Palette& palette,
                    const soft::SceneTraits& traits, const TransitionTester& tester)
      : m_playable(playable),
        m_palette(palette),
        m_tester(tester),
        m_answers(playable.portrait, palette),
        m_cached(cached_transitions(traits)),
        m_detour(kDetour * std::sqrt(playable.portrait.q.colwise().squaredNorm().maxCoeff())) {}

  Result<std::size_t> run() {
    SUPPLE_TRY(const bool any, any_intersects());
    if (!any) return std::size_t{0};
    std::vector<Stretch> stretches = all_stretches();
    Progress progress("choosing transitions", static_cast<double>(stretches.size()));
    parallel_for(stretches.size(), 1, [&](std::size_t i) {
      if (!check_interrupt().ok()) return;
      choose(stretches[i]);
      progress.advance();
    });
    SUPPLE_TRY_VOID(check_interrupt());
    return apply(stretches);
  }

 private:
  Result<bool> any_intersects() const {
    const std::vector<CachedTransition> probed = spread_transitions(m_cached, kMostProbed);
    std::vector<char> intersects(probed.size(), 0);
    parallel_for(probed.size(), 1, [&](std::size_t i) {
      if (!check_interrupt().ok()) return;
      intersects[i] = m_tester.test(probed[i]).intersections > 0 ? 1 : 0;
    });
    SUPPLE_TRY_VOID(check_interrupt());
    return std::find(intersects.begin(), intersects.end(), 1) != intersects.end();
  }

  [[nodiscard]] std::vector<Stretch> all_stretches() const {
    const auto length =
        static_cast<std::uint32_t>((m_cached.size() + kMostCleared - 1) / kMostCleared);
    std::vector<Stretch> stretches;
    const scene::Portrait& portrait = m_playable.portrait;
    for (std::uint32_t r = 0; r < portrait.responses.size(); ++r) {
      const auto end = static_cast<std::uint32_t>(portrait.responses[r].frames);
      for (const std::size_t entry : m_palette.after(portrait.responses[r].entry)) {
        for (std::uint32_t f = 0; f <= end; f += length) {
          const std::uint32_t last = std::min(end, f + length - 1);
          stretches.push_back({r, static_cast<std::uint32_t>(entry), f, last});
        }
      }
    }
    return stretches;
  }

  void choose(Stretch& stretch) const {
    const std::uint32_t middle = (stretch.first + stretch.last) / 2;
    const CachedTransition tested{stretch.response, middle, stretch.entry};
    std::size_t fewest = m_tester.test(tested).intersections;
    if (fewest == 0) return;
    const std::size_t state = m_playable.portrait.first_state[stretch.response] + middle;
    const std::vector<scene::Answer> answers =
        m_answers.nearest(state, stretch.entry, kMostAnswers);
    for (std::size_t i = 1; i < answers.size() && fewest > 0; ++i) {
      if (answers[i].distance > answers[0].distance + m_detour) break;
      const std::size_t count =
          m_tester.test_answer(tested, answers[i].group, fewest).intersections;
      if (count >= fewest) continue;
      fewest = count;
      stretch.group = answers[i].group;
    }
  }

  std::size_t apply(const std::vector<Stretch>& stretches) {
    std::size_t changed = 0;
    const scene::Portrait& portrait = m_playable.portrait;
    scene::Transitions& transitions = m_playable.transitions;
    for (const Stretch& stretch : stretches) {
      if (!stretch.group) continue;
      const auto origin = static_cast<Eigen::Index>(portrait.first_state[*stretch.group]);
      for (std::uint32_t f = stretch.first; f <= stretch.last; ++f) {
        const std::size_t state = portrait.first_state[stretch.response] + f;
        const std::size_t cell = state * transitions.entries + stretch.entry;
        if (transitions.next[cell] == *stretch.group) continue;
        transitions.next[cell] = *stretch.group;
        transitions.distance[cell] =
            static_cast<float>((m_answers.points().col(static_cast<Eigen::Index>(state)) -
                                m_answers.points().col(origin))
                                   .norm());
        ++changed;
      }
    }
    return changed;
  }

  PlayablePortrait& m_playable;
  const scene::Palette& m_palette;
  const TransitionTester& m_tester;
  scene::AnswerFinder m_answers;
  std::vector<CachedTransition> m_cached;
  double m_detour = 0;  ///< in the metric of phase_points
};

}  // namespace

Result<std::size_t> clear_transitions(PlayablePortrait& playable, const scene::Palette& palette,
                                      const soft::SceneTraits& traits,
                                      const RecordedShapes& recorded,
                                      const CrossingTest& crossings) {
  if (!crossings) return std::size_t{0};
  const TransitionTester tester(traits, recorded, crossings);
  return TransitionClearer(playable, palette, traits, tester).run();
}

}  // namespace supple::bake::detail
