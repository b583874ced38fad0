// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/plan.hpp"

#include "scene/half_life.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::scene {
namespace {

/// Of an entry that acts: the answer, and how far it is.
struct Choice {
  std::uint32_t response = Transitions::kNone;
  double distance = 0;  ///< relative
};

/// At most so much of a distance in phase space is left as a difference of q after some frames: o =
/// (o0 + (o0' + l o0) t) exp(-l t) with |o0|^2 + beta |o0'|^2 = 1.
double share_left(const StoredPortrait& stored, std::size_t frames) {
  const double t = static_cast<double>(frames) * stored.portrait.h;
  const double l = kHalfOfCritical / stored.half_life;
  const double by_velocity = stored.beta > 0 ? t * t / stored.beta : 0;
  return std::sqrt((1 + l * t) * (1 + l * t) + by_velocity) * std::exp(-l * t);
}

bool rests_at(const StoredPortrait& stored, const Place& place) {
  if (place.at_rest()) return true;
  const Response& response = stored.portrait.responses[place.response];
  return response.rests && place.frame >= response.frames;
}

double relative(const StoredPortrait& stored, double distance) {
  return stored.size > 0 ? distance / stored.size : 0;
}

/// In phase space; at rest as it began it is at 0.
Eigen::VectorXd point_at(const StoredPortrait& stored, const Place& place) {
  if (place.at_rest()) return Eigen::VectorXd::Zero(stored.points.rows());
  return stored.points.col(static_cast<Eigen::Index>(stored.state(place)));
}

class Planner {
 public:
  Planner(const StoredPortrait& stored, const Goal& goal, const PlanSettings& settings)
      : m_stored(stored),
        m_goal(goal),
        m_settings(settings),
        m_states(stored.portrait.states()),
        m_groups(stored.portrait.responses.size()) {
    for (std::uint32_t r = 0; r < m_groups.size(); ++r) {
      m_groups[stored.portrait.responses[r].group].push_back(r);
    }
  }

  Result<Plan> run() {
    SUPPLE_TRY_VOID(check());
    prepare();
    // Backwards: m_value is the cost from the frame on that was looked at last.
    m_decision.resize(m_goal.frames * (m_states + 1), Transitions::kNone);
    for (std::size_t frame = m_goal.frames; frame-- > 0;) {
      SUPPLE_TRY_VOID(check_interrupt());
      improve(frame);
    }
    return follow();
  }

 private:
  /// States, and one more: at rest as it began.
  [[nodiscard]] std::size_t node(const Place& place) const {
    return place.at_rest() ? m_states : m_stored.state(place);
  }
  [[nodiscard]] Place place(std::size_t node) const {
    return node == m_states ? Place{} : m_stored.place(node);
  }

  [[nodiscard]] Result<void> check() const {
    const Portrait& portrait = m_stored.portrait;
    if (m_goal.pose && m_goal.pose->size() != portrait.rank()) {
      return bad_input(fmt::format("the pose has {} coefficients, and the scene has {}",
                                   m_goal.pose->size(), portrait.rank()));
    }
    if (m_goal.velocity && m_goal.velocity->size() != portrait.rank()) {
      return bad_input("the velocity of a pose needs as many numbers as the pose");
    }
    const Place& start = m_settings.start;
    if (!start.at_rest() && (start.response >= portrait.responses.size() ||
                             start.frame > portrait.responses[start.response].frames)) {
      return bad_input("the plan starts at a state that the scene does not have");
    }
    constexpr std::size_t kMostDecisions = 250'000'000;  // of 4 bytes
    const std::size_t most = kMostDecisions / (m_states + 1);
    if (m_goal.frames <= most) return {};
    return bad_input(
        fmt::format("the goal is {} frames away, more than the {} that a plan over {} states has "
                    "memory for; choose an earlier one",
                    m_goal.frames, most, m_states));
  }

  void prepare() {
    m_next.resize(m_states + 1);
    m_hop.resize(m_states + 1);
    m_choices.resize(m_states + 1);
    m_value.resize(m_states + 1);
    parallel_for(m_states + 1, kGrain, [&](std::size_t n) {
      const Place here = place(n);
      m_next[n] = static_cast<std::uint32_t>(node(next_frame(m_stored, here)));
      m_hop[n] = hop_at(here);
      m_value[n] = goal_cost(m_stored, m_goal, here);
      m_choices[n] = choices_at(n);
    });
  }

  /// Relative distance of the transition that the end of a response makes; 0 elsewhere.
  [[nodiscard]] double hop_at(const Place& here) const {
    if (here.at_rest() || here.frame < m_stored.portrait.responses[here.response].frames) return 0;
    const std::uint32_t onward = m_stored.transitions.onward[here.response];
    if (onward == Transitions::kNone) return 0;
    return relative(m_stored, (point_at(m_stored, here) - m_stored.points.col(onward)).norm());
  }

  [[nodiscard]] std::vector<Choice> choices_at(std::size_t n) const {
    std::vector<Choice> choices;
    const Transitions& transitions = m_stored.transitions;
    for (std::size_t e = 0; e < transitions.entries; ++e) {
      const std::uint32_t group = n == m_states ? m_stored.first[e] : transitions.at(n, e);
      if (group == Transitions::kNone) continue;
      const double distance = n == m_states
                                  ? point_at(m_stored, {group, 0}).norm()
                                  : double{transitions.distance[n * transitions.entries + e]};
      for (const std::uint32_t r : m_groups[group]) {
        choices.push_back({r, relative(m_stored, distance)});
      }
    }
    return choices;
  }

  void improve(std::size_t frame) {
    std::vector<double> value(m_states + 1);
    const std::size_t left = m_goal.frames - frame;
    parallel_for(m_states + 1, kGrain, [&](std::size_t n) {
      value[n] = m_value[m_next[n]] + transition_cost(m_stored, m_settings, m_hop[n], left - 1);
      for (const Choice& choice : m_choices[n]) {
        // From its first frame to the second.
        const std::size_t begin = m_stored.portrait.first_state[choice.response];
        const double cost = m_settings.trigger +
                            transition_cost(m_stored, m_settings, choice.distance, left) +
                            m_value[m_next[begin]];
        if (cost < value[n]) {
          value[n] = cost;
          m_decision[frame * (m_states + 1) + n] = choice.response;
        }
      }
    });
    m_value = std::move(value);
  }

  [[nodiscard]] Plan follow() const {
    Plan plan;
    std::size_t n = node(m_settings.start);
    plan.cost = m_value[n];
    for (std::size_t frame = 0; frame < m_goal.frames; ++frame) {
      const std::size_t left = m_goal.frames - frame;
      const std::uint32_t response = m_decision[frame * (m_states + 1) + n];
      if (response != Transitions::kNone) {
        plan.triggers.push_back(triggered(frame, n, response));
        plan.left += plan.triggers.back().blend * share_left(m_stored, left);
        n = m_stored.portrait.first_state[response];
      } else {
        plan.left += m_hop[n] * share_left(m_stored, left - 1);
      }
      n = m_next[n];
    }
    plan.end = place(n);
    plan.rests = rests_at(m_stored, plan.end);
    const double cost = goal_cost(m_stored, m_goal, plan.end);
    plan.distance = std::sqrt(m_goal.pose || plan.rests ? cost : cost - 1);
    return plan;
  }

  [[nodiscard]] PlannedTrigger triggered(std::size_t frame, std::size_t n,
                                         std::uint32_t response) const {
    const Response& chosen = m_stored.portrait.responses[response];
    const auto found =
        std::find_if(m_choices[n].begin(), m_choices[n].end(),
                     [&](const Choice& choice) { return choice.response == response; });
    return {frame, chosen.entry, response, chosen.strength, found->distance};
  }

  static constexpr std::size_t kGrain = 256;
  const StoredPortrait& m_stored;
  const Goal& m_goal;
  const PlanSettings& m_settings;
  std::size_t m_states;
  std::vector<std::vector<std::uint32_t>> m_groups;  ///< responses that differ in strength alone
  // Per node:
  std::vector<std::uint32_t> m_next;
  std::vector<double> m_hop;
  std::vector<std::vector<Choice>> m_choices;
  std::vector<double> m_value;
  std::vector<std::uint32_t> m_decision;  ///< frames x nodes: the response that is gone over to
};

/// The nearest state in which a response to the same entry rests, or the start.
double squared_to_rest(const StoredPortrait& stored, const Place& place) {
  const Eigen::VectorXd here = point_at(stored, place);
  double nearest = here.squaredNorm();
  const Portrait& portrait = stored.portrait;
  const std::size_t entry = portrait.responses[place.response].entry;
  for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
    const Response& response = portrait.responses[r];
    if (!response.rests || response.entry != entry) continue;
    const Eigen::VectorXd end = point_at(stored, {r, response.frames});
    nearest = std::min(nearest, (here - end).squaredNorm());
  }
  return nearest;
}

}  // namespace

double transition_cost(const StoredPortrait& stored, const PlanSettings& settings, double distance,
                       std::size_t frames_left) {
  const double left = share_left(stored, frames_left);
  return (settings.blend + left * left) * distance * distance;
}

double goal_cost(const StoredPortrait& stored, const Goal& goal, const Place& place) {
  const double scale = stored.size > 0 ? 1 / (stored.size * stored.size) : 0;
  if (!goal.pose) return rests_at(stored, place) ? 0 : 1 + scale * squared_to_rest(stored, place);
  const Eigen::VectorXd here = point_at(stored, place);
  const Eigen::Index rank = stored.portrait.rank();
  double squared = (here.head(rank) - *goal.pose).squaredNorm();
  if (goal.velocity) {
    squared += (here.tail(rank) - std::sqrt(stored.beta) * *goal.velocity).squaredNorm();
  }
  return scale * squared;
}

Result<Plan> plan(const StoredPortrait& stored, const Goal& goal, const PlanSettings& settings) {
  return Planner(stored, goal, settings).run();
}

}  // namespace supple::scene
