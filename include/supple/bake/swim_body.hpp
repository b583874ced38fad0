// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/motion.hpp"
#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/swim/body.hpp"

#include <vector>

namespace supple::bake {

/// The skin of a character that stands in a T or A pose, cut at the bones' borders: every vertex
/// goes to the segment of its heaviest bone, posed as motion_from_swim poses the bones of a swimmer
/// at zero angles. `height` is what the character measures then, standing, in metres. `map` has
/// pairs segment, bone. An error names the parts that the rig does not have.
[[nodiscard]] Result<std::vector<swim::BodyPiece>> swim_pieces(
    const character::Character& character, double height, const BoneMap& map = {});

/// The body that the settings describe, from the file of its mesh if it has one, whose bones `map`
/// names as above.
[[nodiscard]] Result<swim::Body> build_swim_body(const swim::BodySettings& settings,
                                                 const BoneMap& map = {});

}  // namespace supple::bake
