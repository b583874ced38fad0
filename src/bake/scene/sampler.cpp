// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/sampler.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"
#include "supple/scene/portrait.hpp"
#include "supple/scene/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

namespace supple::bake::detail {
namespace {

using scene::ChainStart;

std::size_t frames_of(double seconds, double rate) {
  return static_cast<std::size_t>(std::max(1.0, std::round(seconds * rate)));
}

class SceneSampler {
 public:
  SceneSampler(const MakeSimulator& make, const SceneSettings& settings,
               const scene::Palette& palette, const DrawnScene& drawn, const ChainStore& store)
      : m_make(make),
        m_settings(settings),
        m_palette(palette),
        m_drawn(drawn),
        m_store(store),
        m_sampling(sampling_settings(settings)) {}

  Result<SampledScene> run() {
    Progress progress("sampling", static_cast<double>(m_settings.sampling.states));
    std::size_t states = 0;
    while (states < m_settings.sampling.states) {
      SUPPLE_TRY(const std::vector<ChainStart> starts, choose_starts(states));
      SUPPLE_TRY(const std::vector<scene::Chain> batch, sample_batch(starts));
      for (const scene::Chain& chain : batch) {
        for (const scene::Response& response : chain.responses) states += response.frames + 1;
      }
      SUPPLE_TRY_VOID(check_failures(batch));
      m_result.chains += batch.size();
      progress.set(static_cast<double>(states));
    }
    return m_result;
  }

  Result<void> run_more(const std::vector<AdvancedStart>& starts, std::size_t first) {
    Progress progress("sampling where play blends", static_cast<double>(starts.size()));
    std::vector<Result<void>> results(starts.size());
    parallel_for(starts.size(), 1, [&](std::size_t i) {
      if (!m_store.has(first + i)) results[i] = sample_advanced(starts[i], first + i);
      progress.advance();
    });
    for (Result<void>& result : results) SUPPLE_TRY_VOID(std::move(result));
    return {};
  }

 private:
  [[nodiscard]] bool is_adaptive(std::size_t states) const {
    return m_settings.sampling.adaptive && 4 * states >= m_settings.sampling.states && states > 0;
  }

  Result<std::vector<ChainStart>> choose_starts(std::size_t states) const {
    if (!is_adaptive(states)) return std::vector<ChainStart>(kChainsOfBatch);
    return furthest_starts();
  }

  /// The farthest points, one after the other, among saved states and the entries allowed there.
  Result<std::vector<ChainStart>> furthest_starts() const {
    std::vector<scene::Chain> chains;
    for (std::size_t c = 0; c < m_result.chains; ++c) {
      SUPPLE_TRY(scene::Chain chain, m_store.load(c));
      chains.push_back(std::move(chain));
    }
    SUPPLE_TRY(const scene::Portrait portrait, rough_portrait(chains));
    const Eigen::MatrixXd points = scene::phase_points(portrait);
    std::vector<Candidate> candidates = find_candidates(chains, portrait, points);
    std::vector<ChainStart> starts;
    while (starts.size() < kChainsOfBatch && !candidates.empty()) {
      const auto best = std::max_element(
          candidates.begin(), candidates.end(),
          [](const Candidate& a, const Candidate& b) { return a.distance < b.distance; });
      const Candidate chosen = *best;
      starts.push_back({chosen.place, *chosen.bytes, chosen.entry, chosen.previous});
      for (Candidate& other : candidates) {
        if (other.entry != chosen.entry) continue;
        const double d = (points.col(other.state) - points.col(chosen.state)).norm();
        other.distance = std::min(other.distance, d);
      }
    }
    starts.resize(kChainsOfBatch);
    return starts;
  }

  struct Candidate {
    scene::Place place;
    const Bytes* bytes = nullptr;
    Eigen::Index state = 0;
    std::size_t entry = 0;
    std::size_t previous = 0;
    double distance = 0;
  };

  /// A few shapes are enough to tell states apart.
  Result<scene::Portrait> rough_portrait(const std::vector<scene::Chain>& chains) const {
    scene::ShapeSettings few;
    few.max_rank = 12;
    const scene::Draw draw = [this](std::span<const float> recorded, Eigen::VectorXd& drawn) {
      m_drawn.draw(recorded, drawn);
    };
    scene::ShapeReducer reducer(m_drawn.rest(), draw, few);
    for (const scene::Chain& chain : chains) SUPPLE_TRY_VOID(reducer.add(chain));
    SUPPLE_TRY(const scene::Shapes shapes, reducer.strongest());
    return scene::make_portrait(scene::join_responses(chains),
                                scene::project_all(chains, shapes, draw),
                                1 / m_settings.simulation.rate, m_sampling.shortest);
  }

  [[nodiscard]] std::vector<Candidate> find_candidates(const std::vector<scene::Chain>& chains,
                                                       const scene::Portrait& portrait,
                                                       const Eigen::MatrixXd& points) const {
    std::vector<Candidate> candidates;
    std::size_t first = 0;
    for (const scene::Chain& chain : chains) {
      for (std::size_t i = 0; i < chain.branch_places.size(); ++i) {
        const scene::Place place{first + chain.branch_places[i].response,
                                 chain.branch_places[i].frame};
        const std::size_t previous = portrait.responses[place.response].entry;
        for (const std::size_t entry : m_palette.after(previous)) {
          Candidate candidate{place, &chain.branch_states[i], 0, entry, previous, 0};
          candidate.state =
              static_cast<Eigen::Index>(portrait.first_state[place.response] + place.frame);
          candidate.distance = distance_to_origins(portrait, points, candidate);
          candidates.push_back(candidate);
        }
      }
      first += chain.responses.size();
    }
    return candidates;
  }

  static double distance_to_origins(const scene::Portrait& portrait, const Eigen::MatrixXd& points,
                                    const Candidate& candidate) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
      if (portrait.responses[r].entry != candidate.entry) continue;
      const auto origin = static_cast<Eigen::Index>(portrait.first_state[r]);
      nearest = std::min(nearest, (points.col(origin) - points.col(candidate.state)).norm());
    }
    return nearest;
  }

  Result<std::vector<scene::Chain>> sample_batch(const std::vector<ChainStart>& starts) {
    std::vector<scene::Chain> batch(starts.size());
    std::vector<Result<void>> results(starts.size());
    std::mutex mutex;
    parallel_for(starts.size(), 1, [&](std::size_t i) {
      const std::size_t number = m_result.chains + i;
      if (m_store.has(number)) {
        auto loaded = m_store.load(number);
        if (!loaded.ok()) {
          results[i] = std::move(loaded).error();
          return;
        }
        batch[i] = *std::move(loaded);
        const std::lock_guard lock(mutex);
        ++m_result.resumed;
        return;
      }
      results[i] = sample_one(starts[i], number, batch[i]);
    });
    for (Result<void>& result : results) SUPPLE_TRY_VOID(std::move(result));
    return batch;
  }

  Result<void> sample_one(const ChainStart& start, std::size_t number, scene::Chain& chain) const {
    SUPPLE_TRY(const std::unique_ptr<scene::Simulator> simulator, m_make());
    scene::SamplingSettings sampling = m_sampling;
    // A branch is there for its first responses, not for one more way to come to rest.
    if (!start.state.empty()) {
      sampling.chain = std::min<std::size_t>(sampling.chain, 2);
      sampling.rest = 0;
    }
    SUPPLE_TRY(chain, scene::sample_chain(*simulator, m_palette, sampling, start, number));
    return m_store.save(number, chain);
  }

  Result<void> sample_advanced(const AdvancedStart& advanced, std::size_t number) const {
    SUPPLE_TRY(const std::unique_ptr<scene::Simulator> simulator, m_make());
    SUPPLE_TRY_VOID(simulator->set_state(advanced.start.state));
    for (std::size_t f = 0; f < advanced.frames; ++f) {
      SUPPLE_TRY_VOID(check_interrupt());
      SUPPLE_TRY_VOID(simulator->step(advanced.action));
    }
    ChainStart start = advanced.start;
    start.state = simulator->state();
    scene::Chain chain;
    return sample_one(start, number, chain);
  }

  Result<void> check_failures(const std::vector<scene::Chain>& batch) {
    for (const scene::Chain& chain : batch) {
      m_failures += chain.failures;
      m_responses += chain.responses.size();
    }
    if (4 * m_failures <= m_responses + kChainsOfBatch) return {};
    return not_converged(fmt::format(
        "the simulator diverged, failed or let surfaces intersect in {} of {} responses; make "
        "impulses weaker, steps shorter (rate) or materials softer",
        m_failures, m_responses));
  }

  const MakeSimulator& m_make;
  const SceneSettings& m_settings;
  const scene::Palette& m_palette;
  const DrawnScene& m_drawn;
  const ChainStore& m_store;
  scene::SamplingSettings m_sampling;
  SampledScene m_result;
  std::size_t m_failures = 0;
  std::size_t m_responses = 0;
};

}  // namespace

scene::SamplingSettings sampling_settings(const SceneSettings& settings) {
  const SceneSampling& s = settings.sampling;
  const double rate = settings.simulation.rate;
  scene::SamplingSettings sampling;
  sampling.shortest = std::max<std::size_t>(2, frames_of(s.shortest, rate));
  sampling.longest = std::max(sampling.shortest, frames_of(s.longest, rate));
  sampling.chain = static_cast<std::size_t>(s.chain);
  sampling.rest = frames_of(s.rest, rate);
  sampling.stillness = s.stillness;
  sampling.seed = s.seed;
  return sampling;
}

Result<SampledScene> sample_scene(const MakeSimulator& make, const SceneSettings& settings,
                                  const scene::Palette& palette, const DrawnScene& drawn,
                                  const ChainStore& store) {
  return SceneSampler(make, settings, palette, drawn, store).run();
}

Result<void> sample_more(const MakeSimulator& make, const SceneSettings& settings,
                         const scene::Palette& palette, const DrawnScene& drawn,
                         const ChainStore& store, const std::vector<AdvancedStart>& starts,
                         std::size_t first) {
  return SceneSampler(make, settings, palette, drawn, store).run_more(starts, first);
}

}  // namespace supple::bake::detail
