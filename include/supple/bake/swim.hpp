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

/// Who swims, where to, and what is written about it.
struct SwimRequest {
  std::string stroke = "breaststroke";  ///< a shipped one or a file
  swim::RunSettings run;
  bool until_round = false;              ///< no time is given: to all targets of a course
  std::string body;                      ///< a body.toml
  std::string body_from;                 ///< a rig whose pieces are the body's segments
  std::string water;                     ///< a water.toml
  std::vector<Eigen::Vector3d> targets;  ///< metres
  std::string course;                    ///< a course.toml
  std::string character;                 ///< a rig that swims in place of the boxes
  std::string bone_map;                  ///< file of the names of its bones, and of body_from's
  std::vector<std::string> outputs;      ///< .glb, .gltf, .bvh, .csv, .xml
  SwimExportSettings look;

  /// The files that it reads.
  [[nodiscard]] std::vector<std::string> inputs() const;
};

/// All that decides a swim.
struct SwimInput {
  std::string title;
  PreparedSwimmer swimmer;
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
  std::vector<std::pair<std::string, double>> seconds;
};

/// Complaints about the request alone, before anything is read.
[[nodiscard]] Result<void> check(const SwimRequest& request);

[[nodiscard]] Result<SwimInput> read_swim(const SwimRequest& request);

/// Swims and stages the files; they appear when `output` is committed.
[[nodiscard]] Result<SwimRun> run_swim(SwimInput input, const SwimRequest& request,
                                       OutputSet& output);
/// The whole job: check, read, swim.
[[nodiscard]] Result<SwimRun> run_swim(const SwimRequest& request, OutputSet& output);

}  // namespace supple::bake
