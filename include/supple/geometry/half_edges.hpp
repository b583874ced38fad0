// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/tri_mesh.hpp"

#include <algorithm>
#include <vector>

namespace supple::geometry {

/// One side of a triangle.
struct HalfEdge {
  Index low = 0, high = 0;  ///< nodes in ascending order
  Index triangle = 0;
  int corner = 0;        ///< where it starts
  bool forward = false;  ///< whether the triangle runs from low to high
};

/// Sorted by nodes, then by triangle: the sides of one edge are adjacent.
inline std::vector<HalfEdge> half_edges(const TriMesh& mesh) {
  std::vector<HalfEdge> result;
  result.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int corner = 0; corner < 3; ++corner) {
      const Index a = mesh.triangles[t][corner];
      const Index b = mesh.triangles[t][(corner + 1) % 3];
      result.push_back({std::min(a, b), std::max(a, b), static_cast<Index>(t), corner, a < b});
    }
  }
  std::sort(result.begin(), result.end(), [](const HalfEdge& x, const HalfEdge& y) {
    if (x.low != y.low) return x.low < y.low;
    if (x.high != y.high) return x.high < y.high;
    return x.triangle < y.triangle;
  });
  return result;
}

/// Calls visit(first, count) for each edge with its sides.
template <class Visit>
void for_each_edge(const std::vector<HalfEdge>& sides, const Visit& visit) {
  for (std::size_t begin = 0; begin < sides.size();) {
    std::size_t end = begin + 1;
    while (end < sides.size() && sides[end].low == sides[begin].low &&
           sides[end].high == sides[begin].high) {
      ++end;
    }
    visit(&sides[begin], end - begin);
    begin = end;
  }
}

}  // namespace supple::geometry
