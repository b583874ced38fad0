// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"
#include "supple/reduction/block_matrix.hpp"

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace supple::fem {

/// An amount of energy in joules, and the size of the terms that it was summed from: its rounding
/// error is about 1e-16 of that.
struct EnergyValue {
  double joules = 0;
  double magnitude = 0;

  EnergyValue& operator+=(const EnergyValue& other) {
    joules += other.joules;
    magnitude += other.magnitude;
    return *this;
  }
};

/// Which second derivatives Newton's method asks for.
enum class Curvature {
  Exact,     ///< it converges quadratically, but far from a minimum steps may lead uphill
  Definite,  ///< without the negative eigenvalues of each element: steps always lead downhill
};

/// Two vertices between which an energy has second derivatives: row and column of a 3 x 3 block.
using Coupling = std::array<geometry::Index, 2>;

/// One implicit time step, as energies that depend on velocities see it. The rate of anything that
/// positions determine, g(x), is (g(x) - g*) / b at the end of the step, with g* of the past.
struct TimeStep {
  double b = 0;                               ///< s
  double time = 0;                            ///< s, at the end of the step
  const Eigen::VectorXd* x = nullptr;         ///< positions at its start
  const Eigen::VectorXd* x_before = nullptr;  ///< and one step before that; null: implicit Euler

  /// g* from its values at x and x_before: the first (implicit Euler), or 4/3 of it less 1/3 of the
  /// second (BDF2).
  template <class T>
  [[nodiscard]] T past(const T& last, const T& before) const {
    if (x_before == nullptr) return last;
    return (4 * last - before) / 3;
  }
  [[nodiscard]] Eigen::VectorXd past_positions() const {
    return x_before == nullptr ? *x : past(*x, *x_before);
  }
};

/// A potential energy E(x) of vertices, from which everything that acts on them derives:
/// elasticity, weight, contact, and, over one time step, inertia, damping and friction.
///
/// Positions x are x y z of all vertices of the scene, interleaved; so are gradients. The Hessian
/// is sparse. An energy lists the blocks of its lower triangle once, in any order and with
/// repetitions, and later writes their values in that order: it needs to know nothing about the
/// matrix, and the matrix nothing about the energy.
///
/// Everything is the same, bit for bit, for any number of threads.
class Energy {
 public:
  virtual ~Energy() = default;

  [[nodiscard]] virtual EnergyValue value(const Eigen::VectorXd& x) const = 0;
  /// Adds dE/dx, the forces with their signs reversed.
  virtual void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const = 0;

  [[nodiscard]] virtual std::size_t coupling_count() const = 0;
  /// Appends the blocks of the Hessian: for two vertices either (a, b) or (b, a), not both.
  virtual void list_couplings(std::vector<Coupling>& list) const = 0;
  /// Grows whenever the list, or the energy as a function of x, changes.
  [[nodiscard]] virtual std::uint64_t revision() const { return 0; }
  /// Writes the blocks of d2E/dx2 in the order of the list, 9 numbers each, row by row.
  virtual void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                             std::span<double> blocks) const = 0;

  /// Time steppers call this before each step; what it points to lives as long as the call.
  /// Energies that depend on velocities are zero before the first one.
  virtual void begin_step(const TimeStep& /*step*/) {}
  /// Solvers call this with every state that they accept, before they ask for derivatives there. An
  /// energy that acts on few of many pairs, such as contact, chooses them here.
  virtual void follow(const Eigen::VectorXd& /*x*/) {}
  /// The share of a step, from 0 to 1, over which this energy stays defined.
  [[nodiscard]] virtual double longest_share(const Eigen::VectorXd& /*x*/,
                                             const Eigen::VectorXd& /*step*/) {
    return 1;
  }

 protected:  // copied only as part of a derived object
  Energy() = default;
  Energy(const Energy&) = default;
  Energy(Energy&&) = default;
  Energy& operator=(const Energy&) = default;
  Energy& operator=(Energy&&) = default;
};

/// The sum of energies, which it does not own, is an energy.
class EnergySum final : public Energy {
 public:
  explicit EnergySum(std::vector<Energy*> terms) : m_terms(std::move(terms)) {}

  [[nodiscard]] EnergyValue value(const Eigen::VectorXd& x) const override;
  void add_gradient(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const override;
  [[nodiscard]] std::size_t coupling_count() const override;
  void list_couplings(std::vector<Coupling>& list) const override;
  [[nodiscard]] std::uint64_t revision() const override;
  void write_hessian(const Eigen::VectorXd& x, Curvature curvature,
                     std::span<double> blocks) const override;
  void begin_step(const TimeStep& step) override;
  void follow(const Eigen::VectorXd& x) override;
  [[nodiscard]] double longest_share(const Eigen::VectorXd& x,
                                     const Eigen::VectorXd& step) override;

 private:
  std::vector<Energy*> m_terms;
};

/// The whole Hessian at x over all vertices.
[[nodiscard]] reduction::BlockMatrix hessian(const Energy& energy, const Eigen::VectorXd& x,
                                             Curvature curvature);

}  // namespace supple::fem
