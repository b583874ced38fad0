// SPDX-License-Identifier: Apache-2.0
#include "largest_piece.hpp"

#include <algorithm>

namespace supple::app {

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

  TetMesh& kept = result.mesh;
  kept.order = mesh.order;
  kept.region_names = mesh.region_names;
  std::vector<Index> new_node(mesh.nodes.size(), -1);
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    if (piece_of[e] != largest) continue;
    if (!mesh.regions.empty()) kept.regions.push_back(mesh.regions[e]);
    for (const Index node : mesh.element(e)) {
      Index& number = new_node[static_cast<std::size_t>(node)];
      if (number < 0) {
        number = static_cast<Index>(kept.nodes.size());
        kept.nodes.push_back(mesh.nodes[static_cast<std::size_t>(node)]);
      }
      kept.connectivity.push_back(number);
    }
  }
  for (const auto& [name, nodes] : mesh.node_sets) {
    std::vector<Index>& set = kept.node_sets[name];
    for (const Index node : nodes) {
      const Index number = new_node[static_cast<std::size_t>(node)];
      if (number >= 0) set.push_back(number);
    }
    std::sort(set.begin(), set.end());
  }
  return result;
}

}  // namespace supple::app
