// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/tet_mesh.hpp"

#include "geometry/buckets.hpp"

#include <algorithm>

namespace supple::geometry {
namespace {

/// A face in the bucket of its lowest node: the other two nodes, then element * 4 + face.
struct FaceEntry {
  std::uint64_t nodes;
  std::uint64_t face;
  bool operator<(const FaceEntry& other) const {
    return nodes != other.nodes ? nodes < other.nodes : face < other.face;
  }
};

/// For every element four flags: the face belongs to this element alone.
std::vector<char> outer_faces(const TetMesh& mesh) {
  const Buckets<FaceEntry> faces(mesh.nodes.size(), [&](auto&& emit) {
    for (std::size_t e = 0; e < mesh.element_count(); ++e) {
      const auto nodes = mesh.element(e);
      for (std::size_t f = 0; f < 4; ++f) {
        Triangle n{nodes[kTetFaces[f][0]], nodes[kTetFaces[f][1]], nodes[kTetFaces[f][2]]};
        std::sort(n.begin(), n.end());
        emit(n[0],
             FaceEntry{static_cast<std::uint64_t>(n[1]) << 32U | static_cast<std::uint64_t>(n[2]),
                       4 * e + f});
      }
    }
  });
  std::vector<char> outer(4 * mesh.element_count(), 0);
  parallel_for(faces.count(), 4096, [&](std::size_t n) {
    const auto group = faces[n];
    for (std::size_t i = 0; i < group.size(); ++i) {
      const bool as_before = i > 0 && group[i - 1].nodes == group[i].nodes;
      const bool as_after = i + 1 < group.size() && group[i + 1].nodes == group[i].nodes;
      if (!as_before && !as_after) outer[group[i].face] = 1;
    }
  });
  return outer;
}

/// Position 4..9 of the node in the middle of an element's edge i-j.
std::size_t midside(int i, int j) {
  for (std::size_t e = 0; e < 6; ++e) {
    const auto& edge = kTetEdges[e];
    if ((edge[0] == i && edge[1] == j) || (edge[0] == j && edge[1] == i)) return 4 + e;
  }
  return 0;
}

void append_face(std::span<const Index> nodes, std::size_t f, bool split,
                 std::vector<Triangle>& triangles) {
  const auto [i, j, k] = kTetFaces[f];
  const Index a = nodes[i];
  const Index b = nodes[j];
  const Index c = nodes[k];
  if (!split) {
    triangles.push_back({a, b, c});
    return;
  }
  const Index ab = nodes[midside(i, j)];
  const Index bc = nodes[midside(j, k)];
  const Index ca = nodes[midside(k, i)];
  triangles.insert(triangles.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
}

}  // namespace

BoundarySurface boundary(const TetMesh& mesh, bool corners_only) {
  BoundarySurface surface;
  const std::vector<char> outer = outer_faces(mesh);
  const bool split = mesh.order == TetOrder::Quadratic && !corners_only;
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    for (std::size_t f = 0; f < 4; ++f) {
      if (outer[4 * e + f] != 0) append_face(mesh.element(e), f, split, surface.mesh.triangles);
    }
    surface.element_of_triangle.resize(surface.mesh.triangles.size(), static_cast<Index>(e));
  }

  // Vertices in the order of the nodes.
  std::vector<Index> vertex_of_node(mesh.nodes.size(), -1);
  for (const Triangle& corner : surface.mesh.triangles) {
    for (const Index n : corner) vertex_of_node[n] = 0;
  }
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    if (vertex_of_node[n] < 0) continue;
    vertex_of_node[n] = static_cast<Index>(surface.node_of_vertex.size());
    surface.node_of_vertex.push_back(static_cast<Index>(n));
    surface.mesh.positions.push_back(mesh.nodes[n]);
  }
  for (Triangle& corner : surface.mesh.triangles) {
    for (Index& n : corner) n = vertex_of_node[n];
  }
  return surface;
}

}  // namespace supple::geometry
