// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/drawn_scene.hpp"

#include "supple/core/files.hpp"
#include "supple/io/supple_file.hpp"
#include "supple/scene/loops.hpp"
#include "supple/soft/object.hpp"

#include <string>
#include <vector>

namespace supple::bake::detail {

struct SceneFiles {
  Bytes glb;
  io::SuppleBytes supple;
  std::vector<std::string> warnings;
};

/// OUT.glb, with morph targets, a clip for each entry that may act on the scene at rest and one for
/// each loop, "loop 1" and so on; and OUT.supple for the player. `object` moves the vertices of
/// `drawn` that deform, in their order. `kept`: as for soft::Asset::settings.
[[nodiscard]] Result<SceneFiles> write_scene_files(const std::string& title,
                                                   const DrawnScene& drawn, soft::Object object,
                                                   const std::vector<scene::Loop>& loops,
                                                   const std::string& kept, bool float32);

/// Of the loop with this number, counted from 0.
[[nodiscard]] std::string loop_name(std::size_t loop);

}  // namespace supple::bake::detail
