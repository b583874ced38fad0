// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake_job.hpp"

#include "supple/bake/swim_export.hpp"
#include "supple/bake/swim_stroke.hpp"
#include "supple/core/result.hpp"
#include "supple/swim/recording.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::app {

/// What the command line says about a swim.
struct SwimRequest {
  std::string stroke = "breaststroke";  ///< a shipped one or a file
  swim::RunSettings run;
  bool until_round = false;          ///< no time is given: to all targets of a course
  std::string body;                  ///< a body.toml
  std::string body_from;             ///< a rig whose pieces are the body's segments
  std::string water;                 ///< a water.toml
  std::vector<std::string> targets;  ///< "X,Y,Z"
  std::string course;                ///< a course.toml
  std::string character;             ///< a rig that swims in place of the boxes
  std::string bone_map;              ///< file of the names of its bones, and of body_from's
  std::vector<std::string> outputs;  ///< .glb, .gltf, .bvh, .csv, .xml
  std::string plots;                 ///< a directory
  bake::SwimExportSettings look;
};

/// All that decides a swim.
struct SwimInput {
  std::string title;
  bake::SwimStroke stroke;
  swim::BodySettings body_settings;
  swim::Body body;
  swim::WaterSettings water;
  std::optional<swim::Course> course;
  std::optional<io::GltfAsset> character;
  character::BoneMap bone_map;
  std::vector<std::string> warnings;  ///< about the body; told already
};

/// A finished swim, as the report wants it.
struct SwimRun {
  SwimInput input;
  swim::Recording recording;
  swim::SwimReport report;
  std::size_t steps = 0;
  double swim_seconds = 0;  ///< that the simulation took
  std::vector<std::string> warnings;
  std::vector<WrittenFile> files;
  std::vector<std::pair<std::string, double>> seconds;
};

/// Complaints about the options alone, before anything is read.
[[nodiscard]] Result<void> check_request(const SwimRequest& request);

[[nodiscard]] Result<SwimInput> load_swim(const SwimRequest& request);

/// Swims and writes all files or none.
[[nodiscard]] Result<SwimRun> run_swim(SwimInput input, const SwimRequest& request);

}  // namespace supple::app
