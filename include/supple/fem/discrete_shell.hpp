// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/result.hpp"
#include "supple/fem/shell_model.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include <array>
#include <vector>

namespace supple::fem {

/// The energies of a discrete shell [CWK07 eq. 1 to 4, after GHDS03]:
///   k_A sum (A - A0)^2 / A0 + k_L sum (l - l0)^2 / l0 + k_B sum 3 (th - th0)^2 l0 / h0.
/// Positions are x y z of all nodes, interleaved. An edge between two materials has their mean.
class DiscreteShell {
 public:
  /// An edge; of a border one `opposite[1]` is -1, and it does not bend.
  struct Edge {
    std::array<geometry::Index, 2> nodes;
    std::array<geometry::Index, 2> opposite;
    double length = 0;      ///< l0
    double angle = 0;       ///< th0, signed, 0 where flat
    double height = 0;      ///< h0: mean height of both triangles over the edge
    double stretching = 0;  ///< k_L
    double bending = 0;     ///< k_B
  };

  [[nodiscard]] static Result<DiscreteShell> create(ShellModel model);

  [[nodiscard]] const ShellModel& model() const { return m_model; }
  [[nodiscard]] const std::vector<Edge>& edges() const { return m_edges; }
  [[nodiscard]] const Eigen::VectorXd& rest() const { return m_rest; }
  /// kg per node: a third of each triangle's.
  [[nodiscard]] const Eigen::VectorXd& masses() const { return m_masses; }

  [[nodiscard]] double energy(const Eigen::VectorXd& x) const;
  [[nodiscard]] Eigen::VectorXd gradient(const Eigen::VectorXd& x) const;
  /// Exact second derivatives, both triangles of the matrix; `definite` drops from each element
  /// what makes it indefinite (second derivatives of the measure under compression), for Newton.
  [[nodiscard]] Eigen::SparseMatrix<double> hessian(const Eigen::VectorXd& x,
                                                    bool definite = false) const;
  /// At rest the Hessian is a sum of outer products of gradients: exact without second derivatives.
  [[nodiscard]] Eigen::SparseMatrix<double> rest_hessian() const;

  [[nodiscard]] double area(const Eigen::VectorXd& x) const;

 private:
  DiscreteShell() = default;
  ShellModel m_model;
  std::vector<Edge> m_edges;
  std::vector<double> m_areas;
  Eigen::VectorXd m_rest;
  Eigen::VectorXd m_masses;
};

}  // namespace supple::fem
