// SPDX-License-Identifier: Apache-2.0
#include "fem/rest_strains.hpp"

#include "fem/shell_measures.hpp"
#include "supple/core/parallel.hpp"

#include <cmath>
#include <numeric>

namespace supple::fem {
namespace {

using geometry::Index;
using reduction::MultiVector;

constexpr std::size_t kStrainGrain = 512;

}  // namespace

RestStrains::RestStrains(const DiscreteShell& shell, const ShellSystem& system)
    : m_bending(shell.bending()), m_turns(static_cast<Eigen::Index>(shell.edges().size())) {
  const ShellModel& model = shell.model();
  const auto& positions = model.mesh.positions;
  m_rows.reserve(model.mesh.triangles.size() + 2 * shell.edges().size());
  for (std::size_t t = 0; t < model.mesh.triangles.size(); ++t) {
    const geometry::Triangle& nodes = model.mesh.triangles[t];
    Corners corners;
    for (int i = 0; i < 3; ++i) corners.col(i) = positions[nodes[i]];
    const double k = model.material_of(t).area_stiffness;
    const Vector9 gradient = area_gradient(corners);
    add(system, nodes.data(), 3, gradient.data(), 2 * k / triangle_area(corners));
  }
  for (const DiscreteShell::Edge& edge : shell.edges()) {
    const std::array<Index, 4> nodes = edge.hinge();
    const Vector6 stretch = length_gradient(positions[nodes[0]], positions[nodes[1]]);
    add(system, nodes.data(), 2, stretch.data(), edge.stretching_weight());
  }
  for (const DiscreteShell::Edge& edge : shell.edges()) {
    const std::array<Index, 4> nodes = edge.hinge();
    Vector12 bend = Vector12::Zero();
    if (edge.bends()) {
      Hinge hinge;
      for (int i = 0; i < 4; ++i) hinge.col(i) = positions[nodes[i]];
      bend = angle_gradient(hinge);
    }
    add(system, nodes.data(), edge.bends() ? 4 : 0, bend.data(), 1);
  }
  take_out_fixed(model.fixed, system);
  m_slot_start.assign(system.free_nodes.size() + 1, 0);
  for (const Row& row : m_rows) {
    for (const Index node : row.nodes) {
      if (node >= 0) ++m_slot_start[node + 1];
    }
  }
  std::partial_sum(m_slot_start.begin(), m_slot_start.end(), m_slot_start.begin());
  m_slots.resize(static_cast<std::size_t>(m_slot_start.back()));
  std::vector<std::int64_t> next(m_slot_start.begin(), m_slot_start.end() - 1);
  for (std::size_t r = 0; r < m_rows.size(); ++r) {
    for (int i = 0; i < 4; ++i) {
      const Index node = m_rows[r].nodes[i];
      if (node >= 0) m_slots[next[node]++] = static_cast<std::int64_t>(4 * r) + i;
    }
  }
}

void RestStrains::add(const ShellSystem& system, const Index* nodes, int count,
                      const double* gradient, double weight) {
  if (weight == 0) return;
  Row row;
  for (int i = 0; i < count; ++i) {
    row.nodes[i] = system.matrix_node[nodes[i]];
    row.gradient.col(i) = std::sqrt(weight) * Eigen::Map<const Eigen::Vector3d>(gradient + 3 * i);
  }
  m_rows.push_back(row);
}

/// For nodes with some components fixed; nodes with all components fixed are excluded.
void RestStrains::take_out_fixed(const std::vector<std::uint8_t>& fixed,
                                 const ShellSystem& system) {
  if (system.mass.fixed.empty()) return;
  for (Row& row : m_rows) {
    for (int i = 0; i < 4; ++i) {
      if (row.nodes[i] < 0) continue;
      const int bits = fixed[system.free_nodes[row.nodes[i]]];
      for (int c = 0; c < 3; ++c) {
        if ((bits >> c & 1) != 0) row.gradient(c, i) = 0;
      }
    }
  }
}

MultiVector RestStrains::measures(const MultiVector& u) const {
  MultiVector result(static_cast<Eigen::Index>(m_rows.size()), u.cols());
  parallel_for(m_rows.size(), kStrainGrain, [&](std::size_t r) {
    auto sum = result.row(static_cast<Eigen::Index>(r));
    sum.setZero();
    for (int i = 0; i < 4; ++i) {
      const Eigen::Index node = m_rows[r].nodes[i];
      if (node < 0) continue;
      for (int c = 0; c < 3; ++c) sum += m_rows[r].gradient(c, i) * u.row(3 * node + c);
    }
  });
  return result;
}

void RestStrains::apply(const MultiVector& u, MultiVector& y) const {
  MultiVector forces = measures(u);
  forces.bottomRows(m_turns) = m_bending.moments(m_bending.strains(forces.bottomRows(m_turns)));
  y.resize(u.rows(), u.cols());
  parallel_for(m_slot_start.size() - 1, kStrainGrain, [&](std::size_t node) {
    const auto first = static_cast<Eigen::Index>(3 * node);
    y.middleRows<3>(first).setZero();
    for (auto k = m_slot_start[node]; k < m_slot_start[node + 1]; ++k) {
      const std::int64_t row = m_slots[k] / 4;
      for (int c = 0; c < 3; ++c) {
        y.row(first + c) += m_rows[row].gradient(c, m_slots[k] % 4) * forces.row(row);
      }
    }
  });
}

Eigen::MatrixXd RestStrains::products(const MultiVector& u) const {
  const MultiVector all = measures(u);
  const MultiVector stretching = all.topRows(all.rows() - m_turns);
  const MultiVector bending = m_bending.strains(all.bottomRows(m_turns));
  return reduction::inner_products(stretching, stretching) +
         reduction::inner_products(bending, bending);
}

}  // namespace supple::fem
