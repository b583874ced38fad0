// SPDX-License-Identifier: Apache-2.0
#include "bake/modes/largest_piece.hpp"

#include <algorithm>

namespace supple::bake {

using geometry::Index;
using geometry::TetMesh;

LargestPiece keep_largest_piece(const TetMesh& mesh) {
  const std::vector<Index> piece_of = geometry::components(mesh);
  LargestPiece result;
  if (piece_of.empty()) return {mesh, 0};
  std::vector<std::size_t> sizes(
      static_cast<std::size_t>(*std::max_element(piece_of.begin(), piece_of.end())) + 1, 0);
  for (const Index piece : piece_of) ++sizes[static_cast<std::size_t>(piece)];
  result.pieces = sizes.size();
  const auto largest =
      static_cast<Index>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());

  std::vector<char> keep(piece_of.size());
  for (std::size_t e = 0; e < piece_of.size(); ++e) keep[e] = piece_of[e] == largest ? 1 : 0;
  result.mesh = geometry::keep_elements(mesh, keep);
  return result;
}

}  // namespace supple::bake
