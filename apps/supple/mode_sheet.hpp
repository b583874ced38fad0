// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tet_mesh.hpp"
#include "supple/io/image.hpp"

#include <Eigen/Core>

#include <string>

namespace supple::app {

struct ModeSheetSettings {
  int most_modes = 12;
  double exaggeration = 0.1;  ///< largest displacement, as a part of the model's diagonal
  int cell_pixels = 480 * 360;
  int supersampling = 3;
};

/// A picture of the first mode shapes: each cell shows the boundary displaced by one mode, coloured
/// by displacement, over the outline of the shape at rest. `shapes` holds x y z of every node of
/// the volume mesh per column, as fem::SolidModes does. At least one mode.
[[nodiscard]] io::Image draw_mode_sheet(const geometry::BoundarySurface& surface,
                                        const Eigen::MatrixXd& shapes,
                                        const Eigen::VectorXd& frequencies_hz,
                                        const ModeSheetSettings& settings = {});

/// Rows: right, down, away, orthonormal. World +Y stays up; the longest horizontal direction runs
/// across the picture, turned by a three-quarter angle.
[[nodiscard]] geometry::Mat3 three_quarter_view(const geometry::TriMesh& mesh);

}  // namespace supple::app
