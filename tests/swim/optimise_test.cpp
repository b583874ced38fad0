// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/optimise.hpp"

#include "swim/stroke_variables.hpp"
#include "swim/strokes.hpp"
#include "swim/swim_trial.hpp"
#include "temporary_directory.hpp"

#include "supple/core/files.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/units.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace supple::swim {
namespace {

using test::default_body;

void bend(Pose& pose, std::string_view joint, double degrees) {
  pose.angles[default_body().find_joint(joint).value()] = degrees * kDegree;
}

/// Arms that push water back and return edgewise: poor, but it swims.
PoseGraph paddle() {
  PoseGraph graph;
  graph.name = "paddle";
  for (const auto& [shoulder, wrist] : {std::pair{10, 0}, {120, 0}, {120, 90}, {10, 90}}) {
    Pose pose;
    pose.name = std::string(1, static_cast<char>('a' + graph.poses.size()));
    pose.angles.assign(default_body().joints.size(), 0);
    pose.duration = 0.3;
    pose.blend = 0.3;
    for (const std::string side : {"right_", "left_"}) {
      bend(pose, side + "shoulder", shoulder);
      bend(pose, side + "wrist", wrist);
    }
    graph.poses.push_back(pose);
  }
  return graph;
}

OptimiseSettings brief() {
  OptimiseSettings settings;
  settings.generations = 6;
  settings.run_seconds = 4;
  settings.population = 6;
  return settings;
}

TEST(StrokeVariables, FindsHowSidesBelongTogether) {
  PoseGraph graph = paddle();
  EXPECT_EQ(find_symmetry(graph, default_body()), Symmetry::Equal);
  for (std::size_t i = 0; i < 4; ++i) {
    bend(graph.poses[i], "left_shoulder",
         graph.poses[(i + 2) % 4].angles[default_body().find_joint("right_shoulder").value()] /
             kDegree);
    bend(graph.poses[i], "left_wrist",
         graph.poses[(i + 2) % 4].angles[default_body().find_joint("right_wrist").value()] /
             kDegree);
  }
  EXPECT_EQ(find_symmetry(graph, default_body()), Symmetry::Alternating);
  bend(graph.poses[0], "left_knee", 20);
  EXPECT_EQ(find_symmetry(graph, default_body()), Symmetry::None);
}

TEST(StrokeVariables, KeepSymmetryAndLimits) {
  const PoseGraph graph = paddle();
  const StrokeVariables variables(graph, default_body(), Symmetry::Equal);
  EXPECT_EQ(variables.count(), 4 * 2 + 4);  // shoulder and wrist of one side, and the times
  const Eigen::VectorXd given = Eigen::VectorXd::Zero(variables.count());
  EXPECT_EQ(variables.at(given).poses[1].angles, graph.poses[1].angles);
  EXPECT_EQ(variables.beyond_limits(given), 0);
  EXPECT_EQ(variables.strangeness(given), 0);
  const Eigen::VectorXd far = Eigen::VectorXd::Constant(variables.count(), 50);
  const PoseGraph changed = variables.at(far);
  EXPECT_TRUE(changed.validate(default_body()).ok())
      << changed.validate(default_body()).error().describe();
  EXPECT_EQ(find_symmetry(changed, default_body()), Symmetry::Equal);
  EXPECT_GT(variables.beyond_limits(far), 1);
}

TEST(Optimise, MakesAStrokeFaster) {
  const auto found = optimise_stroke(paddle(), default_body(), {}, {}, brief());
  ASSERT_TRUE(found.ok()) << found.error().describe();
  EXPECT_LT(found->cost, found->first_cost - 0.02);
  EXPECT_TRUE(found->graph.validate(default_body()).ok());
  RunSettings run;
  run.seconds = 4;
  const auto speed = [&](const PoseGraph& graph) {
    StartState start;
    start.angles = graph.poses[0].angles;
    const auto swim = record_swim(default_body(), {}, graph, start, run, nullptr).value();
    return swim.frames.back().centre.x() - swim.frames.front().centre.x();
  };
  EXPECT_GT(speed(found->graph), speed(paddle()));
}

TEST(SwimTrial, MeasuresWhatTheReportTells) {
  const Body plane = test::body_of(HingeSet::Paper14);
  const PoseGraph graph = test::plane_breaststroke(plane);
  StartState start;
  start.angles = graph.poses[0].angles;
  RunSettings run;
  run.seconds = 20;
  const auto swim = record_swim(plane, {}, graph, start, run, nullptr).value();
  const SwimReport told = report(swim, plane, {});
  const SwimTrial trial = try_swim(graph, plane, {}, start, run.seconds, run.step).value();
  EXPECT_NEAR(trial.speed_variation, told.speed_variation, 0.05 * told.speed_variation);
  EXPECT_NEAR(trial.strokes_per_min, told.strokes_per_min, 0.5);
  EXPECT_EQ(try_swim(graph, plane, {}, start, 3, run.step)->strokes_per_min, 0);
}

TEST(Optimise, ComesIntoTheRangesThatAreWanted) {
  const Body plane = test::body_of(HingeSet::Paper14);
  const PoseGraph graph = test::plane_breaststroke(plane);
  const auto trial = [&](const PoseGraph& stroke) {
    StartState start;
    start.angles = stroke.poses[0].angles;
    return try_swim(stroke, plane, {}, start, 9, 1.0 / 60).value();
  };
  const SwimTrial before = trial(graph);
  OptimiseSettings settings = brief();
  settings.generations = 14;
  settings.run_seconds = 9;
  settings.strokes_per_min = WantedRange{31, 34};
  const double wanted = 0.9 * before.speed_variation;
  settings.speed_variation = WantedRange{0.9 * wanted, wanted};
  const auto found = optimise_stroke(graph, plane, {}, {}, settings);
  ASSERT_TRUE(found.ok()) << found.error().describe();
  const SwimTrial after = trial(found->graph);
  EXPECT_LT(before.strokes_per_min, 29);
  EXPECT_GT(after.strokes_per_min, 30);
  EXPECT_LT(after.strokes_per_min, 35);
  EXPECT_LT(after.speed_variation, 1.02 * wanted);
}

TEST(Optimise, KeepsJointsWithinTheAnglesThatAreAsked) {
  OptimiseSettings settings = brief();
  settings.generations = 2;
  settings.spread_deg = 20;
  settings.within = {{"shoulder", {15 * kDegree, 110 * kDegree}}};
  const auto found = optimise_stroke(paddle(), default_body(), {}, {}, settings).value();
  for (const Pose& pose : found.graph.poses) {
    for (const char* joint : {"right_shoulder", "left_shoulder"}) {
      const double angle = pose.angles[default_body().find_joint(joint).value()];
      EXPECT_GE(angle, 14.9 * kDegree);
      EXPECT_LE(angle, 110.1 * kDegree);
    }
  }
  settings.within = {{"tail", {0, 1}}};
  const auto refused = optimise_stroke(paddle(), default_body(), {}, {}, settings);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("'tail'"), std::string::npos);
}

TEST(Optimise, DoesNotDependOnThreadsAndGoesOnWhereItStopped) {
  const int threads = thread_count();
  set_thread_count(1);
  const auto alone = optimise_stroke(paddle(), default_body(), {}, {}, brief()).value();
  set_thread_count(3);
  const auto shared = optimise_stroke(paddle(), default_body(), {}, {}, brief()).value();
  set_thread_count(threads);
  EXPECT_EQ(alone.cost, shared.cost);

  const testing::TemporaryDirectory folder;
  OptimiseSettings settings = brief();
  settings.state_file = folder.path() / "state";
  settings.generations = 3;
  ASSERT_TRUE(optimise_stroke(paddle(), default_body(), {}, {}, settings).ok());
  settings.generations = 6;
  const auto resumed = optimise_stroke(paddle(), default_body(), {}, {}, settings).value();
  EXPECT_EQ(resumed.cost, alone.cost);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(resumed.graph.poses[i].angles, alone.graph.poses[i].angles);
  }

  PoseGraph other = paddle();
  other.poses[2].duration = 0.4;
  const auto refused = optimise_stroke(other, default_body(), {}, {}, settings);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("another stroke"), std::string::npos);
  ASSERT_TRUE(write_file(settings.state_file, std::string_view("no state")).ok());
  EXPECT_FALSE(optimise_stroke(paddle(), default_body(), {}, {}, settings).ok());
}

TEST(Optimise, RefusesWhatMakesNoSense) {
  OptimiseSettings settings;
  settings.generations = 0;
  EXPECT_FALSE(optimise_stroke(paddle(), default_body(), {}, {}, settings).ok());
  settings = {};
  settings.power_limit = 0;
  EXPECT_FALSE(optimise_stroke(paddle(), default_body(), {}, {}, settings).ok());
  settings = {};
  settings.speed_variation = WantedRange{0.5, 0.4};
  EXPECT_FALSE(settings.validate().ok());
  settings = {};
  settings.strokes_per_min = WantedRange{-1, 40};
  EXPECT_FALSE(settings.validate().ok());
}

}  // namespace
}  // namespace supple::swim
