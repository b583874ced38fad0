// SPDX-License-Identifier: Apache-2.0
#include "scene/onward.hpp"

#include "supple/core/parallel.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace supple::scene::detail {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Where a response that has ended goes on, and what that costs until the scene rests.
struct Landing {
  double cost = kNever;
  std::uint32_t state = Transitions::kNone;
};

/// Dijkstra's algorithm, from the responses that rest backwards. Nodes are responses; to go from
/// one to another costs the distance of its end from the nearest state of the other.
class OnwardFinder {
 public:
  OnwardFinder(const Portrait& portrait, const Palette& palette, const Eigen::MatrixXd& points)
      : m_portrait(portrait),
        m_palette(palette),
        m_points(points),
        m_landings(portrait.responses.size()),
        m_settled(portrait.responses.size(), 0) {}

  std::vector<std::uint32_t> run() {
    const std::size_t count = m_portrait.responses.size();
    for (std::size_t r = 0; r < count; ++r) {
      if (m_portrait.playable(r) && m_portrait.responses[r].rests) m_landings[r].cost = 0;
    }
    for (;;) {
      std::size_t best = count;
      for (std::size_t r = 0; r < count; ++r) {
        if (m_settled[r] != 0 || m_landings[r].cost == kNever) continue;
        if (best == count || m_landings[r].cost < m_landings[best].cost) best = r;
      }
      if (best == count) break;
      m_settled[best] = 1;
      parallel_for(count, 8, [&](std::size_t r) {
        if (m_settled[r] == 0) relax(r, best, m_portrait.responses[best].frames);
      });
    }
    parallel_for(count, 1, [&](std::size_t r) {
      if (m_settled[r] == 0) land_anywhere(r);
    });
    std::vector<std::uint32_t> onward;
    for (const Landing& landing : m_landings) onward.push_back(landing.state);
    return onward;
  }

 private:
  /// Whether it is cheaper to go on from the end of `response` in the first frames of `other`.
  void relax(std::size_t response, std::size_t other, std::size_t frames) {
    if (response == other || !m_portrait.playable(response) || !m_portrait.playable(other) ||
        !m_palette.alike(m_portrait.responses[response].entry, m_portrait.responses[other].entry)) {
      return;
    }
    const auto end = static_cast<Eigen::Index>(m_portrait.first_state[response + 1] - 1);
    const auto first = static_cast<Eigen::Index>(m_portrait.first_state[other]);
    Landing& landing = m_landings[response];
    for (Eigen::Index f = 1; f <= static_cast<Eigen::Index>(frames); ++f) {
      const double d = (m_points.col(first + f) - m_points.col(end)).norm();
      const double cost = d + (m_settled[other] != 0 ? m_landings[other].cost : 0);
      if (cost < landing.cost) landing = {cost, static_cast<std::uint32_t>(first + f)};
    }
  }

  /// No way leads to rest: the nearest state after which some of a response is left.
  void land_anywhere(std::size_t response) {
    for (std::size_t other = 0; other < m_portrait.responses.size(); ++other) {
      if (!m_portrait.playable(other)) continue;
      relax(response, other, m_portrait.responses[other].frames - m_portrait.shortest);
    }
  }

  const Portrait& m_portrait;
  const Palette& m_palette;
  const Eigen::MatrixXd& m_points;
  std::vector<Landing> m_landings;
  std::vector<char> m_settled;
};

}  // namespace

std::vector<std::uint32_t> find_onward(const Portrait& portrait, const Palette& palette,
                                       const Eigen::MatrixXd& points) {
  return OnwardFinder(portrait, palette, points).run();
}

}  // namespace supple::scene::detail
