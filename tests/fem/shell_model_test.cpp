// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/shell_model.hpp"

#include "fem/shell_meshes.hpp"
#include "text.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <array>
#include <functional>
#include <limits>
#include <numbers>

namespace supple::fem {
namespace {

using geometry::TriMesh;
using geometry::Vec3;
using supple::testing::contains;

std::string problem(const ShellModel& model) {
  const Result<void> valid = model.validate();
  return valid.ok() ? std::string() : valid.error().message();
}

TEST(ShellModel, AcceptsOpenAndClosedSurfaces) {
  EXPECT_EQ(problem(shell_model(strip_mesh(2, 1, 4, 2), kPlain)), "");
  EXPECT_EQ(problem(shell_model(geometry::sphere_surface(1, 1), kPlain)), "");
}

TEST(ShellModel, ListsDegenerateTriangles) {
  ShellModel model = shell_model(strip_mesh(2, 1, 20, 2), kPlain);
  for (int i = 0; i < 12; ++i) model.mesh.triangles.push_back({i, i + 1, i + 2});  // a line
  const std::string text = problem(model);
  EXPECT_TRUE(contains(text, "12 degenerate triangles: 80 (0 1 2), 81 (1 2 3)")) << text;
  EXPECT_TRUE(contains(text, "and 2 more")) << text;
  EXPECT_FALSE(contains(text, "90 (")) << text;
}

TEST(ShellModel, ListsEdgesOfThreeTriangles) {
  ShellModel model = shell_model(strip_mesh(1, 1, 1, 1), kPlain);
  model.mesh.positions.emplace_back(0.5, 0, 1);
  model.mesh.triangles.push_back({0, 3, 4});  // a fin on the diagonal
  const std::string text = problem(model);
  EXPECT_TRUE(contains(text, "1 edge of three or more triangles: 0-3 (3 triangles)")) << text;
}

TEST(ShellModel, ListsTrianglesThatFaceOppositeSides) {
  ShellModel model = shell_model(strip_mesh(1, 1, 1, 1), kPlain);
  std::swap(model.mesh.triangles[1][0], model.mesh.triangles[1][1]);
  const std::string text = problem(model);
  EXPECT_TRUE(contains(text, "1 edge whose triangles face opposite sides: 0-3 (triangles 0 and 1)"))
      << text;
}

TEST(ShellModel, SizesAndRegionsMustFit) {
  ShellModel model = shell_model(strip_mesh(1, 1, 1, 1), kPlain);
  model.regions = {0};
  EXPECT_TRUE(contains(problem(model), "2 triangles but 1 regions"));
  model.regions = {0, 3};
  EXPECT_TRUE(contains(problem(model), "1 triangle of a region without material: 1 (region 3)"))
      << problem(model);
  model.regions.clear();
  model.fixed = {0, 0};
  EXPECT_TRUE(contains(problem(model), "4 nodes but 2 fixed flags"));
  model.fixed.clear();
  model.materials.clear();
  EXPECT_TRUE(contains(problem(model), "no material"));
  model.materials = {kPlain};
  model.mesh.positions[2].y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(problem(model), "not finite"));
  model.mesh = {};
  EXPECT_TRUE(contains(problem(model), "no triangles"));
}

TEST(ShellMaterial, SaysWhatIsWrong) {
  const auto text = [](const ShellMaterial& material) {
    const Result<void> valid = material.validate();
    return valid.ok() ? std::string() : valid.error().message();
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(text(kPlain), "");
  EXPECT_EQ(text({"cloth", 1, 1, 0, 1}), "");
  EXPECT_TRUE(contains(text({"m", -1, 1, 1, 1}), "k_A"));
  EXPECT_TRUE(contains(text({"m", 1, nan, 1, 1}), "k_L"));
  EXPECT_TRUE(contains(text({"m", 1, 1, -1, 1}), "k_B"));
  EXPECT_TRUE(contains(text({"m", 1, 1, 1, 0}), "density"));
  EXPECT_TRUE(contains(text({"m", 0, 0, 0, 1}), "resists nothing"));
}

/// A node and its six neighbours, equilateral, turned in the plane.
TriMesh hexagon(double edge, double turn) {
  TriMesh mesh;
  mesh.positions.emplace_back(0, 0, 0);
  for (int i = 0; i < 6; ++i) {
    const double angle = turn + i * std::numbers::pi / 3;
    mesh.positions.emplace_back(edge * std::cos(angle), edge * std::sin(angle), 0);
  }
  for (int i = 0; i < 6; ++i) mesh.triangles.push_back({0, 1 + i, 1 + (i + 1) % 6});
  return mesh;
}

/// Energy per area of an endless sheet in this state, from one hexagon of it. Its six triangles
/// belong to three nodes; of each direction it has four edges where three belong to that area,
/// and two hinges. Plates bend by triangle.
double energy_per_area(const ShellMaterial& material, double edge, double turn,
                       const std::function<Vec3(const Vec3&)>& move,
                       Bending bending = Bending::Plate) {
  const double area = 6 * std::sqrt(0.1875) * edge * edge;
  const std::array terms{
      ShellMaterial{"a", material.area_stiffness, 0, 0, 1},
      ShellMaterial{"l", 0, material.length_stiffness, 0, 1},
      ShellMaterial{"b", 0, 0, material.bending_stiffness, 1, material.poisson_ratio}};
  const std::array share{1.0, 3.0 / 4, bending == Bending::Hinge ? 3.0 / 2 : 1.0};
  double total = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!terms[i].validate().ok()) continue;  // a stiffness of zero
    ShellModel model = shell_model(hexagon(edge, turn), terms[i]);
    model.bending = bending;
    const DiscreteShell shell = make_shell(model);
    Eigen::VectorXd x = shell.rest();
    for (Eigen::Index n = 0; n < x.size(); n += 3) x.segment<3>(n) = move(x.segment<3>(n));
    total += share[i] * shell.energy(x) / area;
  }
  return total;
}

/// Of second order in the strain, so that this much of it leaves six digits.
constexpr double kSmall = 1e-6;

TEST(ShellMaterial, SheetBendsAsThePlateInEveryDirection) {
  const double thickness = 2e-3;
  for (const double nu : {0.3, 0.0, 0.45}) {
    const Material steel{"steel", 2e11, nu, 7800};
    const double plate = steel.youngs_modulus * std::pow(thickness, 3) / (12 * (1 - nu * nu));
    const ShellMaterial sheet = shell_material(steel, thickness, 0.05);
    EXPECT_NEAR(sheet.area_density, 15.6, 1e-12);
    for (const double turn : {0.0, 0.1, 0.4}) {
      const auto bent = [&](double along, double across, Bending bending) {
        const auto move = [&](const Vec3& p) -> Vec3 {
          const double z = 0.5 * (along * p.x() * p.x() + across * p.y() * p.y());
          return p + Vec3(0, 0, kSmall / 0.05 * z);
        };
        const double unit = 0.5 * plate * (kSmall / 0.05) * (kSmall / 0.05);
        return energy_per_area(sheet, 0.05, turn, move, bending) / unit;
      };
      EXPECT_NEAR(bent(1, 0, Bending::Plate), 1, 1e-5);
      EXPECT_NEAR(bent(0, 1, Bending::Plate), 1, 1e-5);
      EXPECT_NEAR(bent(1, 1, Bending::Plate), 2 + 2 * nu, 1e-5);
      EXPECT_NEAR(bent(1, 0, Bending::Hinge), 1, 1e-5);
      EXPECT_NEAR(bent(0, 1, Bending::Hinge), 1, 1e-5);
      EXPECT_NEAR(bent(1, 1, Bending::Hinge), 2 - 2.0 / 3, 1e-5);  // as if nu were -1/3
    }
  }
}

TEST(ShellMaterial, SheetStretchesInPlaneStress) {
  const double thickness = 2e-3;
  for (const double nu : {0.35, 0.45, 1.0 / 3}) {
    const Material solid{"rubber", 1e6, nu, 1000};
    const ShellMaterial sheet = shell_material(solid, thickness, 0.05);
    const auto stretched = [&](double xx, double yy, double xy) {
      return energy_per_area(sheet, 0.05, 0.2, [&](const Vec3& p) -> Vec3 {
        return p + kSmall * Vec3(xx * p.x() + xy * p.y(), xy * p.x() + yy * p.y(), 0);
      });
    };
    const double unit = 0.5 * kSmall * kSmall * solid.youngs_modulus * thickness / (1 - nu * nu);
    EXPECT_NEAR(stretched(1, 0, 0) / unit, 1, 1e-5);
    EXPECT_NEAR(stretched(1, 1, 0) / unit, 2 + 2 * nu, 1e-5);
    EXPECT_NEAR(stretched(0, 0, 1) / unit, 2 * (1 - nu), 1e-5);
  }
  // Below 1/3: uniaxial stress, contracting by a third, still meets Young's modulus.
  const Material cork{"cork", 1e6, 0.0, 1000};
  const ShellMaterial sheet = shell_material(cork, thickness, 0.05);
  EXPECT_EQ(sheet.area_stiffness, 0);
  const double pulled = energy_per_area(sheet, 0.05, 0.2, [&](const Vec3& p) -> Vec3 {
    return p + kSmall * Vec3(p.x(), -p.y() / 3, 0);
  });
  EXPECT_NEAR(pulled / (0.5 * kSmall * kSmall * 1e6 * thickness), 1, 1e-5);
}

TEST(ShellMaterial, EdgeScaleIsTheEdgeOfEquilateralTriangles) {
  // Border edges count whole: an endless sheet would have exactly its edge.
  EXPECT_NEAR(edge_scale(equilateral_mesh(0.1, 60, 60)), 0.1, 0.1 * 0.02);
  EXPECT_EQ(edge_scale({}), 0);
}

}  // namespace
}  // namespace supple::fem
