// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/fem/shell_model.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/simulator/world.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace supple::simulator {

/// Soft rubber: it deforms visibly under its own weight.
inline fem::Material soft_rubber(double youngs_modulus = 2e5) {
  return {"rubber", youngs_modulus, 0.4, 1000};
}

inline Solid solid(std::string name, geometry::TetMesh mesh, const fem::Material& material) {
  Solid body;
  body.name = std::move(name);
  body.model.mesh = std::move(mesh);
  body.model.materials = {material};
  return body;
}

/// A cube of `cells` per edge, its lowest corner at `corner`.
inline Solid cube(std::string name, const Vec3& corner, double edge, int cells,
                  const fem::Material& material = soft_rubber()) {
  geometry::Box box;
  box.add(corner);
  box.add(corner + Vec3::Constant(edge));
  return solid(std::move(name), geometry::box_mesh(box, cells, cells, cells), material);
}

inline Obstacle obstacle(std::string name, geometry::TriMesh mesh, Script script = {}) {
  Obstacle body;
  body.name = std::move(name);
  body.mesh = std::move(mesh);
  body.script = std::move(script);
  return body;
}

inline Obstacle box_obstacle(std::string name, const Vec3& low, const Vec3& high,
                             Script script = {}) {
  geometry::Box box;
  box.add(low);
  box.add(high);
  return obstacle(std::move(name), geometry::box_surface(box), std::move(script));
}

inline geometry::TriMesh moved(geometry::TriMesh mesh, const Vec3& by) {
  for (Vec3& position : mesh.positions) position += by;
  return mesh;
}

/// A grid of cells in the unit square, placed by a function of both parameters.
inline geometry::TriMesh grid(int nu, int nv, const std::function<Vec3(double, double)>& place) {
  geometry::TriMesh mesh;
  for (int j = 0; j <= nv; ++j) {
    for (int i = 0; i <= nu; ++i) {
      mesh.positions.push_back(place(i / static_cast<double>(nu), j / static_cast<double>(nv)));
    }
  }
  for (Index j = 0; j < nv; ++j) {
    for (Index i = 0; i < nu; ++i) {
      const Index a = j * (nu + 1) + i;
      const Index b = a + nu + 1;
      // Diagonals alternate, so that the grid has no preferred direction.
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, b, a + 1});
        mesh.triangles.push_back({a + 1, b, b + 1});
      } else {
        mesh.triangles.push_back({a, b, b + 1});
        mesh.triangles.push_back({a, b + 1, a + 1});
      }
    }
  }
  return mesh;
}

/// A sheet of cloth: stretches little, bends easily.
inline Sheet cloth(std::string name, geometry::TriMesh mesh, double thickness = 5e-4,
                   double bending = 1e-5, double stretching = 500) {
  fem::ShellModel model;
  model.mesh = std::move(mesh);
  model.materials = {{"cloth", stretching, 0.05 * stretching, bending, 0.2, 0}};
  model.bending = fem::Bending::Hinge;
  Result<Sheet> sheet = shell_sheet(std::move(name), model, thickness);
  EXPECT_TRUE(sheet.ok()) << (sheet.ok() ? "" : sheet.error().describe());
  return *std::move(sheet);
}

/// Vertices of a mesh that a condition selects.
inline std::vector<Index> vertices_where(const std::vector<Vec3>& positions,
                                         const std::function<bool(const Vec3&)>& condition) {
  std::vector<Index> result;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (condition(positions[i])) result.push_back(static_cast<Index>(i));
  }
  return result;
}

inline World make_world(Description description) {
  Result<World> world = World::create(std::move(description));
  if (!world.ok()) ADD_FAILURE() << world.error().describe();
  return *std::move(world);
}

/// What a whole run amounted to.
struct RunSummary {
  int iterations = 0;
  int most_iterations = 0;
  int divided = 0;
  std::size_t contacts_max = 0;
  double smallest_distance = std::numeric_limits<double>::infinity();
  StageSeconds seconds;
};

/// Steps a world and tests every state for intersections by the exact test.
inline RunSummary run(World& world, int steps) {
  RunSummary summary;
  for (int i = 0; i < steps; ++i) {
    const Result<StepReport> report = world.step();
    if (!report.ok()) {
      ADD_FAILURE() << "step " << i << ": " << report.error().describe();
      return summary;
    }
    summary.iterations += report->iterations;
    summary.most_iterations = std::max(summary.most_iterations, report->iterations);
    summary.divided += report->substeps > 1 ? 1 : 0;
    summary.contacts_max = std::max(summary.contacts_max, report->contacts);
    summary.smallest_distance = std::min(summary.smallest_distance, report->smallest_distance);
    summary.seconds.total += report->seconds.total;
    summary.seconds.assembly += report->seconds.assembly;
    summary.seconds.factorisation += report->seconds.factorisation;
    summary.seconds.search += report->seconds.search;
    summary.seconds.candidates += report->seconds.candidates;
    summary.seconds.check += report->seconds.check;
    EXPECT_EQ(world.count_intersections(), 0U) << "after step " << i;
  }
  return summary;
}

}  // namespace supple::simulator
