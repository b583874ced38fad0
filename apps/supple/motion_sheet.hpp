// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "posed_character.hpp"

#include "supple/core/result.hpp"
#include "supple/io/image.hpp"

#include <optional>
#include <string>
#include <vector>

namespace supple::app {

struct MotionSheetSettings {
  std::vector<double> times;  ///< seconds; empty: around the liveliest moment
  double turn = 40;           ///< degrees: 0 from the front (+Z), 90 from the left, 180 from behind
  double tilt = 9;            ///< degrees from above
  std::string focus;          ///< object to look at closely; "": the whole character
  int width = 1600;           ///< pixels
  int supersampling = 3;
};

/// One column of the sheet.
struct Moment {
  std::size_t frame = 0;
  double time = 0;     ///< of the frame, seconds
  double largest = 0;  ///< displacement of the flesh, metres
};

struct MotionSheet {
  std::vector<Moment> moments;
  io::Image image;
};

/// The character at some moments of a motion: above in its colours, below coloured by how far the
/// flesh is from where the bones alone would have the skin, over the outline of that. Times outside
/// the motion and an unknown object are errors.
[[nodiscard]] Result<MotionSheet> draw_motion_sheet(
    const bake::BakedFile& file, const io::GltfAsset& asset, const bake::GltfCharacter& source,
    const bake::Motion& motion, const bake::Tracks& tracks, const MotionSheetSettings& settings);

}  // namespace supple::app
