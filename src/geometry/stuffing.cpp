// SPDX-License-Identifier: Apache-2.0
#include "supple/geometry/volume_meshing.hpp"

#include "geometry/feature_snapping.hpp"
#include "geometry/spacing_search.hpp"
#include "geometry/stuffing_field.hpp"
#include "geometry/stuffing_mesher.hpp"
#include "geometry/surface_features.hpp"
#include "geometry/surface_repair.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/random.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace supple::geometry {

namespace {

/// The search stops at this relative distance from the target, well within the promised fifth.
constexpr double kGoodEnough = 0.08;
constexpr double kPromised = 0.2;
constexpr int kMaxTries = 24;
constexpr int kCentredTries = 10;

/// Lattice cells across the longest side in the first try: coarse, because it only estimates how
/// much of the box is filled.
constexpr int kFirstCells = 16;
/// Finest lattice, for bodies that vanish on coarser ones.
constexpr int kFinestCells = 400;

/// Distance from a triangle at which its side is probed, as a fraction of its edge.
constexpr double kProbe = 1e-4;

struct Stuffed {
  TetMesh mesh;
  double spacing = 0;
  std::vector<Index> cut_triangles;
};

Result<Stuffed> stuff_at(const Field& field, double spacing, const Vec3& shift = Vec3::Zero()) {
  SUPPLE_TRY_VOID(check_interrupt());
  SUPPLE_TRY(const BccLattice lattice, BccLattice::over(field.bounds(), spacing, shift));
  StuffingMesher mesher(field, lattice);
  SUPPLE_TRY(TetMesh mesh, mesher.run());
  return Stuffed{std::move(mesh), spacing, mesher.cut_triangles()};
}

double miss(const Stuffed& tried, double target) {
  return count_miss(tried.mesh.element_count(), target);
}

/// A spacing at which some point is inside, or an error that names the finest one tried.
Result<Stuffed> first_try(const Field& field) {
  const double longest = field.bounds().size().maxCoeff();
  int cells = kFirstCells;
  for (; cells <= kFinestCells; cells *= 2) {
    SUPPLE_TRY(Stuffed tried, stuff_at(field, longest / cells));
    if (tried.mesh.element_count() > 0) return tried;
  }
  return bad_input(fmt::format(
      "no point of a lattice of spacing {:.4g} lies inside: the surface encloses nothing, or only "
      "parts thinner than that; close the surface or set a smaller spacing",
      2 * longest / cells));
}

/// Searches for the spacing that gives `target` elements. Straight bodies a few cells thick gain
/// and lose whole columns at once; for them the lattice is also shifted, by a fixed random
/// sequence.
Result<Stuffed> search_spacing(const Field& field, double target) {
  SUPPLE_TRY(Stuffed best, first_try(field));
  SpacingSearch search(target);
  search.learn(best.spacing, best.mesh.element_count());
  Random random(1);
  for (int i = 0; i < kMaxTries && miss(best, target) > std::log1p(kGoodEnough); ++i) {
    const bool centred = i < kCentredTries;
    const double spacing = centred ? search.next() : best.spacing * random.uniform(0.9, 1.1);
    // Braces fix the order: otherwise each compiler could draw the three numbers in a different
    // one.
    const Vec3 shift =
        0.5 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    SUPPLE_TRY(Stuffed tried, stuff_at(field, spacing, centred ? Vec3(Vec3::Zero()) : shift));
    if (centred) search.learn(tried.spacing, tried.mesh.element_count());
    if (miss(tried, target) < miss(best, target)) best = std::move(tried);
  }
  const std::size_t count = best.mesh.element_count();
  if (miss(best, target) > std::log1p(kPromised)) {
    log::warn("{} elements instead of {:.0f}: at such a coarse spacing the number changes in jumps",
              count, target);
  }
  return best;
}

Result<Stuffed> stuff_field(const Field& field, const StuffingSettings& settings) {
  if (settings.spacing <= 0)
    return search_spacing(field, static_cast<double>(settings.target_elements));
  SUPPLE_TRY(Stuffed result, stuff_at(field, settings.spacing));
  if (result.mesh.element_count() > 0) return result;
  SUPPLE_TRY(const Stuffed finer, first_try(field));
  return bad_input(fmt::format(
      "no point of a lattice of spacing {:.4g} stays inside: every part is thinner; at spacing "
      "{:.4g} there are {} elements",
      settings.spacing, finer.spacing, finer.mesh.element_count()));
}

/// A point off the outer side of a triangle; on the triangle itself the winding number jumps.
Vec3 just_outside(const TriMesh& mesh, std::size_t triangle) {
  const Triangle& t = mesh.triangles[triangle];
  const Vec3& a = mesh.positions[static_cast<std::size_t>(t[0])];
  const Vec3& b = mesh.positions[static_cast<std::size_t>(t[1])];
  const Vec3& c = mesh.positions[static_cast<std::size_t>(t[2])];
  const Vec3 normal = (b - a).cross(c - a).stableNormalized();
  return (a + b + c) / 3 + kProbe * (b - a).norm() * normal;
}

/// Reports parts of the surface that bound no element and do not lie inside another part.
void warn_of_lost_parts(const OrientedSurface& surface, const SurfaceField& field,
                        const Stuffed& result, double threshold) {
  std::vector<bool> found(static_cast<std::size_t>(surface.component_count));
  for (const Index t : result.cut_triangles)
    found[static_cast<std::size_t>(surface.component[static_cast<std::size_t>(t)])] = true;
  std::size_t lost = 0;
  std::optional<std::size_t> first;
  for (std::size_t t = 0; t < surface.mesh.triangles.size(); ++t) {
    const auto part = static_cast<std::size_t>(surface.component[t]);
    if (found[part]) continue;
    found[part] = true;
    if (field.winding_number(just_outside(surface.mesh, t)) >= threshold) continue;
    ++lost;
    if (!first) first = t;
  }
  if (!first) return;
  const Triangle& v = surface.mesh.triangles[*first];
  const Vec3& at = surface.mesh.positions[static_cast<std::size_t>(v[0])];
  log::warn(
      "{} of {} parts of the surface got no element: they are open or thinner than the spacing "
      "{:.4g}; the first is at ({:.4g}, {:.4g}, {:.4g})",
      lost, surface.component_count, result.spacing, at[0], at[1], at[2]);
}

}  // namespace

Result<void> StuffingSettings::validate() const {
  if (!std::isfinite(spacing) || spacing < 0) {
    return bad_input(
        fmt::format("spacing {} must be positive, or 0 to follow the target", spacing));
  }
  if (spacing == 0 && target_elements == 0)
    return bad_input("target_elements is 0: request at least one element");
  if (spacing == 0 && target_elements > 100'000'000)
    return bad_input(fmt::format("target_elements {} is beyond 100 million", target_elements));
  if (!(inside_threshold > 0 && inside_threshold < 1))
    return bad_input(fmt::format("inside_threshold {} must lie between 0 and 1", inside_threshold));
  return {};
}

Result<TetMesh> stuff(const TriMesh& surface, const StuffingSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  SUPPLE_TRY_VOID(surface.validate());
  const OrientedSurface oriented = orient_outwards(surface);
  const SurfaceField field(oriented.mesh, settings.inside_threshold);
  if (!(field.bounds().diagonal() > 0)) {
    return bad_input(
        "the surface has no triangles with a nonzero extent, so there is nothing to mesh");
  }
  SUPPLE_TRY(Stuffed result, stuff_field(field, settings));
  warn_of_lost_parts(oriented, field, result, settings.inside_threshold);
  if (!settings.sharp_edges) return std::move(result.mesh);
  return snap_to_features(std::move(result.mesh), oriented.mesh, find_features(oriented.mesh),
                          result.spacing);
}

Result<TetMesh> stuff(const std::function<double(const Vec3&)>& signed_distance, const Box& bounds,
                      const StuffingSettings& settings) {
  SUPPLE_TRY_VOID(settings.validate());
  if (!(bounds.diagonal() > 0) || !std::isfinite(bounds.diagonal()))
    return bad_input("the box around the function is empty or infinite");
  const FunctionField field(signed_distance, bounds);
  SUPPLE_TRY(Stuffed result, stuff_field(field, settings));
  return std::move(result.mesh);
}

}  // namespace supple::geometry
