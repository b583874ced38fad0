// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/pictures/studio.hpp"
#include "supple/pictures/subject.hpp"
#include "supple/plot/drawing.hpp"
#include "supple/render/camera.hpp"

#include <string>
#include <vector>

namespace supple::pictures {

struct MotionSheetSettings {
  std::vector<double> times;  ///< seconds; empty: around the liveliest moment
  render::Direction direction{40, 9};
  std::string focus;  ///< soft part to look at closely; "": the whole subject
  int width = 1600;   ///< pixels
  int samples = 4;    ///< a pixel
};

/// The subject at some moments of its motion: above as it is, below coloured by how far its soft
/// parts are from where the bones alone would have them, over the outline of that. Times outside
/// the motion, too many of them and an unknown focus are errors.
[[nodiscard]] Result<plot::Drawing> draw_motion_sheet(Studio& studio, const Subject& subject,
                                                      const MotionSheetSettings& settings);

}  // namespace supple::pictures
