// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/recording.hpp"

#include "supple/core/interrupt.hpp"
#include "swim/strokes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <cstddef>
#include <numbers>

namespace supple::swim {
namespace {

using std::numbers::pi;
using test::body_of;
using test::kDegree;
using test::plane_breaststroke;

constexpr double kRounding = 1e-9;

/// The centre moves as told; a cycle takes `cycle` seconds.
template <class Motion>
Recording synthetic(double seconds, double rate, double cycle, const Motion& motion) {
  Recording recording;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(std::lround(seconds * rate)); ++i) {
    Recording::Frame frame;
    frame.time = static_cast<double>(i) / rate;
    frame.cycles = static_cast<std::size_t>(std::floor(frame.time / cycle + kRounding));
    motion(frame);
    recording.frames.push_back(frame);
  }
  return recording;
}

/// 1 m/s and 0.4 m/s to and fro in cycles of 2 s, 150 W, the trunk 10 degrees up; before the first
/// cycle is over nothing but a slow start.
Recording steady_swim() {
  return synthetic(10, 60, 2, [](Recording::Frame& frame) {
    const double t = frame.time;
    const double w = pi;
    frame.centre = Eigen::Vector3d(t < 2 ? 0.1 * t : t - 1.8 + 0.4 / w * std::sin(w * t), 0, 0);
    frame.velocity = Eigen::Vector3d(t < 2 ? 0.1 : 1 + 0.4 * std::cos(w * t), 0, 0);
    frame.effort = t < 2 ? 1000 * t : 2000 + 150 * (t - 2);
    frame.segments.resize(15);
    for (SegmentMotion& segment : frame.segments) {
      segment.axes = Eigen::AngleAxisd(10 * kDegree, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    }
  });
}

TEST(SwimReport, OfASteadySwimIsWhatWasPutIn) {
  const Body body = body_of(HingeSet::Human24);
  const WaterSettings water;
  const SwimReport figures = report(steady_swim(), body, water);
  EXPECT_NEAR(figures.distance_m, 8.2, kRounding);
  EXPECT_NEAR(figures.mean_speed_mps, 1, kRounding);
  EXPECT_NEAR(figures.speed_variation, 0.4, kRounding);
  EXPECT_NEAR(figures.strokes_per_min, 30, kRounding);
  EXPECT_NEAR(figures.metres_per_stroke, 2, kRounding);
  EXPECT_NEAR(figures.power_w, 150, kRounding);
  EXPECT_NEAR(figures.pitch_deg, 10, kRounding);
  EXPECT_NEAR(figures.efficiency, glide_drag(body, water, 1).value() / 150, kRounding);
}

TEST(SwimReport, OfABendCountsTheChordsOfItsCycles) {
  constexpr double kRate = 0.3;  // rad/s
  const Recording recording = synthetic(12, 60, 2, [](Recording::Frame& frame) {
    const double a = kRate * frame.time;
    frame.centre = 4 * Eigen::Vector3d(std::sin(a), 0, std::cos(a));
    frame.velocity = 4 * kRate * Eigen::Vector3d(std::cos(a), 0, -std::sin(a));
  });
  const SwimReport figures = report(recording, body_of(HingeSet::Paper14), {});
  EXPECT_NEAR(figures.mean_speed_mps, 2 * 4 * std::sin(kRate) / 2, kRounding);
  EXPECT_NEAR(figures.metres_per_stroke, 2 * 4 * std::sin(kRate), kRounding);
  // Along the chord it is slowest at both ends and fastest in the middle.
  EXPECT_NEAR(figures.speed_variation, kRate * (1 - std::cos(kRate)) / (2 * std::sin(kRate)), 1e-6);
  EXPECT_NEAR(figures.distance_m, 2 * 4 * std::sin(kRate * 6), kRounding);
}

TEST(SwimReport, OfLessThanTwoCyclesIsOfAllOfIt) {
  const Recording recording = synthetic(3, 30, 2, [](Recording::Frame& frame) {
    frame.centre = Eigen::Vector3d(0, 0, 0.5 * frame.time);
    frame.velocity = Eigen::Vector3d(0, 0, 0.5);
    frame.effort = 20 * frame.time;
  });
  const SwimReport figures = report(recording, body_of(HingeSet::Paper14), {});
  EXPECT_NEAR(figures.mean_speed_mps, 0.5, kRounding);
  EXPECT_NEAR(figures.power_w, 20, kRounding);
  EXPECT_EQ(figures.strokes_per_min, 0);
  EXPECT_EQ(figures.metres_per_stroke, 0);
  EXPECT_EQ(report(Recording(), body_of(HingeSet::Paper14), {}).mean_speed_mps, 0);
}

TEST(SwimReport, ErrorOfEnergyIsRelativeToAllWorkOfTheMuscles) {
  Recording recording = steady_swim();
  recording.energy.effort = 300;
  recording.energy.muscles = 200;  // 300 paid, 100 given back
  recording.energy.drag = -190;
  recording.energy.error = -4;
  EXPECT_NEAR(report(recording, body_of(HingeSet::Human24), {}).energy_error, 0.01, kRounding);
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
