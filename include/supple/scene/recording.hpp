// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace supple::scene {

inline constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

/// A frame of a response: where another response begins.
struct Place {
  std::size_t response = kNowhere;  ///< kNowhere: at rest
  std::size_t frame = 0;
  [[nodiscard]] bool at_rest() const { return response == kNowhere; }
  auto operator<=>(const Place&) const = default;
};

/// The answer to one impulse under one forcing, frame by frame. Frame 0 is where it begins, before
/// the impulse acts.
struct Response {
  std::size_t entry = 0;
  double strength = 1;
  Place origin;
  std::size_t frames = 0;  ///< after frame 0
  bool rests = false;      ///< its last frame is at rest under its forcing
  /// False: it is not played. An error of the simulator cut it short, or it is the end of what came
  /// before the first action of a recorded run.
  bool whole = true;
  std::size_t group = 0;  ///< responses of one group differ in strength alone
};

/// Responses of one chain, and the vertices of every frame. Positions are floats: what is drawn
/// has no more, and files are half as large.
struct Chain {
  Place origin;  ///< where it begins, in the whole recording
  /// Origins count from the chain's first response; those "at rest" are the chain's own origin.
  std::vector<Response> responses;
  std::size_t vertices = 0;
  std::vector<float> positions;  ///< x y z, frames 0.. of each response in turn
  /// The simulator's states, for branches: at these frames of these responses.
  std::vector<Place> branch_places;
  std::vector<Bytes> branch_states;
  std::size_t failures = 0;  ///< responses that an error ended
};

/// A chain as the bytes of a file, with a checksum.
[[nodiscard]] Bytes save_chain(const Chain& chain);
[[nodiscard]] Result<Chain> load_chain(std::span<const std::byte> bytes);

}  // namespace supple::scene
