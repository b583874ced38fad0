// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/steering.hpp"

#include "supple/core/random.hpp"
#include "supple/core/units.hpp"
#include "supple/swim/flow.hpp"
#include "supple/swim/recording.hpp"
#include "supple/swim/warnings.hpp"
#include "swim/strokes.hpp"
#include "swim/turning_stroke.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

namespace supple::swim {
namespace {

using std::numbers::pi;
using test::body_of;
using test::turning_breaststroke;
using test::turning_stroke;

constexpr double kStep = 1.0 / 60;
/// No limb of a swimmer under control turns the pelvis faster than this, rad/s.
constexpr double kControlled = 8;

/// A swimmer and its steering; steps until told to stop.
template <class Steerer>
class Swim {
 public:
  Swim(const PoseGraph& graph, Steerer steering, const StartState& start = {})
      : m_swimmer(Swimmer::create(body_of(graph.hinges), {}, start).value()),
        m_controller(graph),
        m_steering(std::move(steering)) {}

  void step() {
    const auto& turns = m_steering.advance(m_swimmer, kStep);
    for (const double k : turns) ASSERT_TRUE(k >= 0 && k <= kMostTurn);
    const auto stepped = m_swimmer.step(m_controller.advance(m_swimmer, kStep, turns), kStep);
    ASSERT_TRUE(stepped.ok()) << stepped.error().describe();
    m_fastest_turn = std::max(m_fastest_turn, m_swimmer.segment(0).spin.norm());
  }

  template <class Visit>
  void swim(double seconds, const Visit& visit) {
    for (int i = 0; i < static_cast<int>(seconds / kStep); ++i) {
      step();
      if (::testing::Test::HasFatalFailure()) return;
      if (!visit()) break;
    }
    EXPECT_LT(m_fastest_turn, kControlled);
  }

  [[nodiscard]] Steerer& steering() { return m_steering; }
  [[nodiscard]] const Swimmer& swimmer() const { return m_swimmer; }
  [[nodiscard]] Eigen::Vector3d position() const { return m_swimmer.centre_of_mass(); }
  [[nodiscard]] double fastest_turn() const { return m_fastest_turn; }

 private:
  Swimmer m_swimmer;
  PoseController m_controller;
  Steerer m_steering;
  double m_fastest_turn = 0;
};

Swim<Steering> on_course(const PoseGraph& graph, const Course& course) {
  EXPECT_TRUE(course.validate().ok());
  return {graph, Steering(graph, course)};
}

Target at(double x, double y, double z) {
  return {Eigen::Vector3d(x, y, z), {}, {}, 0.5};
}

/// Both sets of hinges.
class EitherBreaststroke : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Steering, EitherBreaststroke,
                         ::testing::Values("breaststroke", "breaststroke_14"),
                         [](const auto& which) { return which.param; });

TEST_P(EitherBreaststroke, ReachesTwentyRandomTargetsInAllDirections) {
  const PoseGraph graph = turning_stroke(GetParam());
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Random random(seed);
    Course course;
    while (course.targets.size() < 20) {
      const Eigen::Vector3d p(random.uniform(-10, 10), random.uniform(-10, 10),
                              random.uniform(-10, 10));
      if (p.norm() < 10) course.targets.push_back(at(p.x(), p.y(), p.z()));
    }
    auto swim = on_course(graph, course);
    double seconds = 0;
    swim.swim(1200, [&] {
      seconds += kStep;
      return !swim.steering().done();
    });
    EXPECT_EQ(swim.steering().reached(), 20U);
    std::cout << "seed " << seed << ": " << swim.steering().reached() << " targets in " << seconds
              << " s, fastest turn " << swim.fastest_turn() << " rad/s\n";
  }
}

TEST(Steering, StrokesOfTheSurfaceReachTargetsOnEitherSide) {
  Course course;
  course.targets = {at(12, 0, 5), at(12, 0, -12), at(-5, 0, -6)};
  RunSettings run;
  run.seconds = 100;
  for (const char* name : {"crawl", "butterfly", "backstroke"}) {
    const bake::SwimStroke stroke = bake::load_swim_stroke(name).value();
    const auto swim =
        record_swim(body_of(stroke.graph.hinges), stroke.water.value_or(WaterSettings{}),
                    stroke.graph, stroke.start, run, &course);
    ASSERT_TRUE(swim.ok()) << swim.error().describe();
    EXPECT_EQ(swim->targets_reached, 3U) << name;
  }
}

/// As `supple swim STROKE` does it, in the stroke's own water.
Result<Recording> swum(const char* name, const Course& course, const RunSettings& run) {
  const bake::SwimStroke stroke = bake::load_swim_stroke(name).value();
  return record_swim(body_of(stroke.graph.hinges), stroke.water.value_or(WaterSettings{}),
                     stroke.graph, stroke.start, run, &course);
}

double default_seconds(const char* name, const Course& course) {
  const bake::SwimStroke stroke = bake::load_swim_stroke(name).value();
  return course_seconds(body_of(stroke.graph.hinges), stroke.water.value_or(WaterSettings{}),
                        stroke.graph, stroke.start, course)
      .value();
}

class SurfaceStroke : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Steering, SurfaceStroke,
                         ::testing::Values("crawl", "butterfly", "backstroke"),
                         [](const auto& which) { return std::string(which.param); });

TEST_P(SurfaceStroke, ReachesRandomTargetsInItsDefaultTime) {
  Random random(7);
  int reached = 0;
  constexpr int kCourses = 30;
  for (int i = 0; i < kCourses; ++i) {
    Course course;
    // Every third one nearly straight ahead: in its first cycle a crawl sways by more than that.
    const double bearing = i % 3 == 0 ? random.uniform(-0.1, 0.1) : random.uniform(-pi, pi);
    const double away = random.uniform(3, 25);
    course.targets = {at(away * std::cos(bearing), 0, away * std::sin(bearing))};
    RunSettings run;
    run.seconds = default_seconds(GetParam(), course);
    run.until_round = true;
    const auto swim = swum(GetParam(), course, run);
    ASSERT_TRUE(swim.ok()) << swim.error().describe();
    EXPECT_EQ(swim->targets_reached, 1U)
        << away << " m away at " << bearing / kDegree << " degrees in " << run.seconds
        << " s, nearest " << swim->targets.at(0).nearest;
    reached += static_cast<int>(swim->targets_reached);
    std::cout << away << " m at " << bearing / kDegree << " deg: " << swim->duration() << " of "
              << run.seconds << " s\n";
  }
  std::cout << GetParam() << " reached " << reached << " of " << kCourses << '\n';
}

TEST(Steering, ReachesWhatIsBehindAboveAndBelow) {
  for (const Eigen::Vector3d& place :
       {Eigen::Vector3d(-6, 0, 0), Eigen::Vector3d(0, 6, 0), Eigen::Vector3d(0, -6, 0),
        Eigen::Vector3d(0, 0, 1.5), Eigen::Vector3d(0.5, 0, -1.2), Eigen::Vector3d(-1, 1, 0)}) {
    Course course;
    course.targets.push_back(at(place.x(), place.y(), place.z()));
    auto swim = on_course(turning_breaststroke(), course);
    swim.swim(90, [&] { return !swim.steering().done(); });
    EXPECT_TRUE(swim.steering().done()) << place.transpose();
  }
}

/// A figure of eight, 16 m by 10 m, that rises and falls by a metre.
Course figure_of_eight() {
  Course course;
  course.spline = true;
  course.loop = true;
  for (int i = 0; i < 16; ++i) {
    const double a = 2 * pi * i / 16;
    course.targets.push_back(at(8 * std::sin(a), std::sin(a), 5 * std::sin(2 * a)));
  }
  return course;
}

TEST_P(EitherBreaststroke, FollowsAFigureOfEightForFiveMinutes) {
  const PoseGraph graph = turning_stroke(GetParam());
  auto swim = on_course(graph, figure_of_eight());
  const CoursePath path = *swim.steering().path();
  double time = 0;
  double sum = 0;
  double most = 0;
  std::size_t count = 0;
  swim.swim(300, [&] {
    time += kStep;
    if (time < 30 || static_cast<int>(time / kStep) % 6 != 0) return true;  // finds the curve
    const double along = path.nearest(swim.position(), 0, path.length());
    const double off = (path.at(along) - swim.position()).norm();
    sum += off;
    most = std::max(most, off);
    ++count;
    return true;
  });
  const double mean = sum / static_cast<double>(count);
  std::cout << "figure of eight: " << swim.steering().reached() << " of its points, "
            << swim.steering().missed() << " missed, off by " << mean << " m in the mean, " << most
            << " m at most\n";
  EXPECT_GT(swim.steering().reached(), 3 * 16U);  // more than three rounds
  EXPECT_LT(mean, 0.35);
  EXPECT_LT(most, 0.8);
}

TEST(Steering, KeepsOutOfSpheres) {
  Course course;
  course.loop = true;
  course.targets = {at(12, 0, 0), at(-4, 0, 6), at(0, 0, -6)};
  course.obstacles = {{Eigen::Vector3d(5.5, 0.2, 0.3), 1.0},
                      {Eigen::Vector3d(4, 0, 3.4), 0.8},
                      {Eigen::Vector3d(-4, 0, 0.2), 1.2}};
  auto swim = on_course(turning_breaststroke(), course);
  double nearest = std::numeric_limits<double>::infinity();
  swim.swim(300, [&] {
    for (const Obstacle& obstacle : course.obstacles) {
      for (std::size_t i = 0; i < swim.swimmer().body().segments.size(); ++i) {
        const SegmentMotion segment = swim.swimmer().segment(i);
        const Eigen::Vector3d centre =
            segment.origin + segment.axes * swim.swimmer().body().segments[i].centre;
        nearest = std::min(nearest, (centre - obstacle.centre).norm() - obstacle.radius);
      }
    }
    return true;
  });
  std::cout << "obstacles: " << swim.steering().reached() << " targets, nearest segment " << nearest
            << " m away\n";
  EXPECT_GT(nearest, 0.27);
  EXPECT_GE(swim.steering().reached(), 9U);
}

/// Every stroke that can be steered: a minute and a half, in which butterfly would go in a circle
/// and breaststroke would sink by 20 m.
class AnyStroke : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Steering, AnyStroke,
                         ::testing::Values("crawl", "butterfly", "backstroke", "breaststroke",
                                           "breaststroke_14"),
                         [](const auto& which) { return std::string(which.param); });

TEST_P(AnyStroke, HoldsCourseAndDepthWithoutTargets) {
  const auto swim = swum(GetParam(), Course{}, {.seconds = 90});
  ASSERT_TRUE(swim.ok()) << swim.error().describe();
  const bake::SwimStroke stroke = bake::load_swim_stroke(GetParam()).value();
  const SwimReport told =
      report(*swim, body_of(stroke.graph.hinges), stroke.water.value_or(WaterSettings{}));
  double aside = 0;
  double off_depth = 0;
  for (const Recording::Frame& frame : swim->frames) {
    aside = std::max(aside, std::abs(frame.centre.z() - swim->frames.front().centre.z()));
    off_depth = std::max(off_depth, std::abs(frame.centre.y() - swim->frames.front().centre.y()));
  }
  std::cout << GetParam() << ": " << told.ahead_m << " m ahead, at most " << aside << " m aside, "
            << off_depth << " m off its depth\n";
  EXPECT_LT(aside, 1);
  EXPECT_LT(off_depth, 0.5);
  EXPECT_GT(told.ahead_m, 0.9 * told.mean_speed_mps * 90);
  EXPECT_NEAR(told.right_m, swim->frames.back().centre.z() - swim->frames.front().centre.z(), 1e-9);
  EXPECT_LT(std::abs(told.turned_deg), 20);
  EXPECT_EQ(drift_warning(told, 90, true, true), "");
}

/// Spheres on the way, also exactly on it and above or below the swimmer's own depth.
TEST_P(AnyStroke, PassesObstaclesHalfABodyWidthClear) {
  Random random(11);
  for (int i = 0; i < 6; ++i) {
    Course course;
    const double bearing = random.uniform(-0.5, 0.5);
    const Eigen::Vector3d way(std::cos(bearing), 0, std::sin(bearing));
    const Eigen::Vector3d target = 30 * way;
    course.targets = {at(target.x(), 0, target.z())};
    const double off = i < 2 ? 0 : random.uniform(-1, 1);
    Obstacle obstacle;
    obstacle.centre = random.uniform(10, 20) * way + off * Eigen::Vector3d(-way.z(), 0, way.x());
    obstacle.centre.y() = random.uniform(-0.5, 0.5);
    obstacle.radius = random.uniform(0.5, 1.5);
    course.obstacles = {obstacle};
    RunSettings run;
    run.seconds = default_seconds(GetParam(), course);
    run.until_round = true;
    const auto swim = swum(GetParam(), course, run);
    ASSERT_TRUE(swim.ok()) << swim.error().describe();
    EXPECT_EQ(swim->targets_reached, 1U) << i;
    EXPECT_GT(swim->clearances.at(0), 0.27) << i;
    std::cout << GetParam() << " passes a sphere of " << obstacle.radius << " m at "
              << swim->clearances.at(0) << " m\n";
  }
}

/// It heads into the current, or sideways against one from the side; from a current that is too
/// fast it does not turn away.
TEST(Steering, HoldsItsCourseInARiver) {
  const PoseGraph& graph = turning_breaststroke();
  for (const Eigen::Vector3d& current :
       {Eigen::Vector3d(0, 0, 0.5), Eigen::Vector3d(-0.4, 0, -0.4), Eigen::Vector3d(0.3, 0, 0.3),
        Eigen::Vector3d(-1.6, 0, 0)}) {
    WaterSettings water;
    water.flow = river(current).value();
    const Course course;
    const auto swim =
        record_swim(body_of(graph.hinges), water, graph, {}, {.seconds = 60}, &course);
    ASSERT_TRUE(swim.ok()) << swim.error().describe();
    const SwimReport told = report(*swim, body_of(graph.hinges), water);
    std::cout << current.transpose() << ": " << told.ahead_m << " ahead, " << told.right_m
              << " right, " << told.up_m << " up\n";
    EXPECT_LT(std::abs(told.right_m), 1.5) << current.transpose();
    EXPECT_LT(std::abs(told.up_m), 0.5) << current.transpose();
    EXPECT_GT(told.mean_speed_mps, 0.75) << current.transpose();
    EXPECT_EQ(told.ahead_m < 0, current.x() < -1);
  }
}

TEST(CrossCurrent, AddsUpToTheDirection) {
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const auto any = [&] {
      return Eigen::Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    };
    const Eigen::Vector3d direction = any().normalized();
    const Eigen::Vector3d current = 1.5 * any();
    const double own = random.uniform(0.1, 2);
    const Crossing crossing = cross_current(direction, current, own);
    EXPECT_NEAR(crossing.heading.norm(), 1, 1e-12);
    const Eigen::Vector3d ground = own * crossing.heading + current;
    if (crossing.speed > 0) {
      EXPECT_LT((ground - crossing.speed * direction).norm(), 1e-12);
    } else {
      EXPECT_LE(crossing.speed, 0);
      EXPECT_EQ(crossing.heading, direction);
    }
  }
}

TEST(Steering, HoldsADepth) {
  Course course;
  course.depth = -1;
  auto swim = on_course(turning_breaststroke(), course);
  double time = 0;
  double off = 0;
  swim.swim(90, [&] {
    time += kStep;
    if (time > 30) off = std::max(off, std::abs(swim.position().y() + 1));
    return true;
  });
  std::cout << "depth held to " << off << " m\n";
  EXPECT_LT(off, 0.3);
  EXPECT_GT(swim.position().x(), 30);
}

TEST(Steering, ComesThroughATargetTheWayItIsAskedFor) {
  for (const Eigen::Vector3d& heading :
       {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(-1, 0, 0)}) {
    Course course;
    course.targets = {at(8, 0, 2)};
    course.targets[0].heading = heading;
    auto swim = on_course(turning_breaststroke(), course);
    swim.swim(240, [&] { return !swim.steering().done(); });
    EXPECT_TRUE(swim.steering().done()) << heading.transpose();
    EXPECT_GT(swim.steering().control().forward().dot(heading), std::cos(30 * kDegree));
  }
}

/// Who turns round before the line comes to it high or low, and has to mend that on it.
TEST(Steering, MeetsHeadingsAfterABendWithoutGoingRoundForLong) {
  using Pair = std::pair<Eigen::Vector3d, Eigen::Vector3d>;
  for (const auto& [place, heading] :
       {Pair({8, 0, 4}, {0, 0, 1}), Pair({5.3, -2, 5.9}, {0.64, 0.05, 0.77}),
        Pair({-7.5, -3, 7.4}, {0.25, -0.11, 0.97}), Pair({3.3, -0.5, 2.5}, {0.15, 0.05, -0.99})}) {
    Course course;
    course.targets = {at(place.x(), place.y(), place.z())};
    course.targets[0].heading = heading;
    auto swim = on_course(turning_breaststroke(), course);
    swim.swim(100, [&] { return !swim.steering().done(); });
    EXPECT_TRUE(swim.steering().done()) << place.transpose();
    EXPECT_LE(swim.steering().outcomes().at(0).nearest, 0.5);
    EXPECT_EQ(swim.steering().outcomes().at(0).reached, 1U);
  }
}

TEST(Steering, StaysBellyDown) {
  Course course;
  course.targets = {at(15, 1, 4), at(15, -1, -8), at(0, 0, 0)};
  course.loop = true;
  auto swim = on_course(turning_breaststroke(), course);
  double upright = 0;
  std::size_t count = 0;
  swim.swim(240, [&] {
    upright += swim.steering().control().axes()(1, 1);
    ++count;
    return true;
  });
  EXPECT_GT(upright / static_cast<double>(count), 0.9);
}

TEST(KeySteering, TurnsWhileAKeyIsHeldAndLevelsOffAfterwards) {
  const PoseGraph& graph = turning_breaststroke();
  const auto heading = [](Swim<KeySteering>& swim) {
    const Eigen::Vector3d x = trunk_axes(swim.swimmer()).col(0);
    return std::atan2(-x.z(), x.x());  // to the left
  };
  for (const int left : {1, -1}) {
    Swim<KeySteering> swim(graph, KeySteering(graph));
    const auto go = [&](double seconds) { swim.swim(seconds, [] { return true; }); };
    const double cycle = graph.cycle_seconds();
    go(3 * cycle);
    const double before = heading(swim);
    swim.steering().hold(0, left, 0);
    go(2 * cycle);
    // As the swimmer sees it, however far it has turned by now.
    const Eigen::Vector3d aside =
        trunk_axes(swim.swimmer()).transpose() * (swim.steering().aim() - swim.position());
    EXPECT_GT(-left * aside.z(), 2);
    swim.steering().hold(0, 0, 0);
    go(2 * cycle);
    const double turned = heading(swim) - before;
    EXPECT_GT(left * turned, 30 * kDegree);
    EXPECT_LT(left * turned, 180 * kDegree);
    // The target is before the swimmer again and the turn over.
    go(2 * cycle);
    const double later = heading(swim);
    go(2 * cycle);
    EXPECT_LT(std::abs(heading(swim) - later), 0.3 * std::abs(turned));
  }
}

/// What a swimmer may rise or sink by in a turn to the side, m: it sways by 0.25 m straight ahead
/// already. Without holding its height the breaststroke rose by 2.5 to 3 m.
constexpr double kHeldHeight = 0.6;

class SteeredStroke : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(KeySteering, SteeredStroke,
                         ::testing::Values("breaststroke", "breaststroke_14"),
                         [](const auto& which) { return which.param; });

TEST_P(SteeredStroke, KeepsItsHeightWhileItTurns) {
  const PoseGraph graph = turning_stroke(GetParam());
  for (const int left : {1, -1}) {
    for (const double before : {0.0, 3.3, 7.1}) {
      Swim<KeySteering> swim(graph, KeySteering(graph));
      swim.swim(before, [] { return true; });
      const double start = swim.position().y();
      double off = 0;
      double turned = 0;
      Eigen::Vector3d last = swim.steering().control().forward();
      const auto watch = [&] {
        off = std::max(off, std::abs(swim.position().y() - start));
        const Eigen::Vector3d now = swim.steering().control().forward();
        turned += std::atan2(last.z() * now.x() - last.x() * now.z(), last.dot(now));
        last = now;
        return true;
      };
      swim.steering().hold(0, left, 0);
      swim.swim(6, watch);
      swim.steering().hold(0, 0, 0);
      swim.swim(4, watch);
      std::cout << GetParam() << ", key " << left << " after " << before << " s: turned by "
                << turned / kDegree << " degrees, height kept to " << off << " m\n";
      EXPECT_GT(left * turned, 60 * kDegree);
      EXPECT_LT(off, kHeldHeight);
    }
  }
}

TEST(KeySteering, KeepsItsDirectionWhileNoKeyIsHeld) {
  const PoseGraph& graph = turning_breaststroke();
  Swim<KeySteering> swim(graph, KeySteering(graph));
  swim.swim(60, [] { return true; });
  EXPECT_GT(swim.position().x(), 45);
  EXPECT_LT(std::hypot(swim.position().y(), swim.position().z()), 2);
}

TEST(KeySteering, PitchesUpAndDownAndRolls) {
  const PoseGraph& graph = turning_breaststroke();
  for (const int up : {1, -1}) {
    Swim<KeySteering> swim(graph, KeySteering(graph));
    swim.steering().hold(up, 0, 0);
    swim.swim(4, [] { return true; });
    EXPECT_GT(up * trunk_axes(swim.swimmer())(1, 0), std::sin(20 * kDegree));
  }
  for (const int roll_left : {1, -1}) {
    Swim<KeySteering> swim(graph, KeySteering(graph));
    swim.steering().hold(0, 0, roll_left);
    swim.swim(4, [] { return true; });
    // The right hand's side comes up in a roll to the left.
    EXPECT_GT(roll_left * trunk_axes(swim.swimmer())(1, 2), std::sin(20 * kDegree));
    swim.steering().hold(0, 0, 0);
    swim.swim(20, [] { return true; });
    EXPECT_GT(trunk_axes(swim.swimmer())(1, 1), 0.85);
  }
}

}  // namespace
}  // namespace supple::swim
