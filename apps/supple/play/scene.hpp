// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/play_scene.hpp"
#include "supple/core/output.hpp"

#include <string>
#include <vector>

namespace supple::app {

/// What `supple play` tells about a scene.
[[nodiscard]] std::string scene_play_text(const bake::ScenePlayRun& run,
                                          const std::vector<WrittenFile>& files);
[[nodiscard]] std::string scene_play_json(const bake::ScenePlayRun& run,
                                          const std::vector<WrittenFile>& files);

}  // namespace supple::app
