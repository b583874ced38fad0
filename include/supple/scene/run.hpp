// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/scene/recording.hpp"

#include <cstddef>
#include <vector>

namespace supple::scene {

/// What another program recorded: all vertices, frame by frame.
struct Run {
  std::size_t vertices = 0;
  std::vector<float> positions;  ///< x y z
  [[nodiscard]] std::size_t frames() const {
    return vertices == 0 ? 0 : positions.size() / (3 * vertices);
  }
};

/// An entry of the palette that acted on a run from this frame on.
struct RunAction {
  std::size_t frame = 0;  ///< of the run, from 0: the last one before the action shows
  std::size_t entry = 0;
  double strength = 1;
};

/// The responses of a run: one from each action to the next, the last one to the end. A response
/// rests if ten frames at its end are still: no vertex moves further than `still` metres in them.
///
/// What came before the first action answers nothing and is dropped but for its last two frames,
/// which tell the velocity with which the first response begins. There must be at least one action,
/// in ascending frames, each with at least one frame after it.
[[nodiscard]] Chain cut_run(const Run& run, const std::vector<RunAction>& actions, double still);

}  // namespace supple::scene
