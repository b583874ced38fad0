// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/scene/palette.hpp"
#include "supple/scene/recording.hpp"
#include "supple/scene/simulator.hpp"

#include <cstdint>

namespace supple::scene {

struct SamplingSettings {
  std::size_t shortest = 15;  ///< frames, T_min: shorter responses are not played
  std::size_t longest = 90;   ///< frames, T_max
  /// Responses of a chain, one after the other; more where the rules take longer to the entry with
  /// which it is to end.
  std::size_t chain = 8;
  std::size_t rest =
      600;  ///< frames: the last response of a chain goes on to rest, at most so long
  /// Of the size of the scene per frame: a scene that moves less is at rest.
  double stillness = 1e-4;
  std::size_t branch = 5;  ///< frames between states that other responses may branch from
  std::uint64_t seed = 1;
  [[nodiscard]] Result<void> validate() const;
};

/// Where a chain begins, and how.
struct ChainStart {
  Place origin;                     ///< in the whole recording
  Bytes state;                      ///< of the simulator there; empty: at rest
  std::size_t entry = kNowhere;     ///< of its first response; kNowhere: at random
  std::size_t previous = kNowhere;  ///< the entry that acts at the origin; kNowhere: none
};

/// Simulates one chain [JF03 section 3.1]: palette entries at random under the rules, each for a
/// random time. Where an entry has several strengths, each is sampled from the same state, and the
/// chain goes on from one of them. The last response goes on until the scene rests, so that play
/// has ways to come to rest; chains that begin at rest end with the entry number `stream`, modulo
/// their number. `stream` also numbers the chain's random numbers.
///
/// A response that fails is kept as far as it went, without the frame that failed, and the chain
/// ends. Positions that are not finite and surfaces that intersect are failures, too. Interrupts
/// are errors.
[[nodiscard]] Result<Chain> sample_chain(Simulator& simulator, const Palette& palette,
                                         const SamplingSettings& settings, const ChainStart& start,
                                         std::uint64_t stream);

}  // namespace supple::scene
