// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "light/directions.hpp"
#include "light/lit_scene.hpp"
#include "light/ray_scene.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace supple::light {

/// Where a ray met a side that reflects: 8 bytes.
struct Hit {
  static constexpr std::uint32_t kBack = 1U << 31U;
  std::uint32_t triangle = 0;  ///< and kBack, if it was met from behind
  std::uint16_t u = 0;         ///< 65536 times the weight of the second corner, rounded down
  std::uint16_t v = 0;         ///< of the third
};
static_assert(sizeof(Hit) == 8);

/// Points are traced and gathered in groups of this size.
inline constexpr std::size_t kPointsAtOnce = 64;
/// The most directions of a batch.
inline constexpr std::size_t kBatchDirections = 1024;

/// The rays of all points into one block of directions. Sums over the directions d above a point:
/// with weights w = n . d, `all` is sum w Y(d), `open` the same over those rays that hit nothing.
struct TracedBatch {
  DirectionSet set;
  std::size_t words = 0;               ///< of 64 directions, for each point
  std::vector<float> all;              ///< coefficients for each point
  std::vector<float> open;             ///< the same
  std::vector<std::uint64_t> mask;     ///< words for each point: which directions have a hit
  std::vector<std::vector<Hit>> hits;  ///< of each group of points, in turn and by direction
  std::size_t rays = 0;

  [[nodiscard]] std::size_t hit_count() const;
  [[nodiscard]] std::size_t bytes() const;
};

/// Traces all points. Without `keep_hits` only the sums are made.
[[nodiscard]] Result<TracedBatch> trace_batch(const LitScene& scene, const RayScene& rays,
                                              DirectionSet set, bool keep_hits);

}  // namespace supple::light
