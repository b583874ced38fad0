// SPDX-License-Identifier: Apache-2.0
// Natural frequencies of one element, through the installed package.
#include <supple/fem/solid_modes.hpp>

#include <cstdio>

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
  const Eigen::VectorXd frequencies = modes->frequencies_hz();
  std::printf("first frequency: %.3f Hz\n", frequencies[0]);
  return frequencies.size() == 3 && frequencies[0] > 0 ? 0 : 1;
}
