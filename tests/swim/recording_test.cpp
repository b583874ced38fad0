// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/recording.hpp"

#include "supple/core/interrupt.hpp"
#include "supple/core/units.hpp"
#include "supple/swim/flow.hpp"
#include "swim/strokes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace supple::swim {
namespace {

using std::numbers::pi;
using test::body_of;
using test::plane_breaststroke;

constexpr double kReportRounding = 1e-9;

/// The centre moves as told; a cycle takes `cycle` seconds.
template <class Motion>
Recording synthetic(double seconds, double rate, double cycle, const Motion& motion) {
  Recording recording;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(std::lround(seconds * rate)); ++i) {
    Recording::Frame frame;
    frame.time = static_cast<double>(i) / rate;
    frame.cycles = static_cast<std::size_t>(std::floor(frame.time / cycle + kReportRounding));
    motion(frame);
    recording.frames.push_back(frame);
  }
  return recording;
}

void head_for(Recording::Frame& frame, double angle, const Eigen::Vector3d& axis) {
  frame.segments.resize(15);
  for (SegmentMotion& segment : frame.segments) {
    segment.axes = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  }
}

/// 1 m/s and 0.4 m/s to and fro in cycles of 2 s, 150 W, 10 degrees upward; before the first cycle
/// is over nothing but a slow start.
Recording steady_swim() {
  return synthetic(10, 60, 2, [](Recording::Frame& frame) {
    const double t = frame.time;
    const double w = pi;
    const Eigen::Vector3d ahead(std::cos(10 * kDegree), std::sin(10 * kDegree), 0);
    frame.centre = (t < 2 ? 0.1 * t : t - 1.8 + 0.4 / w * std::sin(w * t)) * ahead;
    frame.velocity = (t < 2 ? 0.1 : 1 + 0.4 * std::cos(w * t)) * ahead;
    frame.effort = t < 2 ? 1000 * t : 2000 + 150 * (t - 2);
    head_for(frame, 10 * kDegree, Eigen::Vector3d::UnitZ());
  });
}

/// At a constant velocity, the head ahead on a level, at 150 W.
Recording carried_swim(const Eigen::Vector3d& velocity) {
  return synthetic(10, 60, 2, [&](Recording::Frame& frame) {
    frame.centre = frame.time * velocity;
    frame.velocity = velocity;
    frame.effort = 150 * frame.time;
    head_for(frame, 0, Eigen::Vector3d::UnitZ());
  });
}

TEST(SwimReport, OfASteadySwimIsWhatWasPutIn) {
  const Body body = body_of(HingeSet::Human24);
  const WaterSettings water;
  const SwimReport figures = report(steady_swim(), body, water);
  EXPECT_NEAR(figures.distance_m, 8.2, kReportRounding);
  EXPECT_NEAR(figures.mean_speed_mps, 1, kReportRounding);
  EXPECT_NEAR(figures.speed_variation, 0.4, kReportRounding);
  EXPECT_NEAR(figures.strokes_per_min, 30, kReportRounding);
  EXPECT_NEAR(figures.metres_per_stroke, 2, kReportRounding);
  EXPECT_NEAR(figures.power_w, 150, kReportRounding);
  EXPECT_NEAR(figures.pitch_deg, 10, kReportRounding);
  EXPECT_NEAR(figures.efficiency, glide_drag(body, water, 1).value() / 150, kReportRounding);
}

TEST(SwimReport, OfABendCountsTheChordsOfItsCycles) {
  constexpr double kRate = 0.3;  // rad/s
  const Recording recording = synthetic(12, 60, 2, [](Recording::Frame& frame) {
    const double a = kRate * frame.time;
    frame.centre = 4 * Eigen::Vector3d(std::sin(a), 0, std::cos(a));
    frame.velocity = 4 * kRate * Eigen::Vector3d(std::cos(a), 0, -std::sin(a));
    head_for(frame, a, Eigen::Vector3d::UnitY());
  });
  const SwimReport figures = report(recording, body_of(HingeSet::Paper14), {});
  EXPECT_NEAR(figures.mean_speed_mps, 2 * 4 * std::sin(kRate) / 2, kReportRounding);
  EXPECT_NEAR(figures.metres_per_stroke, 2 * 4 * std::sin(kRate), kReportRounding);
  // Along the chord it is slowest at both ends and fastest in the middle.
  EXPECT_NEAR(figures.speed_variation, kRate * (1 - std::cos(kRate)) / (2 * std::sin(kRate)), 1e-6);
  EXPECT_NEAR(figures.distance_m, 2 * 4 * std::sin(kRate * 6), kReportRounding);
}

TEST(SwimReport, OfLessThanTwoCyclesIsOfAllOfIt) {
  const Recording recording = synthetic(3, 30, 2, [](Recording::Frame& frame) {
    frame.centre = Eigen::Vector3d(0, 0, 0.5 * frame.time);
    frame.velocity = Eigen::Vector3d(0, 0, 0.5);
    frame.effort = 20 * frame.time;
    head_for(frame, -90 * kDegree, Eigen::Vector3d::UnitY());
  });
  const SwimReport figures = report(recording, body_of(HingeSet::Paper14), {});
  EXPECT_NEAR(figures.mean_speed_mps, 0.5, kReportRounding);
  EXPECT_NEAR(figures.power_w, 20, kReportRounding);
  EXPECT_EQ(figures.strokes_per_min, 0);
  EXPECT_EQ(figures.metres_per_stroke, 0);
  EXPECT_EQ(report(Recording(), body_of(HingeSet::Paper14), {}).mean_speed_mps, 0);
}

TEST(SwimReport, CountsNoRiver) {
  const Body body = body_of(HingeSet::Human24);
  WaterSettings water;
  water.flow = river({0.75, 0, 0.5}).value();
  SwimReport figures = report(carried_swim({0.75, 0, 0.5}), body, water);
  EXPECT_NEAR(figures.mean_speed_mps, 0, kReportRounding);
  EXPECT_NEAR(figures.metres_per_stroke, 0, kReportRounding);
  EXPECT_EQ(figures.efficiency, 0);
  EXPECT_NEAR(figures.distance_m, 10 * std::hypot(0.75, 0.5), kReportRounding);
  // Against the current: progress over ground differs from speed through the water.
  figures = report(carried_swim({0.25, 0, 0.5}), body, water);
  EXPECT_NEAR(figures.mean_speed_mps, -0.5, kReportRounding);
  EXPECT_EQ(figures.efficiency, 0);
  water.flow = river({-0.75, 0, 0}).value();
  figures = report(carried_swim({0.25, 0, 0}), body, water);
  EXPECT_NEAR(figures.mean_speed_mps, 1, kReportRounding);
  EXPECT_NEAR(figures.efficiency, glide_drag(body, {}, 1).value() / 150, kReportRounding);
}

TEST(SwimReport, CountsNeitherSinkingNorBackwards) {
  const Body body = body_of(HingeSet::Human24);
  SwimReport figures = report(carried_swim({0, -1, 0}), body, {});
  EXPECT_NEAR(figures.mean_speed_mps, 0, kReportRounding);
  EXPECT_EQ(figures.efficiency, 0);
  EXPECT_NEAR(figures.distance_m, 10, kReportRounding);
  figures = report(carried_swim({-1, 0, 0}), body, {});
  EXPECT_NEAR(figures.mean_speed_mps, -1, kReportRounding);
  EXPECT_NEAR(figures.metres_per_stroke, -2, kReportRounding);
  EXPECT_EQ(figures.efficiency, 0);
}

TEST(SwimReport, UnderASurfaceCountsTheLevelWay) {
  WaterSettings water;
  water.surface = 0;
  const SwimReport figures = report(steady_swim(), body_of(HingeSet::Human24), water);
  EXPECT_NEAR(figures.mean_speed_mps, std::cos(10 * kDegree), kReportRounding);
  EXPECT_NEAR(figures.speed_variation, 0.4, kReportRounding);
}

TEST(SwimReport, EfficiencyCountsWhatWeightGave) {
  const Body body = body_of(HingeSet::Human24);
  Recording dive = steady_swim();
  for (Recording::Frame& frame : dive.frames) frame.weight_work = 50 * frame.time;
  EXPECT_NEAR(report(dive, body, {}).efficiency, glide_drag(body, {}, 1).value() / 200,
              kReportRounding);
  // More than the muscles can have done: something else did it.
  Recording towed = steady_swim();
  for (Recording::Frame& frame : towed.frames) frame.effort /= 10;
  EXPECT_GT(glide_drag(body, {}, 1).value(), 15);
  EXPECT_EQ(report(towed, body, {}).efficiency, 0);
}

TEST(SwimReport, CountsEveryCycleBetweenTwoFrames) {
  const Recording recording = synthetic(10, 2, 0.125, [](Recording::Frame& frame) {
    frame.centre = Eigen::Vector3d(frame.time, 0, 0);
    frame.velocity = Eigen::Vector3d(1, 0, 0);
    head_for(frame, 0, Eigen::Vector3d::UnitZ());
  });
  const SwimReport figures = report(recording, body_of(HingeSet::Human24), {});
  EXPECT_NEAR(figures.strokes_per_min, 480, kReportRounding);
  EXPECT_NEAR(figures.metres_per_stroke, 0.125, kReportRounding);
}

TEST(SwimReport, ErrorOfEnergyIsRelativeToAllWork) {
  Recording recording = steady_swim();
  recording.energy.effort = 300;
  recording.energy.muscles = 200;  // 300 paid, 100 given back
  recording.energy.drag = -190;
  recording.energy.limits = -10;
  recording.energy.error = -6;
  EXPECT_NEAR(report(recording, body_of(HingeSet::Human24), {}).energy_error, 0.01,
              kReportRounding);
}

TEST(SwimReport, ErrorOfEnergyOfAFallIsRelativeToTheWorkOfWeight) {
  Recording recording = steady_swim();
  recording.energy.drag = -1e-30;
  recording.energy.potential = -1000;
  recording.energy.kinetic = 999;
  recording.energy.error = -1;
  EXPECT_NEAR(report(recording, body_of(HingeSet::Human24), {}).energy_error, 1e-3,
              kReportRounding);
  recording.energy = {};
  recording.energy.error = 1e-12;  // the rounding of a body at rest
  EXPECT_LT(report(recording, body_of(HingeSet::Human24), {}).energy_error, 1e-6);
}

TEST(GlideDrag, IsThatOfTheFrontalAreas) {
  const Body body = body_of(HingeSet::Paper14);
  double area = 0;  // of all faces along x, both ways
  for (const Segment& segment : body.segments) {
    for (const Face& face : segment.faces) area += face.area * std::abs(face.normal.x());
  }
  WaterSettings water;
  water.drag = DragLaw::Linear;
  water.viscosity = 20;
  EXPECT_NEAR(glide_drag(body, water, 1.5).value(), 20 * area * 1.5, 1e-6);

  // Measured passive drag of swimmers is 23.5 to 25 v^2 N; the default boxes give 26.6.
  water.drag = DragLaw::Quadratic;
  EXPECT_NEAR(glide_drag(body, water, 1).value(), 26.6, 0.3);
  EXPECT_NEAR(glide_drag(body, water, 2).value(), 4 * glide_drag(body, water, 1).value(), 1e-6);
  // Neither a current nor a surface is the body's own drag.
  water.surface = 0;
  water.gravity = 9.81;
  EXPECT_NEAR(glide_drag(body, water, 1).value(), 26.6, 0.3);
}

TEST(RecordSwim, FramesAreAtMultiplesOfTheRateWhateverTheStep) {
  const Body body = body_of(HingeSet::Paper14);
  const PoseGraph stroke = plane_breaststroke(body);
  RunSettings settings;
  settings.seconds = 2.5;
  settings.rate = 30;
  for (const double step : {1.0 / 30, 1.0 / 60, 0.007}) {
    settings.step = step;
    const Recording recording = record_swim(body, {}, stroke, {}, settings, nullptr).value();
    ASSERT_EQ(recording.frames.size(), 76U);
    for (std::size_t i = 0; i < recording.frames.size(); ++i) {
      EXPECT_EQ(recording.frames[i].time, static_cast<double>(i) / 30);
    }
    EXPECT_EQ(recording.frames.back().cycles, 1U);  // of 2.14 s
    EXPECT_EQ(recording.stroke, stroke.name);
  }
}

/// Whatever acts from outside: steps add nothing of their own.
TEST(RecordSwim, AccountsForItsMomentum) {
  const Body body = body_of(HingeSet::Paper14);
  const PoseGraph stroke = plane_breaststroke(body);
  RunSettings settings;
  settings.seconds = 2;
  const auto error = [&](const WaterSettings& water) {
    const auto recording = record_swim(body, water, stroke, {}, settings, nullptr);
    EXPECT_TRUE(recording.ok());
    return recording.ok() ? recording->largest_momentum_error : 1;
  };
  WaterSettings water;
  water.gravity = 9.81;
  EXPECT_LT(error(water), 1e-9);
  EXPECT_GT(error(water), 0) << "nothing is measured";
  water.surface = 0;
  EXPECT_LT(error(water), 1e-9);
  water = {};
  water.added_mass = true;
  EXPECT_LT(error(water), 1e-9);
  water.flow = river({0.3, 0, 0.1}).value();
  EXPECT_LT(error(water), 1e-9);
}

TEST(RecordSwim, BreaststrokeInThePlaneSwimsAsExpected) {
  const Body body = body_of(HingeSet::Paper14);
  const WaterSettings water;
  const Recording recording =
      record_swim(body, water, plane_breaststroke(body), {}, {}, nullptr).value();
  const SwimReport figures = report(recording, body, water);
  EXPECT_GT(figures.distance_m, 4);
  EXPECT_LT(figures.distance_m, 6);
  EXPECT_NEAR(figures.strokes_per_min, 60 / 2.14, 0.3);  // ends of cycles are known to a frame
  EXPECT_GT(figures.speed_variation, 0.3);               // measured: 0.45 to 0.5
  EXPECT_LT(figures.speed_variation, 0.8);
  EXPECT_GT(figures.power_w, 100);
  EXPECT_GT(figures.efficiency, 0);
  EXPECT_LT(figures.efficiency, 1);
  EXPECT_LT(figures.energy_error, 0.03);
  EXPECT_LT(recording.largest_momentum_error, 1e-9);
  // Velocity is what moves the centre: the trapezoidal sum is off by the bends within a frame.
  Eigen::Vector3d way = Eigen::Vector3d::Zero();
  for (std::size_t i = 1; i < recording.frames.size(); ++i) {
    way += (recording.frames[i].velocity + recording.frames[i - 1].velocity) / 120;
  }
  EXPECT_LT((recording.frames.back().centre - recording.frames.front().centre - way).norm(), 0.06);
}

TEST(RecordSwim, NamesWhatIsWrongWithARun) {
  RunSettings settings;
  settings.seconds = 0;
  EXPECT_FALSE(settings.validate().ok());
  settings = {};
  settings.step = 1.0 / 30;
  const auto longer = settings.validate();
  ASSERT_FALSE(longer.ok());
  EXPECT_NE(longer.error().message().find("record at 30 Hz"), std::string::npos);
  for (const double step : {0.0, -1.0 / 60, 0.26, std::nan(""), HUGE_VAL}) {
    settings = {};
    settings.rate = 1;
    settings.step = step;
    EXPECT_FALSE(settings.validate().ok()) << step;
  }
  settings.step = 0.25;
  EXPECT_TRUE(settings.validate().ok());
  settings = {};
  settings.rate = std::nan("");
  EXPECT_FALSE(settings.validate().ok());
  settings = {};
  settings.seconds = 1e9;
  EXPECT_FALSE(settings.validate().ok());

  const Body body = body_of(HingeSet::Paper14);
  const Course course;
  const auto result = record_swim(body, {}, plane_breaststroke(body), {}, {}, &course);
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.error().message().find("supple swim turns"), std::string::npos);
}

/// Without fluid nothing gets ahead: ten metres take as long as anybody waits. Else three times
/// the way over the speed, where a target has at least the 5 m of a bend.
TEST(CourseSeconds, AreThriceTheTimeOfTheWay) {
  const Body body = body_of(HingeSet::Paper14);
  const PoseGraph stroke = plane_breaststroke(body);
  Course course;
  EXPECT_EQ(course_seconds(body, {}, stroke, {}, course).value(), 7);
  course.targets.resize(2);
  course.targets[0].position = Eigen::Vector3d(0, 0, 12);
  course.targets[1].position = Eigen::Vector3d(0, 0, 11);
  const Recording straight = record_swim(body, {}, stroke, {}, {}, nullptr).value();
  const double speed = report(straight, body, {}).mean_speed_mps;
  ASSERT_GT(speed, 0.3);
  EXPECT_NEAR(course_seconds(body, {}, stroke, {}, course).value(), 3 * 17 / speed,
              kReportRounding);
  course.loop = true;
  EXPECT_NEAR(course_seconds(body, {}, stroke, {}, course).value(), 3 * 22 / speed,
              kReportRounding);
  WaterSettings none;
  none.drag = DragLaw::None;
  EXPECT_EQ(course_seconds(body, none, stroke, {}, course).value(), 600);
}

TEST(RecordSwim, HasAtLeastOneFrame) {
  const Body body = body_of(HingeSet::Paper14);
  RunSettings settings;
  settings.rate = 25;
  settings.seconds = 0.019;
  const auto none = record_swim(body, {}, plane_breaststroke(body), {}, settings, nullptr);
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().describe().find("at least 0.04 s"), std::string::npos)
      << none.error().describe();
  settings.seconds = 0.04;
  const auto one = record_swim(body, {}, plane_breaststroke(body), {}, settings, nullptr);
  EXPECT_EQ(one.value().frames.size(), 2U);
}

TEST(RecordSwim, KeepsWhatWeightAndBuoyancyGave) {
  const Body body = body_of(HingeSet::Human24);
  WaterSettings water;
  water.gravity = 9.81;
  water.density = 1e-3;  // next to nothing: a fall
  PoseGraph stroke;
  stroke.name = "still";
  stroke.hinges = HingeSet::Human24;
  stroke.poses.resize(1);
  stroke.poses[0].name = "still";
  stroke.poses[0].angles.assign(body.joints.size(), 0);
  stroke.poses[0].duration = 0.5;
  RunSettings settings;
  settings.seconds = 1;
  const Recording recording = record_swim(body, water, stroke, {}, settings, nullptr).value();
  const double fallen = recording.frames.front().centre.y() - recording.frames.back().centre.y();
  EXPECT_NEAR(recording.frames.back().weight_work / (body.mass() * 9.81 * fallen), 1, 1e-3);
  EXPECT_LT(report(recording, body, water).energy_error, 0.05);
}

/// From rest, so that the water's momentum after a frame is all that the body has lost to it.
TEST(RecordSwim, ForceOfTheAddedMassIsWhatMovesTheWater) {
  const Body body = body_of(HingeSet::Paper14);
  WaterSettings water;
  water.gravity = 9.81;
  water.added_mass = true;
  const Water around = Water::create(body, water).value();
  RunSettings settings;
  settings.seconds = 0.1;
  settings.rate = 20;
  const Recording recording =
      record_swim(body, water, plane_breaststroke(body), {}, settings, nullptr).value();
  const Recording::Frame& first = recording.frames[1];
  Eigen::Vector3d momentum = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < body.segments.size(); ++i) {
    const SegmentMotion& motion = first.segments[i];
    Vector6d twist;
    twist << motion.axes.transpose() * motion.spin, motion.axes.transpose() * motion.velocity;
    momentum += motion.axes * (around.added_inertia(i) * twist).tail<3>();
  }
  EXPECT_GT(momentum.norm(), 0.1);
  EXPECT_LT((momentum + first.time * first.added_mass).norm(), kReportRounding);
  EXPECT_EQ(recording.frames[0].added_mass.norm(), 0);
}

TEST(RecordSwim, CarriesTheStepsErrorWithItsTime) {
  const Body body = body_of(HingeSet::Paper14);
  StartState start;
  start.velocity = Eigen::Vector3d(1e5, 0, 0);
  WaterSettings water;
  water.drag = DragLaw::None;
  const auto result = record_swim(body, water, plane_breaststroke(body), start, {}, nullptr);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::NotConverged);
  EXPECT_NE(result.error().describe().find("at 0.0000 s"), std::string::npos)
      << result.error().describe();
}

TEST(RecordSwim, StopsWhenInterrupted) {
  const Body body = body_of(HingeSet::Paper14);
  set_interrupted(true);
  const auto result = record_swim(body, {}, plane_breaststroke(body), {}, {}, nullptr);
  set_interrupted(false);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::Interrupted);
}

}  // namespace
}  // namespace supple::swim
