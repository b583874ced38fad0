// SPDX-License-Identifier: Apache-2.0
#include "bake/simulate/sheet.hpp"

#include "supple/fem/air.hpp"
#include "supple/fem/damping.hpp"
#include "supple/fem/membrane_energy.hpp"
#include "supple/fem/shell_energy.hpp"
#include "supple/geometry/shell_surface.hpp"

#include <fmt/format.h>

#include <memory>

namespace supple::bake::detail {
namespace {

using geometry::Index;
using EnergyResult = Result<std::unique_ptr<fem::Energy>>;

fem::SheetMaterial sheet_material(const SimulatedCloth& settings) {
  const SheetMaterial& matter = settings.material;
  fem::SheetMaterial material;
  material.name = matter.solid.name;
  material.youngs_modulus = matter.solid.youngs_modulus;
  material.poisson_ratio = matter.solid.poisson_ratio;
  material.density = matter.solid.density;
  material.thickness = matter.thickness;
  material.bending_factor = matter.bending;
  material.limit = settings.limit;
  material.stretch_limit = settings.stretch_limit;
  return material;
}

simulator::MakeEnergy air_drag(const WindSettings& wind, std::vector<geometry::Triangle> surface,
                               fem::Exposure exposure) {
  const fem::Air air{wind.density, wind.velocity, wind.gusts, wind.gust_size};
  return [air, surface = std::move(surface), exposure](Index first) -> EnergyResult {
    std::vector<geometry::Triangle> triangles = surface;
    for (geometry::Triangle& triangle : triangles) {
      for (Index& corner : triangle) corner += first;
    }
    return std::unique_ptr<fem::Energy>(
        std::make_unique<fem::AirDrag>(air, std::move(triangles), exposure));
  };
}

bool has_air(const std::optional<WindSettings>& wind) {
  return wind && wind->density > 0;
}

}  // namespace

Result<simulator::Sheet> make_simulated_sheet(const SimulatedCloth& settings,
                                              const geometry::TriMesh& mesh,
                                              const std::optional<WindSettings>& wind) {
  // Vertices without triangles have no mass.
  SUPPLE_TRY(geometry::ShellSurface surface, geometry::prepare_shell_surface(mesh));
  auto model = std::make_shared<fem::SheetModel>();
  model->mesh = std::move(surface.mesh);
  model->materials = {sheet_material(settings)};
  SUPPLE_TRY_VOID(model->validate());
  simulator::Sheet sheet;
  sheet.name = settings.name;
  sheet.friction = settings.friction;
  sheet.velocity = settings.velocity;
  sheet.mesh = model->mesh;
  sheet.masses = fem::lumped_masses(*model);
  sheet.thickness = settings.thickness > 0 ? settings.thickness : settings.material.thickness;
  sheet.elasticity.emplace_back([model](Index first) -> EnergyResult {
    return std::unique_ptr<fem::Energy>(std::make_unique<fem::MembraneEnergy>(*model, first));
  });
  sheet.elasticity.emplace_back([model](Index first) -> EnergyResult {
    SUPPLE_TRY(fem::DiscreteShell shell, fem::bending_shell(*model));
    return std::unique_ptr<fem::Energy>(
        std::make_unique<fem::ShellEnergy>(std::move(shell), first));
  });
  if (settings.damping > 0) {
    const double seconds = settings.damping;
    sheet.extras.emplace_back([model, seconds](Index first) -> EnergyResult {
      return std::unique_ptr<fem::Energy>(
          std::make_unique<fem::StrainDamping>(*model, seconds, first));
    });
    sheet.extras.emplace_back([model, seconds](Index first) -> EnergyResult {
      SUPPLE_TRY(fem::DiscreteShell shell, fem::bending_shell(*model));
      return std::unique_ptr<fem::Energy>(
          std::make_unique<fem::BendingDamping>(std::move(shell), seconds, first));
    });
  }
  if (has_air(wind)) {
    sheet.extras.push_back(air_drag(*wind, model->mesh.triangles, fem::Exposure::BothSides));
  }
  return sheet;
}

void add_solid_extras(simulator::Solid& solid, double damping,
                      const std::optional<WindSettings>& wind) {
  if (damping > 0) {
    const auto model = std::make_shared<fem::SolidModel>(solid.model);
    solid.extras.emplace_back([model, damping](Index first) -> EnergyResult {
      return std::unique_ptr<fem::Energy>(
          std::make_unique<fem::StrainDamping>(*model, damping, first));
    });
  }
  if (!has_air(wind)) return;
  const geometry::BoundarySurface boundary = geometry::boundary(solid.model.mesh);
  std::vector<geometry::Triangle> triangles = boundary.mesh.triangles;
  for (geometry::Triangle& triangle : triangles) {
    for (Index& corner : triangle)
      corner = boundary.node_of_vertex[static_cast<std::size_t>(corner)];
  }
  solid.extras.push_back(air_drag(*wind, std::move(triangles), fem::Exposure::OneSide));
}

}  // namespace supple::bake::detail
