// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/drawn_scene.hpp"

#include "supple/core/files.hpp"
#include "supple/io/supple_file.hpp"
#include "supple/soft/object.hpp"

#include <string>

namespace supple::bake::detail {

struct SceneFiles {
  Bytes glb;
  io::SuppleBytes supple;
  std::vector<std::string> warnings;
};

/// OUT.glb, with morph targets and a clip for each entry that may act on the scene at rest, and
/// OUT.supple for the player. `object` moves the vertices of `drawn` that deform, in their order.
[[nodiscard]] Result<SceneFiles> write_scene_files(const std::string& title,
                                                   const DrawnScene& drawn, soft::Object object,
                                                   bool float32);

}  // namespace supple::bake::detail
