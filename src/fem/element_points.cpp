// SPDX-License-Identifier: Apache-2.0
#include "fem/element_points.hpp"

#include "supple/core/check.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <numeric>

namespace supple::fem {
namespace {

using geometry::Index;

/// Shape gradients of a triangle in its own plane, with axes along its first side and across.
Eigen::Matrix3d triangle_gradients(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                                   const Eigen::Vector3d& c) {
  const Eigen::Vector3d along = (b - a).normalized();
  const Eigen::Vector3d normal = (b - a).cross(c - a).normalized();
  const Eigen::Vector3d across = normal.cross(along);
  Eigen::Matrix2d edges;  // from the first corner
  edges << (b - a).norm(), along.dot(c - a), 0, across.dot(c - a);
  const Eigen::Matrix2d inverse = edges.inverse();
  Eigen::Matrix3d gradients = Eigen::Matrix3d::Zero();
  gradients.col(1).head<2>() = inverse.row(0);
  gradients.col(2).head<2>() = inverse.row(1);
  gradients.col(0) = -gradients.col(1) - gradients.col(2);
  return gradients;
}

}  // namespace

ElementPoints::ElementPoints(const SolidModel& model, Index first_vertex)
    : nodes(static_cast<std::size_t>(model.mesh.nodes_per_element())),
      points(model.mesh.order == geometry::TetOrder::Linear ? 1 : 4),
      m_first(first_vertex) {
  const std::size_t elements = model.mesh.element_count();
  lambda.resize(elements);
  mu.resize(elements);
  volumes.resize(elements * points);
  gradients.resize(3 * nodes * points * elements);
  parallel_for(elements, kGrain, [&](std::size_t e) {
    const Lame lame =
        lame_constants(model.materials[static_cast<std::size_t>(model.mesh.region(e))]);
    lambda[e] = lame.lambda;
    mu[e] = lame.mu;
    const ElementGradients all = element_gradients(model.mesh.order, element_nodes(model.mesh, e));
    SUPPLE_CHECK_OP(static_cast<std::size_t>(all.points), ==, points);
    for (std::size_t p = 0; p < points; ++p) {
      volumes[e * points + p] = all.volume[p];
      std::copy_n(all.gradients[p].data(), 3 * nodes,
                  gradients.begin() + static_cast<std::ptrdiff_t>(3 * nodes * (e * points + p)));
    }
  });
  list_parts(model.mesh.nodes.size(), model.mesh.connectivity);
}

ElementPoints::ElementPoints(const SheetModel& model, Index first_vertex)
    : nodes(3), points(1), m_first(first_vertex) {
  const std::size_t elements = model.mesh.triangles.size();
  lambda.resize(elements);
  mu.resize(elements);
  volumes.resize(elements);
  gradients.resize(9 * elements);
  parallel_for(elements, kGrain, [&](std::size_t t) {
    const SheetMaterial& material = model.material_of(t);
    const double nu = material.poisson_ratio;
    lambda[t] = material.youngs_modulus * nu / (1 - nu * nu);
    mu[t] = material.youngs_modulus / (2 * (1 + nu));
    const auto& [a, b, c] = model.mesh.triangles[t];
    const auto& at = model.mesh.positions;
    volumes[t] = 0.5 * material.thickness * (at[b] - at[a]).cross(at[c] - at[a]).norm();
    Eigen::Map<Eigen::Matrix3d>(gradients.data() + 9 * t) = triangle_gradients(at[a], at[b], at[c]);
  });
  std::vector<Index> connectivity;
  connectivity.reserve(3 * elements);
  for (const geometry::Triangle& triangle : model.mesh.triangles) {
    connectivity.insert(connectivity.end(), triangle.begin(), triangle.end());
  }
  list_parts(model.mesh.positions.size(), connectivity);
}

void ElementPoints::list_parts(std::size_t vertex_count, std::span<const Index> connectivity) {
  vertices.reserve(connectivity.size());
  for (const Index node : connectivity) vertices.push_back(m_first + node);
  m_part_start.assign(vertex_count + 1, 0);
  for (const Index node : connectivity) ++m_part_start[node + 1];
  std::partial_sum(m_part_start.begin(), m_part_start.end(), m_part_start.begin());
  m_parts.resize(connectivity.size());
  std::vector<std::int64_t> next(m_part_start.begin(), m_part_start.end() - 1);
  for (std::size_t i = 0; i < m_parts.size(); ++i) {
    m_parts[next[connectivity[i]]++] = static_cast<std::int64_t>(i);
  }
}

void ElementPoints::gather(const Eigen::Matrix3Xd& parts, Eigen::VectorXd& gradient) const {
  parallel_for(m_part_start.size() - 1, 4 * kGrain, [&](std::size_t node) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (auto k = m_part_start[node]; k < m_part_start[node + 1]; ++k) sum += parts.col(m_parts[k]);
    gradient.segment<3>(3 * (m_first + static_cast<Eigen::Index>(node))) += sum;
  });
}

void ElementPoints::list_couplings(std::vector<Coupling>& list) const {
  for (std::size_t e = 0; e < element_count(); ++e) {
    const Index* of_element = vertices.data() + nodes * e;
    for (std::size_t a = 0; a < nodes; ++a) {
      for (std::size_t b = 0; b <= a; ++b) list.push_back({of_element[a], of_element[b]});
    }
  }
}

}  // namespace supple::fem
