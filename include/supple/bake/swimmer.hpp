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

/// A body that knows a stroke, in water: all that a simulation needs.
struct PreparedSwimmer {
  SwimStroke stroke;
  swim::BodySettings shape;
  swim::Body body;
  swim::WaterSettings water;
};

struct SwimmerSettings {
  std::optional<swim::BodySettings> body;    ///< none: our default, with the stroke's hinges
  std::string body_file;                     ///< what messages call it
  std::string mesh;                          ///< glTF file that gives the body its shape
  character::BoneMap bone_map;               ///< of that mesh: pairs segment, bone
  std::optional<swim::WaterSettings> water;  ///< none: the stroke's own, or still fresh water
};

/// `stroke` as load_swim_stroke has it. An error where the body has other hinges than the stroke
/// moves.
[[nodiscard]] Result<PreparedSwimmer> prepare_swimmer(const std::string& stroke,
                                                      const SwimmerSettings& settings = {});

}  // namespace supple::bake
