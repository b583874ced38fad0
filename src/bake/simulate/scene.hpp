// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/simulate.hpp"
#include "supple/geometry/interpolation.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <array>
#include <optional>
#include <vector>

namespace supple::bake::detail {

/// A body's own surface, as its file has it, carried by its tetrahedra.
struct CarriedSurface {
  geometry::TriMesh mesh;  ///< at the start
  geometry::Interpolation carrier;
};

/// What is drawn of a body, and how it looks.
struct DrawnBody {
  geometry::Vec3 colour = geometry::Vec3::Ones();
  std::vector<std::array<double, 4>> colours;  ///< of its surface's vertices; empty: `colour`
  bool thin = false;                           ///< both sides are seen
  std::optional<CarriedSurface> carried;       ///< none: the surface of the simulated mesh
  std::optional<geometry::TetMesh> volume;
};

/// A scene that the simulator takes, and what else is known of its bodies, in the world's order.
struct BuiltScene {
  simulator::Description description;
  std::vector<DrawnBody> drawn;
  std::vector<std::string> warnings;
};

/// Reads and makes the meshes and puts everything in its place. Errors name the body.
[[nodiscard]] Result<BuiltScene> build_scene(const SimulateInput& input);

}  // namespace supple::bake::detail
