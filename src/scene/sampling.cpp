// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/sampling.hpp"

#include "scene/stillness.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::scene {
namespace {

using geometry::Vec3;

class ChainSampler {
 public:
  ChainSampler(Simulator& simulator, const Palette& palette, const SamplingSettings& settings,
               std::uint64_t stream)
      : m_simulator(simulator),
        m_palette(palette),
        m_settings(settings),
        m_stream(stream),
        m_random(settings.seed, stream) {}

  Result<Chain> run(const ChainStart& start) {
    SUPPLE_TRY_VOID(begin(start));
    std::size_t previous = start.previous;
    std::size_t entry = start.entry;
    Place origin;  // the chain's own
    const std::size_t turn = m_stream % m_palette.size();
    const std::vector<std::size_t> steps = m_palette.steps_to(turn);
    for (bool last = false; !last;) {
      const bool is_due = ++m_sampled >= m_settings.chain;
      if (entry == kNowhere) entry = choose(previous, is_due, turn, steps);
      last = is_due && (entry == turn || !start.state.empty() || steps[entry] > m_palette.size());
      SUPPLE_TRY(const bool goes_on, sample_group(entry, origin, last));
      if (!goes_on) break;
      origin = {m_next, m_chain.responses[m_next].frames};
      previous = entry;
      entry = kNowhere;
    }
    return std::move(m_chain);
  }

 private:
  Result<void> begin(const ChainStart& start) {
    SUPPLE_TRY_VOID(start.state.empty() ? m_simulator.reset() : m_simulator.set_state(start.state));
    const std::vector<Vec3> positions = m_simulator.positions();
    if (positions.empty()) return bad_input("the simulator has no vertices");
    m_chain.origin = start.origin;
    m_chain.vertices = positions.size();
    geometry::Box box;
    for (const Vec3& p : positions) box.add(p);
    m_stillness = detail::Stillness(m_settings.stillness * box.diagonal());
    return {};
  }

  /// At random; but chains take turns with the last entry, so that each of them comes to rest in
  /// some chain: once a chain is long enough it takes the shortest way there that the rules allow.
  std::size_t choose(std::size_t previous, bool is_due, std::size_t turn,
                     const std::vector<std::size_t>& steps) {
    const std::vector<std::size_t>& from =
        previous == kNowhere ? m_palette.first() : m_palette.after(previous);
    if (!is_due) return from[m_random.below(from.size())];
    return *std::min_element(from.begin(), from.end(), [&](std::size_t a, std::size_t b) {
      return (a == turn ? 0 : steps[a]) < (b == turn ? 0 : steps[b]);
    });
  }

  /// All strengths of an entry from the present state. The chain goes on from a random one, whose
  /// number becomes m_next. False: a response failed.
  Result<bool> sample_group(std::size_t entry, const Place& origin, bool to_rest) {
    const std::vector<double>& strengths = m_palette.entries()[entry].strengths;
    const std::size_t frames =
        m_settings.shortest + m_random.below(m_settings.longest - m_settings.shortest + 1);
    const std::size_t chosen = m_random.below(strengths.size());
    const Bytes before = m_simulator.state();
    const std::size_t group = m_chain.responses.size();
    Bytes after;
    bool whole = true;
    for (std::size_t s = 0; s < strengths.size(); ++s) {
      if (s > 0) SUPPLE_TRY_VOID(m_simulator.set_state(before));
      Response response;
      response.entry = entry;
      response.strength = strengths[s];
      response.origin = origin;
      response.group = group;
      SUPPLE_TRY(const bool began, record(response, frames, to_rest));
      whole = whole && response.whole;
      if (s == chosen) {
        m_next = m_chain.responses.size();
        after = m_simulator.state();
      }
      if (began) m_chain.responses.push_back(response);
      if (!whole) break;  // what failed may go on failing
    }
    if (whole) SUPPLE_TRY_VOID(m_simulator.set_state(after));
    return whole;
  }

  /// False: it has not even a first frame.
  Result<bool> record(Response& response, std::size_t frames, bool to_rest) {
    std::vector<Vec3> last = m_simulator.positions();
    if (!is_sound(last)) {
      fail(response);
      return false;
    }
    append(last);
    m_stillness.restart();
    Action action{response.entry, response.strength, true};
    const std::size_t most = to_rest ? std::max(frames, m_settings.rest) : frames;
    for (std::size_t f = 1; f <= most; ++f) {
      SUPPLE_TRY_VOID(check_interrupt());
      if (!m_simulator.step(action).ok()) {
        fail(response);
        return true;
      }
      action.strikes = false;
      const std::vector<Vec3> now = m_simulator.positions();
      if (!is_sound(now)) {
        fail(response);
        return true;
      }
      append(now);
      ++response.frames;
      if (f % m_settings.branch == 0) {
        m_chain.branch_places.push_back({m_chain.responses.size(), f});
        m_chain.branch_states.push_back(m_simulator.state());
      }
      response.rests = is_still(last, now);
      if (to_rest && f >= m_settings.shortest && response.rests) return true;
      last = now;
    }
    return true;
  }

  void fail(Response& response) {
    response.whole = false;
    ++m_chain.failures;
  }

  /// A simulator that diverged, or whose surfaces went through each other, has failed whatever it
  /// says.
  [[nodiscard]] bool is_sound(const std::vector<Vec3>& now) const {
    return now.size() == m_chain.vertices && m_simulator.intersections() == 0 &&
           std::all_of(now.begin(), now.end(), [](const Vec3& p) { return p.allFinite(); });
  }

  bool is_still(const std::vector<Vec3>& last, const std::vector<Vec3>& now) {
    double furthest = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      furthest = std::max(furthest, (now[i] - last[i]).norm());
    }
    return m_stillness.rests_after(furthest);
  }

  void append(const std::vector<Vec3>& positions) {
    for (const Vec3& p : positions) {
      for (int k = 0; k < 3; ++k) m_chain.positions.push_back(static_cast<float>(p[k]));
    }
  }

  Simulator& m_simulator;
  const Palette& m_palette;
  const SamplingSettings& m_settings;
  std::uint64_t m_stream;
  Random m_random;
  Chain m_chain;
  std::size_t m_next = 0;
  std::size_t m_sampled = 0;  ///< groups
  detail::Stillness m_stillness{0};
};

}  // namespace

Result<void> SamplingSettings::validate() const {
  if (shortest < 2) return bad_input("the shortest response must have at least 2 frames");
  if (longest < shortest) {
    return bad_input(
        fmt::format("the longest response ({} frames) is shorter than the shortest ({} frames)",
                    longest, shortest));
  }
  if (chain == 0) return bad_input("a chain needs at least one response");
  if (branch == 0) return bad_input("states to branch from must be at least 1 frame apart");
  if (!(stillness > 0) || !std::isfinite(stillness)) return bad_input("stillness must be above 0");
  return {};
}

Result<Chain> sample_chain(Simulator& simulator, const Palette& palette,
                           const SamplingSettings& settings, const ChainStart& start,
                           std::uint64_t stream) {
  return ChainSampler(simulator, palette, settings, stream).run(start);
}

}  // namespace supple::scene
