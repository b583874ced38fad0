// SPDX-License-Identifier: Apache-2.0
#include "supple/core/units.hpp"
#include "supple/swim/course_path.hpp"
#include "supple/swim/steering.hpp"
#include "supple/swim/turn_control.hpp"
#include "swim/strokes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

namespace supple::swim {
namespace {

using std::numbers::pi;

std::vector<Eigen::Vector3d> circle(std::size_t count, double radius) {
  std::vector<Eigen::Vector3d> points;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = 2 * pi * static_cast<double>(i) / static_cast<double>(count);
    points.emplace_back(radius * std::cos(a), 1, radius * std::sin(a));
  }
  return points;
}

TEST(CoursePath, GoesThroughItsPointsAndRound) {
  const auto points = circle(16, 5);
  const CoursePath path(points, true);
  EXPECT_NEAR(path.length(), 2 * pi * 5, 0.02);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_LT((path.at(path.knots()[i]) - points[i]).norm(), 1e-9);
    EXPECT_LT((path.at(path.knots()[i] + path.length()) - points[i]).norm(), 1e-9);
  }
  for (double along = 0; along < path.length(); along += 0.37) {
    EXPECT_NEAR((path.at(along) - Eigen::Vector3d(0, 1, 0)).norm(), 5, 0.01);
  }
}

TEST(CoursePath, FindsTheNearestPointInItsWindow) {
  const CoursePath path(circle(24, 4), true);
  for (const double angle : {0.3, 1.0, 1.4}) {
    const Eigen::Vector3d outside(6 * std::cos(angle), 1.5, 6 * std::sin(angle));
    EXPECT_NEAR(path.nearest(outside, 0, path.length() / 3), 4 * angle, 0.02);
  }
  EXPECT_EQ(CoursePath({{0, 0, 0}, {1, 0, 0}}, false).nearest({5, 5, 5}, 0, 0.25) > 0.2499, true);
}

TEST(CoursePath, BetweenTwoPointsIsStraightAndEndsThere) {
  const CoursePath path({{0, 0, 0}, {3, 4, 0}}, false);
  EXPECT_NEAR(path.length(), 5, 1e-9);
  EXPECT_LT((path.at(2.5) - Eigen::Vector3d(1.5, 2, 0)).norm(), 1e-9);
  EXPECT_LT((path.at(50) - Eigen::Vector3d(3, 4, 0)).norm(), 1e-9);
}

std::string course_error(const Course& course) {
  const auto result = course.validate();
  return result.ok() ? std::string() : result.error().message();
}

TEST(Course, RejectsWhatCannotBeSwum) {
  Course course;
  course.targets.push_back({Eigen::Vector3d(5, 0, 0), {}, {}, 0.5});
  EXPECT_EQ(course_error(course), "");
  course.obstacles.push_back({Eigen::Vector3d(5, 0.5, 0), 1});
  EXPECT_NE(course_error(course).find("target 1 at (5, 0, 0) lies inside obstacle 1"),
            std::string::npos);
  course.depth = -2;  // below the sphere now
  EXPECT_EQ(course_error(course), "");
  course.obstacles[0].radius = -1;
  EXPECT_NE(course_error(course).find("obstacle[1].radius is -1; it must be above 0"),
            std::string::npos);
  course.obstacles.clear();
  course.targets[0].reach = 0;
  EXPECT_NE(course_error(course).find("reach"), std::string::npos);
  course.targets[0].reach = 1;
  course.targets[0].heading = Eigen::Vector3d::Zero();
  EXPECT_NE(course_error(course).find("heading"), std::string::npos);
  course.targets[0].heading.reset();
  course.targets.push_back(course.targets[0]);
  EXPECT_EQ(course_error(course), "");
  course.spline = true;
  EXPECT_NE(course_error(course).find("coincide"), std::string::npos);
  course.targets[0].position.x() = std::nan("");
  EXPECT_NE(course_error(course).find("target[1].position is [nan, 0, 0]"), std::string::npos);
}

TEST(Course, RejectsLoopsOfTooFewTargets) {
  Course course;
  course.loop = true;
  course.targets.push_back({Eigen::Vector3d(5, 0, 0), {}, {}, 0.5});
  EXPECT_NE(course_error(course).find("at least two targets"), std::string::npos);
  course.targets.push_back({Eigen::Vector3d(0, 0, 5), {}, {}, 0.5});
  EXPECT_EQ(course_error(course), "");
  course.spline = true;
  EXPECT_NE(course_error(course).find("at least three targets"), std::string::npos);
  course.targets.push_back({Eigen::Vector3d(-5, 0, 0), {}, {}, 0.5});
  EXPECT_EQ(course_error(course), "");
}

/// A graph whose six turns are pure and 0.2 rad/s fast.
PoseGraph pure_turns() {
  PoseGraph graph;
  graph.poses.resize(1);
  graph.poses[0].duration = 2;
  const auto set = [&](Turn turn, const Eigen::Vector3d& rate) {
    graph.turn_rates[static_cast<std::size_t>(turn)] = rate;
  };
  set(Turn::RollRight, {0.2, 0, 0});
  set(Turn::RollLeft, {-0.2, 0, 0});
  set(Turn::YawLeft, {0, 0.2, 0});
  set(Turn::YawRight, {0, -0.2, 0});
  set(Turn::PitchUp, {0, 0, 0.2});
  set(Turn::PitchDown, {0, 0, -0.2});
  return graph;
}

TEST(TurnControl, MixesTurnsThatGiveTheRate) {
  const TurnControl control(pure_turns());
  const auto k = control.turns_for({0.1, -0.3, 0.9});
  const auto of = [&](Turn turn) { return k[static_cast<std::size_t>(turn)]; };
  // A little of each is kept back as the price of effort.
  EXPECT_NEAR(of(Turn::RollRight), 0.5, 0.05);
  EXPECT_NEAR(of(Turn::YawRight), 1.5, 0.05);
  EXPECT_EQ(of(Turn::PitchUp), kMostTurn);
  EXPECT_EQ(of(Turn::RollLeft), 0);
  EXPECT_EQ(of(Turn::YawLeft), 0);
  EXPECT_EQ(of(Turn::PitchDown), 0);
}

TEST(TurnControl, MeasuresRatesInTheBodysOwnAxes) {
  const Eigen::Matrix3d before =
      Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  const Eigen::Vector3d rate(0.1, -0.2, 0.3);
  const Eigen::Matrix3d after =
      before * Eigen::AngleAxisd(2 * rate.norm(), rate.normalized()).toRotationMatrix();
  EXPECT_LT((turn_rate(before, after, 2) - rate).norm(), 1e-9);
}

TEST(TurnControl, TurnsTowardsADirectionAndUpright) {
  const TurnControl control(pure_turns());
  const Eigen::Vector3d sky = Eigen::Vector3d::UnitY();
  EXPECT_GT(control.rate_towards({1, 0, -1}, sky).y(), 0);  // left is -z
  EXPECT_LT(control.rate_towards({1, 0, 1}, sky).y(), 0);
  EXPECT_GT(control.rate_towards({1, 1, 0}, sky).z(), 0);
  EXPECT_NEAR(control.rate_towards({1, 0, 0}, sky).norm(), 0, 1e-9);
  // Up to the right: y of the trunk goes towards z by a roll about +x.
  EXPECT_GT(control.rate_towards({1, 0, 0}, {0, 1, 1}).x(), 0);
  // Straight behind: round about the upright axis.
  const Eigen::Vector3d round = control.rate_towards({-1, 0.05, 0}, sky);
  EXPECT_GT(std::abs(round.y()), 10 * std::abs(round.z()));
}

/// Stands where it is put and goes where it is told to.
Swimmer puppet(const Eigen::Vector3d& position, const Eigen::Matrix3d& axes) {
  StartState start;
  start.position = position;
  start.axes = axes;
  start.velocity = axes.col(0);
  return Swimmer::create(test::body_of(HingeSet::Paper14), {}, start).value();
}

TEST(TurnControl, TakesATurnAsCommandedForNoDrift) {
  constexpr double kLongStep = 0.25;  // eight make a cycle: one more or less is much
  TurnControl control(pure_turns());
  std::array<double, kTurns> turns{};
  turns[static_cast<std::size_t>(Turn::YawLeft)] = 1;
  Eigen::Matrix3d axes;
  for (int i = 0; i < 100; ++i) {
    axes = Eigen::AngleAxisd(0.2 * kLongStep * i, Eigen::Vector3d::UnitY()).toRotationMatrix();
    control.observe(puppet(Eigen::Vector3d::Zero(), axes), kLongStep, turns);
  }
  for (const double k : control.turns_for(Eigen::Vector3d::Zero())) EXPECT_NEAR(k, 0, 1e-6);
  EXPECT_LT((control.axes() - axes).norm(), 1e-9);
  EXPECT_LT((control.forward() - axes.col(0)).norm(), 1e-6);
}

/// Drags a body that does not turn from one place to another.
void drag(Steering& steering, const Eigen::Vector3d& from, const Eigen::Vector3d& to, int steps) {
  const Eigen::Vector3d centre =
      puppet(Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()).centre_of_mass();
  for (int i = 0; i <= steps; ++i) {
    const Eigen::Vector3d position = from + (to - from) * i / steps;
    steering.advance(puppet(position - centre, Eigen::Matrix3d::Identity()), 1.0 / 60);
  }
}

Course curve(const std::vector<Eigen::Vector3d>& points, double reach) {
  Course course;
  course.spline = true;
  for (const Eigen::Vector3d& point : points) course.targets.push_back({point, {}, {}, reach});
  return course;
}

TEST(Steering, PassesTargetsOfACurveWithoutReachingThem) {
  Steering steering(pure_turns(),
                    curve({{0, 0, 0}, {4, 0, 3}, {8, 0, 3}, {12, 0, 3}, {16, 0, 0}}, 0.5));
  drag(steering, {0, 0, 0}, {17, 0, 0}, 600);
  EXPECT_EQ(steering.reached(), 2U);  // the first and the last
  EXPECT_EQ(steering.missed(), 3U);
  EXPECT_TRUE(steering.done());
}

TEST(Steering, ReachesTargetsOfACurveTheWayItIsAskedFor) {
  Course course = curve({{0, 0, 0}, {4, 0, 0}, {8, 0, 0}, {12, 0, 0}}, 0.5);
  course.targets[1].heading = Eigen::Vector3d(-1, 0, 0);
  course.targets[2].up = Eigen::Vector3d(0, 0, 1);
  Steering steering(pure_turns(), course);
  drag(steering, {0, 0, 0}, {12, 0, 0}, 300);
  EXPECT_EQ(steering.reached(), 2U);
  EXPECT_EQ(steering.missed(), 2U);
}

TEST(Steering, WhoStaysPassesNothing) {
  // A hairpin whose way back lies nearer than its way out.
  Steering steering(pure_turns(),
                    curve({{0, 0, 0}, {0.5, 0, 0}, {0, 0, 0.05}, {-5, 0, 0.05}}, 0.1));
  drag(steering, {0, 0, 0.05}, {0, 0, 0.05}, 60);
  EXPECT_EQ(steering.reached(), 1U);
  EXPECT_EQ(steering.missed(), 0U);
  // Out and back it is.
  drag(steering, {0, 0, 0.05}, {0.5, 0, 0}, 60);
  EXPECT_EQ(steering.reached(), 2U);
  drag(steering, {0.5, 0, 0}, {0, 0, 0.05}, 60);
  EXPECT_EQ(steering.reached(), 3U);
}

}  // namespace
}  // namespace supple::swim
