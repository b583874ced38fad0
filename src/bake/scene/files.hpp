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

/// A part of the scene: its object moves vertices of what is drawn and deforms.
struct FilePart {
  soft::Object object;
  std::vector<scene::Loop> loops;
};

struct SceneFiles {
  Bytes glb;
  io::SuppleBytes supple;
  std::vector<std::string> warnings;
};

/// OUT.glb, with morph targets, a clip for each entry that may act on the scene at rest and one for
/// each loop, "loop 1" and so on, those of the first part first; and OUT.supple for the player.
/// `kept`: as for soft::Asset::settings.
[[nodiscard]] Result<SceneFiles> write_scene_files(const std::string& title,
                                                   const DrawnScene& drawn,
                                                   const std::vector<FilePart>& parts,
                                                   const std::string& kept, bool float32);

/// Of the loop with this number, counted from 0.
[[nodiscard]] std::string loop_name(std::size_t loop);

}  // namespace supple::bake::detail
