// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/tet_mesh.hpp"

#include "geometry/tet10_map.hpp"
#include "geometry/union_find.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/LU>

#include <algorithm>

namespace supple::geometry {
namespace {

constexpr std::size_t kTetGrain = 4096;
constexpr std::size_t kMaxTetCount = std::numeric_limits<Index>::max();

/// A determinant below this fraction of (longest edge)^3 is rounding, not volume: a regular
/// tetrahedron has 0.7, the worst sliver that any solver accepts about 1e-6.
constexpr double kFlat = 1e-12;

Result<void> check_sizes(const TetMesh& mesh) {
  const auto per_element = static_cast<std::size_t>(mesh.nodes_per_element());
  if (mesh.connectivity.size() % per_element != 0) {
    return bad_input(fmt::format("the connectivity contains {} node numbers, not a multiple of {}",
                                 mesh.connectivity.size(), per_element));
  }
  if (mesh.nodes.size() > kMaxTetCount || mesh.element_count() > kMaxTetCount) {
    return bad_input(fmt::format("a mesh of {} nodes and {} elements exceeds the limit of {} each",
                                 mesh.nodes.size(), mesh.element_count(), kMaxTetCount));
  }
  if (!mesh.regions.empty() && mesh.regions.size() != mesh.element_count()) {
    return bad_input(fmt::format("{} region numbers for {} elements; give one per element or none",
                                 mesh.regions.size(), mesh.element_count()));
  }
  return {};
}

Result<void> check_indices(const TetMesh& mesh) {
  const auto per_element = static_cast<std::size_t>(mesh.nodes_per_element());
  const auto in_range = [&](Index n) {
    return n >= 0 && static_cast<std::size_t>(n) < mesh.nodes.size();
  };
  for (std::size_t i = 0; i < mesh.connectivity.size(); ++i) {
    if (!in_range(mesh.connectivity[i])) {
      return bad_input(
          fmt::format("element {} names node {}, but the mesh has {} nodes, numbered from 0",
                      i / per_element + 1, mesh.connectivity[i], mesh.nodes.size()));
    }
  }
  const std::size_t region_count = std::max<std::size_t>(mesh.region_names.size(), 1);
  for (std::size_t e = 0; e < mesh.regions.size(); ++e) {
    if (mesh.regions[e] < 0 || static_cast<std::size_t>(mesh.regions[e]) >= region_count) {
      return bad_input(
          fmt::format("element {} is in region {}, but there are {} regions, "
                      "numbered from 0",
                      e + 1, mesh.regions[e], region_count));
    }
  }
  for (const auto& [name, members] : mesh.node_sets) {
    for (const Index n : members) {
      if (!in_range(n)) {
        return bad_input(
            fmt::format("node set '{}' names node {}, but the mesh has {} nodes, numbered from 0",
                        name, n, mesh.nodes.size()));
      }
    }
  }
  return {};
}

/// Elements with one defect: the number, and the first few, numbered from 1.
struct BadElements {
  static constexpr std::size_t kNamed = 5;
  std::size_t count = 0;
  std::vector<std::size_t> first;

  void add(std::size_t element_number) {
    if (first.size() < kNamed) first.push_back(element_number);
    ++count;
  }
  void append(const BadElements& later) {
    count += later.count;
    for (std::size_t i = 0; i < later.first.size() && first.size() < kNamed; ++i) {
      first.push_back(later.first[i]);
    }
  }
  [[nodiscard]] std::string describe(std::string_view defect) const {
    return fmt::format("{} {} ({} {}{})", count, defect, count == 1 ? "element" : "elements",
                       fmt::join(first, ", "), count > first.size() ? ", ..." : "");
  }
};

struct VolumeDefects {
  BadElements inverted;
  BadElements flat;
};

VolumeDefects find_defects(const TetMesh& mesh) {
  return parallel_reduce(
      mesh.element_count(), kTetGrain, VolumeDefects{},
      [&](std::size_t begin, std::size_t end) {
        VolumeDefects found;
        for (std::size_t e = begin; e < end; ++e) {
          const ElementGeometry element(mesh, e);
          const double limit = kFlat * std::pow(element.size(), 3);
          const double least = min_jacobian(element);
          if (least < -limit) {
            found.inverted.add(e + 1);
          } else if (!(least > limit)) {
            found.flat.add(e + 1);
          }
        }
        return found;
      },
      [](VolumeDefects a, const VolumeDefects& b) {
        a.inverted.append(b.inverted);
        a.flat.append(b.flat);
        return a;
      });
}

Result<void> check_volumes(const TetMesh& mesh) {
  const VolumeDefects found = find_defects(mesh);
  if (found.inverted.count + found.flat.count == 0) return {};
  std::string what;
  if (found.inverted.count > 0) what = found.inverted.describe("inverted");
  if (found.flat.count > 0) {
    if (!what.empty()) what += " and ";
    what += found.flat.describe("without volume");
  }
  return bad_input(
      fmt::format("of {} elements, {}; repair or remesh (an inverted element has its "
                  "nodes in the wrong order or folds over itself)",
                  mesh.element_count(), what));
}

}  // namespace

Result<void> TetMesh::validate() const {
  SUPPLE_TRY_VOID(check_sizes(*this));
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!nodes[n].allFinite()) {
      return bad_input(fmt::format("node {} of the mesh is not finite: ({}, {}, {})", n + 1,
                                   nodes[n].x(), nodes[n].y(), nodes[n].z()));
    }
  }
  SUPPLE_TRY_VOID(check_indices(*this));
  return check_volumes(*this);
}

double volume(const TetMesh& mesh) {
  // The determinant of a quadratic map is a cubic polynomial; the five-point rule of degree 3
  // (centre -4/5, four points (1/2, 1/6, 1/6, 1/6) with 9/20 each) integrates it exactly.
  const auto element_volume = [&](std::size_t e) {
    const ElementGeometry element(mesh, e);
    if (element.count == 4) return element.jacobian(Barycentric::Unit(0)).determinant() / 6;
    double sum = -0.8 * element.jacobian(Barycentric::Constant(0.25)).determinant();
    for (int i = 0; i < 4; ++i) {
      Barycentric L = Barycentric::Constant(1.0 / 6);
      L[i] = 0.5;
      sum += 0.45 * element.jacobian(L).determinant();
    }
    return sum / 6;
  };
  return parallel_reduce(
      mesh.element_count(), kTetGrain, 0.0,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t e = begin; e < end; ++e) sum += element_volume(e);
        return sum;
      },
      [](double a, double b) { return a + b; });
}

std::vector<Index> components(const TetMesh& mesh) {
  UnionFind sets(mesh.nodes.size());
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const auto nodes = mesh.element(e);
    for (std::size_t i = 1; i < nodes.size(); ++i) sets.join(nodes[0], nodes[i]);
  }
  return number_components(sets, mesh.nodes.size(), mesh.element_count(),
                           [&](std::size_t e) { return mesh.element(e)[0]; });
}

std::vector<Index> face_components(const TetMesh& mesh) {
  struct Face {
    Triangle corners;
    Index element;
  };
  std::vector<Face> faces;
  faces.reserve(4 * mesh.element_count());
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const auto nodes = mesh.element(e);
    for (const auto& face : kTetFaces) {
      Triangle corners{nodes[face[0]], nodes[face[1]], nodes[face[2]]};
      std::sort(corners.begin(), corners.end());
      faces.push_back({corners, static_cast<Index>(e)});
    }
  }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.corners != b.corners ? a.corners < b.corners : a.element < b.element;
  });
  UnionFind sets(mesh.element_count());
  for (std::size_t i = 1; i < faces.size(); ++i) {
    if (faces[i].corners == faces[i - 1].corners) sets.join(faces[i].element, faces[i - 1].element);
  }
  return number_components(sets, mesh.element_count(), mesh.element_count(),
                           [](std::size_t e) { return static_cast<Index>(e); });
}

TetMesh keep_elements(const TetMesh& mesh, const std::vector<char>& keep) {
  SUPPLE_CHECK_OP(keep.size(), ==, mesh.element_count());
  TetMesh kept;
  kept.order = mesh.order;
  kept.region_names = mesh.region_names;
  std::vector<Index> new_node(mesh.nodes.size(), -1);
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    if (keep[e] == 0) continue;
    if (!mesh.regions.empty()) kept.regions.push_back(mesh.regions[e]);
    for (const Index node : mesh.element(e)) {
      Index& number = new_node[node];
      if (number < 0) {
        number = static_cast<Index>(kept.nodes.size());
        kept.nodes.push_back(mesh.nodes[node]);
      }
      kept.connectivity.push_back(number);
    }
  }
  for (const auto& [name, nodes] : mesh.node_sets) {
    std::vector<Index>& set = kept.node_sets[name];
    for (const Index node : nodes) {
      if (new_node[node] >= 0) set.push_back(new_node[node]);
    }
    std::sort(set.begin(), set.end());
  }
  return kept;
}

std::vector<Index> unused_nodes(const TetMesh& mesh) {
  std::vector<char> used(mesh.nodes.size(), 0);
  for (const Index n : mesh.connectivity) used[n] = 1;
  std::vector<Index> unused;
  for (std::size_t n = 0; n < used.size(); ++n) {
    if (used[n] == 0) unused.push_back(static_cast<Index>(n));
  }
  return unused;
}

}  // namespace supple::geometry
