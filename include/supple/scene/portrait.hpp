// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/scene/palette.hpp"
#include "supple/scene/recording.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace supple::scene {

/// All responses in reduced coordinates: the phase portrait of a scene [JF03 section 3.2]. A state
/// is a frame of a response; states of a response follow each other.
struct Portrait {
  double h = 0;              ///< s between frames
  std::size_t shortest = 0;  ///< frames: shorter responses are not played
  std::vector<Response> responses;
  std::vector<std::size_t> first_state = {0};  ///< of each response, and the number of states
  Eigen::MatrixXd q;                           ///< rank x states
  /// rank x responses: the velocity at the origin before the impulse acts, per second.
  Eigen::MatrixXd origin_velocity;

  [[nodiscard]] std::size_t states() const { return first_state.back(); }
  [[nodiscard]] Eigen::Index rank() const { return q.rows(); }
  [[nodiscard]] bool playable(std::size_t response) const {
    return responses[response].frames >= shortest && responses[response].whole;
  }
  /// Velocities of all states by differences, central ones inside of a response, one-sided at its
  /// end, never across an impulse: frame 0 has the velocity of its origin.
  [[nodiscard]] Eigen::MatrixXd velocities() const;
};

/// Puts responses together; `q` has frames + 1 columns for each of them in turn. Origins are places
/// in this list.
[[nodiscard]] Portrait make_portrait(std::vector<Response> responses, Eigen::MatrixXd q, double h,
                                     std::size_t shortest);

/// The responses of all chains in one list, with origins and groups as numbers in it. Places of
/// chains count in this list, too: a chain begins at a response of an earlier one, or at rest.
[[nodiscard]] std::vector<Response> join_responses(const std::vector<Chain>& chains);

/// The portrait with these responses alone, in this order. Origins that are not among them become
/// rest; their velocities stay.
[[nodiscard]] Portrait keep_responses(const Portrait& portrait,
                                      const std::vector<std::size_t>& responses);

/// [JF03 eq. 9]: |q - q'|^2 + beta |v - v'|^2 with beta = max |q|^2 / max |v|^2, as plain squared
/// distances of points (q, sqrt(beta) v). One column for each state.
[[nodiscard]] Eigen::MatrixXd phase_points(const Portrait& portrait);

/// A group of responses that may answer to an entry.
struct Answer {
  std::uint32_t group = 0;  ///< its first response
  double distance = 0;      ///< of its origin, in the metric of phase_points
};

/// Finds the answers to an entry whose origins are nearest.
class AnswerFinder {
 public:
  /// `portrait` must outlive this object.
  AnswerFinder(const Portrait& portrait, const Palette& palette);

  [[nodiscard]] const Eigen::MatrixXd& points() const { return m_points; }
  /// At most `count`, the nearest first.
  [[nodiscard]] std::vector<Answer> nearest(std::size_t state, std::size_t entry,
                                            std::size_t count) const;

 private:
  const Portrait& m_portrait;
  Eigen::MatrixXd m_points;
  std::vector<std::vector<std::size_t>> m_groups;  ///< per entry: those of which all is playable
};

/// Where play goes from every state.
struct Transitions {
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::size_t entries = 0;
  /// states x entries: the first response of the group that is played when the entry acts there;
  /// kNone where the rules forbid the entry or no response has it.
  std::vector<std::uint32_t> next;
  std::vector<float> distance;  ///< states x entries: of the origin, in the metric of phase_points
  /// Per response: the state at which play goes on after its last frame. A response that rests, or
  /// of whose forcing there is no other response, ends: kNone.
  std::vector<std::uint32_t> onward;

  [[nodiscard]] std::uint32_t at(std::size_t state, std::size_t entry) const {
    return next[state * entries + entry];
  }
};

/// Finds the transitions between playable responses: to the nearest answer.
///
/// After its last frame a response goes on in another one under the same forcing, on the way to
/// rest whose distances have the smallest sum: where a response ends that does not rest, play goes
/// on elsewhere again. Where no way leads to rest, at the nearest state of any other response, at
/// least `shortest` frames before its end.
[[nodiscard]] Transitions find_transitions(const Portrait& portrait, const Palette& palette);

/// Removes responses that play could enter and never leave: what stays are the largest strongly
/// connected set of groups and everything that leads there from rest, by the transitions of what
/// stays. Returns the numbers of these responses, ascending. An entry that loses all of its
/// responses is an error.
[[nodiscard]] Result<std::vector<std::size_t>> find_playable(const Portrait& portrait,
                                                             const Palette& palette);

}  // namespace supple::scene
