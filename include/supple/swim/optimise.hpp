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
  Stay,        ///< in place with the head up: treading water
  Efficiency,  ///< as defined in SwimReport
  Turn         ///< to the left, about the vertical; the sides become independent
};

/// The desired range of a figure of the stroke; values outside it cost.
struct WantedRange {
  double low = 0;
  double high = 0;
};

/// A range narrower than the joint's own limits, rad.
struct JointRange {
  std::string joint;  ///< without a side: both sides
  WantedRange angles;
};

struct OptimiseSettings {
  OptimiseFor goal = OptimiseFor::Speed;
  std::size_t generations = 200;
  double seconds = 0;  ///< of search; 0: limited only by the generations
  std::uint64_t seed = 1;
  std::size_t population = 0;  ///< candidates in a generation; 0: 4 + 3 ln(variables)
  double power_limit = 600;    ///< W, mean positive power of the muscles
  /// Half the range of the speed within a cycle over its mean, as in SwimReport.
  std::optional<WantedRange> speed_variation;
  std::optional<WantedRange> strokes_per_min;
  std::vector<JointRange> within;  ///< to keep a stroke within its style
  double spread_deg = 8;           ///< of the first generation's angles about the given ones
  double run_seconds = 10;         ///< of each candidate's swim
  double step = 1.0 / 60;
  /// Written after every generation; an existing file is resumed; empty: none.
  std::filesystem::path state_file;

  [[nodiscard]] Result<void> validate() const;
};

struct OptimiseResult {
  PoseGraph graph;
  double first_cost = 0;  ///< of the stroke as given
  double cost = 0;
  std::size_t variables = 0;
  std::size_t generations = 0;  ///< in total, including those of a state file
};

/// Searches durations and the angles of joints that the stroke moves, starting from the given ones.
/// A stroke with equal sides keeps them equal; a stroke whose second half is its first with the
/// sides exchanged stays that way. The cost is the goal less penalties for power beyond the limit,
/// angles at limits and far from the given stroke, muscles at full strength, swimming askew,
/// leaving the initial depth, and figures outside the requested ranges. Deterministic (except for
/// `seconds`), parallel over candidates.
[[nodiscard]] Result<OptimiseResult> optimise_stroke(const PoseGraph& stroke, const Body& body,
                                                     const WaterSettings& water,
                                                     const StartState& start,
                                                     const OptimiseSettings& settings);

}  // namespace supple::swim
