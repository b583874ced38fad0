// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/assembly.hpp"
#include "supple/fem/solid_model.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/reduction/multivector.hpp"

#include <cstdint>
#include <vector>

namespace supple::fem {

/// One piece of a mesh: elements joined by shared nodes.
struct Piece {
  std::size_t elements = 0;
  std::vector<geometry::Index> nodes;  ///< ascending
  geometry::Box bounds;
};
[[nodiscard]] std::vector<Piece> pieces(const geometry::TetMesh& mesh);
[[nodiscard]] std::vector<Piece> pieces(const geometry::TriMesh& mesh);

/// The rigid motions that the fixed components still allow each piece, M-orthonormal: six for a
/// free body, three rotations for a body held at a point, one for a body held along a line. They
/// come from the geometry and are exact up to rounding; counting near-zero eigenvalues would need a
/// threshold.
[[nodiscard]] reduction::MultiVector rigid_modes(const SolidModel& model,
                                                 const SolidMatrices& matrices,
                                                 const std::vector<Piece>& pieces);

/// The same for any model with nodes, kFix* bits (possibly empty), and a mass over matrix nodes:
/// `matrix_node` is the row of each node, or -1.
[[nodiscard]] reduction::MultiVector rigid_modes(const std::vector<geometry::Vec3>& nodes,
                                                 const std::vector<std::uint8_t>& fixed,
                                                 const std::vector<geometry::Index>& matrix_node,
                                                 const reduction::NodeMatrix& mass,
                                                 const std::vector<Piece>& pieces);

/// How many rigid motions the fixed components leave a piece, counting those that they stop only by
/// the rounding of coordinates: 0 for a clamped body, 1 for a hinge.
[[nodiscard]] int motions_left(const SolidModel& model, const Piece& piece);

/// Gamma on the matrix nodes [JP02 eq. 13]: unit translations, then unit rotations about the
/// origin, as six columns; zero in fixed components.
[[nodiscard]] reduction::MultiVector unit_rigid_motions(const SolidModel& model,
                                                        const SolidMatrices& matrices);

}  // namespace supple::fem
