// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace supple::scene {

/// What acts during a frame.
struct Action {
  std::size_t entry = 0;  ///< of the palette: its forcing acts
  double strength = 1;
  bool strikes = false;  ///< its impulse acts at the beginning of the frame
};

/// A simulator as a black box [JF03 section 3.1]: the pipeline of scenes needs nothing but this.
/// The same state and the same actions give the same positions to the bit, on any machine that runs
/// the same program, for any number of threads.
class Simulator {
 public:
  virtual ~Simulator() = default;

  /// To rest, where every scene begins.
  [[nodiscard]] virtual Result<void> reset() = 0;
  [[nodiscard]] virtual Bytes state() const = 0;
  [[nodiscard]] virtual Result<void> set_state(std::span<const std::byte> state) = 0;

  /// One frame. An error ends the response: the sampler counts it, and it is not played.
  [[nodiscard]] virtual Result<void> step(const Action& action) = 0;

  /// Vertices now, in the frame of what supports the scene; always as many, in the same order.
  [[nodiscard]] virtual std::vector<geometry::Vec3> positions() const = 0;
  /// Pairs that intersect now, 0 where the simulator cannot tell. Others than 0 end the response
  /// like an error of step().
  [[nodiscard]] virtual std::size_t intersections() const = 0;
};

}  // namespace supple::scene
