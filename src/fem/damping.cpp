// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/damping.hpp"

#include "fem/element_points.hpp"
#include "fem/graph_couplings.hpp"
#include "fem/green_strain.hpp"
#include "fem/shell_measures.hpp"

#include <Eigen/Eigenvalues>

namespace supple::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::VectorXd;
using geometry::Index;

Matrix3d tension(const Matrix3d& stress) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(stress);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).asDiagonal() *
         solver.eigenvectors().transpose();
}

}  // namespace

StrainDamping::StrainDamping(const SolidModel& model, double seconds, Index first_vertex)
    : m_points(std::make_shared<const ElementPoints>(model, first_vertex)),
      m_seconds(seconds),
      m_past(m_points->point_count(), Matrix3d::Zero()) {}

StrainDamping::StrainDamping(const SheetModel& model, double seconds, Index first_vertex)
    : m_points(std::make_shared<const ElementPoints>(model, first_vertex)),
      m_seconds(seconds),
      m_past(m_points->point_count(), Matrix3d::Zero()) {}

void StrainDamping::begin_step(const TimeStep& step) {
  ++m_revision;
  m_factor = m_seconds / step.b;
  const std::size_t points = m_points->points;
  parallel_for(m_points->element_count(), ElementPoints::kGrain, [&](std::size_t e) {
    for (std::size_t p = 0; p < points; ++p) {
      const ElementPoints::Point at = m_points->point(e, p);
      const Matrix3d last = green_strain(at.deformation(*step.x));
      // The strain of the past, not that of a mean position, which no body in rotation has.
      m_past[e * points + p] = step.x_before == nullptr
                                   ? last
                                   : step.past(last, green_strain(at.deformation(*step.x_before)));
    }
  });
}

EnergyValue StrainDamping::value(const VectorXd& x) const {
  return m_points->sum([&](const ElementPoints::Point& at, std::size_t point) -> EnergyValue {
    const Matrix3d change = green_strain(at.deformation(x)) - m_past[point];
    const Matrix3d stress = m_factor * linear_stress(at.lame, change);
    const double energy = 0.5 * stress.cwiseProduct(change).sum();
    // Rounding enters by the strains, which are differences of numbers of the size of 1.
    return {energy, energy + stress.norm()};
  });
}

void StrainDamping::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  m_points->add_gradient(
      [&](const ElementPoints::Point& at, std::size_t point) -> Matrix3d {
        const Matrix3d f = at.deformation(x);
        return m_factor * f * linear_stress(at.lame, green_strain(f) - m_past[point]);
      },
      gradient);
}

std::size_t StrainDamping::coupling_count() const {
  return m_points->coupling_count();
}

void StrainDamping::list_couplings(std::vector<Coupling>& list) const {
  m_points->list_couplings(list);
}

void StrainDamping::write_hessian(const VectorXd& x, Curvature curvature,
                                  std::span<double> blocks) const {
  m_points->write_hessian(
      blocks, [&](const ElementPoints::Point& at, std::size_t point, double* out) {
        const Matrix3d f = at.deformation(x);
        const Matrix3d stress = linear_stress(at.lame, green_strain(f) - m_past[point]);
        add_green_blocks(at, f, curvature == Curvature::Definite ? tension(stress) : stress,
                         m_factor * at.volume, out);
      });
}

BendingDamping::BendingDamping(DiscreteShell shell, double seconds, Index first_vertex)
    : m_shell(std::move(shell)), m_seconds(seconds), m_first(first_vertex) {}

VectorXd BendingDamping::nodes(const VectorXd& x) const {
  return x.segment(3 * Eigen::Index{m_first}, m_shell.rest().size());
}

void BendingDamping::begin_step(const TimeStep& step) {
  ++m_revision;
  m_factor = m_seconds / step.b;
  VectorXd angles = m_shell.angles(nodes(*step.x));
  if (step.x_before != nullptr) {
    // 4/3 of the last less 1/3 of the one before, the short way round.
    const VectorXd before = m_shell.angles(nodes(*step.x_before));
    for (Eigen::Index e = 0; e < angles.size(); ++e) {
      angles(e) += angle_difference(angles(e), before(e)) / 3;
    }
  }
  m_shell = m_shell.bent_to(angles);
}

EnergyValue BendingDamping::value(const VectorXd& x) const {
  if (m_factor == 0) return {};
  const double energy = m_factor * m_shell.energy(nodes(x));
  return {energy, energy};  // a sum of squares
}

void BendingDamping::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  if (m_factor == 0) return;
  gradient.segment(3 * Eigen::Index{m_first}, m_shell.rest().size()) +=
      m_factor * m_shell.gradient(nodes(x));
}

std::size_t BendingDamping::coupling_count() const {
  return lower_triangle_size(*m_shell.rest_stiffness().graph);
}

void BendingDamping::list_couplings(std::vector<Coupling>& list) const {
  list_lower_triangle(*m_shell.rest_stiffness().graph, m_first, list);
}

void BendingDamping::write_hessian(const VectorXd& x, Curvature curvature,
                                   std::span<double> blocks) const {
  const ShellHessian kind =
      curvature == Curvature::Definite ? ShellHessian::GaussNewton : ShellHessian::Exact;
  write_lower_triangle(m_shell.stiffness(nodes(x), kind), m_factor, blocks);
}

}  // namespace supple::fem
