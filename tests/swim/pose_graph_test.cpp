// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/pose_graph.hpp"

#include "supple/core/units.hpp"
#include "swim/strokes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace supple::swim {
namespace {

using test::default_body;

std::size_t joint(std::string_view name) {
  return default_body().find_joint(name).value();
}

Transition on_time(std::size_t to) {
  Transition transition;
  transition.to = to;
  return transition;
}

PoseGraph stroke(std::size_t poses) {
  PoseGraph graph;
  graph.name = "test";
  for (std::size_t i = 0; i < poses; ++i) {
    Pose pose;
    pose.name = "p";
    pose.name += std::to_string(i);
    pose.angles.assign(default_body().joints.size(), 0);
    pose.duration = 0.1 * static_cast<double>(i + 1);
    graph.poses.push_back(pose);
  }
  return graph;
}

Swimmer swimmer(const Eigen::Vector3d& velocity = Eigen::Vector3d::Zero()) {
  WaterSettings water;
  water.drag = DragLaw::None;
  StartState start;
  start.velocity = velocity;
  return Swimmer::create(default_body(), water, start).value();
}

std::string graph_error(const PoseGraph& graph) {
  const auto valid = graph.validate(default_body());
  return valid.ok() ? "no error" : valid.error().describe();
}

TEST(PoseGraph, GoodOnesPass) {
  EXPECT_EQ(graph_error(stroke(3)), "no error");
}

TEST(PoseGraph, NamesWhatIsWrong) {
  const auto broken = [](auto change) {
    PoseGraph graph = stroke(3);
    change(graph);
    return graph_error(graph);
  };
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<std::string, std::string>> cases{
      {broken([](PoseGraph& g) { g.poses.clear(); }), "no poses"},
      {broken([](PoseGraph& g) { g.start = 3; }), "starts at pose number 4"},
      {broken([](PoseGraph& g) { g.poses[1].duration = 0; }), "seconds is 0"},
      {broken([](PoseGraph& g) { g.poses[1].duration = -1; }), "seconds is -1"},
      {broken([&](PoseGraph& g) { g.poses[1].duration = nan; }), "seconds is nan"},
      {broken([](PoseGraph& g) { g.poses[1].blend = 0.5; }),
       "blend is 0.5, longer than the 0.2 seconds"},
      {broken([](PoseGraph& g) { g.poses[2].angles[joint("left_elbow")] = 3; }),
       "left_elbow is 171.9 degrees; its limits are -5 and 150"},
      {broken([&](PoseGraph& g) { g.poses[2].angles[0] = nan; }), "waist is nan degrees"},
      {broken([](PoseGraph& g) { g.poses[2].angles.pop_back(); }), "use a body with the stroke's"},
      {broken([](PoseGraph& g) { g.poses[2].name = "p0"; }), "two poses have the name 'p0'"},
      {broken([](PoseGraph& g) { g.poses[0].transitions = {on_time(9)}; }), "pose number 10"},
      {broken([](PoseGraph& g) { g.poses[0].transitions = {on_time(0)}; }),
       "no transition leads from the start 'p0' to pose 'p1'"},
      {broken([](PoseGraph& g) { g.perturbations[2].setZero(3, 4); }), "turn yaw_left has 3 poses"},
      {broken([&](PoseGraph& g) { g.turn_rates[5].y() = nan; }), "turn roll_right has numbers"},
  };
  for (const auto& [message, expected] : cases) {
    EXPECT_NE(message.find(expected), std::string::npos) << message << "\nlacks " << expected;
  }
}

TEST(PoseGraph, ACycleLeavesOutTheWayToIt) {
  PoseGraph graph = stroke(4);
  graph.poses[3].transitions = {on_time(1)};
  EXPECT_EQ(graph.cycle(), (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_NEAR(graph.cycle_seconds(), 0.2 + 0.3 + 0.4, 1e-12);
}

TEST(Condition, ReadsBackWhatItPrints) {
  for (const char* text : {"speed < 0.4", "depth > 1.5", "pitch > -20", "roll < 5", "error < 10"}) {
    const auto read = Condition::parse(text);
    ASSERT_TRUE(read.ok()) << read.error().describe();
    EXPECT_EQ(read->text(), text);
  }
  for (const char* text : {"", "speed", "speed = 1", "sped < 1", "speed < fast", "speed < inf"}) {
    EXPECT_FALSE(Condition::parse(text).ok()) << text;
  }
  const auto wrong = Condition::parse("sped < 1");
  EXPECT_NE(wrong.error().message().find("did you mean 'speed'"), std::string::npos)
      << wrong.error().message();
}

TEST(PoseController, HoldsEachPoseForItsTime) {
  PoseGraph graph = stroke(3);
  const std::size_t elbow = joint("right_elbow");
  for (std::size_t i = 0; i < 3; ++i) graph.poses[i].angles[elbow] = 0.1 * static_cast<double>(i);
  PoseController controller(graph);
  const Swimmer floating = swimmer();
  // Steps of 10 ms: 0.1, 0.2 and 0.3 s are 10, 20 and 30 of them.
  for (int i = 0; i < 130; ++i) {
    const double angle = controller.advance(floating, 0.01)[elbow];
    const int in_cycle = i % 60;
    const int expected = in_cycle < 10 ? 0 : in_cycle < 30 ? 1 : 2;
    EXPECT_EQ(angle, 0.1 * expected) << "step " << i;
    EXPECT_EQ(controller.cycles(), static_cast<std::size_t>(i / 60));
  }
}

TEST(PoseController, BlendsSmoothlyFromWhereItWas) {
  PoseGraph graph = stroke(2);
  const std::size_t knee = joint("left_knee");
  graph.poses[1].angles[knee] = 1;
  graph.poses[1].blend = 0.2;
  PoseController controller(graph);
  const Swimmer floating = swimmer();
  double last = 0;
  double largest = 0;
  for (int i = 0; i < 30; ++i) {
    const double angle = controller.advance(floating, 0.01)[knee];
    if (i == 19) {
      EXPECT_NEAR(angle, 0.5, 0.04);  // the middle of the blend, less half a step
    }
    largest = std::max(largest, angle - last);
    EXPECT_GE(angle, last);
    last = angle;
  }
  EXPECT_GT(last, 0.99);
  EXPECT_LT(largest, 1.5 * 0.01 / 0.2 + 1e-9);  // the steepest slope of a smooth step is 1.5
}

TEST(PoseController, TurnsAddUpWithinLimits) {
  PoseGraph graph = stroke(1);
  const auto elbow = static_cast<Eigen::Index>(joint("right_elbow"));
  graph.perturbations[0].setZero(1, static_cast<Eigen::Index>(default_body().joints.size()));
  graph.perturbations[0](0, elbow) = 0.2;
  graph.perturbations[3] = 5 * graph.perturbations[0];
  PoseController controller(graph);
  const Swimmer floating = swimmer();
  const auto at = static_cast<std::size_t>(elbow);
  EXPECT_EQ(controller.advance(floating, 0.01)[at], 0);
  EXPECT_NEAR(controller.advance(floating, 0.01, {2, 0, 0, 1, 0, 0})[at], 1.4, 1e-12);
  EXPECT_EQ(controller.advance(floating, 0.01, {0, 0, 0, 9, 0, 0})[at],
            default_body().joints[at].high);
}

TEST(PoseController, LeavesAPoseOnEventAndOnCommand) {
  PoseGraph graph = stroke(3);
  Transition slow{.on = Transition::On::Event, .when = {}, .command = {}, .to = 2};
  slow.when = Condition::parse("speed < 0.4").value();
  Transition asked{.on = Transition::On::Command, .when = {}, .command = "dive", .to = 1};
  graph.poses[0].transitions = {slow, asked};
  graph.poses[0].duration = 5;

  PoseController resting(graph);
  const Swimmer still = swimmer();
  static_cast<void>(resting.advance(still, 0.01));
  static_cast<void>(resting.advance(still, 0.01));
  EXPECT_EQ(resting.pose(), 2U);

  PoseController moving(graph);
  const Swimmer fast = swimmer({1, 0, 0});
  for (int i = 0; i < 5; ++i) static_cast<void>(moving.advance(fast, 0.01));
  EXPECT_EQ(moving.pose(), 0U);
  moving.command("jump");
  static_cast<void>(moving.advance(fast, 0.01));
  EXPECT_EQ(moving.pose(), 0U);
  moving.command("dive");
  static_cast<void>(moving.advance(fast, 0.01));
  EXPECT_EQ(moving.pose(), 1U);
}

TEST(Condition, MeasuresTheSwimmer) {
  StartState start;
  const double pitch = 30 * kDegree;
  start.axes << std::cos(pitch), -std::sin(pitch), 0, std::sin(pitch), std::cos(pitch), 0, 0, 0, 1;
  start.position.y() = -3;
  WaterSettings water;
  water.surface = 1;
  const Swimmer tilted = Swimmer::create(default_body(), water, start).value();
  const std::vector<double> targets(default_body().joints.size(), 0.5);
  const auto holds = [&](const char* text) {
    return Condition::parse(text).value().holds(tilted, targets);
  };
  EXPECT_TRUE(holds("pitch > 29.9"));
  EXPECT_TRUE(holds("pitch < 30.1"));
  EXPECT_TRUE(holds("roll < 0.1"));
  EXPECT_TRUE(holds("depth > 3"));
  EXPECT_TRUE(holds("depth < 5"));
  EXPECT_TRUE(holds("error > 28.6"));
  EXPECT_TRUE(holds("error < 28.7"));
}

}  // namespace
}  // namespace supple::swim
