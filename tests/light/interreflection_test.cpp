// SPDX-License-Identifier: Apache-2.0
#include "light/lit_shapes.hpp"
#include "supple/light/transfer.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace supple::light {
namespace {

using namespace testing;
using std::numbers::pi;

const Surface kEmptyRoom = painted(TriMesh{}, 0.0F);

TransferSettings until_converged(std::size_t directions) {
  TransferSettings settings;
  settings.directions = directions;
  settings.bounces = 1000;
  settings.converged = 1e-7;
  return settings;
}

/// Two half-planes that meet along the y axis, cut off at kWidth and +-kLength. The first is the
/// floor z = 0, x > 0; the second rises from it at the angle alpha. Rows are graded towards the
/// edge, so that what bounces between them is resolved at every distance.
struct Wedge {
  static constexpr double kWidth = 30;
  static constexpr double kLength = 60;
  static constexpr double kProbe = 0.05;  // the distance from the edge at which it is measured
  static constexpr int kRows = 36;
  static constexpr int kColumns = 6;
  static constexpr double kFirstRow = 0.004;

  Surface surface;
  std::size_t probe = 0;

  Wedge(double alpha, float albedo) {
    const double ratio = std::pow(kWidth / kFirstRow, 1.0 / (kRows - 1));
    const auto distance = [&](int row) {
      return row == 0 ? 1e-4 : kFirstRow * std::pow(ratio, row - 1);
    };
    const auto along = [](int column) { return kLength * (2.0 * column / kColumns - 1); };
    TriMesh mesh =
        grid(kRows, kColumns, [&](int i, int j) { return Vec3(distance(i), along(j), 0); });
    append(mesh, flipped(grid(kRows, kColumns, [&](int i, int j) {
             return Vec3(distance(i) * std::cos(alpha), along(j), distance(i) * std::sin(alpha));
           })));
    surface = painted(std::move(mesh), albedo);
    int row = 0;
    while (distance(row) < kProbe) ++row;
    probe = static_cast<std::size_t>(row * (kColumns + 1) + kColumns / 2);
  }
};

/// Light that comes in at the far ends and through the gap of 0.1 mm at the edge wanders to the
/// probe, the further the larger rho F is: 2e-3 for 0.4, but 8e-3 for 0.6. Sampling adds 4e-4.
constexpr double kWedgeError = 3e-3;

TEST(Interreflection, WedgeUnderConstantLight) {
  SUPPLE_NEEDS_EMBREE();
  struct Case {
    double degrees, albedo;
  };
  for (const auto& [degrees, albedo] : {Case{60, 0.5}, Case{90, 0.8}, Case{120, 0.8}}) {
    const double alpha = degrees * pi / 180;
    const double f = (1 + std::cos(alpha)) / 2;
    const double exact = albedo * (1 - f) / (1 - albedo * f);
    const Wedge wedge(alpha, static_cast<float>(albedo));
    const TransferField field = good_transfer(wedge.surface, kEmptyRoom, until_converged(8192));
    const double found = under_constant_light(field.front, wedge.probe);
    std::printf("wedge of %.0f degrees: %.4f, exact %.4f, %d bounces\n", degrees, found, exact,
                field.bounces);
    EXPECT_NEAR(found, exact, kWedgeError);
  }
}

TEST(Interreflection, WedgeInEveryCoefficient) {
  SUPPLE_NEEDS_EMBREE();
  // M_A = rho (D_A + rho F D_B) / (1 - rho^2 F^2); D of the wall, equations.md section 5.
  Eigen::VectorXd own = Eigen::VectorXd::Zero(16);
  own(0) = 0.141047;
  own(2) = 0.162868;
  own(3) = 0.103685;
  own(6) = 0.078848;
  own(7) = 0.136569;
  own(13) = 0.096989;
  own(15) = -0.025042;
  geometry::Mat3 swap;  // x and z, and y backwards: the other plane as seen from the first
  swap << 0, 0, 1, 0, -1, 0, 1, 0, 0;
  const Eigen::VectorXd other = rotation_matrix(4, swap) * own;
  constexpr double kAlbedo = 0.8;
  constexpr double kF = 0.5;
  const Eigen::VectorXd exact =
      kAlbedo * (own + kAlbedo * kF * other) / (1 - kAlbedo * kAlbedo * kF * kF);
  EXPECT_NEAR(exact(0) * std::sqrt(4 * pi), 0.6667, 1e-4);
  const Wedge wedge(pi / 2, static_cast<float>(kAlbedo));
  const TransferField field = good_transfer(wedge.surface, kEmptyRoom, until_converged(8192));
  const double worst = (vector_of(field.front, wedge.probe) - exact).cwiseAbs().maxCoeff();
  std::printf("wedge of 90 degrees: largest error of 16 coefficients %.1e\n", worst);
  EXPECT_LT(worst, kWedgeError);
}

/// A ball from inside, without the triangles near +z.
struct Bowl {
  Surface surface;
  double open = 0;  ///< part of the ball's area that is missing
};
Bowl bowl(double height, float albedo, int subdivisions) {
  const TriMesh ball = geometry::sphere_surface(1, subdivisions);
  TriMesh kept;
  kept.positions = ball.positions;
  for (const auto& t : ball.triangles) {
    const Vec3 middle = (ball.positions[static_cast<std::size_t>(t[0])] +
                         ball.positions[static_cast<std::size_t>(t[1])] +
                         ball.positions[static_cast<std::size_t>(t[2])]) /
                        3;
    if (middle.z() < height) kept.triangles.push_back({t[0], t[2], t[1]});
  }
  Bowl result;
  result.open = 1 - geometry::area(kept) / geometry::area(ball);
  result.surface = painted(std::move(kept), albedo);
  return result;
}

TEST(Interreflection, BowlUnderConstantLight) {
  SUPPLE_NEEDS_EMBREE();
  for (const double height : {0.0, 0.6, 0.9}) {
    constexpr double kAlbedo = 0.8;
    const Bowl scene = bowl(height, static_cast<float>(kAlbedo), 4);
    const double exact = kAlbedo * scene.open / (1 - kAlbedo * (1 - scene.open));
    const TransferField field = good_transfer(scene.surface, kEmptyRoom, until_converged(2048));
    double sum = 0;
    double worst = 0;
    int count = 0;
    for (std::size_t v = 0; v < scene.surface.vertex_count(); ++v) {
      // Vertices of the rim have normals of half a ring.
      if (scene.surface.mesh.positions[v].z() > height - 0.1) continue;
      const double found = under_constant_light(field.front, v);
      sum += found;
      worst = std::max(worst, std::abs(found / exact - 1));
      ++count;
    }
    const double mean = sum / count;
    std::printf("bowl, %.3f open: mean %.4f, exact %.4f, worst vertex %.1f %%\n", scene.open, mean,
                exact, 100 * worst);
    // Triangles of 4.5 degrees stand for the ball, and a jagged rim for a circle.
    EXPECT_NEAR(mean / exact, 1, 5e-3);
    EXPECT_LT(worst, 0.05);
  }
}

TEST(Interreflection, NothingEntersWhatIsClosed) {
  SUPPLE_NEEDS_EMBREE();
  // Albedo 1 everywhere; edges and corners of a box seen from inside, a ball, a torus.
  const std::vector<TriMesh> rooms{flipped(geometry::box_surface({Vec3(-1, 0, 2), Vec3(3, 1, 5)})),
                                   flipped(geometry::sphere_surface(2, 2)),
                                   flipped(geometry::torus_surface(2, 0.6, 17, 9)),
                                   flipped(box_of_sides(Vec3(10, 10, 10), Vec3(1, 2, 3), 3))};
  for (const TriMesh& room : rooms) {
    TransferSettings settings;
    settings.directions = 1024;
    settings.bounces = 20;
    const TransferField field = good_transfer(painted(room, 1.0F), kEmptyRoom, settings);
    for (const float value : field.front.values()) ASSERT_EQ(value, 0);
  }
}

TEST(Interreflection, NoEnergyIsCreated) {
  SUPPLE_NEEDS_EMBREE();
  constexpr double kBounceRounding = 1e-4;  // of three hundred bounces in floats
  TransferSettings settings = until_converged(512);
  settings.bounces = 300;
  const Bowl scene = bowl(0.9, 1.0F, 3);
  const TransferField in_bowl = good_transfer(scene.surface, kEmptyRoom, settings);
  double least = 1;
  for (std::size_t v = 0; v < scene.surface.vertex_count(); ++v) {
    const double out = under_constant_light(in_bowl.front, v);
    EXPECT_LE(out, 1 + kBounceRounding);
    if (scene.surface.mesh.positions[v].z() < 0.8) least = std::min(least, out);
  }
  // All light comes out again, after many bounces.
  std::printf("white bowl, %.3f open: least %.4f after %d bounces\n", scene.open, least,
              in_bowl.bounces);
  EXPECT_GT(least, 0.99);
  Random random(3);
  TriMesh crumpled =
      grid(12, 12, [&](int i, int j) { return Vec3(0.1 * i, 0.1 * j, random.uniform(0, 0.5)); });
  Surface sheet = painted(crumpled, 0.6F);
  sheet.two_sided = true;
  sheet.transmission = {Eigen::Vector3f::Constant(0.4F)};
  const TransferField field = good_transfer(sheet, kEmptyRoom, settings);
  for (std::size_t v = 0; v < sheet.vertex_count(); ++v) {
    EXPECT_LE(under_constant_light(field.front, v), 1 + kBounceRounding);
    EXPECT_LE(under_constant_light(field.back, v), 1 + kBounceRounding);
    EXPECT_GT(under_constant_light(field.front, v), 0.95) << "white sheets look white";
  }
}

TEST(Interreflection, FloorsTakeTheColourOfWhatStandsOnThem) {
  SUPPLE_NEEDS_EMBREE();
  // The surroundings get their own transfer: a red box tints a white floor beside it.
  const Surface box =
      painted(box_of_sides(Vec3(0, 0, 0), Vec3(1, 1, 1), 4), Eigen::Vector3f(1, 0, 0));
  const Surface floor =
      painted(rectangle(Vec3(-3, -3, 0), Vec3(7, 0, 0), Vec3(0, 7, 0), 28, 28), 0.8F);
  TransferSettings settings;
  settings.directions = 512;
  const TransferField field = good_transfer(box, floor, settings);
  ASSERT_EQ(field.surroundings_front.vertex_count(), floor.vertex_count());
  std::size_t beside = 0;
  for (std::size_t v = 0; v < floor.vertex_count(); ++v) {
    if ((floor.mesh.positions[v] - Vec3(-0.25, 0.5, 0)).norm() < 1e-9) beside = v;
  }
  ASSERT_GT(beside, 0U);
  const double red = under_constant_light(field.surroundings_front, beside, 0);
  const double blue = under_constant_light(field.surroundings_front, beside, 2);
  const double corner = under_constant_light(field.surroundings_front, 0, 0);
  EXPECT_GT(red, blue + 0.05);
  EXPECT_NEAR(corner, 0.8, 0.02);
}

}  // namespace
}  // namespace supple::light
