// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/scene.hpp"
#include "supple/core/result.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <vector>

namespace supple::bake {

/// An entry that acts before a frame is computed.
struct SceneAction {
  std::size_t frame = 0;  ///< computed before it acts
  std::size_t entry = 0;
  double strength = 1;
};

/// What the simulator itself does: x y z of what is drawn and deforms, a column for each frame,
/// from the scene at rest on. The vertices have the order of the player's. `actions` ascend by
/// frame, the first at frame 0; they need not follow the rules of the palette.
[[nodiscard]] Result<Eigen::MatrixXf> simulate_scene(const SceneInput& input,
                                                     const std::vector<SceneAction>& actions,
                                                     std::size_t frames);

}  // namespace supple::bake
