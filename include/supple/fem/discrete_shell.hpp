// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/shell_model.hpp"
#include "supple/reduction/block_matrix.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <array>
#include <memory>
#include <vector>

namespace supple::fem {

class BendingStrains;
struct ShellSystem;

/// Which second derivatives of a shell's energy are asked for. The last two are definite.
enum class ShellHessian {
  Exact,
  Projected,    ///< without the negative eigenvalues of each element
  GaussNewton,  ///< without the second derivatives of angles: cheap, and enough for cloth
};

/// The energies of a discrete shell [CWK07 eq. 1 to 4, GHDS03],
///   k_A sum (A - A0)^2 / A0 + k_L sum (l - l0)^2 / l0,
/// and that of bending by ShellModel::bending, a function of all angles th - th0 between
/// neighbours. Positions are x y z of all nodes, interleaved. An edge between two materials takes
/// their mean. The angle difference is taken the short way round, so that an edge folded past half
/// a turn springs back. Solvers apply the model's `fixed`; here it only tells where plates are
/// clamped. Cheap to copy.
class DiscreteShell {
 public:
  /// An edge; for a border edge `opposite[1]` and `triangles[1]` are -1, and it does not bend.
  struct Edge {
    std::array<geometry::Index, 2> nodes;
    std::array<geometry::Index, 2> opposite;
    std::array<geometry::Index, 2> triangles;
    double length = 0;      ///< l0
    double angle = 0;       ///< th0, 0 if flat, positive if the outer side is convex
    double height = 0;      ///< h0: mean height of both triangles over the edge
    double stretching = 0;  ///< k_L
    double bending = 0;     ///< k_B

    [[nodiscard]] bool bends() const { return opposite[1] >= 0; }
    /// Its ends, then the opposite nodes.
    [[nodiscard]] std::array<geometry::Index, 4> hinge() const {
      return {nodes[0], nodes[1], opposite[0], opposite[1]};
    }
    /// Second derivatives of the paper's energies with respect to length and angle: 2 k w for
    /// k w (g - g0)^2.
    [[nodiscard]] double stretching_weight() const { return 2 * stretching / length; }
    [[nodiscard]] double bending_weight() const { return 6 * bending * length / height; }
  };

  [[nodiscard]] static Result<DiscreteShell> create(ShellModel model);

  [[nodiscard]] const ShellModel& model() const { return m_model; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return m_edges; }
  [[nodiscard]] const Eigen::VectorXd& rest() const { return m_rest; }
  /// At rest, per triangle.
  [[nodiscard]] const std::vector<double>& areas() const { return m_areas; }
  [[nodiscard]] const BendingStrains& bending() const { return *m_bending; }
  /// kg per node: a third of the mass of each of its triangles.
  [[nodiscard]] const Eigen::VectorXd& masses() const { return m_masses; }

  [[nodiscard]] double energy(const Eigen::VectorXd& x) const;
  [[nodiscard]] Eigen::VectorXd gradient(const Eigen::VectorXd& x) const;
  /// Exact second derivatives, both triangles of the matrix; `definite` drops the indefinite part
  /// of each element (second derivatives of the measure under compression), for Newton's method.
  [[nodiscard]] Eigen::SparseMatrix<double> hessian(const Eigen::VectorXd& x,
                                                    bool definite = false) const;
  /// At rest the Hessian is a sum of outer products of gradients: exact without second derivatives.
  [[nodiscard]] Eigen::SparseMatrix<double> rest_hessian() const;
  /// Both of these in blocks per pair of nodes, for our own solvers.
  [[nodiscard]] reduction::BlockMatrix stiffness(const Eigen::VectorXd& x, ShellHessian kind) const;
  [[nodiscard]] const reduction::BlockMatrix& rest_stiffness() const { return *m_rest_stiffness; }

  [[nodiscard]] double area(const Eigen::VectorXd& x) const;
  /// Whether it resists nothing but bending.
  [[nodiscard]] bool only_bends() const;
  /// Between the triangles of each edge, in (-pi, pi]; 0 on borders.
  [[nodiscard]] Eigen::VectorXd angles(const Eigen::VectorXd& x) const;
  /// The same shell as if it resisted nothing but bending away from these angles.
  [[nodiscard]] DiscreteShell bent_to(const Eigen::VectorXd& angles) const;

 private:
  friend const ShellSystem& shell_system(const DiscreteShell& shell);

  DiscreteShell() = default;
  void build_edges();
  void build_masses();
  void build_graph();
  void build_rest_stiffness();

  /// th - th0 per edge, 0 on borders.
  [[nodiscard]] Eigen::VectorXd turns(const Eigen::VectorXd& x) const;
  /// Of stretching, per element: triangles first, then edges.
  [[nodiscard]] double element_energy(const Eigen::VectorXd& x, std::size_t element) const;
  /// Adds sum_i ds_i^T ds_i, the derivatives of the strains of bending at x.
  void add_bending(const Eigen::VectorXd& x, reduction::BlockMatrix& matrix) const;

  ShellModel m_model;
  std::vector<Edge> m_edges;
  std::vector<double> m_areas;
  std::vector<double> m_area_stiffness;  ///< per triangle
  Eigen::VectorXd m_rest;
  Eigen::VectorXd m_masses;
  /// Per node the slots of its element forces: 3 t + corner, then 3 triangles + 4 e + position.
  std::vector<std::int64_t> m_slot_start;
  std::vector<std::int64_t> m_slots;
  std::shared_ptr<const BendingStrains> m_bending;
  std::shared_ptr<const reduction::NodeGraph> m_graph;
  std::shared_ptr<const reduction::BlockMatrix> m_rest_stiffness;
  /// The solvers' view of the free nodes, created on first use and shared by copies.
  struct Lazy;
  std::shared_ptr<Lazy> m_lazy;
};

}  // namespace supple::fem
