// SPDX-License-Identifier: Apache-2.0
// Natural frequencies of one element, through the installed package.
#include <supple/fem/solid_modes.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

int main() {
  supple::fem::SolidModel model;
  model.mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  model.mesh.connectivity = {0, 1, 2, 3};
  model.materials = {{"rubber", 1e6, 0.45, 1000}};
  model.fixed = {supple::fem::kFixAll, supple::fem::kFixAll, supple::fem::kFixAll, 0};

  supple::fem::ModalSettings settings;
  settings.count = 3;
  const auto modes = supple::fem::solve_modes(model, settings);
  if (!modes.ok()) {
    std::fprintf(stderr, "%s\n", modes.error().describe().c_str());
    return 1;
  }
  // One free node, shape function z: mass rho V / 10, shear stiffness mu V.
  const double mu = 1e6 / (2 * (1 + 0.45));
  const double expected = std::sqrt(10 * mu / 1000) / (2 * std::numbers::pi);
  const Eigen::VectorXd frequencies = modes->frequencies_hz();
  std::printf("first frequency: %.6f Hz, expected %.6f Hz\n", frequencies[0], expected);
  constexpr double kRelative = 1e-9;  // three unknowns, solved to rounding
  return std::abs(frequencies[0] / expected - 1) < kRelative ? 0 : 1;
}
