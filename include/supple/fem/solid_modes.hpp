// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/solid_model.hpp"

#include <Eigen/Core>

#include <string>
#include <utility>
#include <vector>

namespace supple::fem {

enum class EigenMethod {
  Automatic,  ///< direct while the factor fits comfortably in memory, otherwise iterative
  Direct,     ///< block iteration with a sparse Cholesky factor as the inverse
  Iterative   ///< the same with a two-level multigrid cycle as the inverse
};

struct ModalSettings {
  int count = 20;           ///< number of elastic modes; rigid modes of a free body are extra
  double tolerance = 1e-6;  ///< error of a shape in the energy norm; that of omega^2: its square
  EigenMethod method = EigenMethod::Automatic;
  double memory_limit = 0;    ///< bytes for the factor; 0: half of the machine's memory
  bool allow_pieces = false;  ///< accept a mesh of several pieces that share no node
  bool compliance = false;    ///< also compute SolidModes::compliance
  [[nodiscard]] Result<void> validate() const;
};

/// The lowest natural vibrations of a solid, mass-normalised: Phi^T M Phi = I.
struct SolidModes {
  Eigen::VectorXd omega_squared;  ///< (rad/s)^2, ascending, elastic modes only
  Eigen::MatrixXd shapes;         ///< 3 nodes x modes, x y z interleaved, zero where fixed
  Eigen::MatrixXd participation;  ///< modes x 6: Phi^T M Gamma over the free components,
                                  ///< translations, then rotations about the origin
  /// Gamma^T M K^-1 M Gamma for each of the six: twice the strain energy that a steady unit
  /// acceleration stores. Mode k contributes participation^2 / omega^2, and all modes together make
  /// up the whole. Empty unless requested, and empty if rigid motions are free.
  Eigen::VectorXd compliance;
  int rigid_modes = 0;  ///< zero-energy motions found and excluded
  std::size_t free_dofs = 0;
  double residual_max = 0;  ///< of |K phi - lambda M phi| / |K phi|
  int iterations = 0;
  std::string method;                                   ///< the method used, for the report
  std::vector<std::pair<std::string, double>> seconds;  ///< per stage, in order

  [[nodiscard]] Eigen::VectorXd frequencies_hz() const;
};

/// Problems such as disconnected pieces without support, or more modes than unknowns, are errors
/// that name the piece and its size.
[[nodiscard]] Result<SolidModes> solve_modes(const SolidModel& model,
                                             const ModalSettings& settings = {});

}  // namespace supple::fem
