// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/baked_file.hpp"
#include "supple/bake/play_scene.hpp"
#include "supple/bake/scene.hpp"
#include "supple/core/result.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace supple::bake {

/// An entry that acts before a frame is computed.
struct SceneAction {
  std::size_t frame = 0;  ///< computed before it acts
  std::size_t entry = 0;
  double strength = 1;
};

/// Receives each frame of a simulation as soon as it is known; frame 0 is rest.
using ShowFrame = std::function<void(std::size_t frame, const Eigen::VectorXf& points)>;

/// What the simulator itself does: x y z of what is drawn and deforms, a column for each frame,
/// from the scene at rest on. The vertices have the order of the player's. `actions` ascend by
/// frame, the first at frame 0; they need not follow the rules of the palette.
[[nodiscard]] Result<Eigen::MatrixXf> simulate_scene(const SceneInput& input,
                                                     const std::vector<SceneAction>& actions,
                                                     std::size_t frames,
                                                     const ShowFrame& show = {});

/// The scene that a .supple keeps, to simulate it again. Its meshes are files of `directory`, or
/// have to be added to `surfaces`. An error if the file keeps none: another program moved the
/// scene, or an earlier version wrote the file.
[[nodiscard]] Result<SceneInput> kept_scene(const BakedFile& file, std::string directory);

/// Triggers at whole frames of the scene: the nearest ones, each after the one before on its part.
[[nodiscard]] std::vector<SceneTrigger> at_nearest_frames(std::vector<SceneTrigger> triggers,
                                                          double frame_seconds);

/// What the simulator does when entries act on parts of the scene in a file, as simulate_scene.
/// Triggers are at whole frames. Parts do not reach each other: for each sequence that acts on any
/// of them everything is simulated once, and its own vertices are taken. A part without triggers
/// rests. `show` gets frames whose vertices of later sequences are at rest.
[[nodiscard]] Result<Eigen::MatrixXf> simulate_parts(const BakedFile& file, const SceneInput& input,
                                                     const std::vector<SceneTrigger>& triggers,
                                                     std::size_t frames,
                                                     const ShowFrame& show = {});

/// `tracks` and `motion` have the same frames, `motion` as simulate_scene makes it.
[[nodiscard]] Result<SceneDifference> compare_with_simulation(const BakedFile& file,
                                                              const Tracks& tracks,
                                                              const Eigen::MatrixXf& motion);

/// A sequence by the player and by the simulator.
struct ComparedPlay {
  ScenePlay play;
  SceneDifference difference;
};
/// Plays the triggers at their nearest frames, for `seconds` or until the scene rests, and
/// simulates the same.
[[nodiscard]] Result<ComparedPlay> play_beside_simulation(const BakedFile& file,
                                                          const SceneInput& input,
                                                          const std::vector<SceneTrigger>& triggers,
                                                          const ScenePlaySettings& settings = {});

}  // namespace supple::bake
