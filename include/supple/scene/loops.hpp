// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/scene/portrait.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace supple::scene {

struct LoopSettings {
  std::size_t count = 4;      ///< at most
  std::size_t shortest = 20;  ///< frames
  std::size_t longest = 240;  ///< frames
};

/// Frames `from` to `to` of a response, both included.
struct LoopPart {
  std::size_t response = 0;
  std::size_t from = 0, to = 0;
};

/// Motion that returns to where it began.
struct Loop {
  /// One after the other; each but the first begins where the part before left off, and the end of
  /// the last goes on at the beginning of the first. A part that begins at frame 0 begins with its
  /// entry.
  std::vector<LoopPart> parts;
  std::size_t frames = 0;
  double extent = 0;  ///< largest distance in phase space from its mean, of the portrait's size
  /// Distance in phase space over all seams, of the portrait's size: as recorded.
  double seam_before = 0;
  /// The same of `q`, as differences of its rows tell: position and velocity where it closes.
  double seam_after = 0;
  Eigen::MatrixXd q;  ///< rank x (frames + 1); the last column equals the first
};

/// Finds loops: stretches of a response, or of responses that follow each other, whose first and
/// last states are nearest in phase space, relative to how far they move. A response follows
/// another where it was launched from it, where it goes on after its end, or after itself: "poke,
/// and as it comes back, poke again".
///
/// The difference at each seam, in position and velocity, is spread over the loop: the offset of
/// playback, critically damped, in the periodic state that it reaches when the loop repeats. The
/// best loop of each entry comes first, then the best of the others; loops share at most half of
/// their states with those before them. Stretches that
/// hardly move, or whose seam is more than a quarter of their motion, are no loops.
[[nodiscard]] std::vector<Loop> find_loops(const Portrait& portrait, const Transitions& transitions,
                                           const LoopSettings& settings);

}  // namespace supple::scene
