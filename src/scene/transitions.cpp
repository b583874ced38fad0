// SPDX-License-Identifier: Apache-2.0
#include "scene/onward.hpp"

#include "supple/core/parallel.hpp"
#include "supple/scene/portrait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace supple::scene {
namespace {

/// First responses of the groups of an entry of which every response is playable.
std::vector<std::size_t> groups_of(const Portrait& portrait, std::size_t entry) {
  std::vector<char> whole(portrait.responses.size(), 1);
  for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
    if (!portrait.playable(r)) whole[portrait.responses[r].group] = 0;
  }
  std::vector<std::size_t> groups;
  for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
    const Response& response = portrait.responses[r];
    if (response.entry == entry && response.group == r && whole[r] != 0) groups.push_back(r);
  }
  return groups;
}

/// Strongly connected components by Tarjan's algorithm, without recursion: a component for each
/// node.
class Components {
 public:
  explicit Components(const std::vector<std::vector<std::size_t>>& edges)
      : m_edges(edges),
        m_number(edges.size(), kUnseen),
        m_low(edges.size(), 0),
        m_open(edges.size(), 0),
        component(edges.size(), kUnseen) {
    for (std::size_t node = 0; node < edges.size(); ++node) {
      if (m_number[node] == kUnseen) visit(node);
    }
  }

 private:
  static constexpr std::size_t kUnseen = std::numeric_limits<std::size_t>::max();
  struct Visit {
    std::size_t node, edge;
  };

  void enter(std::size_t node) {
    m_number[node] = m_low[node] = m_seen++;
    m_open[node] = 1;
    m_stack.push_back(node);
    m_visits.push_back({node, 0});
  }

  void visit(std::size_t root) {
    enter(root);
    while (!m_visits.empty()) {
      auto& [node, edge] = m_visits.back();
      if (edge < m_edges[node].size()) {
        const std::size_t next = m_edges[node][edge++];
        if (m_number[next] == kUnseen) {
          enter(next);
        } else if (m_open[next] != 0) {
          m_low[node] = std::min(m_low[node], m_number[next]);
        }
        continue;
      }
      leave(node);
    }
  }

  void leave(std::size_t node) {
    m_visits.pop_back();
    if (!m_visits.empty()) {
      std::size_t& low = m_low[m_visits.back().node];
      low = std::min(low, m_low[node]);
    }
    if (m_low[node] != m_number[node]) return;
    for (std::size_t member = kUnseen; member != node;) {
      member = m_stack.back();
      m_stack.pop_back();
      m_open[member] = 0;
      component[member] = count;
    }
    ++count;
  }

  const std::vector<std::vector<std::size_t>>& m_edges;
  std::vector<std::size_t> m_number, m_low;
  std::vector<char> m_open;
  std::vector<std::size_t> m_stack;
  std::vector<Visit> m_visits;
  std::size_t m_seen = 0;

 public:
  std::vector<std::size_t> component;
  std::size_t count = 0;
};

/// Where play can go from each response, by its transitions.
std::vector<std::vector<std::size_t>> response_graph(const Portrait& portrait,
                                                     const Transitions& transitions) {
  std::vector<std::vector<std::size_t>> edges(portrait.responses.size());
  for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
    if (!portrait.playable(r)) continue;
    std::set<std::size_t> targets;
    for (std::size_t s = portrait.first_state[r]; s < portrait.first_state[r + 1]; ++s) {
      for (std::size_t e = 0; e < transitions.entries; ++e) {
        if (transitions.at(s, e) != Transitions::kNone) targets.insert(transitions.at(s, e));
      }
    }
    if (transitions.onward[r] != Transitions::kNone) {
      const auto after = std::upper_bound(portrait.first_state.begin(), portrait.first_state.end(),
                                          transitions.onward[r]);
      targets.insert(static_cast<std::size_t>(after - portrait.first_state.begin()) - 1);
    }
    // Responses of one group are played together.
    const std::size_t group = portrait.responses[r].group;
    if (group != r) {
      targets.insert(group);
      edges[group].push_back(r);
    }
    edges[r].insert(edges[r].end(), targets.begin(), targets.end());
  }
  return edges;
}

/// Responses of the component with the most states, and those from which it is reached.
std::vector<char> leads_to_largest(const Portrait& portrait,
                                   const std::vector<std::vector<std::size_t>>& edges) {
  const Components components(edges);
  std::vector<std::size_t> size(components.count, 0);
  for (std::size_t r = 0; r < edges.size(); ++r) {
    if (portrait.playable(r)) size[components.component[r]] += portrait.responses[r].frames + 1;
  }
  const auto largest =
      static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
  std::vector<char> stays(edges.size(), 0);
  for (std::size_t r = 0; r < edges.size(); ++r) {
    stays[r] = portrait.playable(r) && components.component[r] == largest ? 1 : 0;
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t r = 0; r < edges.size(); ++r) {
      if (stays[r] != 0 || !portrait.playable(r)) continue;
      const bool leads = std::any_of(edges[r].begin(), edges[r].end(),
                                     [&](std::size_t next) { return stays[next] != 0; });
      if (leads) {
        stays[r] = 1;
        grew = true;
      }
    }
  }
  return stays;
}

}  // namespace

AnswerFinder::AnswerFinder(const Portrait& portrait, const Palette& palette)
    : m_portrait(portrait), m_points(phase_points(portrait)) {
  for (std::size_t e = 0; e < palette.size(); ++e) m_groups.push_back(groups_of(portrait, e));
}

std::vector<Answer> AnswerFinder::nearest(std::size_t state, std::size_t entry,
                                          std::size_t count) const {
  std::vector<Answer> answers;
  for (const std::size_t group : m_groups[entry]) {
    const auto origin = static_cast<Eigen::Index>(m_portrait.first_state[group]);
    const double d =
        (m_points.col(origin) - m_points.col(static_cast<Eigen::Index>(state))).squaredNorm();
    if (answers.size() == count && d >= answers.back().distance) continue;
    const auto place = std::upper_bound(
        answers.begin(), answers.end(), d,
        [](double value, const Answer& answer) { return value < answer.distance; });
    answers.insert(place, {static_cast<std::uint32_t>(group), d});
    if (answers.size() > count) answers.pop_back();
  }
  for (Answer& answer : answers) answer.distance = std::sqrt(answer.distance);
  return answers;
}

Transitions find_transitions(const Portrait& portrait, const Palette& palette) {
  Transitions transitions;
  transitions.entries = palette.size();
  const std::size_t states = portrait.states();
  transitions.next.assign(states * palette.size(), Transitions::kNone);
  transitions.distance.assign(states * palette.size(), 0);
  const AnswerFinder answers(portrait, palette);
  parallel_for(portrait.responses.size(), 1, [&](std::size_t r) {
    for (std::size_t s = portrait.first_state[r]; s < portrait.first_state[r + 1]; ++s) {
      for (const std::size_t e : palette.after(portrait.responses[r].entry)) {
        for (const Answer& answer : answers.nearest(s, e, 1)) {
          transitions.next[s * palette.size() + e] = answer.group;
          transitions.distance[s * palette.size() + e] = static_cast<float>(answer.distance);
        }
      }
    }
  });
  transitions.onward = detail::find_onward(portrait, palette, answers.points());
  return transitions;
}

Result<std::vector<std::size_t>> find_playable(const Portrait& portrait, const Palette& palette) {
  std::vector<std::size_t> kept;
  for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
    if (portrait.playable(r)) kept.push_back(r);
  }
  // What goes changes the nearest of what stays, so that more may go.
  for (;;) {
    const Portrait now = keep_responses(portrait, kept);
    const std::vector<char> stays =
        leads_to_largest(now, response_graph(now, find_transitions(now, palette)));
    std::vector<std::size_t> next;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (stays[i] != 0) next.push_back(kept[i]);
    }
    if (next.size() == kept.size()) break;
    kept = std::move(next);
  }
  for (std::size_t e = 0; e < palette.size(); ++e) {
    const bool has = std::any_of(kept.begin(), kept.end(),
                                 [&](std::size_t r) { return portrait.responses[r].entry == e; });
    if (has) continue;
    return bad_input(
        fmt::format("no response to '{}' can be played: all are shorter than {} frames, failed, or "
                    "lead nowhere "
                    "by the rules of the palette; sample more states, or relax T_min or the rules",
                    palette.entries()[e].name, portrait.shortest));
  }
  return kept;
}

}  // namespace supple::scene
