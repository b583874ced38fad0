// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/membrane_energy.hpp"

#include "fem/element_points.hpp"
#include "fem/membrane_law.hpp"

#include <algorithm>

namespace supple::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::VectorXd;
using geometry::Index;

Matrix32d in_plane(const Matrix3d& f) {
  return f.leftCols<2>();
}

/// The longest share of a step over which the largest stretch stays clear of `limit`: a tenth of
/// the gap remains. A norm is convex along a line, so that it crosses a bound above its start once,
/// and bisection cannot miss that.
double share_below(double limit, const Matrix32d& f, const Matrix32d& change) {
  constexpr double kKept = 0.1;
  const double bound = limit - kKept * std::max(limit - largest_stretch(f), 0.0);
  if (largest_stretch(f + change) <= bound) return 1;
  double inside = 0;
  double outside = 1;
  constexpr int kBisections = 40;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = 0.5 * (inside + outside);
    (largest_stretch(f + middle * change) <= bound ? inside : outside) = middle;
  }
  return inside;
}

}  // namespace

struct MembraneElements {
  ElementPoints points;
  std::vector<LimitOfStretch> limits;  ///< per triangle
};

MembraneEnergy::MembraneEnergy(const SheetModel& model, Index first_vertex) {
  std::vector<LimitOfStretch> limits;
  limits.reserve(model.mesh.triangles.size());
  for (std::size_t t = 0; t < model.mesh.triangles.size(); ++t) {
    limits.emplace_back(model.material_of(t));
  }
  m_elements = std::make_shared<const MembraneElements>(
      MembraneElements{ElementPoints(model, first_vertex), std::move(limits)});
}

EnergyValue MembraneEnergy::value(const VectorXd& x) const {
  return m_elements->points.sum([&](const ElementPoints::Point& at, std::size_t t) {
    return membrane_density(at.lame, m_elements->limits[t], in_plane(at.deformation(x)));
  });
}

void MembraneEnergy::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  m_elements->points.add_gradient(
      [&](const ElementPoints::Point& at, std::size_t t) {
        Matrix3d stress = Matrix3d::Zero();
        stress.leftCols<2>() =
            membrane_stress(at.lame, m_elements->limits[t], in_plane(at.deformation(x)));
        return stress;
      },
      gradient);
}

std::size_t MembraneEnergy::coupling_count() const {
  return m_elements->points.coupling_count();
}

void MembraneEnergy::list_couplings(std::vector<Coupling>& list) const {
  m_elements->points.list_couplings(list);
}

void MembraneEnergy::write_hessian(const VectorXd& x, Curvature curvature,
                                   std::span<double> blocks) const {
  m_elements->points.write_hessian(
      blocks, [&](const ElementPoints::Point& at, std::size_t t, double* out) {
        MembraneCurvature c(at.lame, m_elements->limits[t], in_plane(at.deformation(x)));
        if (curvature == Curvature::Definite) c.make_definite();
        const Eigen::Matrix<double, 2, 3> g = c.v.transpose() * at.gradients.topRows<2>();
        for (Eigen::Index a = 0; a < 3; ++a) {
          for (Eigen::Index b = 0; b <= a; ++b, out += 9) {
            HessianBlock(out) += at.volume * c.block(g.col(a), g.col(b));
          }
        }
      });
}

double MembraneEnergy::longest_share(const VectorXd& x, const VectorXd& step) {
  const ElementPoints& points = m_elements->points;
  return parallel_reduce(
      points.element_count(), ElementPoints::kGrain, 1.0,
      [&](std::size_t begin, std::size_t end) {
        double share = 1;
        for (std::size_t t = begin; t < end; ++t) {
          const LimitOfStretch& limit = m_elements->limits[t];
          if (limit.kind != StretchLimit::Hard) continue;
          const ElementPoints::Point at = points.point(t, 0);
          share = std::min(share, share_below(limit.stretch, in_plane(at.deformation(x)),
                                              in_plane(at.deformation(step))));
        }
        return share;
      },
      [](double a, double b) { return std::min(a, b); });
}

std::vector<double> MembraneEnergy::stretches(const VectorXd& x) const {
  const ElementPoints& points = m_elements->points;
  std::vector<double> result(points.element_count());
  parallel_for(result.size(), ElementPoints::kGrain, [&](std::size_t t) {
    result[t] = largest_stretch(in_plane(points.point(t, 0).deformation(x)));
  });
  return result;
}

Index MembraneEnergy::beyond_limit(const VectorXd& x) const {
  const std::vector<double> all = stretches(x);
  Index worst = -1;
  double most = 0;
  for (std::size_t t = 0; t < all.size(); ++t) {
    const LimitOfStretch& limit = m_elements->limits[t];
    const double excess = all[t] - limit.stretch;
    if (limit.kind != StretchLimit::Hard || excess < most) continue;
    worst = static_cast<Index>(t);
    most = excess;
  }
  return worst;
}

}  // namespace supple::fem
