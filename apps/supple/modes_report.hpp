// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model_source.hpp"

#include "supple/fem/solid_modes.hpp"

#include <Eigen/Core>

#include <string>
#include <utility>
#include <vector>

namespace supple::app {

/// A finished run of `supple modes`, ready to be told.
struct ModesRun {
  LoadedModel input;
  fem::SolidModes modes;
  std::vector<std::pair<std::string, double>> seconds;  ///< per stage, in order
  std::vector<std::string> files;                       ///< written
};

/// modes x 3: the part of the total mass that moves along x, y, z in each mode. A mass-normalised
/// mode carries p^2 kilograms for the participation p.
[[nodiscard]] Eigen::MatrixXd effective_mass_fractions(const ModesRun& run);

/// "cube.inp: 10,206 elements, ..." and a row per mode; what people read on the screen.
[[nodiscard]] std::string human_report(const ModesRun& run);

/// The table of the .txt file: all six participation factors, full precision.
[[nodiscard]] std::string text_table(const ModesRun& run);

/// One JSON object with a newline at its end.
[[nodiscard]] std::string json_report(const ModesRun& run);

}  // namespace supple::app
