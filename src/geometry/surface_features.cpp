// SPDX-License-Identifier: Apache-2.0
#include "geometry/surface_features.hpp"

#include "geometry/triangle_bvh.hpp"
#include "geometry/union_find.hpp"
#include "geometry/winding_number.hpp"
#include "supple/core/parallel.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <functional>

namespace supple::geometry {

namespace {

/// Cosine of 30 degrees: well above the turns of a smooth tessellated surface, well below those of
/// a machined edge.
constexpr double kSharpCosine = 0.8660254037844386;
/// Cosine of the angle within which neighbouring triangles lie in one plane: 1e-4, above the
/// rounding of coordinates in single precision.
constexpr double kFlatCosine = 1 - 0.5e-8;
/// Distance from a triangle at which its outer side is probed, as a fraction of its edge.
constexpr double kSideProbe = 1e-4;

/// An edge of a triangle, by its vertices in ascending order.
struct EdgeUse {
  Index low, high, triangle;
  auto operator<=>(const EdgeUse&) const = default;
  [[nodiscard]] bool same_edge(const EdgeUse& other) const {
    return low == other.low && high == other.high;
  }
};

std::vector<EdgeUse> sorted_edges(const TriMesh& mesh) {
  std::vector<EdgeUse> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& v = mesh.triangles[t];
    for (std::size_t e = 0; e < 3; ++e) {
      const auto [low, high] = std::minmax(v[e], v[(e + 1) % 3]);
      edges.push_back({low, high, static_cast<Index>(t)});
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

Vec3 unit_normal(const TriMesh& mesh, Index triangle) {
  const Triangle& t = mesh.triangles[static_cast<std::size_t>(triangle)];
  const Vec3& a = mesh.positions[static_cast<std::size_t>(t[0])];
  const Vec3& b = mesh.positions[static_cast<std::size_t>(t[1])];
  const Vec3& c = mesh.positions[static_cast<std::size_t>(t[2])];
  return (b - a).cross(c - a).stableNormalized();
}

/// Triangles without an area have no side and make no edge sharp.
bool is_sharp(const Vec3& a, const Vec3& b) {
  return a.squaredNorm() > 0 && b.squaredNorm() > 0 && a.dot(b) < kSharpCosine;
}

/// Vertices where other than two sharp edges meet, or two that do not continue each other.
std::vector<Index> find_corners(const TriMesh& mesh,
                                const std::vector<std::array<Index, 2>>& edges) {
  std::vector<Vec3> sum(mesh.positions.size(), Vec3::Zero());  // of unit vectors along the edges
  std::vector<int> count(mesh.positions.size(), 0);
  for (const auto& [a, b] : edges) {
    const auto i = static_cast<std::size_t>(a);
    const auto j = static_cast<std::size_t>(b);
    const Vec3 along = (mesh.positions[j] - mesh.positions[i]).stableNormalized();
    sum[i] += along;
    sum[j] -= along;
    ++count[i];
    ++count[j];
  }
  std::vector<Index> corners;
  // Two edges that turn by the angle a have a sum of length 2 sin(a / 2).
  const double straight = std::sqrt(2 - 2 * kSharpCosine);
  for (std::size_t v = 0; v < count.size(); ++v) {
    if (count[v] == 0 || (count[v] == 2 && sum[v].norm() < straight)) continue;
    corners.push_back(static_cast<Index>(v));
  }
  return corners;
}

bool passes_through_itself(const TriMesh& mesh, const TriangleBvh& bvh) {
  std::vector<EdgeUse> edges = sorted_edges(mesh);
  edges.erase(std::unique(edges.begin(), edges.end(),
                          [](const EdgeUse& a, const EdgeUse& b) { return a.same_edge(b); }),
              edges.end());
  const auto any_hit = [&](std::size_t begin, std::size_t end) {
    std::vector<SegmentHit> hits;
    for (std::size_t e = begin; e < end; ++e) {
      bvh.segment_hits(mesh.positions[static_cast<std::size_t>(edges[e].low)],
                       mesh.positions[static_cast<std::size_t>(edges[e].high)], hits);
      for (const SegmentHit& hit : hits) {
        const Triangle& t = mesh.triangles[static_cast<std::size_t>(hit.triangle)];
        const bool touches = std::any_of(
            t.begin(), t.end(), [&](Index v) { return v == edges[e].low || v == edges[e].high; });
        if (!touches) return 1;
      }
    }
    return 0;
  };
  return parallel_reduce(edges.size(), 256, 0, any_hit, std::plus<>()) > 0;
}

/// Whether the outer side of some part lies inside a solid.
bool encloses_twice(const TriMesh& mesh, const TriangleBvh& bvh) {
  const WindingNumber winding(bvh);
  const std::vector<Index> component = components(mesh);
  Index seen = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (component[t] < seen) continue;
    ++seen;
    const Triangle& v = mesh.triangles[t];
    const Vec3& a = mesh.positions[static_cast<std::size_t>(v[0])];
    const Vec3& b = mesh.positions[static_cast<std::size_t>(v[1])];
    const Vec3& c = mesh.positions[static_cast<std::size_t>(v[2])];
    const Vec3 outside =
        (a + b + c) / 3 + kSideProbe * (b - a).norm() * unit_normal(mesh, static_cast<Index>(t));
    if (winding(outside) > 0.5) return true;
  }
  return false;
}

}  // namespace

SurfaceFeatures find_features(const TriMesh& surface) {
  SurfaceFeatures features;
  const std::vector<EdgeUse> edges = sorted_edges(surface);
  UnionFind smooth(surface.triangles.size());
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end].same_edge(edges[i])) ++end;
    const Vec3 first = unit_normal(surface, edges[i].triangle);
    const bool sharp = std::any_of(
        edges.begin() + i + 1, edges.begin() + end,
        [&](const EdgeUse& e) { return is_sharp(first, unit_normal(surface, e.triangle)); });
    if (sharp) {
      features.edges.push_back({edges[i].low, edges[i].high});
    } else {
      for (std::size_t j = i + 1; j < end; ++j) smooth.join(edges[i].triangle, edges[j].triangle);
    }
    i = end;
  }
  features.corners = find_corners(surface, features.edges);
  features.patch = number_components(smooth, surface.triangles.size(), surface.triangles.size(),
                                     [](std::size_t t) { return static_cast<Index>(t); });
  return features;
}

std::vector<PlanarPiece> planar_pieces(const TriMesh& surface) {
  const std::vector<EdgeUse> edges = sorted_edges(surface);
  UnionFind flat(surface.triangles.size());
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (!edges[i].same_edge(edges[i - 1])) continue;
    const Vec3 before = unit_normal(surface, edges[i - 1].triangle);
    if (before.dot(unit_normal(surface, edges[i].triangle)) > kFlatCosine)
      flat.join(edges[i - 1].triangle, edges[i].triangle);
  }
  const std::vector<Index> number =
      number_components(flat, surface.triangles.size(), surface.triangles.size(),
                        [](std::size_t t) { return static_cast<Index>(t); });
  std::vector<PlanarPiece> pieces(surface.triangles.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto& [i, j, k] = surface.triangles[t];
    const Vec3& a = surface.positions[static_cast<std::size_t>(i)];
    const Vec3& b = surface.positions[static_cast<std::size_t>(j)];
    const Vec3& c = surface.positions[static_cast<std::size_t>(k)];
    const Vec3 weighted = 0.5 * (b - a).cross(c - a);
    PlanarPiece& piece = pieces[static_cast<std::size_t>(number[t])];
    piece.normal += weighted;
    piece.area += weighted.norm();
    piece.offset += weighted.dot(a + b + c) / 3;
  }
  std::erase_if(pieces, [](const PlanarPiece& piece) { return !(piece.area > 0); });
  for (PlanarPiece& piece : pieces) {
    piece.normal.stableNormalize();
    piece.offset /= piece.area;
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const auto& a, const auto& b) { return a.area > b.area; });
  return pieces;
}

std::optional<double> enclosed_volume(const TriMesh& surface) {
  if (surface.triangles.empty() || !topology(surface).closed_manifold()) return std::nullopt;
  const TriangleBvh bvh(surface);
  if (passes_through_itself(surface, bvh) || encloses_twice(surface, bvh)) return std::nullopt;
  return signed_volume(surface);
}

}  // namespace supple::geometry
