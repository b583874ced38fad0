// SPDX-License-Identifier: Apache-2.0
#include "fem/shell_meshes.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/shell/shell_object.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/SVD>

#include <vector>

namespace supple::shell {
namespace {

using geometry::Index;
using geometry::Mat3;
using geometry::TriMesh;
using geometry::Vec3;

std::vector<TriMesh> meshes() {
  return {fem::strip_mesh(1, 0.3, 10, 4), fem::v_mesh(1, 0.4, 8, 4), fem::bumpy_mesh(1, 0.3, 9, 3),
          geometry::sphere_surface(0.5, 2), geometry::torus_surface(1, 0.3, 24, 10)};
}

/// Sums of a few terms, over triangles whose inertia has a condition of at most some hundred.
constexpr double kRotationRounding = 1e-12;

TEST(NodeRotations, AreExactOnRigidRotationsAboutAnyPoint) {
  Random random(5);
  for (const TriMesh& mesh : meshes()) {
    const Eigen::SparseMatrix<double> w = node_rotations(mesh);
    for (int trial = 0; trial < 3; ++trial) {
      Vec3 turn, centre, shift;
      for (int k = 0; k < 3; ++k) {
        turn(k) = random.uniform(-1, 1);
        centre(k) = random.uniform(-3, 3);
        shift(k) = random.uniform(-1, 1);
      }
      Eigen::VectorXd u(3 * static_cast<Eigen::Index>(mesh.positions.size()));
      for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        u.segment<3>(3 * static_cast<Eigen::Index>(i)) =
            shift + turn.cross(mesh.positions[i] - centre);
      }
      const Eigen::VectorXd turns = w * u;
      for (Eigen::Index i = 0; i < turns.size(); i += 3) {
        EXPECT_LT((turns.segment<3>(i) - turn).norm(), kRotationRounding);
      }
    }
  }
}

/// The rotation that takes a triangle nearest to where its corners went: polar decomposition of
/// the sum of a_i p_i^T, which for three points in a plane leaves the normal to the orientation.
Mat3 polar_rotation(const std::array<Vec3, 3>& from, const std::array<Vec3, 3>& to) {
  const Vec3 from_centre = (from[0] + from[1] + from[2]) / 3;
  const Vec3 to_centre = (to[0] + to[1] + to[2]) / 3;
  Mat3 sum = Mat3::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    sum += (to[i] - to_centre) * (from[i] - from_centre).transpose();
  }
  const Eigen::JacobiSVD<Mat3> svd(sum, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 fix = Mat3::Identity();
  fix(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant();
  return svd.matrixU() * fix * svd.matrixV().transpose();
}

TEST(NodeRotations, MatchFiniteDifferencesOfPolarDecompositions) {
  Random random(6);
  for (const TriMesh& mesh : meshes()) {
    const auto nodes = static_cast<Eigen::Index>(mesh.positions.size());
    Eigen::VectorXd u(3 * nodes);
    for (Eigen::Index i = 0; i < u.size(); ++i) u(i) = 0.05 * random.uniform(-1, 1);
    constexpr double kStep = 1e-5;
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(3 * nodes);
    std::vector<double> count(mesh.positions.size(), 0);
    for (const geometry::Triangle& corner : mesh.triangles) {
      std::array<Vec3, 3> rest, plus, minus;
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 step = kStep * u.segment<3>(3 * Eigen::Index{corner[i]});
        rest[i] = mesh.positions[corner[i]];
        plus[i] = rest[i] + step;
        minus[i] = rest[i] - step;
      }
      const Eigen::AngleAxisd a(polar_rotation(rest, plus));
      const Eigen::AngleAxisd b(polar_rotation(rest, minus));
      const Vec3 turn = (a.angle() * a.axis() - b.angle() * b.axis()) / (2 * kStep);
      for (const Index node : corner) {
        mean.segment<3>(3 * Eigen::Index{node}) += turn;
        count[node] += 1;
      }
    }
    for (std::size_t i = 0; i < count.size(); ++i) {
      mean.segment<3>(3 * static_cast<Eigen::Index>(i)) /= count[i];
    }
    const Eigen::VectorXd turns = node_rotations(mesh) * u;
    // Second differences leave kStep^2; rounding of angles of 1e-6 leaves 1e-10 of them and more.
    EXPECT_LT((turns - mean).norm(), 1e-5 * mean.norm());
  }
}

}  // namespace
}  // namespace supple::shell
