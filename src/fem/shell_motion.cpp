// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/shell_motion.hpp"

#include "fem/shell_system.hpp"
#include "supple/core/check.hpp"
#include "supple/fem/motion.hpp"
#include "supple/fem/newton.hpp"
#include "supple/fem/quadratic_energies.hpp"
#include "supple/fem/shell_energy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::fem {
namespace {

using Eigen::VectorXd;
using reduction::MultiVector;

Result<Newton> solver_for(const DiscreteShell& shell) {
  const ShellSystem& system = shell_system(shell);
  if (system.failure) return Error(*system.failure);
  Newton newton(system, shell.masses());
  newton.expect(system.graph, system.symbolic);
  return newton;
}

/// An unsupported load has no equilibrium.
Result<void> check_held(const DiscreteShell& shell, const VectorXd& load) {
  const auto& fixed = shell.model().fixed;
  for (int c = 0; c < 3; ++c) {
    const bool held = std::any_of(fixed.begin(), fixed.end(),
                                  [&](std::uint8_t bits) { return (bits >> c & 1) != 0; });
    double total = 0;
    double size = 0;
    for (Eigen::Index i = c; i < load.size(); i += 3) {
      total += load(i);
      size += std::abs(load(i));
    }
    if (!held && std::abs(total) > 1e-9 * size) {
      return bad_input(
          fmt::format("nothing holds the shell in {} against a load of {:.3g} N; fix "
                      "some nodes",
                      "xyz"[c], total));
    }
  }
  return {};
}

}  // namespace

VectorXd weight(const DiscreteShell& shell, const Eigen::Vector3d& gravity) {
  return weight(shell.masses(), gravity);
}

Result<Equilibrium> find_equilibrium(const DiscreteShell& shell, const VectorXd& load,
                                     const EquilibriumSettings& settings, const VectorXd& start) {
  SUPPLE_CHECK_OP(load.size(), ==, shell.rest().size());
  SUPPLE_CHECK(start.size() == 0 || start.size() == load.size());
  SUPPLE_CHECK(settings.load_steps >= 1);
  if (!load.allFinite()) return bad_input("the load on the shell is not finite");
  SUPPLE_TRY_VOID(check_held(shell, load));
  SUPPLE_TRY(Newton newton, solver_for(shell));
  Equilibrium result;
  result.x = start.size() > 0 ? start : shell.rest();
  const double norm = newton.free().gather(load).norm();
  // Without a load the shell's own forces set the scale.
  const double scale = norm > 0 ? norm
                                : std::max(newton.free().gather(shell.gradient(result.x)).norm(),
                                           std::numeric_limits<double>::min());
  ShellEnergy elastic(shell);
  for (int part = 1; part <= settings.load_steps; ++part) {
    DeadLoad applied(load * (static_cast<double>(part) / settings.load_steps));
    EnergySum energy({&elastic, &applied});
    // Intermediate load steps need only a rough solution.
    const double enough = (part == settings.load_steps ? 1.0 : 1e3) * settings.tolerance;
    SUPPLE_TRY(const NewtonReport report,
               newton.minimise(energy, result.x,
                               {.force = enough * scale,
                                .max_iterations = settings.max_iterations - result.iterations}));
    result.iterations += report.iterations;
    result.residual = report.force / scale;
    if (!report.converged) {
      return not_converged(
          fmt::format("the shell found no equilibrium in {} iterations (load step {} of {}): the "
                      "unbalanced force is {:.1e} of the load, and {:.1e} was requested; allow "
                      "more iterations or apply the load in more steps",
                      result.iterations, part, settings.load_steps, result.residual, enough));
    }
  }
  result.energy = shell.energy(result.x);
  return result;
}

void step_explicit(const DiscreteShell& shell, const ShellForces& forces,
                   const ShellDamping& damping, double h, ShellState& state) {
  VectorXd force = -shell.gradient(state.x);
  if (forces) force += forces(state.x, state.v, state.time);
  if (damping.stiffness > 0) {
    MultiVector product;
    shell.rest_stiffness().apply(state.v, product);
    force -= damping.stiffness * product;
  }
  const std::vector<std::uint8_t>& fixed = shell.model().fixed;
  for (Eigen::Index node = 0; node < shell.masses().size(); ++node) {
    const double mass = shell.masses()(node);
    const int bits = fixed.empty() ? 0 : fixed[static_cast<std::size_t>(node)];
    for (int c = 0; c < 3; ++c) {
      const Eigen::Index i = 3 * node + c;
      const bool held = (bits >> c & 1) != 0 || mass == 0;
      state.v(i) = held ? 0 : state.v(i) + h * (force(i) / mass - damping.mass * state.v(i));
    }
  }
  state.x += h * state.v;
  state.time += h;
}

Result<void> step_implicit(const DiscreteShell& shell, const ShellForces& forces,
                           const ShellDamping& damping, double h, ShellState& state) {
  SUPPLE_TRY(Newton newton, solver_for(shell));
  VectorXd load = VectorXd::Zero(state.x.size());
  if (forces) load = forces(state.x, state.v, state.time + h);
  if (!load.allFinite()) return bad_input("the forces on the shell are not finite");
  ShellEnergy elastic(shell);
  DeadLoad applied(std::move(load));
  StepSettings settings;
  settings.h = h;
  settings.mass_damping = damping.mass;
  settings.stiffness_damping = damping.stiffness;
  settings.k = &shell.rest_stiffness();
  MotionState motion{std::move(state.x), std::move(state.v), {}, {}, state.time};
  const auto stepped = step(newton, {&elastic, &applied}, settings, motion);
  state = {std::move(motion.x), std::move(motion.v), motion.time};
  if (!stepped.ok()) return Error(stepped.error());
  return {};
}

}  // namespace supple::fem
