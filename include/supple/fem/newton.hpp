// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/energy.hpp"
#include "supple/fem/free_vertices.hpp"
#include "supple/reduction/symbolic_factor.hpp"

#include <Eigen/Core>

#include <memory>

namespace supple::fem {

/// Newton's method ends when the unbalanced force is at most `force`, or at the level of rounding,
/// or when a whole step moves no vertex by more than `displacement`, or foretells that the next one
/// would not.
struct NewtonSettings {
  double force = 0;         ///< N, the norm over all free vertices
  double displacement = 0;  ///< m
  int max_iterations = 200;
  int max_halvings = 2;   ///< of a step, before it is damped more
  int max_attempts = 60;  ///< at one step, with ever more damping
  /// 1/s^2: the first shift mu when a step fails; 0: a trifle next to the stiffness.
  double first_shift = 0;
  /// 1/s^2: a shift below this is dropped, and a step with it counts as a whole one.
  double small_shift = 0;
};

struct NewtonReport {
  bool converged = false;
  int iterations = 0;
  double force = 0;  ///< N, unbalanced in the end
  int factorisations = 0;
  // Seconds of wall-clock time.
  double assembly_seconds = 0;       ///< gradients and Hessians
  double factorisation_seconds = 0;  ///< analyses, factors and solutions
  double search_seconds = 0;         ///< energies along steps, and how long steps may be
};

/// Minimises energies of the same vertices, one after the other, by Newton's method on the free
/// ones, with the exact Hessian where it is definite (then it converges quadratically) and the
/// definite one elsewhere.
///
/// Steps are as long as the energies allow (contact, for one, stops them before an impact), then
/// halved a few times at most. Bending a thin sheet is so much easier than stretching it that a
/// full step from afar stretches it absurdly, and halving would reduce such a step to nothing. A
/// shift mu M bounds the steps instead, as in the Levenberg-Marquardt method: it grows when they
/// fail, until they follow the gradient, and shrinks when they succeed.
///
/// The order of elimination is found once and kept while the graph of the Hessian stays the same,
/// or loses entries during one minimisation. What one minimisation learns does not change the bits
/// of the next.
class Newton {
 public:
  /// `masses` in kg per vertex measure the length of steps.
  Newton(FreeVertices free, Eigen::VectorXd masses);
  ~Newton();
  Newton(Newton&&) noexcept;
  Newton& operator=(Newton&&) noexcept;

  /// Spares the search for an order if the Hessian has this graph.
  void expect(std::shared_ptr<const reduction::NodeGraph> graph,
              std::shared_ptr<const reduction::SymbolicFactor> symbolic);

  [[nodiscard]] const FreeVertices& free() const;
  [[nodiscard]] const Eigen::VectorXd& masses() const;
  /// From x to the nearest minimum. Ends without one, and says so, after too many iterations or
  /// when no step lowers the energy.
  [[nodiscard]] Result<NewtonReport> minimise(Energy& energy, Eigen::VectorXd& x,
                                              const NewtonSettings& settings);

 private:
  struct System;
  class Run;
  std::unique_ptr<System> m_system;
};

}  // namespace supple::fem
