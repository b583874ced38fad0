// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/flow.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>
#include <string>

namespace supple::swim {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

double value_of(const std::string& text, const Vector3d& at = Vector3d::Zero(), double time = 0) {
  const Result<Flow> flow = flow_from_expressions({text, "0", "0"});
  EXPECT_TRUE(flow.ok()) << flow.error().describe();
  return (*flow)->velocity(at, time).x();
}

std::string flow_error(const std::string& text) {
  const Result<Flow> flow = flow_from_expressions({"0", text, "0"});
  return flow.ok() ? "fine" : flow.error().describe();
}

::testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' lacks '" << part << "'";
}

Eigen::Matrix3d gradient(const FlowField& flow, const Vector3d& at, double time) {
  const double step = 1e-5;
  Eigen::Matrix3d slope;
  for (int i = 0; i < 3; ++i)
    slope.col(i) = (flow.velocity(at + step * Vector3d::Unit(i), time) -
                    flow.velocity(at - step * Vector3d::Unit(i), time)) /
                   (2 * step);
  return slope;
}

TEST(FlowExpression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("8 / 4 / 2"), 1);
  EXPECT_EQ(value_of("8 - 4 - 2"), 2);
  EXPECT_EQ(value_of("-2^2"), -4);
  EXPECT_EQ(value_of("2^-1"), 0.5);
  EXPECT_EQ(value_of("2^3^2"), 512);
  EXPECT_EQ(value_of("--3 - -1"), 4);
  EXPECT_EQ(value_of("1.5e1"), 15);
  EXPECT_EQ(value_of("min(3, max(1, 2)) + abs(-4)"), 6);
}

TEST(FlowExpression, KnowsItsFunctionsAndVariables) {
  const Vector3d at(0.3, -0.7, 1.1);
  EXPECT_EQ(value_of("x + 10 * y + 100 * z + 1000 * t", at, 2), 0.3 - 7 + 110 + 2000);
  EXPECT_EQ(value_of("sin(x)", at), std::sin(0.3));
  EXPECT_EQ(value_of("cos(y)", at), std::cos(-0.7));
  EXPECT_EQ(value_of("tan(x)", at), std::tan(0.3));
  EXPECT_EQ(value_of("tanh(z)", at), std::tanh(1.1));
  EXPECT_EQ(value_of("exp(y)", at), std::exp(-0.7));
  EXPECT_EQ(value_of("log(max(z, 1))", at), std::log(1.1));
  EXPECT_EQ(value_of("sqrt(abs(z))", at), std::sqrt(1.1));
  EXPECT_EQ(value_of("2 * pi"), 2 * pi);
}

TEST(FlowExpression, ErrorsNameColumnAndRemedy) {
  EXPECT_TRUE(has(flow_error("sin(x"), "column 6"));
  EXPECT_TRUE(has(flow_error("2 +"), "it ends where a value is expected"));
  EXPECT_TRUE(has(flow_error(""), "it ends"));
  EXPECT_TRUE(has(flow_error("1 + foo(2)"), "column 5: 'foo' is unknown; use x y z t pi"));
  EXPECT_TRUE(has(flow_error("2 x"), "column 3: an operator"));
  EXPECT_TRUE(has(flow_error("max(1)"), "two values"));
  EXPECT_TRUE(has(flow_error("sin x"), "brackets"));
  EXPECT_TRUE(has(flow_error("2 $ 3"), "column 3"));
  EXPECT_TRUE(has(flow_error("1e999"), "not a number"));
  EXPECT_TRUE(has(flow_error("z )"), "along y"));
  EXPECT_TRUE(has(flow_error(std::string(100000, '(')), "too deeply"));
  EXPECT_TRUE(has(flow_error(std::string(100000, '-') + "1"), "too deeply"));
  std::string right;
  for (int i = 0; i < 40; ++i) right += "1 + (";
  EXPECT_TRUE(has(flow_error(right), "too deeply"));
}

TEST(FlowExpression, RefusesWhatIsNotFinite) {
  EXPECT_TRUE(has(flow_error("1 / x"), "inf"));
  EXPECT_TRUE(has(flow_error("sqrt(y)"), "y = -10"));
  EXPECT_TRUE(has(flow_error("log(t)"), "t = 0"));
  EXPECT_TRUE(has(flow_error("min(0, sqrt(y))"), "nan"));
  EXPECT_TRUE(has(flow_error("max(sqrt(y), 0)"), "nan"));
  EXPECT_EQ(flow_error("1 / max(x^2, 0.01)"), "fine");
}

FlowGrid small_grid() {
  FlowGrid grid;
  grid.origin = {-1, 0, 2};
  grid.spacing = {0.5, 1, 2};
  grid.counts = {4, 3, 2};
  grid.frames = 2;
  grid.frame_seconds = 0.5;
  return grid;
}

/// Linear along each axis and in time, as what is between the points has to be.
Vector3d trilinear(const Vector3d& p, double t) {
  return {1 + p.x() * p.y() - 2 * p.z() * t, p.x() * p.y() * p.z(), p.z() + 3 * p.y() * t};
}

TEST(FlowGrid, GivesTrilinearFieldsExactly) {
  FlowGrid grid = small_grid();
  for (int f = 0; f < 2; ++f)
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 4; ++i)
          grid.velocities.push_back(
              trilinear(grid.origin + grid.spacing.cwiseProduct(Vector3d(i, j, k)), 0.5 * f));
  const Flow flow = *flow_from_grid(grid);
  for (const Vector3d& at : {Vector3d(-1, 0, 2), Vector3d(0.5, 2, 4), Vector3d(0.13, 1.7, 3.1)})
    for (const double time : {0.0, 0.2, 0.5})
      EXPECT_LT((flow->velocity(at, time) - trilinear(at, time)).norm(), 1e-13);
  // Beyond the border and after the last frame the nearest hold.
  EXPECT_LT((flow->velocity({9, -3, 3}, 8) - trilinear({0.5, 0, 3}, 0.5)).norm(), 1e-13);
  grid.loop = true;
  const Flow looped = *flow_from_grid(grid);
  const Vector3d at(0.1, 1, 3);
  EXPECT_LT((looped->velocity(at, 1.2) - trilinear(at, 0.2)).norm(), 1e-13);
  EXPECT_LT((looped->velocity(at, 0.75) - trilinear(at, 0.25)).norm(), 1e-13);
  EXPECT_LT((looped->velocity(at, -0.8) - trilinear(at, 0.2)).norm(), 1e-13);
}

TEST(FlowGrid, ReadsItsText) {
  const std::string text =
      "# a pool\norigin 1 2 3\nspacing 1 1 1 # m\ncounts 2 1 1\nframes 2\nframe_seconds 0.5\n"
      "loop\nvelocities\n0 0 0\n1 0 0\n0 2 0\n0 0 -3e-1\n";
  const Result<FlowGrid> grid = parse_flow_grid(text, "pool.txt");
  ASSERT_TRUE(grid.ok()) << grid.error().describe();
  EXPECT_EQ(grid->origin, Vector3d(1, 2, 3));
  EXPECT_TRUE(grid->loop);
  EXPECT_EQ(grid->velocities[3], Vector3d(0, 0, -0.3));
  EXPECT_EQ((*flow_from_grid(*grid))->velocity({1.5, 0, 0}, 0), Vector3d(0.5, 0, 0));
}

TEST(FlowGrid, ErrorsNameTheLine) {
  const auto error = [](const std::string& text) {
    const Result<FlowGrid> grid = parse_flow_grid(text, "pool.txt");
    return grid.ok() ? "fine" : grid.error().describe();
  };
  EXPECT_TRUE(has(error("origin 1 2\ncounts"), "pool.txt:2: 'counts' where a coordinate"));
  EXPECT_TRUE(has(error("wind 3"), "pool.txt:1: 'wind' is unknown"));
  EXPECT_TRUE(has(error("counts 1 1 1"), "velocities"));
  EXPECT_TRUE(has(error("counts 1 0 1\nvelocities\n"), "at least one"));
  EXPECT_TRUE(has(error("counts 99999999 99999999 99999999\nvelocities\n"), "at most"));
  EXPECT_TRUE(
      has(error("counts 5000 500 5\nvelocities\n1 2 3\n"), "more than the text can contain"));
  EXPECT_TRUE(has(error("counts 1 1 1\nvelocities\n1 2\n"), "velocity 1 of 1"));
  EXPECT_TRUE(has(error("counts 1 1 1\nvelocities\n1 2 nan\n"), "pool.txt:3: velocity 1 is not"));
  EXPECT_TRUE(has(error("counts 1 1 1\nvelocities\n1 2 3\n4"), "pool.txt:4: '4' after the last"));
  EXPECT_TRUE(has(error("spacing 0 1 1\ncounts 1 1 1\nvelocities\n1 2 3"), "spacing"));
  EXPECT_FALSE(read_flow_grid("no/such/file").ok());
}

TEST(Flow, VortexHasItsCirculationAndNoDivergence) {
  VortexSettings settings;
  settings.centre = {1, 2, 3};
  settings.axis = {0, 0, 5};
  settings.strength = 3;
  settings.core = 0.5;
  const Flow flow = *vortex(settings);
  for (const double radius : {0.01, 0.5, 4.0}) {
    const Vector3d at = settings.centre + Vector3d(radius, 0, 7);
    const double circulation = 2 * pi * radius * flow->velocity(at, 0).y();
    EXPECT_NEAR(circulation, 3 * (1 - std::exp(-radius * radius / 0.25)), 1e-12);
    EXPECT_NEAR(gradient(*flow, at, 0).trace(), 0, 1e-7);
  }
  EXPECT_EQ(flow->velocity(settings.centre, 0).norm(), 0);
}

TEST(Flow, WavesAreIrrotationalAndRunAtTheirSpeed) {
  WaveSettings settings;
  settings.amplitude = 0.2;
  settings.length = 6;
  settings.direction = {1, 0, 2};
  settings.surface = 0.5;
  const Flow flow = *waves(settings);
  const Vector3d at(0.3, -0.4, 0.2);
  const Eigen::Matrix3d slope = gradient(*flow, at, 0.7);
  EXPECT_NEAR(slope.trace(), 0, 1e-8);
  EXPECT_LT((slope - slope.transpose()).norm(), 1e-8);
  // [Lam32 section 229]: c^2 = g L / (2 pi).
  const double celerity = std::sqrt(9.81 * 6 / (2 * pi));
  const Vector3d run = celerity * 0.9 * Vector3d(1, 0, 2).normalized();
  EXPECT_LT((flow->velocity(at + run, 1.6) - flow->velocity(at, 0.7)).norm(), 1e-12);
  // The surface goes up as fast as the water at it.
  const Vector3d top(0.3, 0.5, 0.2);
  const double rate =
      (flow->surface_rise(top, 0.7 + 1e-6) - flow->surface_rise(top, 0.7 - 1e-6)) / 2e-6;
  EXPECT_NEAR(rate, flow->velocity(top, 0.7).y(), 1e-8);
  EXPECT_NEAR(flow->velocity({0.3, 0.5 - 6, 0.2}, 0).norm() / flow->velocity(top, 0).norm(),
              std::exp(-2 * pi), 1e-12);
}

TEST(Flow, PresetsRefuseWhatCannotBe) {
  EXPECT_FALSE(river({0, 0, std::nan("")}).ok());
  EXPECT_FALSE(vortex({.core = 0}).ok());
  EXPECT_FALSE(vortex({.axis = Vector3d::Zero()}).ok());
  EXPECT_FALSE(waves({.length = -1}).ok());
  EXPECT_FALSE(waves({.direction = Vector3d::UnitY()}).ok());
  const Result<Flow> steep = waves({.amplitude = 2, .length = 5});
  ASSERT_FALSE(steep.ok());
  EXPECT_TRUE(has(steep.error().message(), "0.357 m"));
  EXPECT_FALSE(sum_of_flows({}).ok());
}

TEST(Flow, SumsAdd) {
  const Flow both = *sum_of_flows({*river({1, 0, 0}), *flow_from_expressions({"x", "t", "0"})});
  EXPECT_EQ(both->velocity({3, 0, 0}, 2), Vector3d(4, 2, 0));
}

}  // namespace
}  // namespace supple::swim
