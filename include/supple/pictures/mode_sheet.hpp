// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"
#include "supple/pictures/studio.hpp"
#include "supple/plot/drawing.hpp"
#include "supple/render/camera.hpp"

#include <Eigen/Core>

namespace supple::pictures {

struct ModeSheetSettings {
  int most_modes = 12;
  double exaggeration = 0.1;  ///< largest displacement, relative to the model's diagonal
  int tile_pixels = 480 * 360;
  int samples = 4;  ///< per pixel
};

/// A picture of the first mode shapes: each tile shows the boundary displaced by one mode, coloured
/// by displacement, over the outline of the shape at rest. `shapes` holds x y z of every node of
/// the volume mesh per column, as fem::SolidModes does. At least one mode.
[[nodiscard]] Result<plot::Drawing> draw_mode_sheet(Studio& studio,
                                                    const geometry::BoundarySurface& surface,
                                                    const Eigen::MatrixXd& shapes,
                                                    const Eigen::VectorXd& frequencies_hz,
                                                    const ModeSheetSettings& settings = {});

/// The best direction of view: the longest horizontal direction runs across the picture in
/// three-quarter view, a little from above.
[[nodiscard]] render::Direction three_quarter_view(const geometry::TriMesh& mesh);

}  // namespace supple::pictures
