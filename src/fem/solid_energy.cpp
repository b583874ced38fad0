// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/solid_energy.hpp"

#include "fem/solid_laws.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"

#include <numeric>

namespace supple::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using geometry::Index;
using Gradients = Eigen::Map<const Eigen::Matrix3Xd>;

constexpr std::size_t kElementGrain = 64;

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

}  // namespace

struct SolidEnergy::Point {
  std::span<const Index> vertices;
  Gradients gradients;  ///< one column per node
  double volume;
  Lame lame;

  /// F, the derivative of positions by rest positions.
  [[nodiscard]] Matrix3d deformation(const VectorXd& x) const {
    Matrix3d f = Matrix3d::Zero();
    for (std::size_t a = 0; a < vertices.size(); ++a) {
      f += x.segment<3>(3 * Eigen::Index{vertices[a]}) *
           gradients.col(static_cast<Eigen::Index>(a)).transpose();
    }
    return f;
  }
};

SolidEnergy::SolidEnergy(const SolidModel& model, SolidLaw law, Index first_vertex)
    : m_law(law),
      m_nodes(static_cast<std::size_t>(model.mesh.nodes_per_element())),
      m_points(model.mesh.order == geometry::TetOrder::Linear ? 1 : 4),
      m_first(first_vertex) {
  const std::size_t elements = model.mesh.element_count();
  m_vertices.reserve(model.mesh.connectivity.size());
  for (const Index node : model.mesh.connectivity) m_vertices.push_back(first_vertex + node);
  m_lambda.resize(elements);
  m_mu.resize(elements);
  m_volumes.resize(elements * m_points);
  m_gradients.resize(3 * m_nodes * m_points * elements);
  parallel_for(elements, kElementGrain, [&](std::size_t e) {
    const Lame lame =
        lame_constants(model.materials[static_cast<std::size_t>(model.mesh.region(e))]);
    m_lambda[e] = lame.lambda;
    m_mu[e] = lame.mu;
    const ElementGradients all = element_gradients(model.mesh.order, element_nodes(model.mesh, e));
    SUPPLE_CHECK_OP(static_cast<std::size_t>(all.points), ==, m_points);
    for (std::size_t p = 0; p < m_points; ++p) {
      m_volumes[e * m_points + p] = all.volume[p];
      std::copy_n(
          all.gradients[p].data(), 3 * m_nodes,
          m_gradients.begin() + static_cast<std::ptrdiff_t>(3 * m_nodes * (e * m_points + p)));
    }
  });
  m_part_start.assign(model.mesh.nodes.size() + 1, 0);
  for (const Index node : model.mesh.connectivity) ++m_part_start[node + 1];
  std::partial_sum(m_part_start.begin(), m_part_start.end(), m_part_start.begin());
  m_parts.resize(model.mesh.connectivity.size());
  std::vector<std::int64_t> next(m_part_start.begin(), m_part_start.end() - 1);
  for (std::size_t i = 0; i < m_parts.size(); ++i) {
    m_parts[next[model.mesh.connectivity[i]]++] = static_cast<std::int64_t>(i);
  }
}

SolidEnergy::Point SolidEnergy::point(std::size_t element, std::size_t p) const {
  const std::size_t index = element * m_points + p;
  return {
      std::span(m_vertices).subspan(m_nodes * element, m_nodes),
      Gradients(m_gradients.data() + 3 * m_nodes * index, 3, static_cast<Eigen::Index>(m_nodes)),
      m_volumes[index],
      {m_lambda[element], m_mu[element]}};
}

EnergyValue SolidEnergy::value(const VectorXd& x) const {
  return parallel_reduce(
      element_count(), kElementGrain, EnergyValue{},
      [&](std::size_t begin, std::size_t end) {
        EnergyValue sum;
        for (std::size_t e = begin; e < end; ++e) {
          for (std::size_t p = 0; p < m_points; ++p) {
            const Point at = point(e, p);
            const EnergyValue density = energy_density(m_law, at.lame, at.deformation(x));
            sum += {at.volume * density.joules, at.volume * density.magnitude};
          }
        }
        return sum;
      },
      [](EnergyValue a, const EnergyValue& b) { return a += b; });
}

void SolidEnergy::add_gradient(const VectorXd& x, VectorXd& gradient) const {
  // Each element writes its own parts and each vertex sums its own: no races, and a fixed order.
  Eigen::Matrix3Xd parts = Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(m_vertices.size()));
  parallel_for(element_count(), kElementGrain, [&](std::size_t e) {
    for (std::size_t p = 0; p < m_points; ++p) {
      const Point at = point(e, p);
      parts.middleCols(static_cast<Eigen::Index>(m_nodes * e),
                       static_cast<Eigen::Index>(m_nodes)) +=
          at.volume * stress(m_law, at.lame, at.deformation(x)) * at.gradients;
    }
  });
  parallel_for(m_part_start.size() - 1, 4 * kElementGrain, [&](std::size_t node) {
    Vector3d sum = Vector3d::Zero();
    for (auto k = m_part_start[node]; k < m_part_start[node + 1]; ++k) sum += parts.col(m_parts[k]);
    gradient.segment<3>(3 * (m_first + static_cast<Eigen::Index>(node))) += sum;
  });
}

std::size_t SolidEnergy::coupling_count() const {
  return element_count() * m_nodes * (m_nodes + 1) / 2;
}

void SolidEnergy::list_couplings(std::vector<Coupling>& list) const {
  for (std::size_t e = 0; e < element_count(); ++e) {
    const Index* vertices = m_vertices.data() + m_nodes * e;
    for (std::size_t a = 0; a < m_nodes; ++a) {
      for (std::size_t b = 0; b <= a; ++b) list.push_back({vertices[a], vertices[b]});
    }
  }
}

void SolidEnergy::write_hessian(const VectorXd& x, Curvature curvature,
                                std::span<double> blocks) const {
  using Block = Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
  const std::size_t per_element = 9 * m_nodes * (m_nodes + 1) / 2;
  parallel_for(element_count(), kElementGrain, [&](std::size_t e) {
    double* const first = blocks.data() + per_element * e;
    std::fill_n(first, per_element, 0.0);
    for (std::size_t p = 0; p < m_points; ++p) {
      const Point at = point(e, p);
      PrincipalCurvature c = principal_curvature(m_law, at.lame, at.deformation(x));
      if (curvature == Curvature::Definite) c.make_definite();
      const Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 10> g = c.v.transpose() * at.gradients;
      double* out = first;
      for (Eigen::Index a = 0; a < g.cols(); ++a) {
        for (Eigen::Index b = 0; b <= a; ++b, out += 9) {
          Block(out).noalias() +=
              at.volume * (c.u * principal_block(c, g.col(a), g.col(b)) * c.u.transpose());
        }
      }
    }
  });
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
