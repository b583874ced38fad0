// SPDX-License-Identifier: Apache-2.0
#include "shell/levers.hpp"

#include "shell/strain_factor.hpp"
#include "supple/geometry/cross_matrix.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <vector>

namespace supple::shell {
namespace {

using geometry::Index;
using geometry::Triangle;
using geometry::Vec3;

/// Weight of the missing energy of the masses' pull at rest against the square of the levers'
/// relative change: a hundredth of the former is as bad as all of the latter.
constexpr double kMatch = 1e4;

bool held(const fem::ShellModel& model) {
  return std::any_of(model.fixed.begin(), model.fixed.end(),
                     [](auto components) { return components == fem::kFixAll; });
}

/// The masses as the Laplacian's right-hand side: the load that every node carries. Zero at fixed
/// nodes.
Eigen::VectorXd carried(const fem::DiscreteShell& shell, const StrainFactor& factor) {
  const auto rows = static_cast<Eigen::Index>(factor.order.size());
  Eigen::MatrixX3d right = Eigen::MatrixX3d::Zero(rows, 3);
  for (Eigen::Index k = 0; k < rows; ++k) right(k, 0) = shell.masses()(factor.order[k]);
  const Eigen::MatrixX3d solved = solve_strain(factor, std::move(right));
  Eigen::VectorXd result = Eigen::VectorXd::Zero(shell.masses().size());
  for (Eigen::Index k = 0; k < rows; ++k) result(factor.order[k]) = solved(k, 0);
  return result;
}

}  // namespace

Eigen::Matrix3Xd node_levers(const fem::DiscreteShell& shell, const StrainFactor& factor,
                             const Eigen::MatrixXd& displacements) {
  const geometry::TriMesh& mesh = shell.model().mesh;
  Eigen::Matrix3Xd levers = Eigen::Matrix3Xd::Zero(3, shell.masses().size());
  if (!held(shell.model())) return levers;
  const Eigen::VectorXd carry = carried(shell, factor);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& corner = mesh.triangles[t];
    Vec3 lever = Vec3::Zero();
    std::vector<Index> moving;
    moving.reserve(3);
    for (std::size_t k = 0; k < 3; ++k) {
      const Index a = corner[(k + 1) % 3];
      const Index b = corner[(k + 2) % 3];
      lever +=
          factor.cotangents[t][k] * (carry(b) - carry(a)) * (mesh.positions[b] - mesh.positions[a]);
      const bool moves = !displacements.middleRows<3>(3 * Eigen::Index{corner[k]}).isZero(0);
      if (moves) moving.push_back(corner[k]);
    }
    for (const Index node : moving) levers.col(node) += lever / static_cast<double>(moving.size());
  }
  return levers;
}

void match_levers(const ShellObject& object, Eigen::Matrix3Xd& levers) {
  const auto modes = static_cast<Eigen::Index>(object.modes.size());
  const Eigen::VectorXd lengths = levers.colwise().norm().transpose();
  const double all = lengths.sum();
  if (!(all > 0)) return;
  // sum_i [Psi_i] c_i has three rows for each mode.
  const auto rows_of = [&](Eigen::Index node) {
    Eigen::MatrixX3d rows(3 * modes, 3);
    for (Eigen::Index k = 0; k < modes; ++k) {
      rows.middleRows<3>(3 * k) = geometry::cross_matrix(object.turns.block<3, 1>(3 * node, k));
    }
    return rows;
  };
  Eigen::VectorXd missing(3 * modes);
  Eigen::VectorXd weights(3 * modes);
  for (Eigen::Index k = 0; k < modes; ++k) {
    const auto& h = object.modes[k].transfer;
    missing.segment<3>(3 * k) = -Vec3(h[3], h[4], h[5]);
    weights.segment<3>(3 * k).setConstant(1 / object.modes[k].omega);
  }
  const double pull = missing.cwiseProduct(weights).norm();
  if (!(pull > 0)) return;
  weights *= std::sqrt(kMatch * all) / pull;
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(3 * modes, 3 * modes);
  for (Eigen::Index i = 0; i < levers.cols(); ++i) {
    if (!(lengths(i) > 0)) continue;
    const Eigen::MatrixX3d rows = rows_of(i);
    missing -= rows * levers.col(i);
    normal.selfadjointView<Eigen::Lower>().rankUpdate(rows, lengths(i));
  }
  normal = Eigen::MatrixXd(normal.selfadjointView<Eigen::Lower>());
  normal = weights.asDiagonal() * normal * weights.asDiagonal();
  normal.diagonal().array() += 1;
  const Eigen::VectorXd pulls =
      weights.cwiseProduct(normal.llt().solve(weights.cwiseProduct(missing)));
  for (Eigen::Index i = 0; i < levers.cols(); ++i) {
    if (lengths(i) > 0) levers.col(i) += lengths(i) * rows_of(i).transpose() * pulls;
  }
}

}  // namespace supple::shell
