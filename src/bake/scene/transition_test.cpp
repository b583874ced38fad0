// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/certificate.hpp"
#include "bake/scene/transition_tester.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"

#include <vector>

namespace supple::bake::detail {
namespace {

/// More cached transitions are tested in part.
constexpr std::size_t kMostTested = 256;

struct TestedOutcome {
  TransitionOutcome blended, unblended;
};

void sum_up(const std::vector<TestedOutcome>& outcomes, const std::vector<CachedTransition>& tested,
            const soft::SceneTraits& traits, const TransitionTester& tester,
            TransitionTest& result) {
  std::size_t worst = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto& [blended, unblended] = outcomes[i];
    result.intersections += blended.intersections;
    result.unblended += unblended.intersections;
    if (blended.intersections > 0) ++result.crossing;
    if (unblended.intersections > 0) ++result.crossing_unblended;
    if (blended.worst_count > outcomes[worst].blended.worst_count) worst = i;
  }
  if (outcomes[worst].blended.worst_count == 0) return;
  const CachedTransition& transition = tested[worst];
  result.worst.from = traits.palette[traits.responses[transition.response].entry].name;
  result.worst.to =
      transition.entry ? traits.palette[*transition.entry].name : "what follows by itself";
  result.worst.frame = outcomes[worst].blended.worst_frame;
  result.worst.q = tester.play(transition, result.worst.frame);
  result.worst.triangles = tester.crossings(result.worst.q);
  result.worst.intersections = result.worst.triangles.size();
}

}  // namespace

Result<TransitionTest> test_transitions(const soft::SceneTraits& traits,
                                        const RecordedShapes& recorded,
                                        const CrossingTest& crossings) {
  TransitionTest result;
  const std::vector<CachedTransition> cached = cached_transitions(traits);
  result.cached = cached.size();
  if (!crossings || cached.empty()) return result;
  const std::vector<CachedTransition> tested = spread_transitions(cached, kMostTested);
  result.tested = tested.size();
  const TransitionTester tester(traits, recorded, crossings);
  std::vector<TestedOutcome> outcomes(tested.size());
  Progress progress("testing transitions", static_cast<double>(tested.size()));
  parallel_for(tested.size(), 1, [&](std::size_t i) {
    if (!check_interrupt().ok()) return;
    outcomes[i] = {tester.test(tested[i]), tester.test_unblended(tested[i])};
    progress.advance();
  });
  SUPPLE_TRY_VOID(check_interrupt());
  result.frames = tested.size() * tester.frames();
  sum_up(outcomes, tested, traits, tester, result);
  return result;
}

}  // namespace supple::bake::detail
