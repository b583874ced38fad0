// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/discrete_shell.hpp"

#include "fem/bending_strains.hpp"
#include "fem/shell_measures.hpp"
#include "fem/shell_system.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"
#include "supple/geometry/half_edges.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <span>

namespace supple::fem {
namespace {

using geometry::Index;
using geometry::Vec3;

constexpr std::size_t kHingeGrain = 512;

Vec3 node_at(const Eigen::VectorXd& x, Index node) {
  return x.segment<3>(3 * Eigen::Index{node});
}

Corners corners(const Eigen::VectorXd& x, const geometry::Triangle& triangle) {
  Corners c;
  for (int i = 0; i < 3; ++i) c.col(i) = node_at(x, triangle[i]);
  return c;
}

Hinge hinge(const Eigen::VectorXd& x, const DiscreteShell::Edge& edge) {
  Hinge h;
  const auto nodes = edge.hinge();
  for (int i = 0; i < 4; ++i) h.col(i) = node_at(x, nodes[i]);
  return h;
}

double edge_length(const Eigen::VectorXd& x, const DiscreteShell::Edge& edge) {
  return (node_at(x, edge.nodes[1]) - node_at(x, edge.nodes[0])).norm();
}

/// The matrix without its negative eigenvalues.
template <class Matrix>
Matrix positive_part(const Matrix& matrix) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(matrix);
  const Matrix kept = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
                      eigen.eigenvectors().transpose();
  return 0.5 * (kept + kept.transpose());  // to the last bit
}

void add_block(reduction::BlockMatrix& matrix, Index row, Index column,
               const Eigen::Ref<const Eigen::Matrix3d, 0, Eigen::OuterStride<>>& block) {
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
      matrix.blocks.data() + 9 * matrix.graph->entry(row, column)) += block;
}

template <class Matrix>
void scatter(reduction::BlockMatrix& matrix, std::span<const Index> nodes, const Matrix& element) {
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    for (std::size_t b = 0; b < nodes.size(); ++b) {
      add_block(matrix, nodes[a], nodes[b],
                element.template block<3, 3>(static_cast<Eigen::Index>(3 * a),
                                             static_cast<Eigen::Index>(3 * b)));
    }
  }
}

/// The strain of bending of one triangle or hinge.
struct BendingElement {
  std::vector<Index> nodes;
  Eigen::MatrixXd stiffness;
};

/// Nodes of the hinges that a strain depends on, ascending.
std::vector<Index> nodes_of(std::span<const BendingStrains::Term> terms,
                            const std::vector<DiscreteShell::Edge>& edges) {
  std::vector<Index> nodes;
  nodes.reserve(4 * terms.size());
  for (const BendingStrains::Term& term : terms) {
    const auto hinge = edges[term.place].hinge();
    nodes.insert(nodes.end(), hinge.begin(), hinge.end());
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// Element matrices are computed in parallel, a batch at a time, and added in order.
template <class Matrix, class Compute, class Add>
void in_batches(std::size_t count, const Compute& compute, const Add& add) {
  constexpr std::size_t kBatch = 4096;
  std::vector<Matrix> batch(std::min(count, kBatch));
  for (std::size_t first = 0; first < count; first += kBatch) {
    const std::size_t size = std::min(kBatch, count - first);
    parallel_for(size, 64, [&](std::size_t i) { batch[i] = compute(first + i); });
    for (std::size_t i = 0; i < size; ++i) add(first + i, batch[i]);
  }
}

Eigen::SparseMatrix<double> to_sparse(const reduction::BlockMatrix& matrix) {
  const reduction::NodeGraph& graph = *matrix.graph;
  const Eigen::Index size = 3 * Eigen::Index{graph.node_count()};
  Eigen::SparseMatrix<double> result(size, size);
  result.reserve(static_cast<Eigen::Index>(matrix.blocks.size()));
  for (Index node = 0; node < graph.node_count(); ++node) {
    for (int c = 0; c < 3; ++c) {  // column c of the node: by symmetry, row c of its blocks
      result.startVec(3 * Eigen::Index{node} + c);
      for (auto entry = graph.row_start[node]; entry < graph.row_start[node + 1]; ++entry) {
        for (int r = 0; r < 3; ++r) {
          result.insertBack(3 * Eigen::Index{graph.column[entry]} + r, 3 * Eigen::Index{node} + c) =
              matrix.blocks[9 * entry + 3 * c + r];
        }
      }
    }
  }
  result.finalize();
  return result;
}

}  // namespace

struct DiscreteShell::Lazy {
  std::once_flag once;
  std::unique_ptr<const ShellSystem> system;
};

const ShellSystem& shell_system(const DiscreteShell& shell) {
  std::call_once(shell.m_lazy->once, [&] {
    shell.m_lazy->system = std::make_unique<const ShellSystem>(make_shell_system(shell));
  });
  return *shell.m_lazy->system;
}

Result<DiscreteShell> DiscreteShell::create(ShellModel model) {
  SUPPLE_TRY_VOID(model.validate());
  DiscreteShell shell;
  shell.m_model = std::move(model);
  const auto& positions = shell.m_model.mesh.positions;
  shell.m_rest.resize(static_cast<Eigen::Index>(3 * positions.size()));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    shell.m_rest.segment<3>(static_cast<Eigen::Index>(3 * i)) = positions[i];
  }
  shell.m_lazy = std::make_shared<Lazy>();
  shell.build_masses();
  shell.build_edges();
  shell.m_bending = std::make_shared<const BendingStrains>(shell.m_model.bending == Bending::Plate
                                                               ? BendingStrains::of_plates(shell)
                                                               : BendingStrains::of_hinges(shell));
  shell.build_graph();
  shell.build_rest_stiffness();
  return shell;
}

void DiscreteShell::build_masses() {
  const geometry::TriMesh& mesh = m_model.mesh;
  m_masses = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(mesh.positions.size()));
  m_areas.resize(mesh.triangles.size());
  m_area_stiffness.resize(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const ShellMaterial& material = m_model.material_of(t);
    m_areas[t] = triangle_area(corners(m_rest, mesh.triangles[t]));
    m_area_stiffness[t] = material.area_stiffness;
    for (const Index node : mesh.triangles[t]) {
      m_masses(node) += material.area_density * m_areas[t] / 3;
    }
  }
}

void DiscreteShell::build_edges() {
  const geometry::TriMesh& mesh = m_model.mesh;
  m_edges.reserve(3 * mesh.triangles.size() / 2 + 1);
  geometry::for_each_edge(
      geometry::half_edges(mesh), [&](const geometry::HalfEdge* side, std::size_t count) {
        Edge edge;
        edge.nodes =
            side->forward ? std::array{side->low, side->high} : std::array{side->high, side->low};
        edge.opposite = {-1, -1};
        edge.triangles = {-1, -1};
        edge.length = edge_length(m_rest, edge);
        for (std::size_t i = 0; i < count; ++i) {
          const double share = 1.0 / static_cast<double>(count);
          edge.triangles[i] = side[i].triangle;
          edge.opposite[i] = mesh.triangles[side[i].triangle][(side[i].corner + 2) % 3];
          edge.height += share * 2 * m_areas[side[i].triangle] / edge.length;
          edge.stretching += share * m_model.material_of(side[i].triangle).length_stiffness;
          edge.bending += share * m_model.material_of(side[i].triangle).bending_stiffness;
        }
        if (edge.bends()) edge.angle = hinge_angle(hinge(m_rest, edge));
        m_edges.push_back(edge);
      });
}

void DiscreteShell::build_graph() {
  const auto& triangles = m_model.mesh.triangles;
  const std::size_t nodes = m_model.mesh.positions.size();
  std::vector<std::vector<std::int64_t>> slots(nodes);
  std::vector<std::vector<Index>> columns(nodes);
  for (std::size_t i = 0; i < nodes; ++i) columns[i].push_back(static_cast<Index>(i));
  const auto connect = [&](std::span<const Index> element) {
    for (const Index node : element) {
      columns[node].insert(columns[node].end(), element.begin(), element.end());
    }
  };
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (int i = 0; i < 3; ++i)
      slots[triangles[t][i]].push_back(static_cast<std::int64_t>(3 * t) + i);
  }
  for (std::size_t e = 0; e < m_edges.size(); ++e) {
    const auto hinge = m_edges[e].hinge();
    const int used = m_edges[e].bends() ? 4 : 2;
    const auto first = static_cast<std::int64_t>(3 * triangles.size() + 4 * e);
    for (int i = 0; i < used; ++i) slots[hinge[i]].push_back(first + i);
    connect(std::span(hinge).first(used));
  }
  for (std::size_t i = 0; i < m_bending->size(); ++i) {
    connect(nodes_of(m_bending->terms(i), m_edges));
  }
  auto graph = std::make_shared<reduction::NodeGraph>();
  graph->row_start.assign(1, 0);
  graph->row_start.reserve(nodes + 1);
  m_slot_start.assign(1, 0);
  m_slot_start.reserve(nodes + 1);
  m_slots.reserve(3 * triangles.size() + 4 * m_edges.size());
  for (std::size_t i = 0; i < nodes; ++i) {
    std::sort(columns[i].begin(), columns[i].end());
    columns[i].erase(std::unique(columns[i].begin(), columns[i].end()), columns[i].end());
    graph->column.insert(graph->column.end(), columns[i].begin(), columns[i].end());
    graph->row_start.push_back(static_cast<std::int64_t>(graph->column.size()));
    m_slots.insert(m_slots.end(), slots[i].begin(), slots[i].end());
    m_slot_start.push_back(static_cast<std::int64_t>(m_slots.size()));
  }
  m_graph = std::move(graph);
}

void DiscreteShell::build_rest_stiffness() {
  auto stiffness = std::make_shared<reduction::BlockMatrix>();
  stiffness->graph = m_graph;
  stiffness->blocks.assign(9 * m_graph->column.size(), 0.0);
  const auto& triangles = m_model.mesh.triangles;
  in_batches<Vector9>(
      triangles.size(), [&](std::size_t t) { return area_gradient(corners(m_rest, triangles[t])); },
      [&](std::size_t t, const Vector9& gradient) {
        const double weight = 2 * m_area_stiffness[t] / m_areas[t];
        scatter(*stiffness, triangles[t], Matrix9(weight * (gradient * gradient.transpose())));
      });
  for (const Edge& edge : m_edges) {
    const Vector6 stretch =
        length_gradient(node_at(m_rest, edge.nodes[0]), node_at(m_rest, edge.nodes[1]));
    scatter(*stiffness, edge.nodes,
            Matrix6(edge.stretching_weight() * (stretch * stretch.transpose())));
  }
  add_bending(m_rest, *stiffness);
  m_rest_stiffness = std::move(stiffness);
}

void DiscreteShell::add_bending(const Eigen::VectorXd& x, reduction::BlockMatrix& matrix) const {
  std::vector<Vector12> gradients(m_edges.size());
  parallel_for(m_edges.size(), kHingeGrain, [&](std::size_t e) {
    if (m_edges[e].bends()) gradients[e] = angle_gradient(hinge(x, m_edges[e]));
  });
  in_batches<BendingElement>(
      m_bending->size(),
      [&](std::size_t i) {
        const auto terms = m_bending->terms(i);
        BendingElement element;
        element.nodes = nodes_of(terms, m_edges);
        Eigen::Matrix3Xd derivative =
            Eigen::Matrix3Xd::Zero(3, static_cast<Eigen::Index>(3 * element.nodes.size()));
        for (const BendingStrains::Term& term : terms) {
          const auto nodes = m_edges[term.place].hinge();
          for (int k = 0; k < 4; ++k) {
            const auto place = std::ranges::lower_bound(element.nodes, nodes[k]);
            derivative.middleCols<3>(3 * (place - element.nodes.begin())) +=
                term.factor * gradients[term.place].segment<3>(3 * k).transpose();
          }
        }
        element.stiffness = derivative.transpose() * derivative;
        return element;
      },
      [&](std::size_t, const BendingElement& element) {
        scatter(matrix, element.nodes, element.stiffness);
      });
}

double DiscreteShell::element_energy(const Eigen::VectorXd& x, std::size_t element) const {
  const auto& triangles = m_model.mesh.triangles;
  if (element < triangles.size()) {
    const double change = triangle_area(corners(x, triangles[element])) - m_areas[element];
    return m_area_stiffness[element] / m_areas[element] * change * change;
  }
  const Edge& edge = m_edges[element - triangles.size()];
  const double change = edge_length(x, edge) - edge.length;
  return 0.5 * edge.stretching_weight() * change * change;
}

Eigen::VectorXd DiscreteShell::turns(const Eigen::VectorXd& x) const {
  Eigen::VectorXd result(static_cast<Eigen::Index>(m_edges.size()));
  parallel_for(m_edges.size(), kHingeGrain, [&](std::size_t e) {
    const Edge& edge = m_edges[e];
    result(static_cast<Eigen::Index>(e)) =
        edge.bends() ? angle_difference(hinge_angle(hinge(x, edge)), edge.angle) : 0.0;
  });
  return result;
}

bool DiscreteShell::only_bends() const {
  return std::ranges::all_of(m_area_stiffness, [](double k) { return k == 0; }) &&
         std::ranges::all_of(m_edges, [](const Edge& edge) { return edge.stretching == 0; });
}

Eigen::VectorXd DiscreteShell::angles(const Eigen::VectorXd& x) const {
  Eigen::VectorXd result(static_cast<Eigen::Index>(m_edges.size()));
  parallel_for(m_edges.size(), kHingeGrain, [&](std::size_t e) {
    result(static_cast<Eigen::Index>(e)) =
        m_edges[e].bends() ? hinge_angle(hinge(x, m_edges[e])) : 0.0;
  });
  return result;
}

DiscreteShell DiscreteShell::bent_to(const Eigen::VectorXd& angles) const {
  SUPPLE_CHECK_OP(static_cast<std::size_t>(angles.size()), ==, m_edges.size());
  DiscreteShell shell = *this;
  shell.m_lazy = std::make_shared<Lazy>();
  std::fill(shell.m_area_stiffness.begin(), shell.m_area_stiffness.end(), 0.0);
  for (std::size_t e = 0; e < m_edges.size(); ++e) {
    shell.m_edges[e].stretching = 0;
    shell.m_edges[e].angle = angles(static_cast<Eigen::Index>(e));
  }
  return shell;
}

double DiscreteShell::energy(const Eigen::VectorXd& x) const {
  SUPPLE_CHECK_OP(x.size(), ==, m_rest.size());
  const reduction::MultiVector strains = m_bending->strains(turns(x));
  const double stretching = parallel_reduce(
      m_model.mesh.triangles.size() + m_edges.size(), kHingeGrain, 0.0,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += element_energy(x, i);
        return sum;
      },
      [](double a, double b) { return a + b; });
  return stretching + 0.5 * reduction::inner_products(strains, strains)(0, 0);
}

Eigen::VectorXd DiscreteShell::gradient(const Eigen::VectorXd& x) const {
  SUPPLE_CHECK_OP(x.size(), ==, m_rest.size());
  const auto& triangles = m_model.mesh.triangles;
  // Each element writes its own slots and each node sums its own: no races, and a fixed order.
  Eigen::Matrix3Xd parts(3, static_cast<Eigen::Index>(3 * triangles.size() + 4 * m_edges.size()));
  parallel_for(triangles.size(), kHingeGrain, [&](std::size_t t) {
    const Corners c = corners(x, triangles[t]);
    const double force = 2 * m_area_stiffness[t] * (triangle_area(c) - m_areas[t]) / m_areas[t];
    const Vector9 gradient = force * area_gradient(c);
    parts.middleCols<3>(static_cast<Eigen::Index>(3 * t)) = gradient.reshaped(3, 3);
  });
  const reduction::MultiVector moments = m_bending->moments(m_bending->strains(turns(x)));
  parallel_for(m_edges.size(), kHingeGrain, [&](std::size_t e) {
    const Edge& edge = m_edges[e];
    const auto first = static_cast<Eigen::Index>(3 * triangles.size() + 4 * e);
    const double force = edge.stretching_weight() * (edge_length(x, edge) - edge.length);
    const Vector6 stretch =
        force * length_gradient(node_at(x, edge.nodes[0]), node_at(x, edge.nodes[1]));
    parts.middleCols<2>(first) = stretch.reshaped(3, 2);
    if (!edge.bends()) return;
    const Vector12 bend = moments(static_cast<Eigen::Index>(e), 0) * angle_gradient(hinge(x, edge));
    parts.middleCols<2>(first) += bend.head<6>().reshaped(3, 2);
    parts.middleCols<2>(first + 2) = bend.tail<6>().reshaped(3, 2);
  });
  Eigen::VectorXd result(x.size());
  parallel_for(m_model.mesh.positions.size(), kHingeGrain, [&](std::size_t node) {
    Vec3 sum = Vec3::Zero();
    for (auto k = m_slot_start[node]; k < m_slot_start[node + 1]; ++k) sum += parts.col(m_slots[k]);
    result.segment<3>(static_cast<Eigen::Index>(3 * node)) = sum;
  });
  return result;
}

reduction::BlockMatrix DiscreteShell::stiffness(const Eigen::VectorXd& x, ShellHessian kind) const {
  SUPPLE_CHECK_OP(x.size(), ==, m_rest.size());
  const bool definite = kind != ShellHessian::Exact;
  reduction::BlockMatrix matrix;
  matrix.graph = m_graph;
  matrix.blocks.assign(9 * m_graph->column.size(), 0.0);
  const auto& triangles = m_model.mesh.triangles;
  const auto area_element = [&](std::size_t t) -> Matrix9 {
    if (m_area_stiffness[t] == 0) return Matrix9::Zero();
    const Corners c = corners(x, triangles[t]);
    const double weight = 2 * m_area_stiffness[t] / m_areas[t];
    const Vector9 gradient = area_gradient(c);
    const double change = triangle_area(c) - m_areas[t];
    const Matrix9 exact = weight * (gradient * gradient.transpose() + change * area_hessian(c));
    return definite ? positive_part(exact) : exact;
  };
  in_batches<Matrix9>(triangles.size(), area_element, [&](std::size_t t, const Matrix9& element) {
    if (m_area_stiffness[t] != 0) scatter(matrix, triangles[t], element);
  });
  add_bending(x, matrix);
  const reduction::MultiVector moments = m_bending->moments(m_bending->strains(turns(x)));
  const auto bending_element = [&](std::size_t e) -> Matrix12 {
    const double moment = moments(static_cast<Eigen::Index>(e), 0);
    if (moment == 0 || kind == ShellHessian::GaussNewton) return Matrix12::Zero();
    const Matrix12 exact = moment * angle_hessian(hinge(x, m_edges[e]));
    return definite ? positive_part(exact) : exact;
  };
  in_batches<Matrix12>(
      m_edges.size(), bending_element, [&](std::size_t e, const Matrix12& element) {
        const Edge& edge = m_edges[e];
        const Vec3 a = node_at(x, edge.nodes[0]);
        const Vec3 b = node_at(x, edge.nodes[1]);
        const Vector6 gradient = length_gradient(a, b);
        // Across the edge the second derivatives are positive: they make it indefinite only under
        // compression.
        const double change = (b - a).norm() - edge.length;
        const Matrix6 second = (definite ? std::max(change, 0.0) : change) * length_hessian(a, b);
        if (edge.stretching != 0) {
          scatter(matrix, edge.nodes,
                  Matrix6(edge.stretching_weight() * (gradient * gradient.transpose() + second)));
        }
        if (edge.bends() && kind != ShellHessian::GaussNewton) {
          scatter(matrix, edge.hinge(), element);
        }
      });
  return matrix;
}

Eigen::SparseMatrix<double> DiscreteShell::hessian(const Eigen::VectorXd& x, bool definite) const {
  return to_sparse(stiffness(x, definite ? ShellHessian::Projected : ShellHessian::Exact));
}

Eigen::SparseMatrix<double> DiscreteShell::rest_hessian() const {
  return to_sparse(*m_rest_stiffness);
}

double DiscreteShell::area(const Eigen::VectorXd& x) const {
  double sum = 0;
  for (const geometry::Triangle& triangle : m_model.mesh.triangles) {
    sum += triangle_area(corners(x, triangle));
  }
  return sum;
}

}  // namespace supple::fem
