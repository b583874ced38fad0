// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/air.hpp"

#include "fem/sheet_meshes.hpp"
#include "supple/fem/membrane_energy.hpp"
#include "supple/fem/motion.hpp"
#include "supple/fem/quadratic_energies.hpp"
#include "supple/fem/shell_energy.hpp"
#include "supple/fem/solid_energy.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace supple::fem {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kGravity = 9.81;

TEST(AirDrag, DerivativesMatchFiniteDifferences) {
  Random random(81);
  const geometry::TriMesh mesh = bumpy_mesh(1, 0.5, 5, 3);
  const VectorXd rest = interleaved(mesh.positions);
  Air air;
  air.wind = {2, 1, -3};
  air.gusts = 0.5;
  for (const Exposure exposure : {Exposure::BothSides, Exposure::OneSide}) {
    AirDrag drag(air, mesh.triangles, exposure);
    EXPECT_EQ(drag.value(rest).joules, 0);  // before the first step
    EXPECT_EQ(gradient_of(drag, rest).norm(), 0);
    const VectorXd before = rest + random_vector(random, rest.size(), 0.05);
    for (const VectorXd* earlier : {static_cast<const VectorXd*>(nullptr), &before}) {
      drag.begin_step({0.02, 0.3, &rest, earlier});
      expect_derivatives(drag, rest + random_vector(random, rest.size(), 0.1), 1e-5, random);
    }
  }
}

TEST(AirDrag, PressesAcrossTheSurfaceWithTheSquareOfTheSpeed) {
  // A sheet of 0.5 m^2 that stands in the wind, tilted.
  const geometry::TriMesh mesh = strip_mesh(1, 0.5, 4, 2);
  const Eigen::Matrix3d turn = some_turn(0.7);
  const VectorXd x = moved(interleaved(mesh.positions), turn, Vector3d::Zero());
  const Vector3d normal = turn.col(2);
  for (const Vector3d& wind : {Vector3d(5, 0, 0), Vector3d(0, -3, 4), Vector3d(0, 0, -20)}) {
    Air air;
    air.wind = wind;
    AirDrag drag(air, mesh.triangles, Exposure::BothSides);
    constexpr double kStep = 0.01;
    drag.begin_step({kStep, 0, &x, nullptr});
    const VectorXd force = -gradient_of(drag, x);
    Vector3d total = Vector3d::Zero();
    for (Eigen::Index i = 0; i < force.size(); i += 3) total += force.segment<3>(i);
    const double across = normal.dot(wind);
    EXPECT_LT((total - 0.5 * air.density * std::abs(across) * across * normal).norm(),
              1e-12 * total.norm());
    // A sheet that goes with the wind, or along itself, feels nothing.
    VectorXd along = x;
    for (Eigen::Index i = 0; i < x.size(); i += 3) {
      along.segment<3>(i) += kStep * (wind + 7 * turn.col(0));
    }
    EXPECT_LT(gradient_of(drag, along).norm(), 1e-10 * force.norm());
  }
}

/// A stiff plate that falls flat in still air: its speed after each step.
struct FallingPlate {
  VectorXd masses;
  MotionState state;
  std::unique_ptr<Energy> elastic;
  std::unique_ptr<AirDrag> drag;
  double area = 0;

  std::vector<double> fall(double gravity, double h, int steps) {
    DeadLoad load(weight(masses, {0, 0, -gravity}));
    Newton newton(FreeVertices({}, masses), masses);
    StepSettings settings;
    settings.h = h;
    std::vector<double> speeds;
    for (int i = 0; i < steps; ++i) {
      const auto report = step(newton, {elastic.get(), drag.get(), &load}, settings, state);
      EXPECT_TRUE(report.ok()) << report.error().describe();
      if (!report.ok()) break;
      double speed = 0;
      for (Eigen::Index k = 0; k < masses.size(); ++k) speed -= masses(k) * state.v(3 * k + 2);
      speeds.push_back(speed / masses.sum());
    }
    return speeds;
  }
};

FallingPlate plate(double density, Exposure exposure) {
  FallingPlate result;
  Air air;
  air.density = density;
  const Material stiff{"plate", 1e9, 0.3, 1000};
  constexpr double kPlateThickness = 0.01;
  result.area = 0.06;
  if (exposure == Exposure::BothSides) {
    const geometry::TriMesh mesh = strip_mesh(0.3, 0.2, 6, 4);
    const DiscreteShell shell =
        make_shell(shell_model(mesh, shell_material(stiff, kPlateThickness, edge_scale(mesh))));
    result.masses = shell.masses();
    result.state.x = shell.rest();
    result.elastic = std::make_unique<ShellEnergy>(shell);
    result.drag = std::make_unique<AirDrag>(air, mesh.triangles, exposure);
  } else {
    geometry::Box box;
    box.add(Vector3d(0, 0, 0));
    box.add(Vector3d(0.3, 0.2, kPlateThickness));
    SolidModel model;
    model.mesh = geometry::box_mesh(box, 6, 4, 1);
    model.materials = {stiff};
    const geometry::BoundarySurface surface = boundary(model.mesh);
    std::vector<geometry::Triangle> triangles = surface.mesh.triangles;
    for (auto& triangle : triangles) {
      for (auto& vertex : triangle) vertex = surface.node_of_vertex[vertex];
    }
    result.masses = lumped_masses(model);
    result.state.x = interleaved(model.mesh.nodes);
    result.elastic = std::make_unique<SolidEnergy>(model, SolidLaw::StableNeoHookean);
    result.drag = std::make_unique<AirDrag>(air, std::move(triangles), exposure);
  }
  result.state.v = VectorXd::Zero(result.state.x.size());
  return result;
}

TEST(AirDrag, PlatesReachTheirTerminalVelocity) {
  // From air to something heavier than any metal, where a step is many times the time in which the
  // plate slows down.
  for (const double density : {1.2, 1000.0, 1e5}) {
    for (const Exposure exposure : {Exposure::BothSides, Exposure::OneSide}) {
      FallingPlate falling = plate(density, exposure);
      const double terminal = std::sqrt(falling.masses.sum() * kGravity / (density * falling.area));
      const std::vector<double> speeds = falling.fall(kGravity, 1.0 / 30, density < 2 ? 250 : 60);
      // It never goes faster, and in the end neither slower.
      for (const double speed : speeds) EXPECT_LT(speed, terminal * (1 + 1e-6));
      RecordProperty("terminal", std::to_string(terminal));
      RecordProperty("reached", std::to_string(speeds.back()));
      EXPECT_NEAR(speeds.back(), terminal, 1e-3 * terminal);
    }
  }
}

TEST(AirDrag, SlowsAPlateByTheFormula) {
  // v = v0 / (1 + k v0 t) with k = density area / mass.
  std::vector<double> errors;
  for (const double h : {1.0 / 60, 1.0 / 120, 1.0 / 240}) {
    FallingPlate sliding = plate(50, Exposure::BothSides);
    for (Eigen::Index i = 2; i < sliding.state.v.size(); i += 3) sliding.state.v(i) = -3;
    const double k = 50 * sliding.area / sliding.masses.sum();
    const double expected = 3 / (1 + k * 3 * 0.5);
    const auto steps = static_cast<int>(std::lround(0.5 / h));
    errors.push_back(std::abs(sliding.fall(0, h, steps).back() - expected) / expected);
  }
  EXPECT_LT(errors[2], 0.02);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 1, 0.2);
}

TEST(AirDrag, GoesOnWithAnyWindAndStep) {
  // A flag of cloth in a storm of mud: nothing blows up, and no vertex outruns the wind by far.
  SheetMaterial material = rubber_sheet();
  material.youngs_modulus = 1e6;
  const SheetModel model = sheet_model(strip_mesh(0.5, 0.3, 10, 6), material);
  const VectorXd masses = lumped_masses(model);
  std::vector<std::uint8_t> fixed(model.mesh.positions.size(), 0);
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (model.mesh.positions[i].x() < 1e-9) fixed[i] = kFixAll;
  }
  for (const double density : {1.2, 2000.0}) {
    Air air;
    air.density = density;
    air.wind = {4, 1, 2};
    air.gusts = 1;
    MembraneEnergy membrane(model);
    ShellEnergy bending(*bending_shell(model));
    AirDrag drag(air, model.mesh.triangles, Exposure::BothSides);
    DeadLoad load(weight(masses, {0, 0, -kGravity}));
    Newton newton(FreeVertices(fixed, masses), masses);
    MotionState state = at_rest(interleaved(model.mesh.positions));
    StepSettings settings;
    settings.h = 1.0 / 30;
    settings.relative_force = 1e-5;
    for (int i = 0; i < 45; ++i) {
      const auto report = step(newton, {&membrane, &bending, &drag, &load}, settings, state);
      ASSERT_TRUE(report.ok()) << i << ": " << report.error().describe();
      ASSERT_LT(state.v.cwiseAbs().maxCoeff(), 30);
    }
  }
}

TEST(Air, GustsStayBetweenNothingAndTwiceTheWind) {
  Random random(82);
  Air air;
  air.wind = {3, 0, 4};
  air.gusts = 1;
  air.gust_size = 2;
  double sum = 0;
  constexpr int kSamples = 20000;
  for (int i = 0; i < kSamples; ++i) {
    const Vector3d place = random_vector(random, 3, 5);
    const double time = random.uniform(0, 100);
    const Vector3d flow = air.velocity(place, time);
    EXPECT_LT(flow.cross(air.wind).norm(), 1e-12);
    const double share = flow.dot(air.wind) / air.wind.squaredNorm();
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 2);
    sum += share;
    // They move with the wind.
    const Vector3d later = air.velocity(place + 0.7 * air.wind, time + 0.7);
    EXPECT_LT((later - flow).norm(), 1e-9);
  }
  EXPECT_NEAR(sum / kSamples, 1, 0.02);
}

TEST(Air, RejectsValuesOutOfRange) {
  EXPECT_TRUE(Air{}.validate().ok());
  const auto wrong = [](auto change) {
    Air air;
    change(air);
    const auto result = air.validate();
    EXPECT_FALSE(result.ok());
    return result.ok() ? std::string() : result.error().describe();
  };
  EXPECT_NE(wrong([](Air& air) { air.density = -1; }).find("density"), std::string::npos);
  EXPECT_NE(wrong([](Air& air) { air.gusts = 1.5; }).find("gusts"), std::string::npos);
  EXPECT_NE(wrong([](Air& air) { air.gust_size = 0; }).find("size"), std::string::npos);
  EXPECT_NE(wrong([](Air& air) { air.wind.x() = std::nan(""); }).find("wind"), std::string::npos);
}

}  // namespace
}  // namespace supple::fem
