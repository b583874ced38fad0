// SPDX-License-Identifier: Apache-2.0
#include "bodies.hpp"

#include <fmt/format.h>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace supple::simulator {
namespace {

constexpr double kRadius = 0.05;  // m
constexpr double kPoisson = 0.3;
constexpr double kYoungs = 1e6;  // Pa

/// An eighth of a ball, x, z >= 0 >= y. Its pole at y = -radius touches first; cells become finer
/// towards it by a power of the distance.
Solid ball_octant(int cells) {
  geometry::Box unit;
  unit.add(Vec3::Zero());
  unit.add(Vec3::Ones());
  geometry::TetMesh mesh = geometry::box_mesh(unit, cells, cells, cells);
  constexpr double kGrading = 2;
  for (Vec3& node : mesh.nodes) {
    const Vec3 cube(std::pow(node.x(), kGrading), 1 - std::pow(1 - node.y(), kGrading),
                    std::pow(node.z(), kGrading));
    const double length = cube.norm();
    const Vec3 ball = length > 0 ? Vec3(cube * (cube.maxCoeff() / length)) : Vec3::Zero();
    node = kRadius * Vec3(ball.z(), -ball.y(), ball.x());  // a rotation: volumes stay positive
  }
  Solid ball = solid("ball", std::move(mesh), {"rubber", kYoungs, kPoisson, 1000});
  for (const Vec3& node : ball.model.mesh.nodes) {
    ball.model.fixed.push_back((node.x() == 0 ? fem::kFixX : 0) | (node.y() == 0 ? fem::kFixY : 0) |
                               (node.z() == 0 ? fem::kFixZ : 0));
  }
  return ball;
}

struct Squeeze {
  double contact_radius;  ///< a of Hertz's theory, relative to the ball's
  double ratio;           ///< elastic energy over Hertz's
};

/// A ball squeezed between two plates: by symmetry one eighth of it and one plate, which rises so
/// slowly that inertia counts for nothing.
std::vector<Squeeze> squeeze(int cells) {
  Description description;
  description.gravity = Vec3::Zero();
  description.solids.push_back(ball_octant(cells));
  constexpr double kBarrierWidth = 2e-5 * kRadius;
  const double rise = 0.02 * kRadius;  // per step of one second
  description.obstacles.push_back(obstacle(
      "plate", plane_mesh(Vec3(0, -kRadius - kBarrierWidth, 0), Vec3::UnitY(), 3 * kRadius),
      Script{{Drift{Vec3(0, rise, 0)}}}));
  description.contact.width = kBarrierWidth;
  description.solver.h = 1;
  description.solver.speed = 1e-5 * rise;
  World world = make_world(description);
  const std::vector<Vec3>& rest = description.solids[0].model.mesh.nodes;
  const std::size_t pole = static_cast<std::size_t>(
      std::min_element(rest.begin(), rest.end(),
                       [](const Vec3& a, const Vec3& b) { return a.y() < b.y(); }) -
      rest.begin());
  std::vector<Squeeze> result;
  for (int i = 0; i < 4; ++i) {
    run(world, 1);
    const double d = world.positions(0)[pole].y() - rest[pole].y();
    const double modulus = kYoungs / (1 - kPoisson * kPoisson);
    const double hertz = 8.0 / 15.0 * modulus * std::sqrt(kRadius) * std::pow(d, 2.5);
    result.push_back({std::sqrt(d / kRadius), 4 * world.energies().elastic / hertz});
    fmt::print("{} cells, a/R {:.3f}: {:.4f}\n", cells, result.back().contact_radius,
               result.back().ratio);
  }
  return result;
}

/// Hertz's theory is that of a contact much smaller than the ball. So his energy, 8/15 E / (1 -
/// nu^2) sqrt(R) d^(5/2), must be what remains as both the cells (by their square, as linear
/// elements converge) and a/R go to zero; the ball as a whole adds a share in proportion to a/R.
TEST(Hertz, BallsBetweenPlates) {
  constexpr int kCoarse = 12;
  constexpr int kFine = 16;
  const std::vector<Squeeze> coarse = squeeze(kCoarse);
  const std::vector<Squeeze> fine = squeeze(kFine);
  const double refined = std::pow(static_cast<double>(kFine) / kCoarse, 2);
  Eigen::MatrixXd line(fine.size(), 2);
  Eigen::VectorXd ratios(fine.size());
  for (std::size_t i = 0; i < fine.size(); ++i) {
    EXPECT_LT(fine[i].ratio, coarse[i].ratio);
    const auto row = static_cast<Eigen::Index>(i);
    line.row(row) << 1, fine[i].contact_radius;
    ratios(row) = (refined * fine[i].ratio - coarse[i].ratio) / (refined - 1);
  }
  const Eigen::Vector2d fit = line.colPivHouseholderQr().solve(ratios);
  fmt::print("energy relative to Hertz's: {:.4f} + {:.2f} a/R\n", fit(0), fit(1));
  constexpr double kMeshError = 0.03;  // half of what 12 and 16 cells still differ by
  EXPECT_NEAR(fit(0), 1, kMeshError);
}

}  // namespace
}  // namespace supple::simulator
