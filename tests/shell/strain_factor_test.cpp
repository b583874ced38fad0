// SPDX-License-Identifier: Apache-2.0
#include "shell/baked.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <vector>

namespace supple::shell {
namespace {

using geometry::Index;
using geometry::Vec3;

/// The stiffness of linear triangles for a scalar, over all nodes: gradients of the shape
/// functions, not cotangents.
Eigen::MatrixXd dirichlet(const geometry::TriMesh& mesh) {
  const auto nodes = static_cast<Eigen::Index>(mesh.positions.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(nodes, nodes);
  for (const geometry::Triangle& corner : mesh.triangles) {
    const Vec3 u = mesh.positions[corner[1]] - mesh.positions[corner[0]];
    const Vec3 v = mesh.positions[corner[2]] - mesh.positions[corner[0]];
    const Vec3 normal = u.cross(v);
    const double area = 0.5 * normal.norm();
    std::array<Vec3, 3> gradient;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 opposite =
          mesh.positions[corner[(i + 2) % 3]] - mesh.positions[corner[(i + 1) % 3]];
      gradient[i] = normal.cross(opposite) / normal.squaredNorm();
    }
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        matrix(corner[i], corner[j]) += area * gradient[i].dot(gradient[j]);
      }
    }
  }
  return matrix;
}

Eigen::MatrixXd lower(const StrainFactor& factor) {
  const auto n = static_cast<Eigen::Index>(factor.order.size());
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    EXPECT_EQ(factor.rows[factor.column_start[j]], static_cast<std::uint32_t>(j));
    for (std::uint32_t k = factor.column_start[j]; k < factor.column_start[j + 1]; ++k) {
      EXPECT_GE(factor.rows[k], static_cast<std::uint32_t>(j));
      result(factor.rows[k], j) = factor.values[k];
    }
  }
  return result;
}

void expect_factor_of_laplacian(const Baked& baked) {
  const StrainFactor& factor = *baked.object.strain;
  const Eigen::MatrixXd l = lower(factor);
  const Eigen::MatrixXd expected = dirichlet(baked.shell.model().mesh)(factor.order, factor.order);
  EXPECT_LT((l * l.transpose() - expected).norm(), 1e-12 * expected.norm());
}

TEST(StrainFactor, TimesItsTransposeIsTheLaplacianOfFreeNodes) {
  // Blunt triangles too: their cotangents are negative.
  fem::ShellModel model = fem::shell_model(fem::bumpy_mesh(1, 0.1, 9, 5), sheet_material());
  fem::clamp_up_to(model, 0.13);
  const Baked baked = bake(model, settings(4));
  double least = 0;
  for (const auto& corner : baked.object.strain->cotangents) {
    least = std::min({least, corner[0], corner[1], corner[2]});
  }
  EXPECT_LT(least, -0.1);
  expect_factor_of_laplacian(baked);
  std::vector<Index> order = baked.object.strain->order;
  std::sort(order.begin(), order.end());
  std::vector<Index> free;
  for (std::size_t i = 0; i < model.fixed.size(); ++i) {
    if (model.fixed[i] == 0) free.push_back(static_cast<Index>(i));
  }
  EXPECT_EQ(order, free);
}

TEST(StrainFactor, HoldsTheNodeNearestToTheMiddleOfAFreeShell) {
  const Baked baked =
      bake(fem::shell_model(fem::strip_mesh(1, 0.4, 8, 4), sheet_material()), settings(4));
  const auto& order = baked.object.strain->order;
  const std::size_t nodes = baked.shell.model().mesh.positions.size();
  EXPECT_EQ(order.size(), nodes - 1);
  EXPECT_EQ(std::count(order.begin(), order.end(), 2 * 9 + 4), 0);  // the middle one of 9 by 5
  expect_factor_of_laplacian(baked);
}

TEST(StrainFactor, HoldsOneNodeOfEveryLoosePiece) {
  geometry::TriMesh mesh = fem::strip_mesh(1, 0.4, 4, 2);
  const geometry::TriMesh other = fem::strip_mesh(1, 0.4, 6, 2);
  const auto first = static_cast<Index>(mesh.positions.size());
  for (const Vec3& x : other.positions) mesh.positions.emplace_back(x + Vec3(0, 0, 1));
  for (const auto& t : other.triangles) {
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  const Baked baked = bake(fem::shell_model(mesh, sheet_material()), settings(4));
  EXPECT_EQ(baked.object.strain->order.size(), mesh.positions.size() - 2);
  expect_factor_of_laplacian(baked);
}

TEST(StrainFactor, IsLeftOutOnRequest) {
  ObjectSettings how = settings(4);
  how.rotation_strain = false;
  EXPECT_FALSE(bake(cantilever(), how).object.strain.has_value());
}

}  // namespace
}  // namespace supple::shell
