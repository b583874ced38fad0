// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tet_mesh.hpp"

namespace supple::bake {

struct LargestPiece {
  geometry::TetMesh mesh;  ///< its elements and nodes only; regions and sets follow
  std::size_t pieces = 0;  ///< how many the input had
};

/// The connected piece with the most elements; the first of equals.
[[nodiscard]] LargestPiece keep_largest_piece(const geometry::TetMesh& mesh);

}  // namespace supple::bake
