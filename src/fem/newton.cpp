// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/newton.hpp"

#include "fem/hessian_pattern.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/reduction/cholesky.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

namespace supple::fem {
namespace {

using Eigen::VectorXd;
using reduction::BlockMatrix;
using reduction::Cholesky;
using reduction::MultiVector;
using reduction::NodeGraph;

bool same(const NodeGraph& a, const NodeGraph& b) {
  return a.row_start == b.row_start && a.column == b.column;
}

/// Whether every entry of `part` is one of `whole`.
bool contains(const NodeGraph& whole, const NodeGraph& part) {
  for (std::size_t row = 0; row + 1 < part.row_start.size(); ++row) {
    const auto columns = [&](const NodeGraph& graph) {
      return std::span(graph.column)
          .subspan(static_cast<std::size_t>(graph.row_start[row]),
                   static_cast<std::size_t>(graph.row_start[row + 1] - graph.row_start[row]));
    };
    if (!std::ranges::includes(columns(whole), columns(part))) return false;
  }
  return whole.row_start.size() == part.row_start.size();
}

/// Adds the time of its life to a sum.
class TimedScope {
 public:
  explicit TimedScope(double& seconds) : m_seconds(seconds) {}
  TimedScope(const TimedScope&) = delete;
  TimedScope& operator=(const TimedScope&) = delete;
  ~TimedScope() {
    m_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
  }

 private:
  double& m_seconds;
  std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

double longest_move(const MultiVector& step) {
  double squared = 0;
  for (Eigen::Index i = 0; i < step.rows(); i += 3) {
    squared = std::max(squared, step.middleRows<3>(i).squaredNorm());
  }
  return std::sqrt(squared);
}

}  // namespace

/// What outlives a minimisation.
struct Newton::System {
  FreeVertices free;
  VectorXd masses;
  std::vector<Coupling> couplings;
  HessianPattern pattern;
  std::shared_ptr<const NodeGraph> graph;  ///< that was analysed
  std::shared_ptr<const reduction::SymbolicFactor> symbolic;
  reduction::NodeMatrix mass;

  /// At the start of a minimisation the analysis is that of the energy's own graph, so that it does
  /// not depend on the past; later a larger graph will do.
  Result<void> follow(const Energy& energy, bool at_start) {
    std::vector<Coupling> list;
    list.reserve(energy.coupling_count());
    energy.list_couplings(list);
    if (pattern.graph() == nullptr || list != couplings) {
      couplings = std::move(list);
      pattern = HessianPattern(couplings, free);
    }
    const bool known = graph != nullptr && (at_start ? same(*graph, *pattern.graph())
                                                     : contains(*graph, *pattern.graph()));
    if (!known) {
      SUPPLE_TRY(reduction::SymbolicFactor factor, reduction::analyse(*pattern.graph()));
      symbolic = std::make_shared<const reduction::SymbolicFactor>(std::move(factor));
      graph = pattern.graph();
    }
    mass.graph = pattern.graph();
    mass.values.assign(mass.graph->column.size(), 0.0);
    for (std::size_t node = 0; node < free.free_nodes.size(); ++node) {
      const auto index = static_cast<std::int32_t>(node);
      mass.values[mass.graph->entry(index, index)] = masses(free.free_nodes[node]);
    }
    return {};
  }
};

/// One minimisation.
class Newton::Run {
 public:
  Run(System& system, Energy& energy, const NewtonSettings& settings)
      : m_system(system), m_energy(energy), m_settings(settings), m_force(settings.force) {}

  Result<NewtonReport> from(VectorXd& x) {
    for (;;) {
      SUPPLE_TRY_VOID(check_interrupt());
      SUPPLE_TRY_VOID(follow(x));
      const MultiVector unbalanced = m_system.free.gather(gradient(x));
      m_report.force = unbalanced.norm();
      m_report.converged = m_report.converged || m_report.force <= m_force;
      if (m_report.converged || m_report.iterations >= m_settings.max_iterations) return m_report;
      ++m_report.iterations;
      SUPPLE_TRY(const bool moved, step(x, unbalanced));
      if (!moved) return m_report;
    }
  }

 private:
  Result<void> follow(const VectorXd& x) {
    {
      const TimedScope watch(m_report.search_seconds);
      m_energy.follow(x);
      if (m_revision == m_energy.revision()) return {};
      m_value = m_energy.value(x);
    }
    const bool at_start = !m_revision.has_value();
    m_revision = m_energy.revision();
    const TimedScope watch(m_report.factorisation_seconds);
    return m_system.follow(m_energy, at_start);
  }

  VectorXd gradient(const VectorXd& x) {
    const TimedScope watch(m_report.assembly_seconds);
    VectorXd sum = VectorXd::Zero(x.size());
    m_energy.add_gradient(x, sum);
    return sum;
  }

  BlockMatrix hessian(const VectorXd& x, Curvature curvature) {
    const TimedScope watch(m_report.assembly_seconds);
    return m_system.pattern.assemble(m_energy, m_system.free, x, curvature);
  }

  /// Positions are rounded, and stiffness times that rounding error is a force that nothing can
  /// balance.
  void allow_rounding(const BlockMatrix& k, const VectorXd& x) {
    double squares = 0;
    for (std::size_t node = 0; node < m_system.free.free_nodes.size(); ++node) {
      const auto row = static_cast<std::int32_t>(node);
      const double* block = k.blocks.data() + 9 * k.graph->entry(row, row);
      for (int c = 0; c < 3; ++c) {
        const double force = block[4 * c] * x(3 * Eigen::Index{m_system.free.free_nodes[node]} + c);
        squares += force * force;
      }
    }
    m_force =
        std::max(m_settings.force, std::numeric_limits<double>::epsilon() * std::sqrt(squares));
  }

  /// (K + mu M)^-1 f; NotConverged if the matrix is not definite.
  Result<MultiVector> solve(const BlockMatrix& k, const MultiVector& force) {
    const TimedScope watch(m_report.factorisation_seconds);
    ++m_report.factorisations;
    SUPPLE_TRY(const auto factor,
               Cholesky<double>::factorise(m_system.symbolic, k, &m_system.mass, m_mu));
    MultiVector solution;
    factor->apply(force, solution);
    return solution;
  }

  /// Takes one step that lowers the energy; false if none does.
  Result<bool> step(VectorXd& x, const MultiVector& unbalanced) {
    BlockMatrix k = hessian(x, Curvature::Exact);
    allow_rounding(k, x);
    bool definite = false;
    for (int attempt = 0; attempt < m_settings.max_attempts; ++attempt) {
      const Result<MultiVector> direction = solve(k, unbalanced);
      if (!direction.ok()) {
        if (direction.error().code() != ErrorCode::NotConverged) return Error(direction.error());
        if (!definite) {
          k = hessian(x, Curvature::Definite);
          definite = true;
        } else {
          raise_mu(k);
        }
        continue;
      }
      const bool whole = m_mu <= m_settings.small_shift;
      const double move = longest_move(*direction);
      const bool enough = whole && move <= m_settings.displacement;
      const double length =
          search(x, m_system.free.spread(-*direction), unbalanced.cwiseProduct(*direction).sum());
      if (length > 0) {
        m_report.converged = enough || (whole && length == 1 && is_last(move, definite));
        m_last_move = whole && length == 1 ? move : 0;
        return true;
      }
      if (enough) {  // the remaining gain is less than the rounding of the energy
        m_report.converged = true;
        return true;
      }
      raise_mu(k);
    }
    return false;
  }

  /// Whole steps that shrink by at least half foretell the next one: with a ratio r of the last
  /// two, it is r^2 of the present one by exact Hessians, since Newton's method converges
  /// quadratically, and r of it by definite ones.
  [[nodiscard]] bool is_last(double move, bool definite) const {
    if (2 * move > m_last_move) return false;
    const double ratio = move / m_last_move;
    return (definite ? ratio : ratio * ratio) * move <= m_settings.displacement;
  }

  void raise_mu(const BlockMatrix& k) {
    if (m_mu > 0) {
      m_mu *= 4;
      return;
    }
    if (m_settings.first_shift > 0) {
      m_mu = m_settings.first_shift;
      return;
    }
    double stiffness = 0;
    for (const double value : k.blocks) stiffness = std::max(stiffness, std::abs(value));
    m_mu = 1e-10 * stiffness / m_system.masses.maxCoeff();
  }

  /// Along the direction, which loses `slope` of energy per length: the length of the step taken,
  /// or 0. A step that has to be shortened much is worse than a new one with more damping.
  double search(VectorXd& x, const VectorXd& direction, double slope) {
    const TimedScope watch(m_report.search_seconds);
    constexpr double kSufficient = 1e-4;
    // Near the end the rounding of the energy hides the remaining gain.
    const double noise = 1e-14 * m_value.magnitude;
    const double longest = m_energy.longest_share(x, direction);
    double part = 1;
    for (int halving = 0; halving <= m_settings.max_halvings; ++halving, part /= 2) {
      const double length = part * longest;
      if (!(length > 0)) return 0;
      VectorXd next = x + length * direction;
      const EnergyValue value = m_energy.value(next);
      if (!(value.joules <= m_value.joules - kSufficient * length * slope + noise)) continue;
      x = std::move(next);
      m_value = value;
      if (part == 1) m_mu *= 0.2;
      if (m_mu <= m_settings.small_shift) m_mu = 0;
      return length;
    }
    return 0;
  }

  System& m_system;
  Energy& m_energy;
  const NewtonSettings& m_settings;
  std::optional<std::uint64_t> m_revision;
  double m_force;
  EnergyValue m_value;
  double m_mu = 0;
  double m_last_move = 0;  ///< m, of a whole step just before; 0: none
  NewtonReport m_report;
};

Newton::Newton(FreeVertices free, VectorXd masses) : m_system(std::make_unique<System>()) {
  m_system->free = std::move(free);
  m_system->masses = std::move(masses);
}

Newton::~Newton() = default;
Newton::Newton(Newton&&) noexcept = default;
Newton& Newton::operator=(Newton&&) noexcept = default;

void Newton::expect(std::shared_ptr<const NodeGraph> graph,
                    std::shared_ptr<const reduction::SymbolicFactor> symbolic) {
  m_system->graph = std::move(graph);
  m_system->symbolic = std::move(symbolic);
}

const FreeVertices& Newton::free() const {
  return m_system->free;
}

const VectorXd& Newton::masses() const {
  return m_system->masses;
}

Result<NewtonReport> Newton::minimise(Energy& energy, VectorXd& x, const NewtonSettings& settings) {
  if (m_system->free.free_nodes.empty()) return NewtonReport{.converged = true};
  return Run(*m_system, energy, settings).from(x);
}

}  // namespace supple::fem
