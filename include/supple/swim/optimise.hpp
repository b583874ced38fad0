// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/pose_graph.hpp"
#include "supple/swim/recording.hpp"
#include "supple/swim/swimmer.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace supple::swim {

enum class OptimiseFor {
  Speed,
  Stay,        ///< head high, in place: treading water
  Efficiency,  ///< as SwimReport has it
  Turn         ///< to the left, about the vertical; sides become free of each other
};

/// What a figure of the stroke should lie in; outside of it costs.
struct WantedRange {
  double low = 0;
  double high = 0;
};

/// Narrower than the joint's own limits, rad.
struct JointRange {
  std::string joint;  ///< without its side: both
  WantedRange angles;
};

struct OptimiseSettings {
  OptimiseFor goal = OptimiseFor::Speed;
  std::size_t generations = 200;
  double seconds = 0;  ///< of search; 0: no limit but the generations
  std::uint64_t seed = 1;
  std::size_t population = 0;  ///< candidates in a generation; 0: 4 + 3 ln(variables)
  double power_limit = 600;    ///< W, mean positive power of the muscles
  /// Half the span of the speed within a cycle over its mean, as SwimReport has it.
  std::optional<WantedRange> speed_variation;
  std::optional<WantedRange> strokes_per_min;
  std::vector<JointRange> within;  ///< for strokes that look as a style wants them
  double spread_deg = 8;           ///< of the first generation's angles about the given ones
  double run_seconds = 10;         ///< of each candidate's swim
  double step = 1.0 / 60;
  /// Written after every generation and gone on from where it exists; empty: none.
  std::filesystem::path state_file;

  [[nodiscard]] Result<void> validate() const;
};

struct OptimiseResult {
  PoseGraph graph;
  double first_cost = 0;  ///< of the stroke as given
  double cost = 0;
  std::size_t variables = 0;
  std::size_t generations = 0;  ///< in all, those of a state file included
};

/// Searches angles, of joints that the stroke moves, and durations, starting from the given ones.
/// A stroke whose sides are equal keeps them so; one whose second half is its first with the sides
/// exchanged stays that. The cost is the goal less penalties for power beyond the limit, angles at
/// limits and far from the given stroke, muscles at the end of their strength, swimming askew,
/// leaving the depth where it began, and figures outside of the ranges that are wanted.
/// Deterministic (but for `seconds`), parallel over candidates.
[[nodiscard]] Result<OptimiseResult> optimise_stroke(const PoseGraph& stroke, const Body& body,
                                                     const WaterSettings& water,
                                                     const StartState& start,
                                                     const OptimiseSettings& settings);

}  // namespace supple::swim
