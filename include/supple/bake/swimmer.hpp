// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/swim_stroke.hpp"
#include "supple/character/retarget.hpp"
#include "supple/core/result.hpp"
#include "supple/swim/body.hpp"
#include "supple/swim/water.hpp"

#include <optional>
#include <string>

namespace supple::bake {

/// A body, a stroke and water: everything a simulation needs.
struct PreparedSwimmer {
  SwimStroke stroke;
  swim::BodySettings shape;
  swim::Body body;
  swim::WaterSettings water;
};

struct SwimmerSettings {
  std::optional<swim::BodySettings> body;    ///< none: the default body with the stroke's hinges
  std::string body_file;                     ///< its name in messages
  std::string mesh;                          ///< glTF file that shapes the body
  character::BoneMap bone_map;               ///< of that mesh: pairs segment, bone
  std::optional<swim::WaterSettings> water;  ///< none: the stroke's own water, or still fresh water
};

/// `stroke` is as for load_swim_stroke. An error if the body's hinges differ from those the stroke
/// moves.
[[nodiscard]] Result<PreparedSwimmer> prepare_swimmer(const std::string& stroke,
                                                      const SwimmerSettings& settings = {});

}  // namespace supple::bake
