// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/stored.hpp"

#include <algorithm>
#include <cmath>

namespace supple::scene {
namespace {

std::vector<Response> unpack_responses(const soft::SceneTraits& traits) {
  std::vector<Response> responses(traits.responses.size());
  for (std::size_t r = 0; r < responses.size(); ++r) responses[r].group = r;
  for (std::size_t r = 0; r < responses.size(); ++r) {
    const soft::SceneResponse& record = traits.responses[r];
    responses[r].entry = record.entry;
    responses[r].strength = record.strength;
    responses[r].frames = record.states - 1;
    responses[r].rests = record.rests;
    // Stronger ones come later in the list.
    if (record.stronger) responses[*record.stronger].group = responses[r].group;
  }
  return responses;
}

Eigen::MatrixXd unpack_velocities(const soft::SceneTraits& traits) {
  Eigen::MatrixXd v(traits.q.rows(), static_cast<Eigen::Index>(traits.responses.size()));
  for (std::size_t r = 0; r < traits.responses.size(); ++r) {
    v.col(static_cast<Eigen::Index>(r)) = traits.responses[r].origin_velocity;
  }
  return v;
}

std::uint32_t or_none(const std::optional<std::uint32_t>& response) {
  return response ? *response : Transitions::kNone;
}

Transitions unpack_transitions(const soft::SceneTraits& traits, const StoredPortrait& stored) {
  Transitions transitions;
  transitions.entries = traits.palette.size();
  const std::size_t states = stored.portrait.states();
  transitions.distance.assign(states * transitions.entries, 0);
  for (std::size_t i = 0; i < states * transitions.entries; ++i) {
    transitions.next.push_back(or_none(traits.next[i]));
    if (!traits.next[i]) continue;
    const auto state = static_cast<Eigen::Index>(i / transitions.entries);
    const auto origin = static_cast<Eigen::Index>(stored.portrait.first_state[*traits.next[i]]);
    transitions.distance[i] =
        static_cast<float>((stored.points.col(state) - stored.points.col(origin)).norm());
  }
  for (const soft::SceneResponse& record : traits.responses) {
    transitions.onward.push_back(record.onward ? static_cast<std::uint32_t>(stored.state(Place{
                                                     (*record.onward)[0], (*record.onward)[1]}))
                                               : Transitions::kNone);
  }
  return transitions;
}

}  // namespace

Place StoredPortrait::place(std::size_t state) const {
  const auto after =
      std::upper_bound(portrait.first_state.begin(), portrait.first_state.end(), state);
  const auto response = static_cast<std::size_t>(after - portrait.first_state.begin()) - 1;
  return {response, state - portrait.first_state[response]};
}

StoredPortrait unpack(const soft::SceneTraits& traits) {
  StoredPortrait stored;
  stored.half_life = traits.half_life;
  stored.beta = traits.beta;
  // Every stored response can be played, however short.
  stored.portrait = make_portrait(unpack_responses(traits), traits.q, traits.frame_seconds, 1);
  stored.portrait.origin_velocity = unpack_velocities(traits);
  const Eigen::Index rank = stored.portrait.rank();
  stored.points.resize(2 * rank, stored.portrait.q.cols());
  stored.points.topRows(rank) = stored.portrait.q;
  stored.points.bottomRows(rank) = std::sqrt(stored.beta) * stored.portrait.velocities();
  if (traits.q.size() > 0) stored.size = std::sqrt(traits.q.colwise().squaredNorm().maxCoeff());
  stored.transitions = unpack_transitions(traits, stored);
  const auto states = static_cast<std::ptrdiff_t>(stored.transitions.next.size());
  for (auto next = traits.next.begin() + states; next != traits.next.end(); ++next) {
    stored.first.push_back(or_none(*next));
  }
  return stored;
}

Place next_frame(const StoredPortrait& stored, const Place& place) {
  if (place.at_rest()) return place;
  Place next{place.response, place.frame + 1};
  // As in the player: a frame may pass several responses, and a circle of them ends.
  for (std::size_t hops = 0; hops <= stored.portrait.responses.size(); ++hops) {
    const std::size_t last = stored.portrait.responses[next.response].frames;
    if (next.frame <= last) return next;
    const std::uint32_t onward = stored.transitions.onward[next.response];
    if (onward == Transitions::kNone) return {next.response, last};
    const std::size_t beyond = next.frame - last;
    next = stored.place(onward);
    next.frame += beyond;
  }
  next.frame = std::min(next.frame, stored.portrait.responses[next.response].frames);
  return next;
}

}  // namespace supple::scene
