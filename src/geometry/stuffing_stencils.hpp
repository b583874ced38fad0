// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "geometry/bcc_lattice.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace supple::geometry {

/// Where a lattice point lies. `Unknown` only while the lattice is being filled.
enum class Side : std::uint8_t { Unknown, Outside, Inside, Surface };

/// A corner of an output tetrahedron: a lattice point, or `points() + key` for the cut point of
/// edge `key`.
using StencilTet = std::array<BccLattice::Id, 4>;

/// Appends the part of a lattice tetrahedron that lies inside [LS07 section 3.3, figure 3].
///
/// `tet` is positively oriented; points 0, 1 and points 2, 3 are its long edges. All results are
/// positively oriented, and tetrahedra that share a face split it in the same way.
void append_stencil(const BccLattice& lattice, const StencilTet& tet,
                    const std::array<Side, 4>& sides, std::vector<StencilTet>& out);

}  // namespace supple::geometry
