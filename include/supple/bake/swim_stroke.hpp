// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/swim/pose_graph.hpp"
#include "supple/swim/swimmer.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace supple::bake {

/// A stroke's file: the graph, the water it is meant for and its start there.
struct SwimStroke {
  swim::PoseGraph graph;
  std::optional<swim::WaterSettings> water;  ///< without a flow
  /// Its angles are those of the graph's first pose.
  swim::StartState start;
};

/// `name` appears in messages. Angles in the file are in degrees, a joint's name without a side
/// means both sides, and a joint that no pose mentions stays at zero.
[[nodiscard]] Result<SwimStroke> parse_swim_stroke(std::string_view toml, std::string_view name);

/// Rounds degrees and seconds to a thousandth. Reading the text and printing it again gives the
/// same text.
[[nodiscard]] std::string print_swim_stroke(const SwimStroke& stroke);

/// Names of the built-in strokes.
[[nodiscard]] std::vector<std::string> shipped_strokes();

/// A built-in stroke, or a file if the name contains a dot or a slash; an error lists the names.
[[nodiscard]] Result<SwimStroke> load_swim_stroke(const std::string& name_or_file);

}  // namespace supple::bake
