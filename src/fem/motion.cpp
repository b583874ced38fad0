// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/motion.hpp"

#include "supple/core/check.hpp"
#include "supple/fem/quadratic_energies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace supple::fem {
namespace {

using Eigen::VectorXd;

/// v = (x - x*) / b, and the acceleration by the same formula.
struct BackwardDifference {
  TimeStep step;
  double b = 0;
  VectorXd x, v;
};

BackwardDifference backward_difference(const StepSettings& settings, const MotionState& state) {
  const bool euler = settings.scheme == TimeScheme::ImplicitEuler || state.x_before.size() == 0;
  TimeStep step;
  step.b = euler ? settings.h : 2.0 / 3 * settings.h;
  step.time = state.time + settings.h;
  step.x = &state.x;
  if (!euler) step.x_before = &state.x_before;
  return {step, step.b, step.past_positions(),
          euler ? state.v : step.past(state.v, state.v_before)};
}

double norm_of_forces(const Newton& newton, const Energy& energy, const VectorXd& x) {
  VectorXd gradient = VectorXd::Zero(x.size());
  energy.add_gradient(x, gradient);
  return newton.free().gather(gradient).norm();
}

}  // namespace

Result<NewtonReport> step(Newton& newton, const std::vector<Energy*>& energies,
                          const StepSettings& settings, MotionState& state) {
  const BackwardDifference past = backward_difference(settings, state);
  // The mass terms of inertia and damping combine into one about their common centre.
  const double inertia = (1 / past.b + settings.mass_damping) / past.b;
  const VectorXd centre = past.x + past.b / (1 + past.b * settings.mass_damping) * past.v;
  MassAnchor mass(newton.masses(), inertia, centre);
  std::vector<Energy*> terms = energies;
  terms.push_back(&mass);
  std::optional<StiffAnchor> damping;
  if (settings.stiffness_damping > 0) {
    SUPPLE_CHECK(settings.k != nullptr);
    damping.emplace(*settings.k, settings.stiffness_damping / past.b, past.x);
    terms.push_back(&*damping);
  }
  EnergySum potential(std::move(terms));
  potential.begin_step(past.step);
  VectorXd x = state.x;
  // A guess: vertices go on as they went, as far as nothing is in their way.
  potential.follow(x);
  double forces = norm_of_forces(newton, mass, x);
  for (const Energy* energy : energies) forces += norm_of_forces(newton, *energy, x);
  const VectorXd ahead = newton.free().spread(newton.free().gather(settings.h * state.v));
  x += potential.longest_share(x, ahead) * ahead;
  const NewtonSettings enough{
      std::max(settings.relative_force * forces, std::numeric_limits<double>::min()),
      settings.speed * settings.h, settings.max_iterations};
  SUPPLE_TRY(const NewtonReport report, newton.minimise(potential, x, enough));
  if (!report.converged) {
    return not_converged(
        fmt::format("an implicit step of {:.3g} s left an unbalanced force of {:.1e} N after {} "
                    "iterations; use a smaller step",
                    settings.h, report.force, report.iterations));
  }
  VectorXd v = (x - past.x) / past.b;
  state.x_before = std::exchange(state.x, std::move(x));
  state.v_before = std::exchange(state.v, std::move(v));
  state.time += settings.h;
  return report;
}

}  // namespace supple::fem
