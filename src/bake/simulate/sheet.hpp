// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/simulation_settings.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/simulator/description.hpp"

#include <optional>

namespace supple::bake::detail {

/// A sheet of cloth or paper with its energies. `mesh` is its shape at rest and at the start.
[[nodiscard]] Result<simulator::Sheet> make_simulated_sheet(
    const SimulatedCloth& settings, const geometry::TriMesh& mesh,
    const std::optional<WindSettings>& wind);

/// Damping of strains and the air around a solid.
void add_solid_extras(simulator::Solid& solid, double damping,
                      const std::optional<WindSettings>& wind);

}  // namespace supple::bake::detail
