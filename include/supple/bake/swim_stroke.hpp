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

/// A stroke's file: the graph, the water it is meant for and how it begins there.
struct SwimStroke {
  swim::PoseGraph graph;
  std::optional<swim::WaterSettings> water;  ///< without a flow
  /// Its angles are those of the graph's first pose.
  swim::StartState start;
};

/// `name` stands in messages. Angles in the file are degrees, a joint's name without its side means
/// both sides, and a joint that no pose names stays at zero.
[[nodiscard]] Result<SwimStroke> parse_swim_stroke(std::string_view toml, std::string_view name);

/// Degrees and seconds to a thousandth. What is read from it prints as the same text again.
[[nodiscard]] std::string print_swim_stroke(const SwimStroke& stroke);

/// Names of the strokes that come with the program.
[[nodiscard]] std::vector<std::string> shipped_strokes();

/// One of those, or a file where the word has a dot or a slash in it; the error offers the names.
[[nodiscard]] Result<SwimStroke> load_swim_stroke(const std::string& name_or_file);

}  // namespace supple::bake
