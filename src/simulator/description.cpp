// SPDX-License-Identifier: Apache-2.0
#include "supple/simulator/description.hpp"

#include "supple/fem/discrete_shell.hpp"
#include "supple/fem/shell_energy.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace supple::simulator {
namespace {

/// A setting in [low, high], or an error that says so.
Result<void> check_range(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return {};
  return bad_input(fmt::format("{} is {}; give a number from {} to {}", name, value, low, high));
}

constexpr double kLargest = 1e12;  ///< of any number with a unit

Result<void> check_settings(const ContactSettings& contact, const SolverSettings& solver) {
  SUPPLE_TRY_VOID(check_range("the contact width", contact.width, 0, kLargest));
  SUPPLE_TRY_VOID(check_range("the factor of contact stiffness", contact.stiffness, 1e-6, 1e6));
  SUPPLE_TRY_VOID(check_range("the speed of sticking", contact.friction_speed, 1e-9, kLargest));
  SUPPLE_TRY_VOID(check_range("the number of friction lags", contact.friction_lags, 1, 100));
  SUPPLE_TRY_VOID(check_range("the time step", solver.h, 1e-9, 1e3));
  SUPPLE_TRY_VOID(check_range("the mass damping", solver.mass_damping, 0, kLargest));
  SUPPLE_TRY_VOID(check_range("the tolerance of velocities", solver.speed, 1e-12, kLargest));
  SUPPLE_TRY_VOID(check_range("the limit of iterations", solver.max_iterations, 1, 1e6));
  SUPPLE_TRY_VOID(check_range("the limit of halvings", solver.max_halvings, 0, 10));
  return check_range("the distance for which a body may be held back", solver.held_back, 0,
                     kLargest);
}

Result<void> check_body(const DeformableBody& body, std::size_t vertices) {
  SUPPLE_TRY_VOID(check_range("the coefficient of friction", body.friction, 0, 100));
  if (!body.velocity.allFinite()) return bad_input("the velocity is not finite; give numbers");
  if (!body.start.empty() && body.start.size() != vertices) {
    return bad_input(fmt::format("{} start positions for {} vertices; give one for each or none",
                                 body.start.size(), vertices));
  }
  for (const Vec3& position : body.start) {
    if (!position.allFinite()) return bad_input("a start position is not finite; give numbers");
  }
  return {};
}

Result<void> check_solid(const Solid& solid) {
  SUPPLE_TRY_VOID(solid.model.validate());
  SUPPLE_TRY_VOID(check_body(solid, solid.model.mesh.nodes.size()));
  if (solid.start.empty()) return {};
  geometry::TetMesh placed = solid.model.mesh;
  placed.nodes = solid.start;
  return placed.validate().during("checking the start positions");
}

/// Triangles without area have no normal and no height.
Result<void> check_triangles(const geometry::TriMesh& mesh) {
  SUPPLE_TRY_VOID(mesh.validate());
  if (mesh.triangles.empty()) {
    return bad_input("the body has no triangles; give a mesh that has some or leave the body out");
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const geometry::Triangle& t = mesh.triangles[i];
    const Vec3 a = mesh.positions[static_cast<std::size_t>(t[0])];
    const Vec3 u = mesh.positions[static_cast<std::size_t>(t[1])] - a;
    const Vec3 v = mesh.positions[static_cast<std::size_t>(t[2])] - a;
    if (!(u.cross(v).norm() > 0)) {
      return bad_input(fmt::format("triangle {} has no area; remove it", i + 1));
    }
  }
  return {};
}

Result<void> check_sheet(const Sheet& sheet) {
  SUPPLE_TRY_VOID(check_triangles(sheet.mesh));
  const std::size_t vertices = sheet.mesh.positions.size();
  SUPPLE_TRY_VOID(check_body(sheet, vertices));
  SUPPLE_TRY_VOID(check_range("the thickness", sheet.thickness, 0, kLargest));
  if (static_cast<std::size_t>(sheet.masses.size()) != vertices) {
    return bad_input(
        fmt::format("{} masses for {} vertices; give one for each", sheet.masses.size(), vertices));
  }
  for (Eigen::Index i = 0; i < sheet.masses.size(); ++i) {
    if (!(sheet.masses(i) > 0 && sheet.masses(i) < kLargest)) {
      return bad_input(fmt::format(
          "vertex {} has a mass of {} kg; remove vertices without triangles, give a density", i + 1,
          sheet.masses(i)));
    }
  }
  if (!sheet.fixed.empty() && sheet.fixed.size() != vertices) {
    return bad_input(fmt::format("{} fixed flags for {} vertices; give one for each or none",
                                 sheet.fixed.size(), vertices));
  }
  if (sheet.elasticity.empty()) return bad_input("the sheet has no elasticity; give it one");
  return {};
}

Result<void> check_obstacle(const Obstacle& obstacle) {
  SUPPLE_TRY_VOID(check_triangles(obstacle.mesh));
  SUPPLE_TRY_VOID(check_range("the coefficient of friction", obstacle.friction, 0, 100));
  return obstacle.script.validate();
}

Result<void> check_vertices(const std::vector<Index>& vertices, std::size_t count) {
  for (const Index vertex : vertices) {
    if (vertex < 0 || static_cast<std::size_t>(vertex) >= count) {
      return bad_input(fmt::format("vertex {} does not exist; the body has {}", vertex + 1, count));
    }
  }
  return {};
}

/// Names of deformable bodies with the number of their vertices.
using Sizes = std::map<std::string, std::size_t>;

Result<std::size_t> size_of(const Sizes& sizes, const std::string& name) {
  const auto found = sizes.find(name);
  if (found != sizes.end()) return found->second;
  return bad_input(fmt::format("there is no deformable body '{}'; name a solid or a sheet", name));
}

Result<void> check_pin(const Pin& pin, const Sizes& sizes) {
  SUPPLE_TRY(const std::size_t count, size_of(sizes, pin.body));
  if (pin.vertices.empty()) return bad_input("no vertex is pinned; select some");
  SUPPLE_TRY_VOID(check_vertices(pin.vertices, count));
  SUPPLE_TRY_VOID(pin.script.validate());
  const Pose first = pin.script.at(0);
  constexpr double kIdentity = 1e-12;
  if (first.translation.norm() > kIdentity ||
      (first.rotation - Mat3::Identity()).norm() > kIdentity) {
    return bad_input(
        "the script moves the vertices at time 0; let it begin with the body in place");
  }
  return {};
}

Result<void> check_impulse(const Impulse& impulse, const Sizes& sizes) {
  SUPPLE_TRY(const std::size_t count, size_of(sizes, impulse.body));
  SUPPLE_TRY_VOID(check_vertices(impulse.vertices, count));
  SUPPLE_TRY_VOID(check_range("the time", impulse.time, 0, kLargest));
  if (!impulse.velocity.allFinite()) return bad_input("the velocity is not finite; give numbers");
  return {};
}

Result<void> check_name(const std::string& name, std::set<std::string>& names) {
  if (name.empty()) return bad_input("a body has no name; give every body one");
  if (!names.insert(name).second) {
    return bad_input(fmt::format("two bodies are called '{}'; give each its own name", name));
  }
  return {};
}

}  // namespace

Result<Sheet> shell_sheet(std::string name, const fem::ShellModel& model, double thickness) {
  SUPPLE_TRY(const fem::DiscreteShell shell, fem::DiscreteShell::create(model));
  Sheet sheet;
  sheet.name = std::move(name);
  sheet.mesh = model.mesh;
  sheet.masses = shell.masses();
  sheet.fixed = model.fixed;
  sheet.thickness = thickness;
  sheet.elasticity.emplace_back([shell](Index first) -> Result<std::unique_ptr<fem::Energy>> {
    return std::unique_ptr<fem::Energy>(std::make_unique<fem::ShellEnergy>(shell, first));
  });
  return sheet;
}

geometry::TriMesh plane_mesh(const Vec3& point, const Vec3& normal, double size) {
  constexpr int kCells = 4;
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), normal);
  geometry::TriMesh mesh;
  for (int i = 0; i <= kCells; ++i) {
    for (int j = 0; j <= kCells; ++j) {
      const Vec3 flat(size * (i / double{kCells} - 0.5), 0, size * (j / double{kCells} - 0.5));
      mesh.positions.push_back(point + turn * flat);
    }
  }
  for (Index i = 0; i < kCells; ++i) {
    for (Index j = 0; j < kCells; ++j) {
      const Index a = i * (kCells + 1) + j;
      const Index b = a + kCells + 1;
      mesh.triangles.push_back({a, a + 1, b});
      mesh.triangles.push_back({b, a + 1, b + 1});
    }
  }
  return mesh;
}

Result<void> Description::validate() const {
  SUPPLE_TRY_VOID(check_settings(contact, solver));
  if (!gravity.allFinite()) return bad_input("gravity is not finite; give numbers");
  if (solids.empty() && sheets.empty()) {
    return bad_input("nothing can move: add a solid or a sheet");
  }
  std::set<std::string> names;
  Sizes sizes;
  const auto named = [](const char* kind, const std::string& name) {
    return fmt::format("checking {} '{}'", kind, name);
  };
  for (const Solid& solid : solids) {
    SUPPLE_TRY_VOID(check_name(solid.name, names));
    SUPPLE_TRY_VOID(check_solid(solid).during(named("solid", solid.name)));
    sizes[solid.name] = solid.model.mesh.nodes.size();
  }
  for (const Sheet& sheet : sheets) {
    SUPPLE_TRY_VOID(check_name(sheet.name, names));
    SUPPLE_TRY_VOID(check_sheet(sheet).during(named("sheet", sheet.name)));
    sizes[sheet.name] = sheet.mesh.positions.size();
  }
  for (const Obstacle& obstacle : obstacles) {
    SUPPLE_TRY_VOID(check_name(obstacle.name, names));
    SUPPLE_TRY_VOID(check_obstacle(obstacle).during(named("obstacle", obstacle.name)));
  }
  for (const Pin& pin : pins) {
    SUPPLE_TRY_VOID(check_pin(pin, sizes).during(named("a pin of", pin.body)));
  }
  for (const Impulse& impulse : impulses) {
    SUPPLE_TRY_VOID(check_impulse(impulse, sizes).during(named("an impulse on", impulse.body)));
  }
  return {};
}

}  // namespace supple::simulator
