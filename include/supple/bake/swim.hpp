// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/swim_export.hpp"
#include "supple/bake/swimmer.hpp"
#include "supple/core/output.hpp"
#include "supple/core/result.hpp"
#include "supple/io/gltf.hpp"
#include "supple/swim/recording.hpp"
#include "supple/swim/steering.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::bake {

/// Which swimmer, which course, and which files to write.
struct SwimRequest {
  std::string stroke = "breaststroke";  ///< a built-in stroke or a file
  swim::RunSettings run;
  bool until_round = false;  ///< no duration given: until all targets of a course are reached
  std::string body;          ///< a body.toml
  std::string body_from;     ///< a rig whose parts become the body's segments
  std::string water;         ///< a water.toml
  std::vector<Eigen::Vector3d> targets;  ///< metres
  std::string course;                    ///< a course.toml
  bool free = false;                     ///< not steered: the swimmer drifts as its stroke does
  std::string character;                 ///< a rig that replaces the boxes
  std::string skeleton;                  ///< of that rig: see CharacterSettings
  std::string bone_map;              ///< file that maps segments to its bones, and to body_from's
  std::vector<std::string> outputs;  ///< .glb, .gltf, .bvh, .csv, .xml
  SwimExportSettings look;

  /// The files it reads.
  [[nodiscard]] std::vector<std::string> inputs() const;
};

/// Everything that determines a swim.
struct SwimInput {
  std::string title;
  PreparedSwimmer swimmer;
  /// Without targets, holding course and depth; none: free, or a stroke that cannot be steered.
  std::optional<swim::Course> course;
  std::optional<io::GltfAsset> character;
  character::BoneMap bone_map;
  std::vector<std::string> warnings;  ///< about the body; already logged
};

/// A finished swim, for the report.
struct SwimRun {
  SwimInput input;
  swim::Recording recording;
  swim::SwimReport report;
  /// m/s, for a body from a mesh: of that body and of the default one of its size, for which
  /// strokes are made.
  std::optional<std::pair<double, double>> straight_speeds;
  std::size_t steps = 0;
  double swim_seconds = 0;  ///< time of the simulation
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, double>> seconds;
};

/// Checks the request before reading anything.
[[nodiscard]] Result<void> check(const SwimRequest& request);

[[nodiscard]] Result<SwimInput> read_swim(const SwimRequest& request);

/// Swims and stages the files; they appear when `output` is committed.
[[nodiscard]] Result<SwimRun> run_swim(SwimInput input, const SwimRequest& request,
                                       OutputSet& output);
/// The whole job: check, read, swim.
[[nodiscard]] Result<SwimRun> run_swim(const SwimRequest& request, OutputSet& output);

}  // namespace supple::bake
