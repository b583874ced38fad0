// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/branching.hpp"

#include "bake/scene/sampler.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/scene/object.hpp"
#include "supple/scene/playback.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace supple::bake::detail {
namespace {

/// Entries of the random play that shows where samples are missing.
constexpr std::size_t kDemandTriggers = 800;

/// Squared distance from the nearest origin of a response to the entry, those that failed and those
/// that are too short included: what failed once fails again.
double left_at(const scene::Portrait& portrait, const Eigen::MatrixXd& points, std::size_t entry,
               const Eigen::VectorXd& point) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < portrait.responses.size(); ++r) {
    if (portrait.responses[r].entry != entry) continue;
    const auto origin = static_cast<Eigen::Index>(portrait.first_state[r]);
    nearest = std::min(nearest, (points.col(origin) - point).squaredNorm());
  }
  return nearest;
}

}  // namespace

std::optional<AdvancedStart> start_at(const scene::Chain& chain, std::size_t first,
                                      const scene::Place& place, std::size_t entry) {
  const std::size_t local = place.response - first;
  const scene::Response& response = chain.responses[local];
  AdvancedStart found;
  bool any = false;
  for (std::size_t i = 0; i < chain.branch_places.size(); ++i) {
    const scene::Place& saved = chain.branch_places[i];
    if (saved.response != local || (any && saved.frame > place.frame)) continue;
    any = true;
    found.start.state = chain.branch_states[i];
    found.start.origin = {place.response, std::max(saved.frame, place.frame)};
    found.frames = found.start.origin.frame - saved.frame;
  }
  if (!any) return std::nullopt;
  found.start.entry = entry;
  found.start.previous = response.entry;
  found.action = {response.entry, response.strength, false};
  return found;
}

Result<std::vector<AdvancedStart>> BranchFinder::find(std::size_t chains, std::size_t count) {
  SUPPLE_TRY_VOID(look_at(chains));
  const scene::Portrait sampled = m_seen->portrait();
  std::vector<Demand> demand = find_demand(sampled, chains);
  std::vector<AdvancedStart> starts;
  while (starts.size() < count && !demand.empty()) {
    SUPPLE_TRY_VOID(check_interrupt());
    const std::size_t best = best_of(demand);
    const Demand chosen = demand[best];
    SUPPLE_TRY(std::optional<AdvancedStart> start, start_for(chosen));
    if (!start) {
      demand.erase(demand.begin() + static_cast<std::ptrdiff_t>(best));
      continue;
    }
    for (Demand& other : demand) {
      if (other.entry != chosen.entry) continue;
      other.left = std::min(other.left, (other.point - chosen.point).squaredNorm());
    }
    starts.push_back(*std::move(start));
  }
  return starts;
}

/// A few shapes of the recorded vertices are enough to tell states apart: those of the chains with
/// which sampling begins, so that nothing depends on when it was interrupted.
Result<void> BranchFinder::look_at(std::size_t chains) {
  if (!m_seen) {
    scene::ShapeSettings few;
    few.max_rank = 12;
    std::optional<scene::ShapeReducer> reducer;
    for (std::size_t c = 0; c < std::min(chains, m_palette.size()); ++c) {
      SUPPLE_TRY(const scene::Chain chain, m_store.load(c));
      const auto size = static_cast<Eigen::Index>(3 * chain.vertices);
      if (!reducer) {  // the first chain begins at rest
        reducer.emplace(
            Eigen::Map<const Eigen::VectorXf>(chain.positions.data(), size).cast<double>(),
            scene::draw_as_recorded(), few);
      }
      SUPPLE_TRY_VOID(reducer->add(chain));
    }
    SUPPLE_TRY(scene::Shapes shapes, reducer->strongest());
    m_seen.emplace(m_settings, std::move(shapes), scene::draw_as_recorded());
  }
  while (m_first_response.size() <= chains) {
    SUPPLE_TRY_VOID(check_interrupt());
    SUPPLE_TRY(const scene::Chain chain, m_store.load(m_first_response.size() - 1));
    m_seen->add(chain);
    m_first_response.push_back(m_first_response.back() + chain.responses.size());
  }
  return {};
}

std::vector<BranchFinder::Demand> BranchFinder::find_demand(const scene::Portrait& sampled,
                                                            std::size_t chains) const {
  const auto kept = keep_playable(sampled, m_palette);
  if (!kept.ok()) return {};
  const PlayablePortrait& playable = *kept;
  const soft::SceneTraits traits =
      scene::make_traits(playable.portrait, m_palette, playable.transitions, m_settings.half_life);
  const scene::SamplingSettings sampling = sampling_settings(m_settings);
  scene::RandomPlay play;
  play.triggers = kDemandTriggers;
  play.shortest = sampling.shortest;
  play.longest = sampling.longest;
  play.sequence = sampling.chain;
  play.seed = sampling.seed + chains;  // other play for each batch
  const Eigen::MatrixXd points = scene::phase_points(sampled);
  std::vector<Demand> demand;
  for (const scene::Passage& passage :
       scene::play_at_random(traits, scene::Blend::Smooth, play).passages) {
    if (passage.response == scene::Passage::kNone || passage.entry == scene::Passage::kNone) {
      continue;
    }
    Demand one;
    one.place = {playable.sampled[passage.response], passage.frame};
    one.entry = passage.entry;
    one.point = points.col(
        static_cast<Eigen::Index>(sampled.first_state[one.place.response] + one.place.frame));
    one.left = left_at(sampled, points, one.entry, one.point);
    demand.push_back(std::move(one));
  }
  return demand;
}

std::size_t BranchFinder::best_of(const std::vector<Demand>& demand) {
  std::vector<double> gains(demand.size(), 0);
  parallel_for(demand.size(), 16, [&](std::size_t i) {
    for (const Demand& other : demand) {
      if (other.entry != demand[i].entry) continue;
      const double distance = (other.point - demand[i].point).squaredNorm();
      gains[i] += std::max(0.0, other.left - distance);
    }
  });
  return static_cast<std::size_t>(std::max_element(gains.begin(), gains.end()) - gains.begin());
}

Result<std::optional<AdvancedStart>> BranchFinder::start_for(const Demand& demand) const {
  const auto after =
      std::upper_bound(m_first_response.begin(), m_first_response.end(), demand.place.response);
  const auto c = static_cast<std::size_t>(after - m_first_response.begin()) - 1;
  SUPPLE_TRY(const scene::Chain chain, m_store.load(c));
  return start_at(chain, m_first_response[c], demand.place, demand.entry);
}

}  // namespace supple::bake::detail
