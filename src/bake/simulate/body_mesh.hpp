// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/simulate.hpp"
#include "supple/geometry/tet_mesh.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <optional>
#include <string>

namespace supple::bake::detail {

/// The surface of a body where it starts: a shape, one of the input's surfaces, or a file of its
/// folder.
[[nodiscard]] Result<geometry::TriMesh> body_surface(const SimulatedGeometry& geometry,
                                                     const SimulateInput& input);

/// A volume where it starts.
struct BodyVolume {
  geometry::TetMesh mesh;
  std::optional<geometry::TriMesh> surface;  ///< of the file that was filled
};

/// A shape, a volume mesh, or the inside of a closed surface in about `elements` tetrahedra.
[[nodiscard]] Result<BodyVolume> body_volume(const SimulatedGeometry& geometry,
                                             const SimulateInput& input, std::size_t elements);

/// Colours of the vertices of body_surface(); empty: all have the body's.
[[nodiscard]] std::vector<std::array<double, 4>> body_colours(const SimulatedGeometry& geometry,
                                                              const SimulateInput& input);

}  // namespace supple::bake::detail
