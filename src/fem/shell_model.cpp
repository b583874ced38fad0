// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/shell_model.hpp"

#include "supple/geometry/half_edges.hpp"
#include "supple/geometry/offenders.hpp"
#include "supple/geometry/shell_surface.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::fem {
namespace {

using geometry::for_each_edge;
using geometry::half_edges;
using geometry::HalfEdge;
using geometry::Index;
using geometry::Offenders;

Result<void> check_triangles(const geometry::TriMesh& mesh) {
  Offenders flat;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const double flat_by =
        geometry::flatness(mesh.positions[a], mesh.positions[b], mesh.positions[c]);
    if (!(flat_by > geometry::kCollinear)) {
      flat.add(fmt::format("{} ({} {} {})", t, a, b, c));
    }
  }
  if (!flat.any()) return {};
  return bad_input(
      fmt::format("the shell has {}; they have no area and no normal: remove them or move their "
                  "corners apart (numbers from 0, nodes in brackets)",
                  flat.describe("degenerate triangle", "degenerate triangles")));
}

Result<void> check_edges(const geometry::TriMesh& mesh) {
  Offenders crowded;
  Offenders flipped;
  for_each_edge(half_edges(mesh), [&](const HalfEdge* side, std::size_t count) {
    if (count > 2) {
      crowded.add(fmt::format("{}-{} ({} triangles)", side->low, side->high, count));
    } else if (count == 2 && side[0].forward == side[1].forward) {
      flipped.add(fmt::format("{}-{} (triangles {} and {})", side->low, side->high,
                              side[0].triangle, side[1].triangle));
    }
  });
  if (crowded.any()) {
    return bad_input(fmt::format(
        "the shell has {}; a shell bends between two triangles at most: split it into sheets there",
        crowded.describe("edge of three or more triangles", "edges of three or more triangles")));
  }
  if (flipped.any()) {
    return bad_input(fmt::format("the shell has {}; turn triangles so that all face the same side",
                                 flipped.describe("edge whose triangles face opposite sides",
                                                  "edges whose triangles face opposite sides")));
  }
  return {};
}

Result<void> check_materials(const ShellModel& model) {
  if (model.materials.empty()) return bad_input("the shell has no material; give it one");
  for (const ShellMaterial& material : model.materials) SUPPLE_TRY_VOID(material.validate());
  if (model.regions.empty()) return {};
  if (model.regions.size() != model.mesh.triangles.size()) {
    return bad_input(fmt::format("the shell has {} triangles but {} regions; give one per triangle",
                                 model.mesh.triangles.size(), model.regions.size()));
  }
  Offenders outside;
  for (std::size_t t = 0; t < model.regions.size(); ++t) {
    const Index region = model.regions[t];
    if (region < 0 || static_cast<std::size_t>(region) >= model.materials.size()) {
      outside.add(fmt::format("{} (region {})", t, region));
    }
  }
  if (!outside.any()) return {};
  return bad_input(fmt::format("the shell has {} but only {} materials, numbered from 0",
                               outside.describe("triangle of a region without material",
                                                "triangles of regions without material"),
                               model.materials.size()));
}

}  // namespace

ShellMaterial shell_material(const Material& solid, double thickness, double edge_scale) {
  const double membrane = solid.youngs_modulus * thickness;
  const double nu = solid.poisson_ratio;
  ShellMaterial sheet;
  sheet.name = solid.name;
  sheet.bending_stiffness = membrane * thickness * thickness / (72 * (1 - nu * nu));
  sheet.area_stiffness = std::max(0.0, membrane * (3 * nu - 1) / (4 * (1 - nu * nu)));
  // At nu = 1/3 both cases agree.
  sheet.length_stiffness =
      edge_scale * membrane / (std::numbers::sqrt3 * (1 + std::max(nu, 1.0 / 3)));
  sheet.area_density = solid.density * thickness;
  sheet.poisson_ratio = nu;
  return sheet;
}

double edge_scale(const geometry::TriMesh& mesh) {
  double length = 0;
  for_each_edge(half_edges(mesh), [&](const HalfEdge* side, std::size_t) {
    length += (mesh.positions[side->high] - mesh.positions[side->low]).norm();
  });
  return length > 0 ? 2 * std::numbers::sqrt3 * geometry::area(mesh) / length : 0.0;
}

Result<void> ShellModel::validate() const {
  SUPPLE_TRY_VOID(mesh.validate());
  if (mesh.triangles.empty()) return bad_input("the shell has no triangles");
  SUPPLE_TRY_VOID(check_materials(*this));
  if (!fixed.empty() && fixed.size() != mesh.positions.size()) {
    return bad_input(fmt::format("the shell has {} nodes but {} fixed flags; give one per node",
                                 mesh.positions.size(), fixed.size()));
  }
  SUPPLE_TRY_VOID(check_triangles(mesh));
  return check_edges(mesh);
}

}  // namespace supple::fem
