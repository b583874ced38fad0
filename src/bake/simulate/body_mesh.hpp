// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/simulation_settings.hpp"
#include "supple/geometry/tet_mesh.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <optional>
#include <string>

namespace supple::bake::detail {

/// The surface of a body where it starts: a shape or a file of the scene's folder.
[[nodiscard]] Result<geometry::TriMesh> body_surface(const SimulatedGeometry& geometry,
                                                     const std::string& directory);

/// A volume where it starts.
struct BodyVolume {
  geometry::TetMesh mesh;
  std::optional<geometry::TriMesh> surface;  ///< of the file that was filled
};

/// A shape, a volume mesh, or the inside of a closed surface in about `elements` tetrahedra.
[[nodiscard]] Result<BodyVolume> body_volume(const SimulatedGeometry& geometry,
                                             const std::string& directory, std::size_t elements);

}  // namespace supple::bake::detail
