// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/rigid_modes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace supple::fem {
namespace {

using geometry::Index;
using geometry::Vec3;
using reduction::MultiVector;
using Matrix36 = Eigen::Matrix<double, 3, 6>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// A motion counts as free if fixed points move less than this fraction of the piece's size.
constexpr double kUnconstrained = 1e-7;
/// A support that stops a motion by less than this does not deserve its name: thin rods held at
/// their end face have 1e-3, a row of nodes off a line by the rounding of a file 1e-6.
constexpr double kLoose = 1e-5;

/// Velocity of point r for unit translations and unit rotations: (I  -[r]).
Matrix36 velocity_map(const Vec3& r) {
  Matrix36 map;
  map.leftCols<3>().setIdentity();
  map.rightCols<3>() << 0, r.z(), -r.y(), -r.z(), 0, r.x(), r.y(), -r.x(), 0;
  return map;
}

/// A point and a length to which a piece's motions refer.
struct Reference {
  explicit Reference(const Piece& piece)
      : centre(piece.bounds.centre()), size(std::max(piece.bounds.diagonal(), 1e-300)) {}
  [[nodiscard]] Matrix36 velocity_at(const Vec3& node) const {
    return velocity_map((node - centre) / size);
  }
  Vec3 centre;
  double size;
};

/// Combinations of the six motions (rotations scaled by the size) that move fixed components by
/// less than `tolerance` of the size in the mean, one per column.
Eigen::MatrixXd free_motions(const std::vector<Vec3>& nodes, const std::vector<std::uint8_t>& fixed,
                             const Piece& piece, const Reference& reference, double tolerance) {
  Matrix6 normal = Matrix6::Zero();
  double constraints = 0;
  for (const Index node : piece.nodes) {
    const std::uint8_t bits = fixed.empty() ? 0 : fixed[node];
    if (bits == 0) continue;
    const Matrix36 map = reference.velocity_at(nodes[node]);
    for (int c = 0; c < 3; ++c) {
      if ((bits >> c & 1) == 0) continue;
      normal += map.row(c).transpose() * map.row(c);
      constraints += 1;
    }
  }
  const Eigen::SelfAdjointEigenSolver<Matrix6> eigen(normal);
  Index count = 0;
  while (count < 6 && eigen.eigenvalues()(count) <= tolerance * tolerance * constraints) ++count;
  return eigen.eigenvectors().leftCols(count);
}

/// Builds the pieces from the component number of each element.
template <class Element>
std::vector<Piece> gather_pieces(const std::vector<Vec3>& nodes,
                                 const std::vector<Index>& component, const Element& element) {
  std::vector<Piece> result;
  std::vector<Index> piece_of_node(nodes.size(), -1);
  for (std::size_t e = 0; e < component.size(); ++e) {
    if (component[e] >= static_cast<Index>(result.size())) result.emplace_back();
    ++result[component[e]].elements;
    for (const Index node : element(e)) piece_of_node[node] = component[e];
  }
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (piece_of_node[node] < 0) continue;
    Piece& piece = result[piece_of_node[node]];
    piece.nodes.push_back(static_cast<Index>(node));
    piece.bounds.add(nodes[node]);
  }
  return result;
}

}  // namespace

std::vector<Piece> pieces(const geometry::TetMesh& mesh) {
  return gather_pieces(mesh.nodes, geometry::components(mesh),
                       [&](std::size_t e) { return mesh.element(e); });
}

std::vector<Piece> pieces(const geometry::TriMesh& mesh) {
  return gather_pieces(mesh.positions, geometry::components(mesh),
                       [&](std::size_t t) { return mesh.triangles[t]; });
}

MultiVector rigid_modes(const SolidModel& model, const SolidMatrices& matrices,
                        const std::vector<Piece>& pieces) {
  return rigid_modes(model.mesh.nodes, model.fixed, matrices.matrix_node, matrices.mass, pieces);
}

MultiVector rigid_modes(const std::vector<Vec3>& nodes, const std::vector<std::uint8_t>& fixed,
                        const std::vector<Index>& matrix_node, const reduction::NodeMatrix& mass,
                        const std::vector<Piece>& pieces) {
  MultiVector modes(3 * Eigen::Index{mass.graph->node_count()}, 0);
  for (const Piece& piece : pieces) {
    const Reference reference(piece);
    const Eigen::MatrixXd motions = free_motions(nodes, fixed, piece, reference, kUnconstrained);
    if (motions.cols() == 0) continue;
    const Eigen::Index first = modes.cols();
    modes.conservativeResize(Eigen::NoChange, first + motions.cols());
    modes.rightCols(motions.cols()).setZero();
    for (const Index node : piece.nodes) {
      const Index row = matrix_node[node];
      if (row < 0) continue;
      modes.block(3 * row, first, 3, motions.cols()) = reference.velocity_at(nodes[node]) * motions;
    }
  }
  if (modes.cols() == 0) return modes;
  for (const std::int64_t row : mass.fixed) modes.row(row).setZero();
  // M-orthonormal by Cholesky of the Gram matrix, twice for rounding.
  for (int pass = 0; pass < 2; ++pass) {
    MultiVector mass_times;
    mass.apply(modes, mass_times);
    const Eigen::LLT<Eigen::MatrixXd> llt(reduction::inner_products(modes, mass_times));
    const Eigen::MatrixXd mix =
        llt.matrixU().solve(Eigen::MatrixXd::Identity(modes.cols(), modes.cols()));
    reduction::combine_in_place(modes, mix);
  }
  return modes;
}

int motions_left(const SolidModel& model, const Piece& piece) {
  return static_cast<int>(
      free_motions(model.mesh.nodes, model.fixed, piece, Reference(piece), kLoose).cols());
}

MultiVector unit_rigid_motions(const SolidModel& model, const SolidMatrices& matrices) {
  MultiVector motions(static_cast<Eigen::Index>(3 * matrices.free_nodes.size()), 6);
  for (std::size_t row = 0; row < matrices.free_nodes.size(); ++row) {
    motions.middleRows<3>(static_cast<Eigen::Index>(3 * row)) =
        velocity_map(model.mesh.nodes[matrices.free_nodes[row]]);
  }
  for (const std::int64_t row : matrices.mass.fixed) motions.row(row).setZero();
  return motions;
}

}  // namespace supple::fem
