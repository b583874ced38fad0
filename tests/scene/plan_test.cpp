// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/plan.hpp"

#include "playing.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"

#include <limits>

namespace supple::scene {
namespace {

/// A few short responses with random states, links and rules.
soft::SceneTraits random_traits(std::uint64_t seed) {
  Random random(seed);
  soft::SceneTraits traits;
  traits.frame_seconds = 0.05;
  traits.beta = 0.01;
  traits.palette.resize(2);
  constexpr std::uint32_t kResponses = 6;
  std::uint32_t states = 0;
  for (std::uint32_t r = 0; r < kResponses; ++r) {
    soft::SceneResponse response;
    response.entry = r % 2;
    response.states = static_cast<std::uint32_t>(3 + random.below(3));
    response.rests = r < 2 || random.below(2) == 0;
    response.origin_velocity = Eigen::Vector2d(random.uniform(-3, 3), random.uniform(-3, 3));
    if (r == 0) {  // a group of two strengths, 0 and 2
      response.strength = 0.5;
      response.stronger = 2;
    }
    if (!response.rests) {
      response.onward = {static_cast<std::uint32_t>(random.below(2)), 1};
    }
    states += response.states;
    traits.responses.push_back(response);
  }
  traits.q.resize(2, states);
  for (double& q : traits.q.reshaped()) q = random.uniform(-1, 1);
  for (std::uint32_t i = 0; i <= states; ++i) {
    for (std::uint32_t e = 0; e < 2; ++e) {
      const std::array<std::uint32_t, 3> groups{e, 3, 4 + e};
      const std::uint32_t chosen = groups[random.below(3)];
      traits.next.push_back(chosen % 2 == e ? std::optional(chosen) : std::nullopt);
    }
  }
  return traits;
}

/// All sequences of entries, tried one after the other.
class Exhaustive {
 public:
  Exhaustive(const StoredPortrait& stored, const Goal& goal, const PlanSettings& settings)
      : m_stored(stored), m_goal(goal), m_settings(settings) {}

  [[nodiscard]] double best(const Place& here, std::size_t frame) {
    if (frame == m_goal.frames) {
      ++sequences;
      return goal_cost(m_stored, m_goal, here);
    }
    const std::size_t left = m_goal.frames - frame;
    double cost = hop(here, left - 1) + best(next_frame(m_stored, here), frame + 1);
    for (std::size_t e = 0; e < m_stored.first.size(); ++e) {
      const std::uint32_t group =
          here.at_rest() ? m_stored.first[e] : m_stored.transitions.at(m_stored.state(here), e);
      if (group == Transitions::kNone) continue;
      for (std::size_t r = 0; r < m_stored.portrait.responses.size(); ++r) {
        if (m_stored.portrait.responses[r].group != group) continue;
        const double distance = (point(here) - point({group, 0})).norm() / m_stored.size;
        cost = std::min(cost, m_settings.trigger +
                                  transition_cost(m_stored, m_settings, distance, left) +
                                  best(next_frame(m_stored, {r, 0}), frame + 1));
      }
    }
    return cost;
  }
  std::size_t sequences = 0;

 private:
  [[nodiscard]] Eigen::VectorXd point(const Place& place) const {
    if (place.at_rest()) return Eigen::VectorXd::Zero(m_stored.points.rows());
    return m_stored.points.col(static_cast<Eigen::Index>(m_stored.state(place)));
  }
  [[nodiscard]] double hop(const Place& here, std::size_t left) const {
    if (here.at_rest() || here.frame < m_stored.portrait.responses[here.response].frames) return 0;
    const std::uint32_t onward = m_stored.transitions.onward[here.response];
    if (onward == Transitions::kNone) return 0;
    const double distance = (point(here) - m_stored.points.col(onward)).norm() / m_stored.size;
    return transition_cost(m_stored, m_settings, distance, left);
  }
  const StoredPortrait& m_stored;
  const Goal& m_goal;
  const PlanSettings& m_settings;
};

TEST(Plan, FindsWhatAnExhaustiveSearchFinds) {
  constexpr double kRounding = 1e-6;  // distances of transitions are floats
  std::size_t triggers = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const StoredPortrait stored = unpack(random_traits(seed));
    Goal goal{7};
    if (seed % 2 == 0) goal.pose = Eigen::Vector2d(0.3, -0.4);
    if (seed % 4 == 0) goal.velocity = Eigen::Vector2d(1, 0);
    PlanSettings settings;
    if (seed % 2 == 1) settings.start = {static_cast<std::size_t>(seed % 6), 1};
    const Plan found = *plan(stored, goal, settings);
    Exhaustive search(stored, goal, settings);
    const double best = search.best(settings.start, 0);
    EXPECT_NEAR(found.cost, best, kRounding * best) << "seed " << seed;
    EXPECT_GT(search.sequences, 100U);
    triggers += found.triggers.size();
  }
  EXPECT_GT(triggers, 5U);
}

/// What the plan says is what comes when its triggers act.
TEST(Plan, EndsWhereItsTriggersLead) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const StoredPortrait stored = unpack(random_traits(seed));
    Goal goal{12};
    goal.pose = Eigen::Vector2d(-0.8, 0.1);
    const Plan found = *plan(stored, goal);
    Place here;
    std::size_t next = 0;
    for (std::size_t frame = 0; frame < goal.frames; ++frame) {
      if (next < found.triggers.size() && found.triggers[next].frame == frame) {
        here = {found.triggers[next++].response, 0};
      }
      here = next_frame(stored, here);
    }
    EXPECT_EQ(next, found.triggers.size());
    EXPECT_EQ(here, found.end);
    EXPECT_NEAR(found.distance * found.distance, goal_cost(stored, goal, here), 1e-12);
  }
}

TEST(Plan, IsTheSameForAnyNumberOfThreads) {
  const Sampled sampled(5);
  const Playing playing(sampled);
  const StoredPortrait stored = unpack(playing.traits);
  Goal goal{90};
  goal.pose = stored.portrait.q.col(100);
  std::vector<Plan> plans;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    plans.push_back(*plan(stored, goal));
  }
  set_thread_count(0);
  EXPECT_EQ(plans[0].cost, plans[1].cost);
  EXPECT_EQ(plans[0].end, plans[1].end);
  ASSERT_EQ(plans[0].triggers.size(), plans[1].triggers.size());
  for (std::size_t i = 0; i < plans[0].triggers.size(); ++i) {
    EXPECT_EQ(plans[0].triggers[i].frame, plans[1].triggers[i].frame);
    EXPECT_EQ(plans[0].triggers[i].response, plans[1].triggers[i].response);
  }
}

TEST(Plan, CountsFramesAsThePlayerDoes) {
  const Sampled sampled(6, 4);
  const Playing playing(sampled);
  const StoredPortrait stored = unpack(playing.traits);
  Random random(5);
  Place here;
  for (int i = 0; i < 30; ++i) {
    const auto entry = static_cast<std::uint32_t>(random.below(3));
    playing.trigger(entry, 1);
    here = {playing.state().response, 0};
    const auto frames = 1 + random.below(i % 3 == 0 ? 600 : 60);
    for (std::size_t f = 0; f < frames; ++f) {
      playing.step(Springs::kFrame);
      here = next_frame(stored, here);
      ASSERT_EQ(playing.state().response, here.response);
      // A response that rests counts on.
      const double last = static_cast<double>(stored.portrait.responses[here.response].frames);
      ASSERT_NEAR(std::min(playing.state().frame, last), static_cast<double>(here.frame), 1e-9);
    }
  }
}

/// The player, triggered as planned, is where the plan says, but for what is left of transitions.
void expect_reached(const Playing& playing, const StoredPortrait& stored, const Goal& goal,
                    const Plan& found) {
  supple_player_reset(playing.player);
  std::size_t next = 0;
  for (std::size_t frame = 0; frame < goal.frames; ++frame) {
    if (next < found.triggers.size() && found.triggers[next].frame == frame) {
      const PlannedTrigger& trigger = found.triggers[next++];
      playing.trigger(static_cast<std::uint32_t>(trigger.entry), trigger.strength);
      EXPECT_EQ(playing.state().response, trigger.response);
    }
    playing.step(Springs::kFrame);
  }
  EXPECT_EQ(playing.state().at_rest != 0, found.rests);
  Eigen::VectorXd end = Eigen::VectorXd::Zero(stored.portrait.rank());
  if (!found.end.at_rest()) {
    end = stored.portrait.q.col(static_cast<Eigen::Index>(stored.state(found.end)));
  }
  constexpr double kRounding = 1e-3;  // 16-bit states, and slopes from them
  EXPECT_LT((playing.q() - end).norm(), (found.left + kRounding) * stored.size);
  if (!goal.pose) return;
  EXPECT_LT((playing.q() - *goal.pose).norm(),
            (found.distance + found.left + kRounding) * stored.size);
}

TEST(Plan, ThePlayerReachesIt) {
  const Sampled sampled(8);
  const Playing playing(sampled);
  const StoredPortrait stored = unpack(playing.traits);
  double nearest_untriggered = std::numeric_limits<double>::infinity();
  double distance = 0;
  for (const std::size_t response : {1U, 4U, 9U}) {
    Goal goal{70};
    const auto state = static_cast<Eigen::Index>(stored.state({response, 12}));
    goal.pose = stored.portrait.q.col(state);
    const Plan found = *plan(stored, goal);
    expect_reached(playing, stored, goal, found);
    EXPECT_FALSE(found.triggers.empty());
    distance = std::max(distance, found.distance + found.left);
    nearest_untriggered = std::min(nearest_untriggered, goal.pose->norm() / stored.size);
  }
  // From rest with no trigger at all it would be as far as the pose is from rest.
  EXPECT_LT(distance, 0.5 * nearest_untriggered);
}

TEST(Plan, ComesToRestInTime) {
  const Sampled sampled(8);
  const Playing playing(sampled);
  const StoredPortrait stored = unpack(playing.traits);
  // In the middle of a lively response, far from its end.
  PlanSettings settings;
  settings.start = {0, 8};
  const Plan hopeless = *plan(stored, Goal{2}, settings);
  EXPECT_FALSE(hopeless.rests);
  EXPECT_GT(hopeless.cost, 1);
  const Plan found = *plan(stored, Goal{900}, settings);
  EXPECT_TRUE(found.rests);
  EXPECT_LT(found.cost, 1);
  expect_reached(playing, stored, Goal{900}, *plan(stored, Goal{900}));
}

TEST(Plan, RefusesWhatCannotBe) {
  const StoredPortrait stored = unpack(random_traits(1));
  Goal goal{10};
  goal.pose = Eigen::VectorXd::Zero(3);
  EXPECT_FALSE(plan(stored, goal).ok());
  PlanSettings settings;
  settings.start = {99, 0};
  EXPECT_FALSE(plan(stored, Goal{10}, settings).ok());
  const auto far = plan(stored, Goal{1'000'000'000});
  ASSERT_FALSE(far.ok());
  EXPECT_NE(far.error().describe().find("choose an earlier one"), std::string::npos);
}

/// What a file holds of a portrait is the portrait.
TEST(Stored, IsWhatWasPacked) {
  const Sampled sampled(6);
  const Playing playing(sampled);
  const StoredPortrait stored = unpack(playing.traits);
  EXPECT_EQ(stored.portrait.q, playing.portrait.q);
  EXPECT_EQ(stored.portrait.first_state, playing.portrait.first_state);
  EXPECT_EQ(stored.transitions.next, playing.transitions.next);
  EXPECT_EQ(stored.transitions.onward, playing.transitions.onward);
  EXPECT_EQ(stored.points, phase_points(playing.portrait));
  for (std::size_t i = 0; i < stored.transitions.next.size(); ++i) {
    if (stored.transitions.next[i] == Transitions::kNone) continue;
    EXPECT_NEAR(stored.transitions.distance[i], playing.transitions.distance[i], 1e-6);
  }
  for (std::size_t r = 0; r < stored.portrait.responses.size(); ++r) {
    EXPECT_EQ(stored.portrait.responses[r].group, playing.portrait.responses[r].group);
    EXPECT_EQ(stored.portrait.responses[r].rests, playing.portrait.responses[r].rests);
  }
  EXPECT_EQ(stored.place(stored.state({3, 7})), (Place{3, 7}));
}

}  // namespace
}  // namespace supple::scene
