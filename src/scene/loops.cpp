// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/loops.hpp"

#include "supple/core/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace supple::scene {
namespace {

/// A loop moves at least so much, of the portrait's size.
constexpr double kLeastExtent = 0.05;
/// The seam of a loop is at most so much of its extent.
constexpr double kLargestSeam = 0.25;
/// Responses follow each other if they are so near, of the portrait's size.
constexpr double kFollows = 0.05;
/// Frames: parts of a loop are at least so long, which differences at their ends need.
constexpr std::size_t kWhole = 3;

/// States that follow each other: frames of a response, or of several.
struct Stretch {
  std::vector<std::size_t> states;
  std::vector<std::size_t> joints;  ///< places of states at which a part begins, without the first
  std::vector<double> gaps;         ///< squared distances at these joints
};

/// A stretch from its first to its last place, which is where it closes.
struct FoundLoop {
  double score = 0;  ///< seam relative to extent
  std::size_t first = 0, last = 0;
  double seam = 0, extent = 0;
  Stretch stretch;
};

class LoopFinder {
 public:
  LoopFinder(const Portrait& portrait, const Transitions& transitions, const LoopSettings& settings)
      : m_portrait(portrait),
        m_transitions(transitions),
        m_settings(settings),
        m_points(phase_points(portrait)),
        m_velocities(portrait.velocities()),
        m_size(portrait.q.size() == 0 ? 0
                                      : std::sqrt(portrait.q.colwise().squaredNorm().maxCoeff())) {}

  std::vector<Loop> run() {
    if (!(m_size > 0) || m_settings.count == 0) return {};
    find_launches();
    std::vector<std::vector<FoundLoop>> found(m_portrait.responses.size());
    parallel_for(found.size(), 1, [&](std::size_t r) {
      for (const Stretch& stretch : stretches_of(r)) find_in(stretch, found[r]);
    });
    std::vector<FoundLoop> all;
    for (std::vector<FoundLoop>& some : found) {
      for (FoundLoop& one : some) all.push_back(std::move(one));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const FoundLoop& a, const FoundLoop& b) { return a.score < b.score; });
    return choose(all);
  }

 private:
  /// For each response the nearest state of another one at which play goes over to it.
  void find_launches() {
    const std::size_t count = m_portrait.responses.size();
    m_launch.assign(count, kNowhere);
    std::vector<double> nearest(count, kFollows * m_size);
    for (std::size_t r = 0; r < count; ++r) {
      for (std::size_t s = m_portrait.first_state[r] + 1; s < m_portrait.first_state[r + 1]; ++s) {
        for (std::size_t e = 0; e < m_transitions.entries; ++e) {
          const std::uint32_t group = m_transitions.at(s, e);
          if (group == Transitions::kNone || m_portrait.responses[group].group == r) continue;
          const double distance = m_transitions.distance[s * m_transitions.entries + e];
          if (distance >= nearest[group]) continue;
          nearest[group] = distance;
          m_launch[group] = s;
        }
      }
    }
    for (std::size_t r = 0; r < count; ++r) m_launch[r] = m_launch[m_portrait.responses[r].group];
  }

  [[nodiscard]] std::size_t response_at(std::size_t state) const {
    const auto after =
        std::upper_bound(m_portrait.first_state.begin(), m_portrait.first_state.end(), state);
    return static_cast<std::size_t>(after - m_portrait.first_state.begin()) - 1;
  }

  void append(Stretch& stretch, std::size_t first, std::size_t last) const {
    if (!stretch.states.empty()) {
      stretch.joints.push_back(stretch.states.size());
      stretch.gaps.push_back(squared(stretch.states.back(), first));
      // The state before and the state after are one moment.
      stretch.states.pop_back();
      --stretch.joints.back();
    }
    for (std::size_t s = first; s <= last; ++s) stretch.states.push_back(s);
  }

  /// Ends with this response: it alone; after those that lead there; and with what follows.
  [[nodiscard]] std::vector<Stretch> stretches_of(std::size_t r) const {
    const std::size_t first = m_portrait.first_state[r];
    const std::size_t last = m_portrait.first_state[r + 1] - 1;
    std::vector<Stretch> stretches(1);
    append(stretches.back(), first, last);
    constexpr std::size_t kMostParts = 3;
    std::vector<std::array<std::size_t, 2>> parts{{first, last}};
    for (std::size_t from = m_launch[r]; from != kNowhere && parts.size() < kMostParts;) {
      const std::size_t before = response_at(from);
      parts.insert(parts.begin(), {m_portrait.first_state[before], from});
      Stretch chain;
      for (const auto& [begin, end] : parts) append(chain, begin, end);
      stretches.push_back(std::move(chain));
      from = m_launch[before];
    }
    if (m_transitions.onward[r] != Transitions::kNone) {
      Stretch onward = stretches.front();
      const std::size_t next = response_at(m_transitions.onward[r]);
      append(onward, m_transitions.onward[r], m_portrait.first_state[next + 1] - 1);
      stretches.push_back(std::move(onward));
    }
    return stretches;
  }

  [[nodiscard]] double squared(std::size_t a, std::size_t b) const {
    return (m_points.col(static_cast<Eigen::Index>(a)) - m_points.col(static_cast<Eigen::Index>(b)))
        .squaredNorm();
  }

  /// The best loop of a stretch.
  void find_in(const Stretch& stretch, std::vector<FoundLoop>& found) const {
    FoundLoop best;
    best.score = kLargestSeam;
    const double widest = 2 * extent(stretch, 0, stretch.states.size());
    const std::size_t shortest = std::max(m_settings.shortest, 2 * kWhole);
    for (std::size_t i = 0; i + shortest < stretch.states.size(); ++i) {
      const std::size_t most = std::min(i + m_settings.longest, stretch.states.size() - 1);
      for (std::size_t j = i + shortest; j <= most; ++j) {
        FoundLoop loop{0, i, j, 0, 0, {}};
        if (!joins(stretch, i, j, loop) || loop.seam >= best.score * widest) continue;
        loop.extent = extent(stretch, i, j);
        if (loop.extent < kLeastExtent * m_size) continue;
        loop.score = loop.seam / loop.extent;
        if (loop.score < best.score) best = std::move(loop);
      }
    }
    if (best.extent == 0) return;
    best.stretch = stretch;
    found.push_back(std::move(best));
  }

  /// Finds the seam of a stretch from i to j. False: parts of it are left out or nearly so, or the
  /// rules do not let it begin with its entry again.
  [[nodiscard]] bool joins(const Stretch& stretch, std::size_t i, std::size_t j,
                           FoundLoop& loop) const {
    double sum = squared(stretch.states[j], stretch.states[i]);
    for (std::size_t k = 0; k < stretch.joints.size(); ++k) {
      if (stretch.joints[k] < i + kWhole || stretch.joints[k] + kWhole > j) return false;
      sum += stretch.gaps[k];
    }
    const std::size_t first = response_at(stretch.states[i]);
    if (stretch.states[i] == m_portrait.first_state[first] &&
        m_transitions.at(stretch.states[j], m_portrait.responses[first].entry) ==
            Transitions::kNone) {
      return false;
    }
    loop.seam = std::sqrt(sum);
    return true;
  }

  /// Largest distance from the mean.
  [[nodiscard]] double extent(const Stretch& stretch, std::size_t i, std::size_t j) const {
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(m_portrait.rank());
    for (std::size_t s = i; s < j; ++s) mean += q(stretch.states[s]);
    mean /= static_cast<double>(j - i);
    double largest = 0;
    for (std::size_t s = i; s < j; ++s) {
      largest = std::max(largest, (q(stretch.states[s]) - mean).squaredNorm());
    }
    return std::sqrt(largest);
  }

  [[nodiscard]] Eigen::MatrixXd::ConstColXpr q(std::size_t state) const {
    return m_portrait.q.col(static_cast<Eigen::Index>(state));
  }

  /// The best of each entry with which loops begin, then the best of all others.
  [[nodiscard]] std::vector<Loop> choose(const std::vector<FoundLoop>& all) const {
    std::vector<Loop> loops;
    std::set<std::size_t> used;
    std::set<std::size_t> entries;
    for (const bool any : {false, true}) {
      for (const FoundLoop& found : all) {
        if (loops.size() == m_settings.count) return loops;
        const auto begin = found.stretch.states.begin() + static_cast<std::ptrdiff_t>(found.first);
        const auto end = found.stretch.states.begin() + static_cast<std::ptrdiff_t>(found.last);
        const std::size_t entry = m_portrait.responses[response_at(*begin)].entry;
        if (!any && entries.contains(entry)) continue;
        const auto shared =
            std::count_if(begin, end, [&](std::size_t s) { return used.contains(s); });
        if (2 * shared > end - begin) continue;
        used.insert(begin, end);
        entries.insert(entry);
        loops.push_back(close(found));
      }
    }
    return loops;
  }

  /// What jumps where one part ends and another begins, in q and in its velocity.
  struct Seam {
    std::size_t frame = 0;  ///< of the loop
    Eigen::VectorXd q, v;
  };

  [[nodiscard]] Loop close(const FoundLoop& found) const {
    Loop loop;
    loop.frames = found.last - found.first;
    loop.extent = found.extent / m_size;
    loop.seam_before = found.seam / m_size;
    loop.parts = parts_of(found);
    std::vector<Seam> seams;
    loop.q.resize(m_portrait.rank(), static_cast<Eigen::Index>(loop.frames + 1));
    for (std::size_t f = 0; f <= loop.frames; ++f) {
      loop.q.col(static_cast<Eigen::Index>(f)) = q(found.stretch.states[found.first + f]);
    }
    seams.push_back(seam(0, found.stretch.states[found.last], found.stretch.states[found.first]));
    for (std::size_t k = 0; k < found.stretch.joints.size(); ++k) {
      const std::size_t joint = found.stretch.joints[k];
      seams.push_back(
          seam(joint - found.first, left_state(loop.parts[k]), found.stretch.states[joint]));
    }
    for (const Seam& one : seams) spread(one, loop.frames, loop.q);
    loop.q.col(static_cast<Eigen::Index>(loop.frames)) = loop.q.col(0);
    loop.seam_after = measure(loop, found.stretch.states[found.first]);
    return loop;
  }

  [[nodiscard]] std::size_t left_state(const LoopPart& part) const {
    return m_portrait.first_state[part.response] + part.to;
  }

  [[nodiscard]] std::vector<LoopPart> parts_of(const FoundLoop& found) const {
    std::vector<LoopPart> parts;
    for (std::size_t i = found.first; i <= found.last; ++i) {
      const std::size_t state = found.stretch.states[i];
      const std::size_t response = response_at(state);
      const std::size_t frame = state - m_portrait.first_state[response];
      const auto& joints = found.stretch.joints;
      if (parts.empty() || std::find(joints.begin(), joints.end(), i) != joints.end()) {
        // The moment of the joint belongs to both.
        if (!parts.empty()) ++parts.back().to;
        parts.push_back({response, frame, frame});
      }
      parts.back().to = frame;
    }
    return parts;
  }

  [[nodiscard]] Seam seam(std::size_t frame, std::size_t before, std::size_t after) const {
    return {frame, q(before) - q(after),
            m_velocities.col(static_cast<Eigen::Index>(before)) -
                m_velocities.col(static_cast<Eigen::Index>(after))};
  }

  /// o = (a + b t) exp(-l t) from the seam on, such that o(0) - o(T) = dq and o'(0) - o'(T) = dv:
  /// what is shown before the seam, and its velocity, is what is shown behind it.
  void spread(const Seam& seam, std::size_t frames, Eigen::MatrixXd& shown) const {
    const double period = static_cast<double>(frames) * m_portrait.h;
    constexpr double kOverPeriod = 6;  // most of it is gone when the loop is half over
    const double l = kOverPeriod / period;
    const double e = std::exp(-l * period);
    // a (1 - e) - b T e = dq and, as o' = b exp(-l t) - l o, b (1 - e) - l dq = dv.
    const Eigen::VectorXd b = (seam.v + l * seam.q) / (1 - e);
    const Eigen::VectorXd a = (seam.q + period * e * b) / (1 - e);
    for (std::size_t f = 0; f < frames; ++f) {
      const double t = static_cast<double>((f + frames - seam.frame) % frames) * m_portrait.h;
      shown.col(static_cast<Eigen::Index>(f)) += std::exp(-l * t) * (a + t * b);
    }
  }

  /// By differences of the second order at both ends. The impulse of an entry that acts at the seam
  /// is part of the motion: it is taken from what was recorded.
  [[nodiscard]] double measure(const Loop& loop, std::size_t first) const {
    const Eigen::Index n = loop.q.cols() - 1;
    const double rate = 1 / m_portrait.h;
    const Eigen::VectorXd end =
        rate * (1.5 * loop.q.col(n) - 2 * loop.q.col(n - 1) + 0.5 * loop.q.col(n - 2));
    const Eigen::VectorXd begin =
        rate * (2 * loop.q.col(1) - 1.5 * loop.q.col(0) - 0.5 * loop.q.col(2));
    const Eigen::VectorXd recorded =
        rate * (2 * q(first + 1) - 1.5 * q(first) - 0.5 * q(first + 2));
    const Eigen::VectorXd kick = recorded - m_velocities.col(static_cast<Eigen::Index>(first));
    const Eigen::Index rank = m_portrait.rank();
    const double largest = m_points.bottomRows(rank).colwise().squaredNorm().maxCoeff();
    const double fastest = m_velocities.colwise().squaredNorm().maxCoeff();
    const double beta = fastest > 0 ? largest / fastest : 0;
    const double gap = (loop.q.col(n) - loop.q.col(0)).squaredNorm();
    return std::sqrt(gap + beta * (end - (begin - kick)).squaredNorm()) / m_size;
  }

  const Portrait& m_portrait;
  const Transitions& m_transitions;
  const LoopSettings& m_settings;
  Eigen::MatrixXd m_points;
  Eigen::MatrixXd m_velocities;
  double m_size;
  std::vector<std::size_t> m_launch;  ///< per response: a state of another one, or kNowhere
};

}  // namespace

std::vector<Loop> find_loops(const Portrait& portrait, const Transitions& transitions,
                             const LoopSettings& settings) {
  return LoopFinder(portrait, transitions, settings).run();
}

}  // namespace supple::scene
