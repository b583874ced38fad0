// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/scene_settings.hpp"
#include "supple/core/result.hpp"
#include "supple/io/surface.hpp"
#include "supple/scene/run.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace supple::bake::detail {

/// All frames of one run, scaled to metres.
struct RunFrames {
  std::string name;       ///< in messages
  std::size_t first = 0;  ///< number of the first frame: of a sequence as its file says, else 0
  scene::Run run;
  /// Of the first frame, without triangles where the file has none, and without positions.
  io::MarkedSurface surface;

  [[nodiscard]] std::size_t last() const { return first + run.frames() - 1; }
};

/// Reads "run_*.obj" (numbers in place of the *, without gaps), a .pc2, .mdd or .h5 file. Frames
/// that are not all the same mesh, numbers that are not finite, and a file with another rate than
/// the scene's are errors that name the file and the frame.
[[nodiscard]] Result<RunFrames> read_run(const SceneRunSettings& settings,
                                         const std::filesystem::path& directory, double rate,
                                         double scale);

/// An error unless both have the same triangles; a quad may be split along either diagonal.
/// `frame` and `other` are words for them, such as "frame 12".
[[nodiscard]] Result<void> check_triangles(const std::vector<geometry::Triangle>& triangles,
                                           const std::vector<geometry::Triangle>& expected,
                                           const std::string& frame, const std::string& other);
/// An error unless both have so many vertices.
[[nodiscard]] Result<void> check_vertices(std::size_t vertices, std::size_t expected,
                                          const std::string& frame, const std::string& other);

}  // namespace supple::bake::detail
