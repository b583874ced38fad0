// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/normal_map.hpp"

#include "supple/geometry/shapes.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>

namespace supple::flesh {
namespace {

using geometry::Vec3;

std::vector<Vec3> wobble(const std::vector<Vec3>& positions) {
  std::vector<Vec3> displacements;
  for (const Vec3& p : positions) {
    displacements.emplace_back(std::sin(7 * p.y()), 0.5 * std::cos(5 * p.x() + p.z()),
                               p.x() * p.y());
  }
  return displacements;
}

double error_at(double q) {
  geometry::TriMesh mesh = geometry::sphere_surface(0.5, 3);
  const std::vector<Vec3> normals = geometry::vertex_normals(mesh);
  const std::vector<Vec3> u = wobble(mesh.positions);
  const std::vector<Vec3> correction =
      NormalMap(mesh.positions, normals, mesh.triangles).corrections(u);
  for (std::size_t v = 0; v < u.size(); ++v) mesh.positions[v] += q * u[v];
  const std::vector<Vec3> exact = geometry::vertex_normals(mesh);
  double worst = 0;
  for (std::size_t v = 0; v < u.size(); ++v) {
    worst = std::max(worst, ((normals[v] + q * correction[v]).normalized() - exact[v]).norm());
  }
  return worst;
}

TEST(NormalMap, ErrorFallsWithTheSquareOfTheAmplitude) {
  const double coarse = error_at(1e-2);
  const double fine = error_at(1e-3);
  EXPECT_LT(fine, 1e-3);
  EXPECT_NEAR(std::log10(coarse / fine), 2.0, 0.1);
}

TEST(NormalMap, RigidRotationTurnsNormals) {
  const geometry::TriMesh mesh = geometry::sphere_surface(0.5, 2);
  const std::vector<Vec3> normals = geometry::vertex_normals(mesh);
  const Vec3 w(0.3, -0.2, 0.5);
  std::vector<Vec3> u;
  for (const Vec3& p : mesh.positions) u.push_back(w.cross(p));
  const auto correction = NormalMap(mesh.positions, normals, mesh.triangles).corrections(u);
  for (std::size_t v = 0; v < u.size(); ++v) {
    EXPECT_LT((correction[v] - w.cross(normals[v])).norm(), 1e-12);
  }
}

TEST(NormalMap, TextureSeamsStaySmoothAndHardEdgesHard) {
  // A box drawn with three vertices per corner keeps flat faces; the same box split along a seam
  // inside a face keeps that face in one piece.
  geometry::TriMesh box = geometry::box_surface({Vec3::Zero(), Vec3::Ones()});
  geometry::TriMesh split;
  std::vector<Vec3> normals;
  for (const geometry::Triangle& t : box.triangles) {
    const Vec3 n = (box.positions[t[1]] - box.positions[t[0]])
                       .cross(box.positions[t[2]] - box.positions[t[0]])
                       .normalized();
    geometry::Triangle own{};
    for (int c = 0; c < 3; ++c) {
      own[c] = static_cast<geometry::Index>(split.positions.size());
      split.positions.push_back(box.positions[t[c]]);
      normals.push_back(n);
    }
    split.triangles.push_back(own);
  }
  const NormalMap map(split.positions, normals, split.triangles);
  std::vector<Vec3> u;
  for (const Vec3& p : split.positions) u.emplace_back(0.2 * p.y() * p.z(), 0.1 * p.x(), 0);
  const auto correction = map.corrections(u);
  for (std::size_t v = 0; v < u.size(); ++v) {
    EXPECT_NEAR(correction[v].dot(normals[v]), 0, 1e-12);
    for (std::size_t w = 0; w < u.size(); ++w) {
      if (split.positions[v] == split.positions[w] && normals[v] == normals[w]) {
        EXPECT_LT((correction[v] - correction[w]).norm(), 1e-12);
      }
    }
  }
}

TEST(NormalMap, BackSidesBendTheOtherWay) {
  const geometry::TriMesh mesh = geometry::sphere_surface(0.5, 2);
  const std::vector<Vec3> outward = geometry::vertex_normals(mesh);
  std::vector<Vec3> inward;
  for (const Vec3& n : outward) inward.push_back(-n);
  const std::vector<Vec3> u = wobble(mesh.positions);
  const auto front = NormalMap(mesh.positions, outward, mesh.triangles).corrections(u);
  const auto back = NormalMap(mesh.positions, inward, mesh.triangles).corrections(u);
  for (std::size_t v = 0; v < u.size(); ++v) EXPECT_LT((front[v] + back[v]).norm(), 1e-12);
}

}  // namespace
}  // namespace supple::flesh
