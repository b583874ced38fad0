// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/scene.hpp"
#include "supple/bake/scene_truth.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <string>
#include <vector>

/// Sequences that were not sampled; scene.cpp runs the experiments.
namespace supple::experiments {

/// A random sequence, and what the simulator does with it.
struct TrueSequence {
  std::vector<bake::SceneAction> actions;
  Eigen::MatrixXf motion;  ///< x y z of drawn vertices, a column for each frame
};

/// Entries at random under the rules, at random times, from rest; the same for the same seed.
/// Sequences are simulated on all threads.
[[nodiscard]] Result<std::vector<TrueSequence>> simulate_sequences(const bake::SceneInput& input,
                                                                   std::size_t count);

/// A baked scene that plays sequences, against the truth.
struct SequenceFigures {
  double error = 0;  ///< RMS over vertices and frames, relative to the RMS displacement
  double floor = 0;  ///< the same for the truth in the scene's shapes: no play can be closer
  double blend = 0;  ///< mean distance at a transition, of the portrait's size
};
[[nodiscard]] Result<SequenceFigures> play_sequences(const std::string& supple,
                                                     const std::vector<TrueSequence>& sequences);

}  // namespace supple::experiments
