// SPDX-License-Identifier: Apache-2.0
#include "supple/scene/run.hpp"

#include "scene/stillness.hpp"

#include "supple/core/check.hpp"

#include <Eigen/Core>

#include <algorithm>

namespace supple::scene {
namespace {

class RunCutter {
 public:
  RunCutter(const Run& run, double still) : m_run(run), m_stillness(still) {
    m_chain.vertices = run.vertices;
  }

  /// Frames first .. last, of which the first is where the response begins.
  void add(const RunAction& action, std::size_t first, std::size_t last, bool whole) {
    Response response;
    response.entry = action.entry;
    response.strength = action.strength;
    response.frames = last - first;
    response.whole = whole;
    response.group = m_chain.responses.size();
    if (!m_chain.responses.empty()) {
      response.origin = {m_chain.responses.size() - 1, m_chain.responses.back().frames};
    }
    m_stillness.restart();
    for (std::size_t f = first; f <= last; ++f) {
      m_chain.positions.insert(m_chain.positions.end(), at(f), at(f + 1));
      if (f > first) response.rests = m_stillness.rests_after(furthest(f));
    }
    m_chain.responses.push_back(response);
  }

  Chain finish() { return std::move(m_chain); }

 private:
  [[nodiscard]] const float* at(std::size_t frame) const {
    return m_run.positions.data() + 3 * m_run.vertices * frame;
  }

  /// How far the fastest vertex has come since the frame before.
  [[nodiscard]] double furthest(std::size_t frame) const {
    double most = 0;
    for (std::size_t i = 0; i < 3 * m_run.vertices; i += 3) {
      const Eigen::Map<const Eigen::Vector3f> now(at(frame) + i);
      const Eigen::Map<const Eigen::Vector3f> last(at(frame - 1) + i);
      most = std::max(most, double{(now - last).norm()});
    }
    return most;
  }

  const Run& m_run;
  detail::Stillness m_stillness;
  Chain m_chain;
};

}  // namespace

Chain cut_run(const Run& run, const std::vector<RunAction>& actions, double still) {
  SUPPLE_CHECK(!actions.empty());
  RunCutter cutter(run, still);
  constexpr std::size_t kLead = 2;
  const std::size_t begin = actions.front().frame;
  if (begin > 0) cutter.add(actions.front(), begin - std::min(begin, kLead), begin, false);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const std::size_t end = i + 1 < actions.size() ? actions[i + 1].frame : run.frames() - 1;
    SUPPLE_CHECK_OP(actions[i].frame, <, end);
    SUPPLE_CHECK_OP(end, <, run.frames());
    cutter.add(actions[i], actions[i].frame, end, true);
  }
  return cutter.finish();
}

}  // namespace supple::scene
