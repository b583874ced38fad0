// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/assembly.hpp"

#include "fem/element_kernels.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/progress.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <numeric>

namespace supple::fem {
namespace {

using geometry::Index;
using geometry::TetMesh;

constexpr std::size_t kRowGrain = 64;

/// Elements around each mesh node, ascending, with the node's position in the element.
struct Incidence {
  std::vector<std::int64_t> start;
  std::vector<Index> element;
  std::vector<std::uint8_t> local;
};

Incidence incidence(const TetMesh& mesh) {
  Incidence result;
  result.start.assign(mesh.nodes.size() + 1, 0);
  for (const Index node : mesh.connectivity) ++result.start[node + 1];
  std::partial_sum(result.start.begin(), result.start.end(), result.start.begin());
  result.element.resize(mesh.connectivity.size());
  result.local.resize(mesh.connectivity.size());
  std::vector<std::int64_t> next(result.start.begin(), result.start.end() - 1);
  const auto per_element = static_cast<std::size_t>(mesh.nodes_per_element());
  for (std::size_t i = 0; i < mesh.connectivity.size(); ++i) {
    const std::int64_t slot = next[mesh.connectivity[i]]++;
    result.element[slot] = static_cast<Index>(i / per_element);
    result.local[slot] = static_cast<std::uint8_t>(i % per_element);
  }
  return result;
}

void number_solid_nodes(const SolidModel& model, const Incidence& around, SolidMatrices& matrices) {
  const std::size_t count = model.mesh.nodes.size();
  matrices.matrix_node.assign(count, -1);
  for (std::size_t node = 0; node < count; ++node) {
    const bool used = around.start[node + 1] > around.start[node];
    const bool fixed = !model.fixed.empty() && (model.fixed[node] & kFixAll) == kFixAll;
    if (!used || fixed) continue;
    const auto row = static_cast<std::int64_t>(matrices.free_nodes.size());
    matrices.matrix_node[node] = static_cast<Index>(row);
    matrices.free_nodes.push_back(static_cast<Index>(node));
    for (int c = 0; c < 3 && !model.fixed.empty(); ++c) {
      if ((model.fixed[node] >> c & 1) != 0) matrices.mass.fixed.push_back(3 * row + c);
    }
  }
}

/// Columns of one row, ascending.
void row_columns(const TetMesh& mesh, const Incidence& around, const SolidMatrices& matrices,
                 std::size_t row, std::vector<Index>& columns) {
  columns.clear();
  const Index node = matrices.free_nodes[row];
  for (auto k = around.start[node]; k < around.start[node + 1]; ++k) {
    for (const Index other : mesh.element(around.element[k])) {
      if (matrices.matrix_node[other] >= 0) columns.push_back(matrices.matrix_node[other]);
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
}

std::shared_ptr<reduction::NodeGraph> solid_graph(const TetMesh& mesh, const Incidence& around,
                                                  const SolidMatrices& matrices) {
  auto graph = std::make_shared<reduction::NodeGraph>();
  const std::size_t rows = matrices.free_nodes.size();
  graph->row_start.assign(rows + 1, 0);
  parallel_chunks(rows, kRowGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Index> columns;
    for (std::size_t row = begin; row < end; ++row) {
      row_columns(mesh, around, matrices, row, columns);
      graph->row_start[row + 1] = static_cast<std::int64_t>(columns.size());
    }
  });
  std::partial_sum(graph->row_start.begin(), graph->row_start.end(), graph->row_start.begin());
  graph->column.resize(static_cast<std::size_t>(graph->row_start.back()));
  parallel_chunks(rows, kRowGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<Index> columns;
    for (std::size_t row = begin; row < end; ++row) {
      row_columns(mesh, around, matrices, row, columns);
      std::copy(columns.begin(), columns.end(), graph->column.begin() + graph->row_start[row]);
    }
  });
  return graph;
}

/// In a mesh of straight elements, every element's mass is one matrix times its volume.
class MassKernel {
 public:
  MassKernel(geometry::TetOrder order, MassRule rule) : m_order(order), m_rule(rule) {
    ElementNodes reference = ElementNodes::Zero();
    reference(0, 1) = reference(1, 2) = reference(2, 3) = 1;
    for (int e = 0; e < 6; ++e) {
      reference.col(4 + e) = 0.5 * (reference.col(geometry::kTetEdges[e][0]) +
                                    reference.col(geometry::kTetEdges[e][1]));
    }
    m_unit = 6 * element_mass(order, reference, 1.0, rule);  // volume 1/6
  }

  /// One row of the element's mass.
  void row(const ElementNodes& nodes, double density, int a, ShapeValues& out) const {
    const int n = static_cast<int>(m_order);
    if (straight(nodes)) {
      const Eigen::Matrix3d edges = nodes.middleCols<3>(1).colwise() - nodes.col(0);
      const double mass = density * edges.determinant() / 6;
      for (int b = 0; b < n; ++b) out[b] = mass * m_unit(a, b);
      return;
    }
    const Eigen::MatrixXd mass = element_mass(m_order, nodes, density, m_rule);
    for (int b = 0; b < n; ++b) out[b] = mass(a, b);
  }

 private:
  /// Whether midside nodes are half-way up to rounding (1e-9 of the edge): then the Jacobian is
  /// constant.
  [[nodiscard]] bool straight(const ElementNodes& nodes) const {
    if (m_order == geometry::TetOrder::Linear) return true;
    for (int e = 0; e < 6; ++e) {
      const auto i = geometry::kTetEdges[e][0];
      const auto j = geometry::kTetEdges[e][1];
      const double bulge = (nodes.col(4 + e) - 0.5 * (nodes.col(i) + nodes.col(j))).squaredNorm();
      if (bulge > 1e-18 * (nodes.col(i) - nodes.col(j)).squaredNorm()) return false;
    }
    return true;
  }

  geometry::TetOrder m_order;
  MassRule m_rule;
  Eigen::MatrixXd m_unit;
};

/// Removes fixed components from K: zero rows and columns, but keeps the diagonal.
void decouple_fixed(SolidMatrices& matrices) {
  if (matrices.mass.fixed.empty()) return;
  std::vector<std::uint8_t> bits(matrices.free_nodes.size(), 0);
  for (const std::int64_t row : matrices.mass.fixed) bits[row / 3] |= 1U << (row % 3);
  const reduction::NodeGraph& graph = *matrices.stiffness.graph;
  parallel_for(bits.size(), kRowGrain, [&](std::size_t row) {
    for (auto entry = graph.row_start[row]; entry < graph.row_start[row + 1]; ++entry) {
      const auto column = static_cast<std::size_t>(graph.column[entry]);
      if ((bits[row] | bits[column]) == 0) continue;
      double* block = matrices.stiffness.blocks.data() + 9 * entry;
      for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
          const bool fixed = ((bits[row] >> r | bits[column] >> c) & 1) != 0;
          if (fixed && !(row == column && r == c)) block[3 * r + c] = 0;
        }
      }
    }
  });
}

}  // namespace

Result<SolidMatrices> lay_out(const SolidModel& model) {
  SolidMatrices matrices;
  const Incidence around = incidence(model.mesh);
  number_solid_nodes(model, around, matrices);
  if (matrices.free_dofs() == 0) return bad_input("every node is fixed: nothing can vibrate");
  const auto graph = solid_graph(model.mesh, around, matrices);
  matrices.stiffness.graph = graph;
  matrices.mass.graph = graph;
  return matrices;
}

void fill(const SolidModel& model, SolidMatrices& matrices) {
  const TetMesh& mesh = model.mesh;
  const Incidence around = incidence(mesh);
  const auto& graph = matrices.stiffness.graph;
  matrices.stiffness.blocks.assign(9 * graph->column.size(), 0.0);
  matrices.mass.values.assign(graph->column.size(), 0.0);
  std::vector<Lame> lame;
  for (const Material& material : model.materials) lame.push_back(lame_constants(material));
  const MassKernel mass_kernel(mesh.order, model.mass_rule);
  const int n = mesh.nodes_per_element();
  Progress progress("assembling", static_cast<double>(matrices.free_nodes.size()));
  parallel_chunks(matrices.free_nodes.size(), kRowGrain, [&](std::size_t begin, std::size_t end) {
    ShapeValues mass_row{};
    for (std::size_t row = begin; row < end; ++row) {
      const Index node = matrices.free_nodes[row];
      const auto columns = graph->column.begin() + graph->row_start[row];
      const auto columns_end = graph->column.begin() + graph->row_start[row + 1];
      for (auto k = around.start[node]; k < around.start[node + 1]; ++k) {
        const auto element = static_cast<std::size_t>(around.element[k]);
        const int a = around.local[k];
        const ElementNodes nodes = element_nodes(mesh, element);
        const ElementGradients gradients = element_gradients(mesh.order, nodes);
        const Index region = mesh.region(element);
        mass_kernel.row(nodes, model.materials[region].density, a, mass_row);
        const auto indices = mesh.element(element);
        for (int b = 0; b < n; ++b) {
          const Index column = matrices.matrix_node[indices[b]];
          if (column < 0) continue;
          const auto entry = std::lower_bound(columns, columns_end, column) - graph->column.begin();
          matrices.mass.values[entry] += mass_row[b];
          Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
              matrices.stiffness.blocks.data() + 9 * entry) +=
              stiffness_block(gradients, lame[region], a, b);
        }
      }
    }
    progress.advance(static_cast<double>(end - begin));
  });
  decouple_fixed(matrices);
}

Result<SolidMatrices> assemble(const SolidModel& model) {
  SUPPLE_TRY(SolidMatrices matrices, lay_out(model));
  fill(model, matrices);
  return matrices;
}

}  // namespace supple::fem
