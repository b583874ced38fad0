// SPDX-License-Identifier: Apache-2.0
#include "sampled.hpp"

#include <algorithm>

namespace supple::scene {
namespace {

TEST(Reduction, ErrorsAreThoseOfTheProjection) {
  Sampled sampled(8);
  sampled.reduce(0.05);
  double left = 0;
  double whole = 0;
  for (const Chain& chain : sampled.chains) {
    const Eigen::MatrixXd q = project(chain, sampled.shapes, draw_as_recorded());
    for (Eigen::Index f = 0; f < q.cols(); ++f) {
      const Eigen::VectorXd u =
          Eigen::Map<const Eigen::VectorXf>(chain.positions.data() + f * sampled.shapes.rest.size(),
                                            sampled.shapes.rest.size())
              .cast<double>() -
          sampled.shapes.rest;
      left += (u - sampled.shapes.basis * q.col(f)).squaredNorm();
      whole += u.squaredNorm();
    }
  }
  constexpr double kRounding = 1e-9;
  EXPECT_NEAR(std::sqrt(left / whole), sampled.shapes.relative_error(), kRounding);
  EXPECT_LE(sampled.shapes.relative_error(), 0.05);
  EXPECT_GT(sampled.shapes.error_by_rank(sampled.shapes.basis.cols() - 1), 0.05);
}

TEST(Transitions, EndsOfChainsLeadToWhatFollowedThem) {
  const Sampled sampled(5);
  const Portrait& portrait = sampled.portrait;
  const Transitions transitions = find_transitions(portrait, sampled.palette);
  std::size_t checked = 0;
  for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
    const Response& response = portrait.responses[r];
    if (response.origin.at_rest() || response.group != r) continue;
    const std::size_t state =
        portrait.first_state[response.origin.response] + response.origin.frame;
    EXPECT_EQ(transitions.at(state, response.entry), r);
    EXPECT_EQ(transitions.distance[state * 3 + response.entry], 0);
    ++checked;
  }
  EXPECT_GT(checked, 20U);
}

TEST(Transitions, NearestByASearchOfTheDefinition) {
  const Sampled sampled(4, 9);
  const Portrait& portrait = sampled.portrait;
  const Transitions transitions = find_transitions(portrait, sampled.palette);
  const Eigen::MatrixXd v = portrait.velocities();
  const double beta =
      portrait.q.colwise().squaredNorm().maxCoeff() / v.colwise().squaredNorm().maxCoeff();
  for (std::size_t s = 0; s < portrait.states(); s += 37) {
    const auto state = static_cast<Eigen::Index>(s);
    for (std::size_t e = 0; e < 3; ++e) {
      double nearest = 1e300;
      for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
        if (portrait.responses[r].entry != e || portrait.responses[r].group != r) continue;
        const auto origin = static_cast<Eigen::Index>(portrait.first_state[r]);
        const double d =
            (portrait.q.col(state) - portrait.q.col(origin)).squaredNorm() +
            beta * (v.col(state) - portrait.origin_velocity.col(static_cast<Eigen::Index>(r)))
                       .squaredNorm();
        nearest = std::min(nearest, d);
      }
      EXPECT_NEAR(transitions.distance[s * 3 + e], std::sqrt(nearest), 1e-6 * (1 + nearest));
    }
  }
}

std::size_t response_of(const Portrait& portrait, std::uint32_t state) {
  const auto after =
      std::upper_bound(portrait.first_state.begin(), portrait.first_state.end(), state);
  return static_cast<std::size_t>(after - portrait.first_state.begin()) - 1;
}

TEST(Transitions, WhateverEndsGoesOnToRest) {
  const Sampled sampled(6);
  const Transitions transitions = find_transitions(sampled.portrait, sampled.palette);
  const std::size_t count = sampled.portrait.responses.size();
  for (std::size_t r = 0; r < count; ++r) {
    std::size_t now = r;
    for (std::size_t hops = 0; !sampled.portrait.responses[now].rests; ++hops) {
      ASSERT_LT(hops, count);
      ASSERT_NE(transitions.onward[now], Transitions::kNone);
      now = response_of(sampled.portrait, transitions.onward[now]);
      EXPECT_EQ(sampled.portrait.responses[now].entry, sampled.portrait.responses[r].entry);
    }
    EXPECT_EQ(transitions.onward[now], Transitions::kNone);
  }
}

/// The cheapest way to rest from the end of each response, by repeated relaxation (Bellman and
/// Ford).
std::vector<double> costs_to_rest(const Portrait& portrait, const Palette& palette) {
  const Eigen::MatrixXd points = phase_points(portrait);
  const std::size_t count = portrait.responses.size();
  std::vector<double> costs(count, 1e300);
  for (std::size_t r = 0; r < count; ++r) {
    if (portrait.responses[r].rests) costs[r] = 0;
  }
  for (std::size_t round = 0; round < count; ++round) {
    for (std::size_t r = 0; r < count; ++r) {
      const auto end = static_cast<Eigen::Index>(portrait.first_state[r + 1] - 1);
      for (std::size_t s = 0; s < portrait.states(); ++s) {
        const std::size_t other = response_of(portrait, static_cast<std::uint32_t>(s));
        if (other == r || s == portrait.first_state[other] ||
            !palette.alike(portrait.responses[r].entry, portrait.responses[other].entry)) {
          continue;
        }
        const double d = (points.col(static_cast<Eigen::Index>(s)) - points.col(end)).norm();
        costs[r] = std::min(costs[r], d + costs[other]);
      }
    }
  }
  return costs;
}

TEST(Transitions, TakesTheShortestWayToRest) {
  const Palette palette =
      *Palette::create({{.name = "a", .free = true}, {.name = "b", .free = true}, {.name = "c"}});
  std::vector<Response> responses;
  for (std::size_t r = 0; r < 24; ++r) {
    Response response;
    response.entry = r % 3;
    response.group = r;
    response.frames = 4 + r % 5;
    response.rests = r == 0 || r == 2;
    responses.push_back(response);
  }
  Eigen::Index states = 0;
  for (const Response& response : responses) {
    states += static_cast<Eigen::Index>(response.frames + 1);
  }
  const Portrait portrait = make_portrait(responses, Eigen::MatrixXd::Random(2, states), 0.1, 2);
  const Transitions transitions = find_transitions(portrait, palette);
  const Eigen::MatrixXd points = phase_points(portrait);
  const std::vector<double> costs = costs_to_rest(portrait, palette);
  std::size_t longest = 0;
  for (std::size_t r = 0; r < responses.size(); ++r) {
    double cost = 0;
    std::size_t hops = 0;
    for (std::size_t now = r; !portrait.responses[now].rests; ++hops) {
      const std::uint32_t landing = transitions.onward[now];
      cost += (points.col(static_cast<Eigen::Index>(portrait.first_state[now + 1] - 1)) -
               points.col(landing))
                  .norm();
      now = response_of(portrait, landing);
    }
    EXPECT_NEAR(cost, costs[r], 1e-12) << r;
    longest = std::max(longest, hops);
  }
  EXPECT_GE(longest, 2U);  // some ways are not direct
}

/// Responses with coordinates at random, after the rules of a palette.
Portrait random_portrait(const Palette& palette) {
  SamplingSettings settings;
  Springs springs;
  std::vector<Chain> chains;
  for (std::uint64_t c = 0; c < 12; ++c) {
    chains.push_back(*sample_chain(springs, palette, settings, {}, c));
  }
  std::vector<Response> responses = join_responses(chains);
  Eigen::Index states = 0;
  for (const Response& response : responses) {
    states += static_cast<Eigen::Index>(response.frames + 1);
  }
  return make_portrait(std::move(responses), Eigen::MatrixXd::Random(3, states), 0.1,
                       settings.shortest);
}

TEST(Transitions, KeepsWhatPlayCanLeave) {
  const Palette palette = *Palette::create(
      {{.name = "a"}, {.name = "b", .followed_by = {"a"}}, {.name = "c", .followed_by = {"a"}}});
  const Portrait portrait = random_portrait(palette);
  EXPECT_EQ(find_playable(portrait, palette)->size(), portrait.responses.size());
}

/// Once "stuck" has acted nothing else may.
TEST(Transitions, RemovesWhatPlayCannotLeave) {
  const Palette palette = *Palette::create({{.name = "a", .strengths = {1, 2, 3}},
                                            {.name = "b", .strengths = {1, 2, 3}},
                                            {.name = "stuck", .followed_by = {"stuck"}}});
  Portrait portrait = random_portrait(palette);
  // The set that it cannot leave must be the smaller one.
  std::vector<std::size_t> few;
  std::size_t stuck = 0;
  for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
    if (portrait.responses[r].entry == 2 && ++stuck > 2) continue;
    few.push_back(r);
  }
  portrait = keep_responses(portrait, few);
  const auto kept = find_playable(portrait, palette);
  ASSERT_FALSE(kept.ok());
  EXPECT_NE(kept.error().message().find("no response to 'stuck'"), std::string::npos)
      << kept.error().message();
}

}  // namespace
}  // namespace supple::scene
