// SPDX-License-Identifier: Apache-2.0
#include "fem/shell_system.hpp"

#include "supple/core/parallel.hpp"
#include "supple/fem/rigid_modes.hpp"

#include <algorithm>

namespace supple::fem {
namespace {

using geometry::Index;

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
  static_cast<FreeVertices&>(system) = FreeVertices(shell.model().fixed, shell.masses());
  system.mass.fixed = system.fixed_rows;
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
  parallel_for(entries.size(), 4096, [&](std::size_t i) {
    std::copy_n(all.blocks.begin() + 9 * entries[i], 9,
                result.blocks.begin() + static_cast<std::ptrdiff_t>(9 * i));
  });
  decouple(result);
  return result;
}

}  // namespace supple::fem
