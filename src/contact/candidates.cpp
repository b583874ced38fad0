// SPDX-License-Identifier: Apache-2.0
#include "supple/contact/candidates.hpp"

#include "supple/contact/intersections.hpp"
#include "supple/core/parallel.hpp"

#include <algorithm>

namespace supple::contact {
namespace {

using geometry::Box;
using geometry::BoxTree;
using Pairs = std::vector<std::array<Index, 2>>;

Vec3 position(const Eigen::VectorXd& x, Index vertex) {
  return x.segment<3>(3 * Eigen::Index{vertex});
}

/// The box of moving vertices, grown by `margin` on every side.
template <class Vertices>
Box swept_box(const Vertices& vertices, const Eigen::VectorXd& from, const Eigen::VectorXd& to,
              double margin) {
  Box box;
  for (const Index vertex : vertices) {
    box.add(position(from, vertex));
    box.add(position(to, vertex));
  }
  box.low.array() -= margin;
  box.high.array() += margin;
  return box;
}

template <class Primitive>
std::vector<Box> swept_boxes(const std::vector<Primitive>& primitives, const Eigen::VectorXd& from,
                             const Eigen::VectorXd& to, double margin) {
  std::vector<Box> boxes(primitives.size());
  parallel_for(primitives.size(), 1024,
               [&](std::size_t i) { boxes[i] = swept_box(primitives[i], from, to, margin); });
  return boxes;
}

void follow(BoxTree& tree, const std::vector<Box>& boxes) {
  if (tree.order().empty()) {
    tree = BoxTree(boxes);
  } else {
    tree.refit(boxes);
  }
}

template <class A, class B>
bool share_vertex(const A& a, const B& b) {
  return std::any_of(a.begin(), a.end(), [&](Index vertex) {
    return std::find(b.begin(), b.end(), vertex) != b.end();
  });
}

template <class Primitive>
bool any_free(const std::vector<std::uint8_t>& free, const Primitive& primitive) {
  return std::any_of(primitive.begin(), primitive.end(),
                     [&](Index vertex) { return free[static_cast<std::size_t>(vertex)] != 0; });
}

/// The boxes of a moving primitive at the beginning and at the end.
struct MovingBox {
  Box from, to;
};
template <class Vertices>
MovingBox moving_box(const Vertices& vertices, const Eigen::VectorXd& from,
                     const Eigen::VectorXd& to) {
  MovingBox box;
  for (const Index vertex : vertices) {
    box.from.add(position(from, vertex));
    box.to.add(position(to, vertex));
  }
  return box;
}

/// Whether two primitives stay further apart than `reach` along one axis all the time. The gap of
/// their boxes along an axis, min a_i(t) - max b_j(t), is concave in time, so it is least at the
/// beginning or at the end. What moves together stays apart although the swept boxes meet.
bool stay_apart(const MovingBox& a, const MovingBox& b, double reach) {
  const auto above = [&](const MovingBox& upper, const MovingBox& lower) {
    return ((upper.from.low - lower.from.high).array().min((upper.to.low - lower.to.high).array()) >
            reach)
        .any();
  };
  return above(a, b) || above(b, a);
}

/// Calls list(i, found) for all i < count, in parallel, and joins what was found in the order of i,
/// each part sorted: the result does not depend on threads.
template <class List>
Pairs collect(std::size_t count, const List& list) {
  constexpr std::size_t kChunk = 256;
  std::vector<Pairs> parts((count + kChunk - 1) / kChunk);
  parallel_for(parts.size(), 1, [&](std::size_t part) {
    for (std::size_t i = part * kChunk; i < std::min(count, (part + 1) * kChunk); ++i) {
      const std::size_t before = parts[part].size();
      list(i, parts[part]);
      std::sort(parts[part].begin() + static_cast<std::ptrdiff_t>(before), parts[part].end());
    }
  });
  Pairs all;
  for (const Pairs& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

ContactMesh make_contact_mesh(std::vector<geometry::Triangle> triangles,
                              std::vector<std::uint8_t> free) {
  ContactMesh mesh;
  for (const geometry::Triangle& t : triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      mesh.vertices.push_back(t[i]);
      const auto [low, high] = std::minmax(t[i], t[(i + 1) % 3]);
      mesh.edges.push_back({low, high});
    }
  }
  const auto make_unique = [](auto& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  make_unique(mesh.vertices);
  make_unique(mesh.edges);
  mesh.triangles = std::move(triangles);
  mesh.free = std::move(free);
  return mesh;
}

Candidates BroadPhase::find(const Eigen::VectorXd& from, const Eigen::VectorXd& to, double reach) {
  const double margin = reach / 2;
  const std::vector<Box> edge_boxes = swept_boxes(m_mesh.edges, from, to, margin);
  follow(m_triangles, swept_boxes(m_mesh.triangles, from, to, margin));
  follow(m_edges, edge_boxes);

  Candidates candidates;
  candidates.point_triangle = collect(m_mesh.vertices.size(), [&](std::size_t i, Pairs& found) {
    const std::array<Index, 1> vertex{m_mesh.vertices[i]};
    const bool free = any_free(m_mesh.free, vertex);
    const MovingBox box = moving_box(vertex, from, to);
    m_triangles.for_each_touching(swept_box(vertex, from, to, margin), [&](Index triangle) {
      const geometry::Triangle& corners = m_mesh.triangles[static_cast<std::size_t>(triangle)];
      if (share_vertex(vertex, corners) || (!free && !any_free(m_mesh.free, corners))) return;
      if (stay_apart(box, moving_box(corners, from, to), reach)) return;
      found.push_back({vertex[0], triangle});
    });
  });
  candidates.edge_edge = collect(m_mesh.edges.size(), [&](std::size_t i, Pairs& found) {
    const Edge& edge = m_mesh.edges[i];
    const bool free = any_free(m_mesh.free, edge);
    const MovingBox box = moving_box(edge, from, to);
    m_edges.for_each_touching(edge_boxes[i], [&](Index other) {
      if (other <= static_cast<Index>(i)) return;
      const Edge& second = m_mesh.edges[static_cast<std::size_t>(other)];
      if (share_vertex(edge, second) || (!free && !any_free(m_mesh.free, second))) return;
      if (stay_apart(box, moving_box(second, from, to), reach)) return;
      found.push_back({static_cast<Index>(i), other});
    });
  });
  return candidates;
}

Pairs find_intersections(const ContactMesh& mesh, const Eigen::VectorXd& x) {
  const BoxTree triangles(swept_boxes(mesh.triangles, x, x, 0));
  const std::vector<Box> edge_boxes = swept_boxes(mesh.edges, x, x, 0);
  return collect(mesh.edges.size(), [&](std::size_t i, Pairs& found) {
    const Edge& edge = mesh.edges[i];
    const bool free = any_free(mesh.free, edge);
    triangles.for_each_touching(edge_boxes[i], [&](Index triangle) {
      const geometry::Triangle& t = mesh.triangles[static_cast<std::size_t>(triangle)];
      // Flat obstacles lie in their own planes, which only the slow exact test can tell.
      if (share_vertex(edge, t) || (!free && !any_free(mesh.free, t))) return;
      if (edge_meets_triangle(position(x, edge[0]), position(x, edge[1]), position(x, t[0]),
                              position(x, t[1]), position(x, t[2]))) {
        found.push_back({static_cast<Index>(i), triangle});
      }
    });
  });
}

}  // namespace supple::contact
