// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/geometry/tet_mesh.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <optional>

namespace supple::geometry {

/// Isosurface stuffing of machine parts, on a lattice whose planes coincide with their faces.
///
/// Most faces of a plate, a beam or a bracket are perpendicular to one of three axes. The lattice
/// follows these axes, and its steps vary so that every such face is one of its planes: no element
/// is cut there, edges stay sharp, and a wall of any thickness has at least one whole cell, two
/// layers of elements. Other faces are cut as usual.
///
/// Nothing if less than half of the surface is perpendicular to such axes, or if the number of
/// elements would miss `target_elements` by more than a fifth. `surface` must bound one solid:
/// closed, welded and oriented.
[[nodiscard]] Result<std::optional<TetMesh>> stuff_fitted(const TriMesh& surface,
                                                          std::size_t target_elements);

}  // namespace supple::geometry
