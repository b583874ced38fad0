// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/motion.hpp"
#include "supple/character/character.hpp"
#include "supple/core/result.hpp"
#include "supple/swim/body.hpp"

#include <vector>

namespace supple::bake {

/// The skin of a character in a T or A pose, cut at the borders of bones: every vertex goes to the
/// segment of its heaviest bone, in the pose that motion_from_swim gives a swimmer at zero angles.
/// `height` is the standing height of the character, in metres. `map` has pairs of segment and
/// bone. An error lists the parts missing from the rig.
[[nodiscard]] Result<std::vector<swim::BodyPiece>> swim_pieces(
    const character::Character& character, double height, const BoneMap& map = {});

/// The body described by the settings. If it has a mesh, reads it from its file; `map` names that
/// mesh's bones as above.
[[nodiscard]] Result<swim::Body> build_swim_body(const swim::BodySettings& settings,
                                                 const BoneMap& map = {});

}  // namespace supple::bake
