// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/sampler.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace supple::bake::detail {
namespace {

using scene::ChainStart;

std::size_t frames_of(double seconds, double rate) {
  return static_cast<std::size_t>(std::max(1.0, std::round(seconds * rate)));
}

class SceneSampler {
 public:
  SceneSampler(const MakeSimulator& make, const SceneSettings& settings,
               const scene::Palette& palette, const ChainStore& store)
      : m_make(make),
        m_settings(settings),
        m_palette(palette),
        m_store(store),
        m_sampling(sampling_settings(settings)),
        m_branches(settings, palette, store) {}

  Result<SampledScene> run() {
    Progress progress("sampling", static_cast<double>(m_settings.sampling.states));
    std::size_t states = 0;
    while (states < m_settings.sampling.states) {
      SUPPLE_TRY(const std::vector<AdvancedStart> starts, choose_starts());
      SUPPLE_TRY(const std::vector<scene::Chain> batch, sample_batch(starts, m_result.chains));
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
    SUPPLE_TRY_VOID(sample_batch(starts, first));
    return {};
  }

 private:
  /// Empty states begin at rest.
  Result<std::vector<AdvancedStart>> choose_starts() {
    if (!m_settings.sampling.adaptive) return std::vector<AdvancedStart>(kChainsOfBatch);
    if (m_result.chains == 0) return std::vector<AdvancedStart>(m_palette.size());
    std::vector<AdvancedStart> starts(kChainsOfBatch);
    std::size_t known = 0;
    while (known < starts.size() && m_store.has(m_result.chains + known)) ++known;
    if (known == starts.size()) return starts;  // they will be loaded
    SUPPLE_TRY(starts, m_branches.find(m_result.chains, kChainsOfBatch));
    starts.resize(kChainsOfBatch);  // where there is no better place, at rest
    return starts;
  }

  Result<std::vector<scene::Chain>> sample_batch(const std::vector<AdvancedStart>& starts,
                                                 std::size_t first) {
    std::vector<scene::Chain> batch(starts.size());
    std::vector<Result<void>> results(starts.size());
    std::atomic<std::size_t> resumed = 0;
    parallel_for(starts.size(), 1, [&](std::size_t i) {
      if (m_store.has(first + i)) {
        auto loaded = m_store.load(first + i);
        if (!loaded.ok()) {
          results[i] = std::move(loaded).error();
          return;
        }
        batch[i] = *std::move(loaded);
        ++resumed;
        return;
      }
      results[i] = sample_one(starts[i], first + i, batch[i]);
    });
    for (Result<void>& result : results) SUPPLE_TRY_VOID(std::move(result));
    m_result.resumed += resumed;
    return batch;
  }

  Result<void> sample_one(const AdvancedStart& advanced, std::size_t number,
                          scene::Chain& chain) const {
    SUPPLE_TRY(const std::unique_ptr<scene::Simulator> simulator, m_make());
    scene::SamplingSettings sampling = m_sampling;
    ChainStart start = advanced.start;
    const bool branches = !start.state.empty();
    if (branches) {
      SUPPLE_TRY_VOID(simulator->set_state(start.state));
      for (std::size_t f = 0; f < advanced.frames; ++f) {
        SUPPLE_TRY_VOID(check_interrupt());
        SUPPLE_TRY_VOID(simulator->step(advanced.action));
      }
      start.state = simulator->state();
      sampling.rest = 0;  // the chains that begin at rest lead there
    }
    if (branches || m_settings.sampling.adaptive) sampling.chain = 1;
    SUPPLE_TRY(chain, scene::sample_chain(*simulator, m_palette, sampling, start, number));
    return m_store.save(number, chain);
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
  const ChainStore& m_store;
  scene::SamplingSettings m_sampling;
  BranchFinder m_branches;
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
                                  const scene::Palette& palette, const ChainStore& store) {
  return SceneSampler(make, settings, palette, store).run();
}

Result<void> sample_more(const MakeSimulator& make, const SceneSettings& settings,
                         const scene::Palette& palette, const ChainStore& store,
                         const std::vector<AdvancedStart>& starts, std::size_t first) {
  return SceneSampler(make, settings, palette, store).run_more(starts, first);
}

}  // namespace supple::bake::detail
