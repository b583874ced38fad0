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
  std::string focus;  ///< soft part to zoom in on; "": the whole subject
  int width = 1600;   ///< pixels
  int samples = 4;    ///< per pixel
};

/// The subject at several times of its motion: as it is above; below, coloured by the distance of
/// its soft parts from their position under the bones alone, over the outline of that shape. Times
/// outside the motion, too many times and an unknown focus are errors.
[[nodiscard]] Result<plot::Drawing> draw_motion_sheet(Studio& studio, const Subject& subject,
                                                      const MotionSheetSettings& settings);

}  // namespace supple::pictures
