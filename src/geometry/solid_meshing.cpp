// SPDX-License-Identifier: Apache-2.0
#include "geometry/fitted_lattice.hpp"
#include "geometry/surface_features.hpp"
#include "geometry/surface_repair.hpp"
#include "supple/core/log.hpp"
#include "supple/geometry/volume_meshing.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace supple::geometry {

namespace {

/// A mesh that has lost or gained more volume than the first has shaved edges, and stretching is
/// tried; more than the second, holes, and NETGEN is worth its time.
constexpr double kGoodVolume = 0.001;
constexpr double kFairVolume = 0.0025;
/// The same for surfaces without edges, where a lattice is right to second order: what is missing
/// beyond this are holes in walls thinner than the lattice.
constexpr double kWholeVolume = 0.02;
/// Elements of a smaller dihedral angle, in radians, spoil the equations.
constexpr double kSmallestDihedral = 0.02;
/// NETGEN keeps the surface's triangles. With more of them than this fraction of the elements it
/// cannot keep to the number, and with more than the second it takes far too many.
constexpr double kTrianglesPerElement = 0.5;
constexpr double kMostTrianglesPerElement = 2;

/// How far a mesh is from its surface; infinite if its elements are useless.
double volume_miss(const TetMesh& mesh, double surface_volume) {
  const TetQuality q = quality(mesh);
  if (!(q.min_volume > 0 && q.min_dihedral > kSmallestDihedral))
    return std::numeric_limits<double>::infinity();
  return std::abs(volume(mesh) / surface_volume - 1);
}

/// A map into a space where a flat or slender body is thicker.
class Stretch {
 public:
  /// Along the principal axes of the surface, up to the factor `most`; the longest stays as it is.
  Stretch(const TriMesh& surface, double most) {
    Vec3 mean = Vec3::Zero();
    Mat3 moments = Mat3::Zero();
    double area = 0;
    for (const auto& [i, j, k] : surface.triangles) {
      const Vec3& a = surface.positions[i];
      const Vec3& b = surface.positions[j];
      const Vec3& c = surface.positions[k];
      const double weight = (b - a).cross(c - a).norm();
      const Vec3 sum = a + b + c;
      // Exact for a triangle: integral of x x^T = A (s s^T + sum of v v^T) / 12.
      moments +=
          weight / 12 *
          (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
      mean += weight / 3 * sum;
      area += weight;
    }
    mean /= area;
    const Mat3 covariance = moments / area - mean * mean.transpose();
    m_axes = Eigen::SelfAdjointEigenSolver<Mat3>(covariance).eigenvectors();
    if (m_axes.determinant() < 0) m_axes.col(0) = -m_axes.col(0);
    Box box;
    for (const Vec3& p : surface.positions) box.add(m_axes.transpose() * p);
    const Vec3 size = box.size();
    for (int i = 0; i < 3; ++i)
      m_factor[i] = size[i] > 0 ? std::min(most, size.maxCoeff() / size[i]) : 1;
  }

  [[nodiscard]] TriMesh stretched(TriMesh mesh) const {
    for (Vec3& p : mesh.positions) p = m_factor.cwiseProduct(m_axes.transpose() * p);
    return mesh;
  }
  [[nodiscard]] TetMesh restored(TetMesh mesh) const {
    for (Vec3& p : mesh.nodes) p = m_axes * p.cwiseQuotient(m_factor);
    return mesh;
  }
  /// Whether it could be stretched by more than half of `most`.
  [[nodiscard]] bool reaches(double most) const { return m_factor.maxCoeff() > 0.5 * most; }

 private:
  Mat3 m_axes = Mat3::Identity();
  Vec3 m_factor = Vec3::Ones();
};

/// The best mesh so far of a clean surface.
struct Candidate {
  TetMesh mesh;
  Mesher mesher = Mesher::Stuffing;
  double miss = 0;

  void offer(TetMesh other, Mesher by, double surface_volume) {
    const double other_miss = volume_miss(other, surface_volume);
    if (!(other_miss < miss)) return;
    mesh = std::move(other);
    mesher = by;
    miss = other_miss;
  }
};

double longest_edge(const TriMesh& surface) {
  double square = 0;
  for (const Triangle& t : surface.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 edge = surface.positions[t[(i + 1) % 3]] - surface.positions[t[i]];
      square = std::max(square, edge.squaredNorm());
    }
  }
  return std::sqrt(square);
}

/// NETGEN follows every edge and resolves every wall, but takes long. A mesh with holes is worse
/// than one with more elements than asked for: then NETGEN goes by the surface instead.
Result<void> offer_netgen(Candidate& best, const TriMesh& surface, double surface_volume,
                          const SolidMeshSettings& settings) {
  const double crowd =
      static_cast<double>(surface.triangles.size()) / static_cast<double>(settings.target_elements);
  NetgenSettings asked{.target_elements = settings.target_elements};
  if (crowd > kTrianglesPerElement) {
    if (best.miss <= kWholeVolume || crowd > kMostTrianglesPerElement) return {};
    asked.max_edge = longest_edge(surface);
  }
  Result<TetMesh> mesh = mesh_with_netgen(surface, asked);
  if (mesh.ok()) {
    best.offer(*std::move(mesh), Mesher::Netgen, surface_volume);
  } else if (mesh.error().code() == ErrorCode::Interrupted) {
    return mesh.error();
  } else {
    log::info("NETGEN was not used: {}", mesh.error().message());
  }
  return {};
}

/// The lattice resolves nothing thinner than itself. Flat and slender bodies are therefore also
/// meshed in a stretched space; what is still missing, as from thin walls in several directions, is
/// left to NETGEN.
Result<void> improve(Candidate& best, const TriMesh& surface, double surface_volume,
                     const SolidMeshSettings& settings) {
  for (const double most : {2.0, 4.0, 8.0}) {
    const Stretch stretch(surface, most);
    if (best.miss <= kGoodVolume || !stretch.reaches(most)) break;
    SUPPLE_TRY(TetMesh mesh,
               stuff(stretch.stretched(surface), {.target_elements = settings.target_elements}));
    best.offer(stretch.restored(std::move(mesh)), Mesher::Stuffing, surface_volume);
  }
  if (best.miss <= kFairVolume) return {};
  return offer_netgen(best, surface, surface_volume, settings);
}

/// A mesh of a clean surface with sharp edges. A lattice fitted to the faces comes first: where it
/// keeps the volume, it resolves thin walls too.
Result<Candidate> mesh_machined(const TriMesh& surface, double surface_volume,
                                const SolidMeshSettings& settings) {
  Candidate best;
  SUPPLE_TRY(std::optional<TetMesh> fitted, stuff_fitted(surface, settings.target_elements));
  if (fitted) {
    best.mesh = *std::move(fitted);
    best.miss = volume_miss(best.mesh, surface_volume);
    if (best.miss <= kGoodVolume) return best;
  }
  SUPPLE_TRY(TetMesh stuffed, stuff(surface, {.target_elements = settings.target_elements}));
  if (best.mesh.element_count() == 0) {
    best.mesh = std::move(stuffed);
    best.miss = volume_miss(best.mesh, surface_volume);
  } else {
    best.offer(std::move(stuffed), Mesher::Stuffing, surface_volume);
  }
  SUPPLE_TRY_VOID(improve(best, surface, surface_volume, settings));
  return best;
}

/// A mesh of a clean surface without edges, such as a hollow ball.
Result<Candidate> mesh_smooth(const TriMesh& surface, double surface_volume,
                              const SolidMeshSettings& settings) {
  Result<TetMesh> stuffed = stuff(surface, {.target_elements = settings.target_elements});
  if (!stuffed.ok() && stuffed.error().code() == ErrorCode::Interrupted) return stuffed.error();
  Candidate best;
  best.miss = std::numeric_limits<double>::infinity();
  if (stuffed.ok()) {
    best.mesh = *stuffed;
    best.miss = volume_miss(best.mesh, surface_volume);
  }
  if (best.miss <= kWholeVolume) return best;
  SUPPLE_TRY_VOID(offer_netgen(best, surface, surface_volume, settings));
  if (!stuffed.ok() && best.mesh.element_count() == 0) return stuffed.error();
  return best;
}

}  // namespace

Result<SolidMesh> mesh_solid(const TriMesh& surface, const SolidMeshSettings& settings) {
  SUPPLE_TRY_VOID(surface.validate());
  const TriMesh oriented = orient_outwards(surface).mesh;
  SolidMesh result;
  result.surface_volume = enclosed_volume(oriented);
  if (settings.mesher == Mesher::Netgen) {
    SUPPLE_TRY(result.mesh,
               mesh_with_netgen(oriented, {.target_elements = settings.target_elements}));
    result.mesher = Mesher::Netgen;
    return result;
  }
  if (settings.mesher != Mesher::Automatic || !result.surface_volume) {
    SUPPLE_TRY(result.mesh, stuff(oriented, {.target_elements = settings.target_elements}));
    return result;
  }
  const auto mesh_clean = find_features(oriented).edges.empty() ? mesh_smooth : mesh_machined;
  SUPPLE_TRY(Candidate best, mesh_clean(oriented, *result.surface_volume, settings));
  result.mesh = std::move(best.mesh);
  result.mesher = best.mesher;
  return result;
}

}  // namespace supple::geometry
