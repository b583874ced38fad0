// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/scene/drawn_scene.hpp"

#include "supple/bake/scene.hpp"
#include "supple/scene/palette.hpp"
#include "supple/scene/recording.hpp"

#include <string>
#include <vector>

namespace supple::bake::detail {

/// A surface that moves as one body, as DrawnScene takes it.
struct DrawnMesh {
  std::vector<simulator::Body> bodies;
  std::vector<DrawnBody> drawn;
  std::vector<std::vector<geometry::Vec3>> rest;
  /// It has both sides where the surface is open. `colours` are linear RGB, or none.
  DrawnMesh(const std::string& name, const geometry::TriMesh& mesh, const geometry::Vec3& colour,
            const std::vector<geometry::Vec3>& colours = {});
};

struct RecordedScene {
  DrawnMesh mesh;
  std::vector<scene::Chain> chains;  ///< one for each run
  std::vector<std::string> warnings;
};

/// Reads all runs of a recording and cuts them into responses. Errors name the file, and the frame
/// or the line.
[[nodiscard]] Result<RecordedScene> read_recording(const SceneInput& input,
                                                   const scene::Palette& palette);

}  // namespace supple::bake::detail
