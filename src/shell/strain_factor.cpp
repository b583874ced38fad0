// SPDX-License-Identifier: Apache-2.0
#include "shell/strain_factor.hpp"

#include "supple/reduction/symbolic_factor.hpp"

#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <limits>
#include <utility>

namespace supple::shell {
namespace {

using geometry::Index;
using geometry::Triangle;
using geometry::Vec3;
using Sparse = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int32_t>;

std::array<double, 3> half_cotangents(const geometry::TriMesh& mesh, const Triangle& corner) {
  std::array<double, 3> result{};
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 u = mesh.positions[corner[(i + 1) % 3]] - mesh.positions[corner[i]];
    const Vec3 v = mesh.positions[corner[(i + 2) % 3]] - mesh.positions[corner[i]];
    result[i] = 0.5 * u.dot(v) / u.cross(v).norm();
  }
  return result;
}

/// Whether the solve positions a node. In each piece that nothing holds, the position of the node
/// nearest to the centre of mass is given, since the equations do not determine it.
std::vector<char> placed_nodes(const fem::DiscreteShell& shell) {
  const fem::ShellModel& model = shell.model();
  const std::size_t nodes = model.mesh.positions.size();
  std::vector<char> placed(nodes, 1);
  for (std::size_t i = 0; i < nodes && !model.fixed.empty(); ++i) {
    if (model.fixed[i] == fem::kFixAll) placed[i] = 0;
  }
  const std::vector<Index> piece = geometry::components(model.mesh);
  std::vector<Index> piece_of_node(nodes, -1);
  Index count = 0;
  for (std::size_t t = 0; t < piece.size(); ++t) {
    for (const Index node : model.mesh.triangles[t]) piece_of_node[node] = piece[t];
    count = std::max(count, piece[t] + 1);
  }
  struct Sum {
    Vec3 moment = Vec3::Zero();
    double mass = 0;
    bool held = false;
    Index nearest = -1;
    double distance = std::numeric_limits<double>::infinity();
  };
  std::vector<Sum> sums(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < nodes; ++i) {
    if (piece_of_node[i] < 0) {
      placed[i] = 0;
      continue;
    }
    Sum& sum = sums[piece_of_node[i]];
    const double mass = shell.masses()(static_cast<Eigen::Index>(i));
    sum.moment += mass * model.mesh.positions[i];
    sum.mass += mass;
    sum.held = sum.held || placed[i] == 0;
  }
  for (std::size_t i = 0; i < nodes; ++i) {
    if (piece_of_node[i] < 0) continue;
    Sum& sum = sums[piece_of_node[i]];
    const double away = (model.mesh.positions[i] - sum.moment / sum.mass).squaredNorm();
    if (away < sum.distance) {
      sum.distance = away;
      sum.nearest = static_cast<Index>(i);
    }
  }
  for (const Sum& sum : sums) {
    if (!sum.held) placed[sum.nearest] = 0;
  }
  return placed;
}

/// The Laplacian over the placed nodes, both triangles. Cotangents of obtuse angles are negative
/// and stay negative: per triangle the sum is the energy of a linear function's gradient, which is
/// never negative, so clamping is unnecessary and every triangle keeps its weight.
Sparse laplacian(const geometry::TriMesh& mesh,
                 const std::vector<std::array<double, 3>>& cotangents,
                 const std::vector<Index>& row_of_node, Index rows) {
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  entries.reserve(12 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = row_of_node[mesh.triangles[t][(k + 1) % 3]];
      const Index b = row_of_node[mesh.triangles[t][(k + 2) % 3]];
      const double weight = cotangents[t][k];
      if (a >= 0) entries.emplace_back(a, a, weight);
      if (b >= 0) entries.emplace_back(b, b, weight);
      if (a >= 0 && b >= 0) {
        entries.emplace_back(a, b, -weight);
        entries.emplace_back(b, a, -weight);
      }
    }
  }
  Sparse matrix(rows, rows);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Result<std::vector<Index>> elimination_order(const Sparse& matrix) {
  reduction::NodeGraph graph;
  graph.row_start.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + matrix.cols() + 1);
  graph.column.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
  SUPPLE_TRY(reduction::SymbolicFactor symbolic, reduction::analyse(graph));
  return std::move(symbolic.order);
}

}  // namespace

Result<StrainFactor> factorise_strain(const fem::DiscreteShell& shell) {
  const geometry::TriMesh& mesh = shell.model().mesh;
  StrainFactor factor;
  factor.cotangents.reserve(mesh.triangles.size());
  for (const Triangle& corner : mesh.triangles) {
    factor.cotangents.push_back(half_cotangents(mesh, corner));
  }
  const std::vector<char> placed = placed_nodes(shell);
  std::vector<Index> row_of_node(placed.size(), -1);
  std::vector<Index> nodes;
  nodes.reserve(placed.size());
  for (std::size_t i = 0; i < placed.size(); ++i) {
    if (placed[i] == 0) continue;
    row_of_node[i] = static_cast<Index>(nodes.size());
    nodes.push_back(static_cast<Index>(i));
  }
  const auto rows = static_cast<Index>(nodes.size());
  factor.column_start.assign(1, 0);
  if (rows == 0) return factor;
  const Sparse matrix = laplacian(mesh, factor.cotangents, row_of_node, rows);
  SUPPLE_TRY(const std::vector<Index> order, elimination_order(matrix));
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, std::int32_t> to_order(rows);
  factor.order.reserve(nodes.size());
  for (Index k = 0; k < rows; ++k) {
    to_order.indices()(order[k]) = k;
    factor.order.push_back(nodes[order[k]]);
  }
  Sparse ordered;
  ordered = matrix.twistedBy(to_order);
  const Eigen::SimplicialLLT<Sparse, Eigen::Lower, Eigen::NaturalOrdering<std::int32_t>> llt(
      ordered);
  if (llt.info() != Eigen::Success) {
    return not_converged(
        "the Laplacian of the shell could not be factorised: some triangles are almost collinear; "
        "clean the mesh");
  }
  const Sparse lower = llt.matrixL();
  factor.column_start.assign(lower.outerIndexPtr(), lower.outerIndexPtr() + rows + 1);
  factor.rows.assign(lower.innerIndexPtr(), lower.innerIndexPtr() + lower.nonZeros());
  factor.values.assign(lower.valuePtr(), lower.valuePtr() + lower.nonZeros());
  return factor;
}

Eigen::MatrixX3d solve_strain(const StrainFactor& factor, Eigen::MatrixX3d rhs) {
  const auto columns = static_cast<Eigen::Index>(factor.order.size());
  for (Eigen::Index j = 0; j < columns; ++j) {
    const std::uint32_t diagonal = factor.column_start[j];
    rhs.row(j) /= factor.values[diagonal];
    for (std::uint32_t k = diagonal + 1; k < factor.column_start[j + 1]; ++k) {
      rhs.row(factor.rows[k]) -= factor.values[k] * rhs.row(j);
    }
  }
  for (Eigen::Index j = columns - 1; j >= 0; --j) {
    const std::uint32_t diagonal = factor.column_start[j];
    for (std::uint32_t k = diagonal + 1; k < factor.column_start[j + 1]; ++k) {
      rhs.row(j) -= factor.values[k] * rhs.row(factor.rows[k]);
    }
    rhs.row(j) /= factor.values[diagonal];
  }
  return rhs;
}

}  // namespace supple::shell
