// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/portrait.hpp"

#include "supple/core/check.hpp"

#include <cmath>
#include <map>
#include <utility>

namespace supple::scene {
namespace {

/// Per frame, at a state that is not the first of its response, whose states are first .. last - 1:
/// the slope of the curve that the player draws through them, of the second order.
Eigen::VectorXd slope(const Eigen::MatrixXd& q, Eigen::Index state, Eigen::Index first,
                      Eigen::Index last) {
  if (state + 1 < last) return 0.5 * (q.col(state + 1) - q.col(state - 1));
  if (last - first < 3) return q.col(state) - q.col(state - 1);
  return 1.5 * q.col(state) - 2 * q.col(state - 1) + 0.5 * q.col(state - 2);
}

}  // namespace

Eigen::MatrixXd Portrait::velocities() const {
  Eigen::MatrixXd v(q.rows(), q.cols());
  for (std::size_t r = 0; r < responses.size(); ++r) {
    const auto first = static_cast<Eigen::Index>(first_state[r]);
    const auto last = static_cast<Eigen::Index>(first_state[r + 1]);
    v.col(first) = origin_velocity.col(static_cast<Eigen::Index>(r));
    for (Eigen::Index s = first + 1; s < last; ++s) v.col(s) = slope(q, s, first, last) / h;
  }
  return v;
}

std::vector<Response> join_responses(const std::vector<Chain>& chains) {
  std::vector<Response> all;
  for (const Chain& chain : chains) {
    const std::size_t first = all.size();
    for (Response response : chain.responses) {
      response.origin = response.origin.at_rest()
                            ? chain.origin
                            : Place{first + response.origin.response, response.origin.frame};
      response.group += first;
      all.push_back(response);
    }
  }
  return all;
}

Portrait make_portrait(std::vector<Response> responses, Eigen::MatrixXd q, double h,
                       std::size_t shortest) {
  Portrait portrait;
  portrait.h = h;
  portrait.shortest = shortest;
  for (const Response& response : responses) {
    portrait.first_state.push_back(portrait.first_state.back() + response.frames + 1);
  }
  SUPPLE_CHECK_OP(portrait.first_state.back(), ==, static_cast<std::size_t>(q.cols()));
  portrait.origin_velocity.setZero(q.rows(), static_cast<Eigen::Index>(responses.size()));
  for (std::size_t r = 0; r < responses.size(); ++r) {
    const Place& origin = responses[r].origin;
    if (origin.at_rest() || origin.frame == 0) continue;
    const auto state =
        static_cast<Eigen::Index>(portrait.first_state[origin.response] + origin.frame);
    const auto first = static_cast<Eigen::Index>(portrait.first_state[origin.response]);
    const auto last = static_cast<Eigen::Index>(portrait.first_state[origin.response + 1]);
    portrait.origin_velocity.col(static_cast<Eigen::Index>(r)) = slope(q, state, first, last) / h;
  }
  portrait.responses = std::move(responses);
  portrait.q = std::move(q);
  return portrait;
}

Portrait keep_responses(const Portrait& portrait, const std::vector<std::size_t>& responses) {
  Portrait kept;
  kept.h = portrait.h;
  kept.shortest = portrait.shortest;
  std::map<std::size_t, std::size_t> number;
  for (const std::size_t r : responses) number.emplace(r, number.size());
  std::size_t states = 0;
  for (const std::size_t r : responses) states += portrait.responses[r].frames + 1;
  kept.q.resize(portrait.rank(), static_cast<Eigen::Index>(states));
  kept.origin_velocity.resize(portrait.rank(), static_cast<Eigen::Index>(responses.size()));
  for (const std::size_t r : responses) {
    Response response = portrait.responses[r];
    if (!response.origin.at_rest()) {
      const auto found = number.find(response.origin.response);
      response.origin =
          found == number.end() ? Place{} : Place{found->second, response.origin.frame};
    }
    // A group is named by its first response; a response whose group has lost it leads its own.
    const auto leader = number.find(response.group);
    response.group = leader == number.end() ? kept.responses.size() : leader->second;
    const auto count = static_cast<Eigen::Index>(response.frames + 1);
    kept.q.middleCols(static_cast<Eigen::Index>(kept.first_state.back()), count) =
        portrait.q.middleCols(static_cast<Eigen::Index>(portrait.first_state[r]), count);
    kept.origin_velocity.col(static_cast<Eigen::Index>(kept.responses.size())) =
        portrait.origin_velocity.col(static_cast<Eigen::Index>(r));
    kept.first_state.push_back(kept.first_state.back() + response.frames + 1);
    kept.responses.push_back(response);
  }
  return kept;
}

Eigen::MatrixXd phase_points(const Portrait& portrait) {
  const Eigen::MatrixXd v = portrait.velocities();
  const double largest_q =
      portrait.q.size() == 0 ? 0 : portrait.q.colwise().squaredNorm().maxCoeff();
  const double largest_v = v.size() == 0 ? 0 : v.colwise().squaredNorm().maxCoeff();
  const double beta = largest_v > 0 ? largest_q / largest_v : 0;
  Eigen::MatrixXd points(2 * portrait.rank(), portrait.q.cols());
  points.topRows(portrait.rank()) = portrait.q;
  points.bottomRows(portrait.rank()) = std::sqrt(beta) * v;
  return points;
}

}  // namespace supple::scene
