// SPDX-License-Identifier: Apache-2.0
#include "fem/shell_system.hpp"

#include "supple/core/parallel.hpp"
#include "supple/fem/rigid_modes.hpp"

#include <algorithm>
#include <cmath>

namespace supple::fem {
namespace {

using geometry::Index;
using reduction::MultiVector;

constexpr std::size_t kEntryGrain = 256;

void number_shell_nodes(const DiscreteShell& shell, ShellSystem& system) {
  const std::vector<std::uint8_t>& fixed = shell.model().fixed;
  const std::size_t count = shell.model().mesh.positions.size();
  system.matrix_node.assign(count, -1);
  system.free_nodes.reserve(count);
  for (std::size_t node = 0; node < count; ++node) {
    const int bits = fixed.empty() ? 0 : fixed[node] & kFixAll;
    if (bits == kFixAll || shell.masses()(static_cast<Eigen::Index>(node)) == 0) continue;
    const auto row = static_cast<std::int64_t>(system.free_nodes.size());
    system.matrix_node[node] = static_cast<Index>(row);
    system.free_nodes.push_back(static_cast<Index>(node));
    for (int c = 0; c < 3; ++c) {
      if ((bits >> c & 1) != 0) system.mass.fixed.push_back(3 * row + c);
    }
  }
}

void restrict_graph(const DiscreteShell& shell, ShellSystem& system) {
  const reduction::NodeGraph& all = *shell.rest_stiffness().graph;
  auto graph = std::make_shared<reduction::NodeGraph>();
  graph->row_start.assign(1, 0);
  graph->row_start.reserve(system.free_nodes.size() + 1);
  graph->column.reserve(all.column.size());
  system.entries.reserve(all.column.size());
  system.mass.values.reserve(all.column.size());
  for (const Index node : system.free_nodes) {
    for (auto entry = all.row_start[node]; entry < all.row_start[node + 1]; ++entry) {
      const Index other = all.column[entry];
      if (system.matrix_node[other] < 0) continue;
      graph->column.push_back(system.matrix_node[other]);
      system.entries.push_back(entry);
      system.mass.values.push_back(other == node ? shell.masses()(node) : 0.0);
    }
    graph->row_start.push_back(static_cast<std::int64_t>(graph->column.size()));
  }
  system.graph = graph;
  system.mass.graph = std::move(graph);
}

}  // namespace

ShellSystem make_shell_system(const DiscreteShell& shell) {
  ShellSystem system;
  number_shell_nodes(shell, system);
  restrict_graph(shell, system);
  const geometry::TriMesh& mesh = shell.model().mesh;
  system.rigid = rigid_modes(mesh.positions, shell.model().fixed, system.matrix_node, system.mass,
                             pieces(mesh));
  if (system.free_nodes.empty()) return system;
  auto analysed = reduction::analyse(*system.graph);
  if (analysed.ok()) {
    system.symbolic = std::make_shared<const reduction::SymbolicFactor>(*std::move(analysed));
  } else {
    system.failure = std::move(analysed).error();
  }
  return system;
}

reduction::BlockMatrix ShellSystem::restrict_to_free(const reduction::BlockMatrix& all) const {
  reduction::BlockMatrix result;
  result.graph = graph;
  result.blocks.resize(9 * entries.size());
  parallel_for(entries.size(), 16 * kEntryGrain, [&](std::size_t i) {
    std::copy_n(all.blocks.begin() + 9 * entries[i], 9,
                result.blocks.begin() + static_cast<std::ptrdiff_t>(9 * i));
  });
  if (mass.fixed.empty()) return result;
  std::vector<std::uint8_t> bits(free_nodes.size(), 0);
  for (const std::int64_t row : mass.fixed) bits[row / 3] |= 1U << (row % 3);
  // Any positive number would do; one of the matrix's own magnitude keeps its condition number.
  double diagonal = 0;
  for (const double value : result.blocks) diagonal = std::max(diagonal, std::abs(value));
  parallel_for(bits.size(), kEntryGrain, [&](std::size_t row) {
    for (auto entry = graph->row_start[row]; entry < graph->row_start[row + 1]; ++entry) {
      const auto column = static_cast<std::size_t>(graph->column[entry]);
      double* block = result.blocks.data() + 9 * entry;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          if (((bits[row] >> r | bits[column] >> c) & 1) == 0) continue;
          block[3 * r + c] = row == column && r == c ? diagonal : 0.0;
        }
      }
    }
  });
  return result;
}

MultiVector ShellSystem::gather(const MultiVector& all) const {
  MultiVector result(static_cast<Eigen::Index>(3 * free_nodes.size()), all.cols());
  for (std::size_t row = 0; row < free_nodes.size(); ++row) {
    result.middleRows<3>(static_cast<Eigen::Index>(3 * row)) =
        all.middleRows<3>(3 * Eigen::Index{free_nodes[row]});
  }
  for (const std::int64_t row : mass.fixed) result.row(row).setZero();
  return result;
}

MultiVector ShellSystem::spread(const MultiVector& free) const {
  MultiVector result =
      MultiVector::Zero(static_cast<Eigen::Index>(3 * matrix_node.size()), free.cols());
  for (std::size_t row = 0; row < free_nodes.size(); ++row) {
    result.middleRows<3>(3 * Eigen::Index{free_nodes[row]}) =
        free.middleRows<3>(static_cast<Eigen::Index>(3 * row));
  }
  for (const std::int64_t row : mass.fixed) {
    result.row(3 * Eigen::Index{free_nodes[row / 3]} + row % 3).setZero();
  }
  return result;
}

}  // namespace supple::fem
