// SPDX-License-Identifier: Apache-2.0
#include "shell/node_rotations.hpp"

#include "shell/triangle_rotation.hpp"
#include "supple/core/check.hpp"
#include "supple/core/parallel.hpp"
#include "supple/shell/shell_object.hpp"

#include <vector>

namespace supple::shell {
namespace {

using geometry::Index;
using geometry::Triangle;
using geometry::Vec3;

/// 1 / triangles of each node; 0 without any.
Eigen::VectorXd shares(const geometry::TriMesh& mesh) {
  Eigen::VectorXd share = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(mesh.positions.size()));
  for (const Triangle& corner : mesh.triangles) {
    for (const Index node : corner) share(node) += 1;
  }
  return share.unaryExpr([](double count) { return count > 0 ? 1 / count : 0.0; });
}

}  // namespace

Eigen::SparseMatrix<double> node_rotations(const geometry::TriMesh& mesh) {
  const Eigen::VectorXd share = shares(mesh);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(81 * mesh.triangles.size());
  for (const Triangle& corner : mesh.triangles) {
    const TriangleRotation turn(mesh, corner);
    for (int j = 0; j < 3; ++j) {
      const geometry::Mat3 block = turn.jacobian(j);
      for (const Index node : corner) {
        for (Index r = 0; r < 3; ++r) {
          for (Index c = 0; c < 3; ++c) {
            entries.emplace_back(3 * node + r, 3 * corner[j] + c, share(node) * block(r, c));
          }
        }
      }
    }
  }
  const auto unknowns = static_cast<Eigen::Index>(3 * mesh.positions.size());
  Eigen::SparseMatrix<double> result(unknowns, unknowns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

Eigen::MatrixXd node_turns(const geometry::TriMesh& mesh, const Eigen::MatrixXd& displacements) {
  SUPPLE_CHECK_OP(static_cast<std::size_t>(displacements.rows()), ==, 3 * mesh.positions.size());
  const Eigen::VectorXd share = shares(mesh);
  Eigen::MatrixXd turns = Eigen::MatrixXd::Zero(displacements.rows(), displacements.cols());
  parallel_for(static_cast<std::size_t>(displacements.cols()), 1, [&](std::size_t k) {
    const auto u = displacements.col(static_cast<Eigen::Index>(k));
    auto w = turns.col(static_cast<Eigen::Index>(k));
    for (const Triangle& corner : mesh.triangles) {
      const TriangleRotation rotation(mesh, corner);
      const Vec3 turn = rotation(u.segment<3>(3 * Eigen::Index{corner[0]}),
                                 u.segment<3>(3 * Eigen::Index{corner[1]}),
                                 u.segment<3>(3 * Eigen::Index{corner[2]}));
      for (const Index node : corner) w.segment<3>(3 * Eigen::Index{node}) += turn;
    }
    for (Eigen::Index node = 0; node < share.size(); ++node) {
      w.segment<3>(3 * node) *= share(node);
    }
  });
  return turns;
}

}  // namespace supple::shell
