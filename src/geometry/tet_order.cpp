// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/tet_mesh.hpp"

#include "geometry/buckets.hpp"
#include "geometry/tet10_map.hpp"
#include "supple/core/check.hpp"
#include "supple/geometry/surface_query.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace supple::geometry {
namespace {

constexpr std::size_t kOrderGrain = 4096;

/// The distinct edges of a mesh, by lower then higher node: CSR rows over lower nodes.
class EdgeTable {
 public:
  explicit EdgeTable(const TetMesh& mesh) : m_begin(mesh.nodes.size() + 1, 0) {
    const Buckets<Index> ends(mesh.nodes.size(), [&](auto&& emit) {
      for (std::size_t e = 0; e < mesh.element_count(); ++e) {
        const auto nodes = mesh.element(e);
        for (const auto& [i, j] : kTetEdges) {
          emit(std::min(nodes[i], nodes[j]), std::max(nodes[i], nodes[j]));
        }
      }
    });
    for (std::size_t n = 0; n < ends.count(); ++n) {
      const auto row = ends[n];
      std::unique_copy(row.begin(), row.end(), std::back_inserter(m_high));
      m_begin[n + 1] = m_high.size();
    }
  }

  [[nodiscard]] std::size_t size() const { return m_high.size(); }
  [[nodiscard]] std::size_t find(Index a, Index b) const {
    const Index low = std::min(a, b);
    const auto begin = m_high.begin() + static_cast<std::ptrdiff_t>(m_begin[low]);
    const auto end = m_high.begin() + static_cast<std::ptrdiff_t>(m_begin[low + 1]);
    return static_cast<std::size_t>(std::lower_bound(begin, end, std::max(a, b)) - m_high.begin());
  }
  /// visit(edge, low, high)
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t n = 0; n + 1 < m_begin.size(); ++n) {
      for (std::size_t k = m_begin[n]; k < m_begin[n + 1]; ++k) {
        visit(k, static_cast<Index>(n), m_high[k]);
      }
    }
  }

 private:
  std::vector<std::size_t> m_begin;
  std::vector<Index> m_high;
};

/// A midside node belongs to a set when both ends of its edge do.
void extend_node_sets(const EdgeTable& edges, std::size_t corner_count, TetMesh& mesh) {
  std::vector<char> member(corner_count);
  for (auto& named : mesh.node_sets) {
    std::vector<Index>& set = named.second;  // clang 14 cannot capture a structured binding
    std::fill(member.begin(), member.end(), 0);
    for (const Index n : set) member[n] = 1;
    edges.for_each([&](std::size_t edge, Index low, Index high) {
      if (member[low] != 0 && member[high] != 0) {
        set.push_back(static_cast<Index>(corner_count + edge));
      }
    });
  }
}

/// Midside nodes of the edges of boundary faces, ascending.
std::vector<Index> boundary_midsides(const TetMesh& quadratic, std::size_t corner_count) {
  std::vector<Index> midsides;
  for (const Index n : boundary(quadratic).node_of_vertex) {
    if (static_cast<std::size_t>(n) >= corner_count) midsides.push_back(n);
  }
  return midsides;
}

/// A curved element keeps at least this fraction of its straight Jacobian: the usual limit for
/// well-behaved quadratic elements.
constexpr double kLeastJacobianRatio = 0.2;

/// Elements whose curved Jacobian has shrunk too far.
std::vector<char> find_spoiled(const TetMesh& curved) {
  std::vector<char> spoiled(curved.element_count());
  parallel_for(curved.element_count(), kOrderGrain, [&](std::size_t e) {
    const ElementGeometry element(curved, e);
    ElementGeometry straight = element;
    straight.count = 4;
    spoiled[e] = min_jacobian(element) < kLeastJacobianRatio * min_jacobian(straight) ? 1 : 0;
  });
  return spoiled;
}

/// Moves each midside node by its offset, halving the offsets of spoiled elements until none is
/// spoiled. Small remainders become zero, so this ends: at worst with straight elements.
void bend(const std::vector<Index>& midsides, const std::vector<Vec3>& offset, TetMesh& mesh) {
  constexpr double kLeastPart = 1.0 / 32;
  const std::vector<Vec3> straight = mesh.nodes;
  std::vector<double> part(mesh.nodes.size(), 0.0);
  for (const Index n : midsides) part[n] = 1;
  for (bool spoiled = true; spoiled;) {
    for (std::size_t i = 0; i < midsides.size(); ++i) {
      const Index n = midsides[i];
      mesh.nodes[n] = straight[n] + part[n] * offset[i];
    }
    const std::vector<char> spoiled_elements = find_spoiled(mesh);
    std::vector<char> shrink(mesh.nodes.size(), 0);
    for (std::size_t e = 0; e < spoiled_elements.size(); ++e) {
      if (spoiled_elements[e] == 0) continue;
      for (const Index n : mesh.element(e)) shrink[n] = 1;
    }
    spoiled = false;
    for (const Index n : midsides) {
      if (shrink[n] == 0 || part[n] == 0) continue;
      part[n] = part[n] > kLeastPart ? part[n] / 2 : 0.0;
      spoiled = true;
    }
  }
}

}  // namespace

TetMesh to_quadratic(const TetMesh& linear) {
  if (linear.order == TetOrder::Quadratic) return linear;
  const EdgeTable edges(linear);
  const std::size_t corner_count = linear.nodes.size();
  SUPPLE_CHECK_OP(corner_count + edges.size(), <=,
                  static_cast<std::size_t>(std::numeric_limits<Index>::max()));

  TetMesh mesh;
  mesh.order = TetOrder::Quadratic;
  mesh.regions = linear.regions;
  mesh.region_names = linear.region_names;
  mesh.node_sets = linear.node_sets;
  mesh.nodes = linear.nodes;
  mesh.nodes.resize(corner_count + edges.size());
  edges.for_each([&](std::size_t edge, Index low, Index high) {
    mesh.nodes[corner_count + edge] = 0.5 * (linear.nodes[low] + linear.nodes[high]);
  });
  mesh.connectivity.resize(10 * linear.element_count());
  parallel_for(linear.element_count(), kOrderGrain, [&](std::size_t e) {
    const auto from = linear.element(e);
    const auto to = mesh.element(e);
    std::copy(from.begin(), from.end(), to.begin());
    for (std::size_t k = 0; k < 6; ++k) {
      const auto edge = edges.find(from[kTetEdges[k][0]], from[kTetEdges[k][1]]);
      to[4 + k] = static_cast<Index>(corner_count + edge);
    }
  });
  extend_node_sets(edges, corner_count, mesh);
  return mesh;
}

TetMesh to_quadratic(const TetMesh& linear, const TriMesh& surface) {
  TetMesh mesh = to_quadratic(linear);
  if (surface.triangles.empty() || linear.order == TetOrder::Quadratic) return mesh;
  const std::vector<Index> midsides = boundary_midsides(mesh, linear.nodes.size());
  const SurfaceQuery query(surface);
  std::vector<Vec3> offset(midsides.size());
  parallel_for(midsides.size(), 256, [&](std::size_t i) {
    const Vec3& at = mesh.nodes[midsides[i]];
    offset[i] = query.closest_point(at).point - at;
  });
  bend(midsides, offset, mesh);
  return mesh;
}

TetMesh to_linear(const TetMesh& quadratic) {
  if (quadratic.order == TetOrder::Linear) return quadratic;
  // Corners keep their order; nodes that serve only as midsides are removed, others stay even if
  // unused.
  std::vector<char> role(quadratic.nodes.size(), 0);
  constexpr char kMidside = 1;
  constexpr char kCorner = 2;
  for (std::size_t i = 0; i < quadratic.connectivity.size(); ++i) {
    char& r = role[quadratic.connectivity[i]];
    r = std::max(r, i % 10 < 4 ? kCorner : kMidside);
  }
  TetMesh mesh;
  mesh.regions = quadratic.regions;
  mesh.region_names = quadratic.region_names;
  std::vector<Index> number(quadratic.nodes.size(), -1);
  for (std::size_t n = 0; n < quadratic.nodes.size(); ++n) {
    if (role[n] == kMidside) continue;
    number[n] = static_cast<Index>(mesh.nodes.size());
    mesh.nodes.push_back(quadratic.nodes[n]);
  }
  mesh.connectivity.reserve(4 * quadratic.element_count());
  for (std::size_t e = 0; e < quadratic.element_count(); ++e) {
    for (std::size_t i = 0; i < 4; ++i)
      mesh.connectivity.push_back(number[quadratic.element(e)[i]]);
  }
  for (const auto& [name, set] : quadratic.node_sets) {
    std::vector<Index>& kept = mesh.node_sets[name];
    for (const Index n : set) {
      if (number[n] >= 0) kept.push_back(number[n]);
    }
  }
  return mesh;
}

}  // namespace supple::geometry
