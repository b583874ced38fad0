// SPDX-License-Identifier: Apache-2.0
#include "supple/core/interrupt.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/units.hpp"
#include "supple/swim/steering.hpp"
#include "swim/strokes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>

namespace supple::swim {
namespace {

using test::body_of;
using test::plane_breaststroke;

/// Axis and sense of a turn in the trunk's axes.
Eigen::Vector3d axis_of(Turn turn) {
  switch (turn) {
    case Turn::PitchUp:
      return Eigen::Vector3d::UnitZ();
    case Turn::PitchDown:
      return -Eigen::Vector3d::UnitZ();
    case Turn::YawLeft:
      return Eigen::Vector3d::UnitY();
    case Turn::YawRight:
      return -Eigen::Vector3d::UnitY();
    case Turn::RollLeft:
      return -Eigen::Vector3d::UnitX();
    case Turn::RollRight:
      return Eigen::Vector3d::UnitX();
  }
  return Eigen::Vector3d::Zero();
}

void expect_within_limits(const PoseGraph& graph, const Body& body) {
  for (const Eigen::MatrixXd& matrix : graph.perturbations) {
    ASSERT_EQ(matrix.rows(), static_cast<Eigen::Index>(graph.poses.size()));
    ASSERT_EQ(matrix.cols(), static_cast<Eigen::Index>(body.joints.size()));
    for (std::size_t p = 0; p < graph.poses.size(); ++p) {
      for (std::size_t j = 0; j < body.joints.size(); ++j) {
        const double angle =
            graph.poses[p].angles[j] +
            kMostTurn * matrix(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(j));
        EXPECT_GE(angle, body.joints[j].low - 1e-9) << body.joints[j].name;
        EXPECT_LE(angle, body.joints[j].high + 1e-9) << body.joints[j].name;
      }
    }
  }
}

void expect_mirrored(const PoseGraph& graph) {
  const auto mirrored = [](const Eigen::Vector3d& rate) {
    return Eigen::Vector3d(-rate.x(), -rate.y(), rate.z());
  };
  const auto rate = [&](Turn turn) { return graph.turn_rates[static_cast<std::size_t>(turn)]; };
  // The search visits joints in an asymmetric order, but its result is nearly symmetric.
  EXPECT_LT((rate(Turn::YawLeft) - mirrored(rate(Turn::YawRight))).norm(), 1 * kDegree);
  EXPECT_LT((rate(Turn::RollLeft) - mirrored(rate(Turn::RollRight))).norm(), 1 * kDegree);
}

TEST(Perturbations, TurnPurelyAndMoreTheLargerTheyAre) {
  const Body body = body_of(HingeSet::Paper14);
  const PoseGraph graph = find_perturbations(plane_breaststroke(body), body, {}).value();
  const TurnMeasurement straight = measure_turn(graph, body, {}, {}, Turn::PitchUp, 0).value();
  expect_within_limits(graph, body);
  expect_mirrored(graph);
  for (std::size_t i = 0; i < kTurns; ++i) {
    const auto turn = static_cast<Turn>(i);
    const std::string name(turn_name(turn));
    ASSERT_GT(graph.perturbations[i].size(), 0) << name;
    double last = 0;
    for (const double k : {0.5, 1.0, 2.0}) {
      const TurnMeasurement measured = measure_turn(graph, body, {}, {}, turn, k).value();
      const Eigen::Vector3d rate = measured.rate - straight.rate;
      const double along = rate.dot(axis_of(turn));
      EXPECT_GT(along, last) << name << ", k = " << k;
      last = along;
      if (k != 1) continue;
      EXPECT_GT(along, 8 * kDegree) << name;  // half a turn in 22 s, or 11 at k = 2
      EXPECT_LT((rate - along * axis_of(turn)).norm(), 0.2 * along) << name;
      EXPECT_GT(measured.speed, 0.8 * straight.speed) << name;
      EXPECT_LT((rate - graph.turn_rates[i]).norm(), 1e-9) << name;
    }
  }
}

/// Two poses, so that the search is short.
PoseGraph flutter(const Body& body) {
  PoseGraph graph;
  graph.name = "flutter";
  graph.hinges = HingeSet::Paper14;
  graph.poses.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    graph.poses[i].name = i == 0 ? "open" : "closed";
    graph.poses[i].angles.assign(body.joints.size(), 0);
    graph.poses[i].duration = 0.5;
    for (const char* joint : {"right_hip", "left_hip", "right_shoulder", "left_shoulder"}) {
      graph.poses[i].angles[body.find_joint(joint).value()] = i == 0 ? 50 * kDegree : 0;
    }
  }
  return graph;
}

TEST(Perturbations, DoNotDependOnTheNumberOfThreads) {
  const Body body = body_of(HingeSet::Paper14);
  set_thread_count(1);
  const PoseGraph one = find_perturbations(flutter(body), body, {}).value();
  set_thread_count(3);
  const PoseGraph three = find_perturbations(flutter(body), body, {}).value();
  set_thread_count(0);
  for (std::size_t i = 0; i < kTurns; ++i) {
    EXPECT_EQ(one.turn_rates[i], three.turn_rates[i]);
    ASSERT_EQ(one.perturbations[i].size(), three.perturbations[i].size());
    EXPECT_TRUE(one.perturbations[i].size() == 0 || one.perturbations[i] == three.perturbations[i]);
  }
}

TEST(Perturbations, StopWhenInterrupted) {
  const Body body = body_of(HingeSet::Paper14);
  set_interrupted(true);
  const auto result = find_perturbations(plane_breaststroke(body), body, {});
  set_interrupted(false);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::Interrupted);
}

TEST(Perturbations, NameTheStrokeThatCannotSwim) {
  const Body body = body_of(HingeSet::Paper14);
  StartState start;
  start.velocity = Eigen::Vector3d(1e5, 0, 0);
  WaterSettings none;
  none.drag = DragLaw::None;
  const auto result = find_perturbations(plane_breaststroke(body), body, none, start);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().describe().find("plane breaststroke"), std::string::npos);
}

}  // namespace
}  // namespace supple::swim
