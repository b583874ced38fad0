// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/newton.hpp"

#include "fem/hessian_pattern.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/reduction/cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

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
  HessianPattern pattern;
  std::shared_ptr<const NodeGraph> graph;
  std::shared_ptr<const reduction::SymbolicFactor> symbolic;
  reduction::NodeMatrix mass;

  Result<void> follow(const Energy& energy) {
    pattern = HessianPattern(energy, free);
    if (graph == nullptr || !same(*graph, *pattern.graph())) {
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
      VectorXd gradient = VectorXd::Zero(x.size());
      m_energy.add_gradient(x, gradient);
      const MultiVector unbalanced = m_system.free.gather(gradient);
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
    m_energy.follow(x);
    if (m_revision == m_energy.revision()) return {};
    m_revision = m_energy.revision();
    m_value = m_energy.value(x);
    return m_system.follow(m_energy);
  }

  BlockMatrix hessian(const VectorXd& x, Curvature curvature) {
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

  /// Takes one step that lowers the energy; false if none does.
  Result<bool> step(VectorXd& x, const MultiVector& unbalanced) {
    BlockMatrix k = hessian(x, Curvature::Exact);
    allow_rounding(k, x);
    bool definite = false;
    constexpr int kMostAttempts = 60;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      const auto factor = Cholesky<double>::factorise(m_system.symbolic, k, &m_system.mass, m_mu);
      if (!factor.ok()) {
        if (factor.error().code() != ErrorCode::NotConverged) return Error(factor.error());
        if (!definite) {
          k = hessian(x, Curvature::Definite);
          definite = true;
        } else {
          raise_mu(k);
        }
        continue;
      }
      MultiVector direction;
      (*factor)->apply(unbalanced, direction);
      const bool whole = m_mu == 0;
      if (search(x, m_system.free.spread(-direction), unbalanced.cwiseProduct(direction).sum())) {
        m_report.converged = whole && longest_move(direction) <= m_settings.displacement;
        return true;
      }
      raise_mu(k);
    }
    return false;
  }

  void raise_mu(const BlockMatrix& k) {
    if (m_mu > 0) {
      m_mu *= 4;
      return;
    }
    double stiffness = 0;
    for (const double value : k.blocks) stiffness = std::max(stiffness, std::abs(value));
    m_mu = 1e-10 * stiffness / m_system.masses.maxCoeff();
  }

  /// Along the direction, which loses `slope` of energy per length. A step shortened to less than a
  /// quarter is worse than a new one with more damping.
  bool search(VectorXd& x, const VectorXd& direction, double slope) {
    constexpr double kSufficient = 1e-4;
    // Near the end the rounding of the energy hides the remaining gain.
    const double noise = 1e-14 * m_value.magnitude;
    const double longest = m_energy.longest_share(x, direction);
    for (const double part : {1.0, 0.5, 0.25}) {
      const double length = part * longest;
      if (!(length > 0)) return false;
      VectorXd next = x + length * direction;
      const EnergyValue value = m_energy.value(next);
      if (!(value.joules <= m_value.joules - kSufficient * length * slope + noise)) continue;
      x = std::move(next);
      m_value = value;
      if (part == 1) m_mu *= 0.2;
      return true;
    }
    return false;
  }

  System& m_system;
  Energy& m_energy;
  const NewtonSettings& m_settings;
  std::optional<std::uint64_t> m_revision;
  double m_force;
  EnergyValue m_value;
  double m_mu = 0;
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
