// SPDX-License-Identifier: Apache-2.0
#include "fem/p_multigrid.hpp"

#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/tet_mesh.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace supple::fem {
namespace {

using geometry::Index;
using reduction::MultiVector;

constexpr std::size_t kTransferGrain = 1024;

/// Degree of the smoother and the part of the spectrum it must damp, [largest/kRange, largest],
/// because the coarse space cannot represent it.
constexpr int kDegree = 3;
constexpr double kRange = 12;

/// The same model with 4-node elements.
SolidModel linear_model(const SolidModel& model, std::vector<Index>& node_of_coarse) {
  SolidModel linear;
  linear.mesh = geometry::to_linear(model.mesh);
  linear.materials = model.materials;
  linear.mass_rule = MassRule::Consistent;
  // to_linear keeps the corner nodes in their order.
  std::vector<std::uint8_t> is_corner(model.mesh.nodes.size(), 0);
  for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
    for (int i = 0; i < 4; ++i) is_corner[model.mesh.element(e)[i]] = 1;
  }
  for (std::size_t node = 0; node < is_corner.size(); ++node) {
    if (is_corner[node] == 0) continue;
    node_of_coarse.push_back(static_cast<Index>(node));
    if (!model.fixed.empty()) linear.fixed.push_back(model.fixed[node]);
  }
  return linear;
}

}  // namespace

Result<std::unique_ptr<PMultigrid>> PMultigrid::create(const SolidModel& model,
                                                       const SolidMatrices& fine, double shift) {
  if (model.mesh.order != geometry::TetOrder::Quadratic) {
    return bad_input("the iterative method needs 10-node elements; use the direct one");
  }
  std::unique_ptr<PMultigrid> cycle(new PMultigrid(fine, shift));
  cycle->link_levels(model);
  {
    std::vector<Index> node_of_coarse;
    const SolidModel linear = linear_model(model, node_of_coarse);
    SUPPLE_TRY(cycle->m_coarse, assemble(linear));
    // Coarse matrix nodes in terms of the fine mesh's nodes.
    std::vector<Index> matrix_node(model.mesh.nodes.size(), -1);
    for (std::size_t i = 0; i < node_of_coarse.size(); ++i) {
      matrix_node[node_of_coarse[i]] = cycle->m_coarse.matrix_node[i];
    }
    for (auto& ends : cycle->m_ends) {
      for (Index& end : ends) end = end < 0 ? -1 : matrix_node[end];
    }
  }
  const auto coarse_count = cycle->m_coarse.free_nodes.size();
  cycle->m_start.assign(coarse_count + 1, 0);
  for (const auto& ends : cycle->m_ends) {
    for (const Index end : ends) {
      if (end >= 0) ++cycle->m_start[end + 1];
    }
  }
  for (std::size_t i = 0; i < coarse_count; ++i) cycle->m_start[i + 1] += cycle->m_start[i];
  cycle->m_fine_node.resize(static_cast<std::size_t>(cycle->m_start.back()));
  std::vector<std::int64_t> next(cycle->m_start.begin(), cycle->m_start.end() - 1);
  for (std::size_t i = 0; i < cycle->m_ends.size(); ++i) {
    for (const Index end : cycle->m_ends[i]) {
      if (end >= 0) cycle->m_fine_node[next[end]++] = static_cast<Index>(i);
    }
  }

  SUPPLE_TRY(reduction::SymbolicFactor symbolic,
             reduction::analyse(*cycle->m_coarse.stiffness.graph));
  SUPPLE_TRY(cycle->m_factor, reduction::Cholesky<float>::factorise(
                                  std::make_shared<reduction::SymbolicFactor>(std::move(symbolic)),
                                  cycle->m_coarse.stiffness, &cycle->m_coarse.mass, shift));
  cycle->invert_diagonal();
  cycle->estimate_largest();
  return cycle;
}

/// A corner is the mean of itself and itself; for now in mesh numbers, -1 for none.
void PMultigrid::link_levels(const SolidModel& model) {
  m_ends.assign(m_fine.free_nodes.size(), {-1, -1});
  for (std::size_t e = 0; e < model.mesh.element_count(); ++e) {
    const auto nodes = model.mesh.element(e);
    for (int i = 0; i < 10; ++i) {
      const Index row = m_fine.matrix_node[nodes[i]];
      if (row < 0) continue;
      m_ends[row] = i < 4 ? std::array<Index, 2>{nodes[i], nodes[i]}
                          : std::array<Index, 2>{nodes[geometry::kTetEdges[i - 4][0]],
                                                 nodes[geometry::kTetEdges[i - 4][1]]};
    }
  }
}

void PMultigrid::invert_diagonal() {
  const reduction::NodeGraph& graph = *m_fine.stiffness.graph;
  m_inverse_diagonal.resize(9 * m_ends.size());
  parallel_for(m_ends.size(), kTransferGrain, [&](std::size_t row) {
    const std::int64_t entry = graph.entry(static_cast<Index>(row), static_cast<Index>(row));
    using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    Block block = Eigen::Map<const Block>(m_fine.stiffness.blocks.data() + 9 * entry);
    block.diagonal().array() += m_shift * m_fine.mass.values[entry];
    Eigen::Map<Block>(m_inverse_diagonal.data() + 9 * row) = block.inverse();
  });
}

namespace {

/// y = D^-1 x, block by block.
void divide_by_diagonal(const std::vector<double>& inverse, const MultiVector& x, double factor,
                        MultiVector& y) {
  const Eigen::Index width = x.cols();
  parallel_for(inverse.size() / 9, kTransferGrain, [&](std::size_t row) {
    const double* d = inverse.data() + 9 * row;
    const double* in = x.data() + 3 * row * width;
    double* out = y.data() + 3 * row * width;
    for (int r = 0; r < 3; ++r) {
      for (Eigen::Index c = 0; c < width; ++c) {
        out[r * width + c] = factor * (d[3 * r] * in[c] + d[3 * r + 1] * in[width + c] +
                                       d[3 * r + 2] * in[2 * width + c]);
      }
    }
  });
}

/// y <- a y + b x, in parallel.
void scale_and_add(double a, MultiVector& y, double b, const MultiVector& x) {
  parallel_chunks(static_cast<std::size_t>(y.size()), 1U << 16U,
                  [&](std::size_t begin, std::size_t end) {
                    double* out = y.data();
                    const double* in = x.data();
                    for (std::size_t i = begin; i < end; ++i) out[i] = a * out[i] + b * in[i];
                  });
}

}  // namespace

/// Power iteration on D^-1 A from a fixed random start, with a margin for its error.
void PMultigrid::estimate_largest() {
  Random random(7);
  MultiVector x(static_cast<Eigen::Index>(3 * m_ends.size()), 1);
  for (Eigen::Index i = 0; i < x.size(); ++i) x(i, 0) = random.uniform(-1, 1);
  for (const std::int64_t row : m_fine.mass.fixed) x(row, 0) = 0;
  MultiVector ax;
  MultiVector y(x.rows(), 1);
  for (int i = 0; i < 12; ++i) {
    x /= x.norm();
    multiply(x, ax);
    divide_by_diagonal(m_inverse_diagonal, ax, 1.0, y);
    m_largest = y.norm();
    x = y;
  }
  m_largest *= 1.15;
}

void PMultigrid::multiply(const MultiVector& x, MultiVector& y) const {
  m_fine.stiffness.apply(x, y);
  if (m_shift == 0) return;
  MultiVector mass_times;
  m_fine.mass.apply(x, mass_times);
  scale_and_add(1, y, m_shift, mass_times);
}

void PMultigrid::prolong(const MultiVector& coarse, MultiVector& fine) const {
  const Eigen::Index width = coarse.cols();
  fine.resize(static_cast<Eigen::Index>(3 * m_ends.size()), width);
  parallel_for(m_ends.size(), kTransferGrain, [&](std::size_t row) {
    auto out = fine.middleRows<3>(static_cast<Eigen::Index>(3 * row));
    out.setZero();
    for (const Index end : m_ends[row]) {
      if (end >= 0) out += 0.5 * coarse.middleRows<3>(3 * Eigen::Index{end});
    }
  });
  for (const std::int64_t row : m_fine.mass.fixed) fine.row(row).setZero();
}

void PMultigrid::restrict(const MultiVector& fine, MultiVector& coarse) const {
  coarse.resize(static_cast<Eigen::Index>(3 * (m_start.size() - 1)), fine.cols());
  parallel_for(m_start.size() - 1, kTransferGrain, [&](std::size_t row) {
    auto out = coarse.middleRows<3>(static_cast<Eigen::Index>(3 * row));
    out.setZero();
    for (auto k = m_start[row]; k < m_start[row + 1]; ++k) {
      out += 0.5 * fine.middleRows<3>(3 * Eigen::Index{m_fine_node[k]});
    }
  });
  for (const std::int64_t row : m_coarse.mass.fixed) coarse.row(row).setZero();
}

/// Chebyshev iteration on [largest/kRange, largest] with the block diagonal as inner inverse
/// [ABHT03, algorithm 1].
void PMultigrid::smooth(MultiVector& r, MultiVector& x, bool update_residual) const {
  const double centre = 0.5 * m_largest * (1 + 1 / kRange);
  const double half = 0.5 * m_largest * (1 - 1 / kRange);
  const double ratio = centre / half;
  double rho = 1 / ratio;
  MultiVector step(r.rows(), r.cols());
  MultiVector scratch(r.rows(), r.cols());
  divide_by_diagonal(m_inverse_diagonal, r, 1 / centre, step);
  for (int degree = 1;; ++degree) {
    scale_and_add(1, x, 1, step);
    if (degree == kDegree && !update_residual) return;
    multiply(step, scratch);
    scale_and_add(1, r, -1, scratch);
    if (degree == kDegree) return;
    const double next = 1 / (2 * ratio - rho);
    divide_by_diagonal(m_inverse_diagonal, r, 2 * next / half, scratch);
    scale_and_add(next * rho, step, 1, scratch);
    rho = next;
  }
}

void PMultigrid::apply(const MultiVector& x, MultiVector& y) const {
  MultiVector r = x;
  y = MultiVector::Zero(x.rows(), x.cols());
  smooth(r, y, true);
  MultiVector coarse;
  MultiVector correction;
  restrict(r, coarse);
  m_factor->apply(coarse, coarse);
  prolong(coarse, correction);
  scale_and_add(1, y, 1, correction);
  MultiVector product;
  multiply(correction, product);
  scale_and_add(1, r, -1, product);
  smooth(r, y, false);
}

}  // namespace supple::fem
