// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/gltf_samples.hpp"

#include <string>

namespace supple::testing {

using io::testing::HandMade;

/// A closed tube of 1 m along +Y, 0.12 m thick in radius, on bones "Hips" (at the bottom), "Leg"
/// (at 0.4 m) and "End" (at the top, which moves no skin), with a clip of two seconds, "swing".
/// Node 0 draws mesh 0 with skin 0; the bones are nodes 1 to 3.
[[nodiscard]] HandMade tube_character();

/// The same with one thing changed; each is a bad or doubtful character.
[[nodiscard]] HandMade sheet_character();            ///< a flat patch: nothing inside
[[nodiscard]] HandMade one_bone_character();         ///< all skin follows "Leg": no seam
[[nodiscard]] HandMade doubled_weights_character();  ///< weights sum to 2

[[nodiscard]] std::string glb_text(const HandMade& file);

}  // namespace supple::testing
