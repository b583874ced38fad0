// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/bake/solid_model.hpp"
#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/fem/solid_modes.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace supple::bake {

/// Which solid, and which of its modes.
struct ModesRequest {
  ModelRequest model;
  fem::ModalSettings solver;
  std::optional<int> count;  ///< none: as the deck requests, or solver.count
};

struct ModesRun {
  LoadedModel input;
  fem::SolidModes modes;
  std::vector<std::pair<std::string, double>> seconds;  ///< per stage, in order
};

/// The whole job: check, read or mesh, solve.
[[nodiscard]] Result<ModesRun> solve_modes(const ModesRequest& request);

/// modes x 3: the fraction of the total mass that moves along x, y, z in each mode. A
/// mass-normalised mode carries p^2 kilograms for the participation p.
[[nodiscard]] Eigen::MatrixXd effective_mass_fractions(const ModesRun& run);

/// "cube.inp: 10,206 elements, ..." in one or two lines.
[[nodiscard]] std::string modes_summary(const ModesRun& run);

/// The contents of a run's files: fields on the volume mesh (.vtu), the surface with one swinging
/// clip per mode (.glb), and a table with all six participation factors in full precision (.txt).
[[nodiscard]] Result<Bytes> modes_vtu(const ModesRun& run);
[[nodiscard]] Result<Bytes> modes_glb(const ModesRun& run,
                                      const geometry::BoundarySurface& surface);
[[nodiscard]] std::string modes_table(const ModesRun& run);

}  // namespace supple::bake
