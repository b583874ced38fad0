// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/plot/colour.hpp"
#include "supple/plot/drawing.hpp"
#include "supple/render/camera.hpp"

#include <vector>

namespace supple::pictures {

/// Triangles with a colour for each vertex.
struct ColouredMesh {
  std::vector<geometry::Vec3> positions;
  std::vector<geometry::Triangle> triangles;
  std::vector<plot::Colour> colours;
  bool context = false;  ///< may reach beyond the picture
  bool on_top = false;   ///< hides what is in front of it
};

struct ValuePictureSettings {
  int width = 560;  ///< pixels
  int height = 460;
  render::Direction direction{34, 16};
};

/// Meshes in parallel projection, lit from the viewer, on a transparent ground. Drawn by the
/// processor, so that no machine has to do without.
[[nodiscard]] Result<plot::Drawing> draw_values(const std::vector<ColouredMesh>& meshes,
                                                const ValuePictureSettings& settings = {});

}  // namespace supple::pictures
