// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/solid_energy.hpp"

#include "fem/element_points.hpp"
#include "fem/green_strain.hpp"
#include "fem/solid_laws.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>

namespace supple::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using geometry::Index;

/// Block (a, b) of the second derivatives by positions, in the frame U of the space; `a` and `b`
/// are shape gradients in the frame V of the material.
Matrix3d principal_block(const PrincipalCurvature& c, const Vector3d& a, const Vector3d& b) {
  Matrix3d block = c.stretch.cwiseProduct(a * b.transpose());
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    const double same = 0.5 * (c.turn(k) + c.shear(k));
    const double crossed = 0.5 * (c.shear(k) - c.turn(k));
    block(i, i) += same * a(j) * b(j);
    block(j, j) += same * a(i) * b(i);
    block(i, j) += crossed * a(j) * b(i);
    block(j, i) += crossed * a(i) * b(j);
  }
  return block;
}

/// Adds the blocks of the lower triangle of the exact second derivatives by positions. With shape
/// gradients a and b, d2J/dF2 gives -[F (a x b)]x. A tenth of the work of the eigenvalues, which
/// only definite ones need.
void add_exact_blocks(SolidLaw law, const ElementPoints::Point& at, const Matrix3d& f,
                      double* out) {
  if (law == SolidLaw::StVenantKirchhoff) {
    add_green_blocks(at, f, linear_stress(at.lame, green_strain(f)), at.volume, out);
    return;
  }
  const Matrix3d cofactor = cofactors(f);
  const NormAndVolume d(law, at.lame, f.squaredNorm(), f.col(0).dot(cofactor.col(0)));
  const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 10> fg = f * at.gradients;
  const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 10> cg = cofactor * at.gradients;
  for (Eigen::Index a = 0; a < fg.cols(); ++a) {
    const Vector3d ga = at.gradients.col(a);
    // (growth C a - mixed F a) (C b)^T - mixed (C a)(F b)^T
    const Vector3d with_c = at.volume * (d.growth * cg.col(a) - d.mixed * fg.col(a));
    const Vector3d with_f = -at.volume * d.mixed * cg.col(a);
    for (Eigen::Index b = 0; b <= a; ++b, out += 9) {
      const Vector3d gb = at.gradients.col(b);
      HessianBlock block(out);
      block.noalias() += with_c * cg.col(b).transpose();
      if (d.mixed != 0) block.noalias() += with_f * fg.col(b).transpose();
      block.diagonal().array() += at.volume * d.shape * ga.dot(gb);
      const Vector3d turn = at.volume * d.slope * (f * ga.cross(gb));
      block(0, 1) += turn.z();
      block(1, 0) -= turn.z();
      block(1, 2) += turn.x();
      block(2, 1) -= turn.x();
      block(2, 0) += turn.y();
      block(0, 2) -= turn.y();
    }
  }
}

}  // namespace

SolidEnergy::SolidEnergy(const SolidModel& model, SolidLaw law, Index first_vertex)
    : m_law(law), m_points(std::make_shared<const ElementPoints>(model, first_vertex)) {}

EnergyValue SolidEnergy::value(const VectorXd& x) const {
  return m_points->sum([&](const ElementPoints::Point& at, std::size_t) {
    return energy_density(m_law, at.lame, at.deformation(x));
  });
}

void SolidEnergy::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  m_points->add_gradient([&](const ElementPoints::Point& at,
                             std::size_t) { return stress(m_law, at.lame, at.deformation(x)); },
                         gradient);
}

std::size_t SolidEnergy::coupling_count() const {
  return m_points->coupling_count();
}

void SolidEnergy::list_couplings(std::vector<Coupling>& list) const {
  m_points->list_couplings(list);
}

void SolidEnergy::write_hessian(const VectorXd& x, Curvature curvature,
                                std::span<double> blocks) const {
  m_points->write_hessian(blocks, [&](const ElementPoints::Point& at, std::size_t, double* out) {
    const Matrix3d f = at.deformation(x);
    if (curvature == Curvature::Exact) {
      add_exact_blocks(m_law, at, f, out);
      return;
    }
    PrincipalCurvature c = principal_curvature(m_law, at.lame, f);
    c.make_definite();
    const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 10> g = c.v.transpose() * at.gradients;
    for (Eigen::Index a = 0; a < g.cols(); ++a) {
      for (Eigen::Index b = 0; b <= a; ++b, out += 9) {
        HessianBlock(out).noalias() +=
            at.volume * (c.u * principal_block(c, g.col(a), g.col(b)) * c.u.transpose());
      }
    }
  });
}

double SolidEnergy::longest_share(const VectorXd& x, const VectorXd& step) {
  if (m_law != SolidLaw::NeoHookean) return 1;
  const auto least_volume = [&](double share) {
    return parallel_reduce(
        m_points->element_count(), ElementPoints::kGrain, 1.0,
        [&](std::size_t begin, std::size_t end) {
          double least = 1;
          for (std::size_t e = begin; e < end; ++e) {
            for (std::size_t p = 0; p < m_points->points; ++p) {
              const ElementPoints::Point at = m_points->point(e, p);
              const Matrix3d f = at.deformation(x) + share * at.deformation(step);
              least = std::min(least, f.determinant());
            }
          }
          return least;
        },
        [](double a, double b) { return std::min(a, b); });
  };
  constexpr int kMostHalvings = 30;
  double share = 1;
  for (int i = 0; i < kMostHalvings; ++i, share *= 0.5) {
    if (least_volume(share) > 0) return share;
  }
  return 0;
}

VectorXd lumped_masses(const SolidModel& model) {
  VectorXd masses = VectorXd::Zero(static_cast<Eigen::Index>(model.mesh.nodes.size()));
  for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
    const double density = model.materials[static_cast<std::size_t>(model.mesh.region(e))].density;
    const Eigen::MatrixXd mass =
        element_mass(model.mesh.order, element_nodes(model.mesh, e), density, MassRule::Lumped);
    const auto nodes = model.mesh.element(e);
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      masses(nodes[a]) += mass(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(a));
    }
  }
  return masses;
}

}  // namespace supple::fem
