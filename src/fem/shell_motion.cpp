// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/shell_motion.hpp"

#include "fem/shell_system.hpp"
#include "supple/core/check.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/reduction/cholesky.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace supple::fem {
namespace {

using Eigen::VectorXd;
using reduction::Cholesky;
using reduction::MultiVector;

/// The potential that Newton's method minimises: E(x) - f . x + 1/2 (x - a)^T B (x - a) with B =
/// inertia M + stiffening K at rest and separate anchors for both.
struct Potential {
  const DiscreteShell& shell;
  VectorXd load;
  double inertia = 0;
  VectorXd inertia_anchor;
  double stiffening = 0;
  VectorXd stiffening_anchor;

  [[nodiscard]] VectorXd per_component_masses() const {
    VectorXd result(load.size());
    for (Eigen::Index i = 0; i < result.size(); ++i) result(i) = shell.masses()(i / 3);
    return result;
  }

  [[nodiscard]] VectorXd stiff_force(const VectorXd& x) const {
    MultiVector product;
    shell.rest_stiffness().apply(x - stiffening_anchor, product);
    return stiffening * product;
  }

  [[nodiscard]] double value(const VectorXd& x) const {
    double total = shell.energy(x) - load.dot(x);
    if (inertia > 0) {
      const VectorXd away = x - inertia_anchor;
      total += 0.5 * inertia * away.dot(per_component_masses().cwiseProduct(away));
    }
    if (stiffening > 0) total += 0.5 * (x - stiffening_anchor).dot(stiff_force(x));
    return total;
  }

  [[nodiscard]] VectorXd gradient(const VectorXd& x) const {
    VectorXd total = shell.gradient(x) - load;
    if (inertia > 0) {
      total += inertia * per_component_masses().cwiseProduct(x - inertia_anchor);
    }
    if (stiffening > 0) total += stiff_force(x);
    return total;
  }

  [[nodiscard]] reduction::BlockMatrix hessian(const VectorXd& x, bool definite) const {
    reduction::BlockMatrix matrix = shell.stiffness(x, definite);
    if (stiffening > 0) {
      const std::vector<double>& rest = shell.rest_stiffness().blocks;
      for (std::size_t i = 0; i < rest.size(); ++i) matrix.blocks[i] += stiffening * rest[i];
    }
    return matrix;
  }
};

/// Newton's method on the free nodes, with the exact Hessian where it is definite (then it
/// converges quadratically) and the definite one elsewhere.
///
/// Bending a thin sheet is so much easier than stretching it that a full step from afar stretches
/// it absurdly, and a line search would reduce such a step to nothing. A shift mu M bounds the
/// steps instead, as in the Levenberg-Marquardt method: it grows when they fail and shrinks when
/// they succeed.
class Newton {
 public:
  Newton(const Potential& potential, const ShellSystem& system)
      : m_potential(potential), m_system(system) {}

  /// Iterates until the unbalanced force is at most this, or at rounding level; true on success.
  Result<bool> run(VectorXd& x, double force, int max_iterations) {
    force = std::max(force, rounding_force(x));
    m_value = m_potential.value(x);
    for (;;) {
      SUPPLE_TRY_VOID(check_interrupt());
      const MultiVector unbalanced = m_system.gather(m_potential.gradient(x));
      m_residual = unbalanced.norm();
      if (m_residual <= force) return true;
      if (m_iterations >= max_iterations) return false;
      ++m_iterations;
      SUPPLE_TRY(const bool moved, step(x, unbalanced));
      if (!moved) return false;
    }
  }

  [[nodiscard]] double residual() const { return m_residual; }
  [[nodiscard]] int iterations() const { return m_iterations; }

 private:
  /// Positions are rounded, and stiffness times that rounding error is a force that nothing can
  /// balance.
  [[nodiscard]] double rounding_force(const VectorXd& x) const {
    const reduction::BlockMatrix& k = m_potential.shell.rest_stiffness();
    double squares = 0;
    for (const geometry::Index node : m_system.free_nodes) {
      const double* block = k.blocks.data() + 9 * k.graph->entry(node, node);
      for (int c = 0; c < 3; ++c) {
        const double stiffness = (1 + m_potential.stiffening) * block[4 * c] +
                                 m_potential.inertia * m_potential.shell.masses()(node);
        const double force = stiffness * x(3 * Eigen::Index{node} + c);
        squares += force * force;
      }
    }
    return std::numeric_limits<double>::epsilon() * std::sqrt(squares);
  }

  using Factor = std::unique_ptr<Cholesky<double>>;

  [[nodiscard]] Result<Factor> factorise(const reduction::BlockMatrix& k, double mu) const {
    return Cholesky<double>::factorise(m_system.symbolic, k, &m_system.mass,
                                       m_potential.inertia + mu);
  }

  /// Takes one step that lowers the potential; false if none does.
  Result<bool> step(VectorXd& x, const MultiVector& unbalanced) {
    reduction::BlockMatrix k = m_system.restrict_to_free(m_potential.hessian(x, false));
    bool definite = false;
    constexpr int kMostAttempts = 60;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      auto factor = factorise(k, m_mu);
      if (!factor.ok()) {
        if (!definite) {
          k = m_system.restrict_to_free(m_potential.hessian(x, true));
          definite = true;
        } else {
          raise_mu(k);
        }
        continue;
      }
      MultiVector direction;
      (*factor)->apply(unbalanced, direction);
      if (search(x, m_system.spread(direction), unbalanced.cwiseProduct(direction).sum())) {
        return true;
      }
      raise_mu(k);
    }
    return false;
  }

  void raise_mu(const reduction::BlockMatrix& k) {
    if (m_mu > 0) {
      m_mu *= 4;
      return;
    }
    double stiffness = 0;
    for (const double value : k.blocks) stiffness = std::max(stiffness, std::abs(value));
    m_mu = 1e-10 * stiffness / m_potential.shell.masses().maxCoeff();
  }

  /// Along -direction. A step shortened to less than a quarter is worse than a new one with more
  /// damping.
  bool search(VectorXd& x, const VectorXd& direction, double slope) {
    constexpr double kSufficient = 1e-4;
    // Near the end the rounding of the potential hides the remaining gain.
    const double noise = 1e-14 * (std::abs(m_value) + std::abs(m_potential.load.dot(x)));
    for (const double length : {1.0, 0.5, 0.25}) {
      const VectorXd next = x - length * direction;
      const double value = m_potential.value(next);
      if (!(value <= m_value - kSufficient * length * slope + noise)) continue;
      x = next;
      m_value = value;
      m_mu = length == 1 ? m_mu * 0.2 : m_mu;
      return true;
    }
    return false;
  }

  const Potential& m_potential;
  const ShellSystem& m_system;
  double m_value = 0;
  double m_mu = 0;
  double m_residual = 0;
  int m_iterations = 0;
};

Result<const ShellSystem*> solver_for(const DiscreteShell& shell) {
  const ShellSystem& system = shell_system(shell);
  if (system.failure) return Error(*system.failure);
  return &system;
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
  VectorXd force(shell.rest().size());
  for (Eigen::Index node = 0; node < shell.masses().size(); ++node) {
    force.segment<3>(3 * node) = shell.masses()(node) * gravity;
  }
  return force;
}

Result<Equilibrium> find_equilibrium(const DiscreteShell& shell, const VectorXd& load,
                                     const EquilibriumSettings& settings, const VectorXd& start) {
  SUPPLE_CHECK_OP(load.size(), ==, shell.rest().size());
  SUPPLE_CHECK(start.size() == 0 || start.size() == load.size());
  SUPPLE_CHECK(settings.load_steps >= 1);
  if (!load.allFinite()) return bad_input("the load on the shell is not finite");
  SUPPLE_TRY_VOID(check_held(shell, load));
  SUPPLE_TRY(const ShellSystem* system, solver_for(shell));
  Equilibrium result;
  result.x = start.size() > 0 ? start : shell.rest();
  const double norm = system->gather(load).norm();
  // Without a load the shell's own forces set the scale.
  const double scale = norm > 0 ? norm
                                : std::max(system->gather(shell.gradient(result.x)).norm(),
                                           std::numeric_limits<double>::min());
  for (int part = 1; part <= settings.load_steps && !system->free_nodes.empty(); ++part) {
    Potential potential{shell, load * (static_cast<double>(part) / settings.load_steps), 0, {}, 0,
                        {}};
    Newton newton(potential, *system);
    // Intermediate load steps need only a rough solution.
    const double enough = (part == settings.load_steps ? 1.0 : 1e3) * settings.tolerance;
    SUPPLE_TRY(const bool converged,
               newton.run(result.x, enough * scale, settings.max_iterations - result.iterations));
    result.iterations += newton.iterations();
    result.residual = newton.residual() / scale;
    if (!converged) {
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
  SUPPLE_TRY(const ShellSystem* system, solver_for(shell));
  VectorXd load = VectorXd::Zero(state.x.size());
  if (forces) load = forces(state.x, state.v, state.time + h);
  if (!load.allFinite()) return bad_input("the forces on the shell are not finite");
  // M (x - x0 - h v) / h^2 + (xi M + zeta K) (x - x0) / h + grad E = f: the mass terms of inertia
  // and damping combine into one about their common centre.
  const double inertia = (1 / h + damping.mass) / h;
  Potential potential{shell,
                      std::move(load),
                      inertia,
                      state.x + (1 / (1 + h * damping.mass)) * h * state.v,
                      damping.stiffness / h,
                      state.x};
  const VectorXd before = state.x;
  VectorXd x = state.x + system->spread(system->gather(h * state.v));
  // Down to the noise of the momentum, relative to the largest force present.
  const double force =
      system
          ->gather(inertia *
                   potential.per_component_masses().cwiseProduct(potential.inertia_anchor - before))
          .norm() +
      system->gather(potential.load).norm() + system->gather(shell.gradient(before)).norm();
  constexpr double kEnough = 1e-9;
  constexpr int kMostIterations = 200;
  Newton newton(potential, *system);
  SUPPLE_TRY(const bool converged,
             newton.run(x, std::max(kEnough * force, std::numeric_limits<double>::min()),
                        kMostIterations));
  if (!converged) {
    return not_converged(
        fmt::format("an implicit step of {:.3g} s left an unbalanced force of {:.1e} N after {} "
                    "iterations; use "
                    "a smaller step",
                    h, newton.residual(), newton.iterations()));
  }
  state.v = (x - before) / h;
  state.x = std::move(x);
  state.time += h;
  return {};
}

}  // namespace supple::fem
