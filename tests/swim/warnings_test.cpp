// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/warnings.hpp"

#include "supple/core/random.hpp"
#include "supple/swim/flow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace supple::swim {
namespace {

std::vector<std::string> warnings_of(const BodySettings& settings, double gravity) {
  WaterSettings water;
  water.gravity = gravity;
  return body_warnings(build_body(settings).value(), water);
}

BodySettings sized(double height, double mass, SegmentShape shape) {
  BodySettings settings;
  settings.height = height;
  settings.mass = mass;
  settings.shape = shape;
  return settings;
}

TEST(BodyWarnings, PeopleOfAllSizesAreFine) {
  for (const SegmentShape shape : {SegmentShape::Box, SegmentShape::Capsule}) {
    for (const auto& [height, mass] : {std::pair{1.73, 75.0},
                                       {0.75, 9.0},
                                       {1.1, 19.0},
                                       {1.5, 40.0},
                                       {1.6, 100.0},
                                       {2.1, 95.0}}) {
      for (const MassTable table : {MassTable::DeLeva, MassTable::Paper}) {
        BodySettings settings = sized(height, mass, shape);
        settings.masses = table;
        for (const std::string& warning : warnings_of(settings, 9.81)) {
          ADD_FAILURE() << height << " m, " << mass << " kg: " << warning;
        }
      }
    }
  }
}

/// Boxes of 1.73 m are 97.024 litres by the table, those of 0.3 m (0.3 / 1.73)^3 of that.
TEST(BodyWarnings, NamesTheDensityAndWhatWouldFit) {
  const auto stone = warnings_of(sized(0.3, 75, SegmentShape::Box), 0);
  ASSERT_EQ(stone.size(), 1U);
  for (const char* part : {"75 kg", "0.506 litres", "148237 kg/m3", "400 to 2000", "0.39 kg",
                           "5.8 times the height"}) {
    EXPECT_NE(stone[0].find(part), std::string::npos) << part << " in: " << stone[0];
  }
  const auto balloon = warnings_of(sized(3, 75, SegmentShape::Box), 0);
  ASSERT_EQ(balloon.size(), 1U);
  EXPECT_NE(balloon[0].find("such a light body"), std::string::npos) << balloon[0];
  EXPECT_NE(balloon[0].find("give 390 kg"), std::string::npos) << balloon[0];
}

TEST(BodyWarnings, CorksAndStonesMatterWhereThereIsWeight) {
  BodySettings settings;
  settings.buoyancy = 1.25;
  EXPECT_TRUE(warnings_of(settings, 0).empty());
  ASSERT_EQ(warnings_of(settings, 9.81).size(), 1U);
  EXPECT_NE(warnings_of(settings, 9.81)[0].find("cork"), std::string::npos);
  settings.buoyancy = 0.5;
  ASSERT_EQ(warnings_of(settings, 9.81).size(), 1U);
  EXPECT_NE(warnings_of(settings, 9.81)[0].find("sinks like a stone"), std::string::npos);
  settings.buoyancy = 0;
  ASSERT_EQ(warnings_of(settings, 9.81).size(), 1U);
  EXPECT_NE(warnings_of(settings, 9.81)[0].find("no volume"), std::string::npos);
}

TEST(SurfaceWarning, IsForWaterThatHoldsNobodyDown) {
  WaterSettings water;
  EXPECT_TRUE(surface_warning(water).empty());
  water.surface = 0;
  EXPECT_NE(surface_warning(water).find("gravity = 9.81"), std::string::npos);
  water.gravity = 9.81;
  EXPECT_TRUE(surface_warning(water).empty());
}

/// Three targets at 1, 2 and 3 m; the first is reached.
TEST(CourseWarning, SaysHowNearItCameAndWhatHelps) {
  Course course;
  course.targets.resize(3);
  for (std::size_t i = 0; i < 3; ++i) course.targets[i].position.x() = 1.0 + static_cast<double>(i);
  Recording recording;
  recording.frames.resize(2);
  recording.frames[1].time = 12;
  recording.targets = {{1, 0.4}, {0, 5}, {}};
  const auto course_warning = [](const Recording& swum, const Course& planned) {
    return swim::course_warning(swum, planned, {}, 1);
  };
  const std::string late = course_warning(recording, course);
  for (const char* part : {"in 12 s", "target 2 at (2, 0, 0) (nearest 5.00 m, reach 0.5 m)",
                           "target 3 at (3, 0, 0) (not attempted)", "allow more 'seconds'"}) {
    EXPECT_NE(late.find(part), std::string::npos) << part << " in: " << late;
  }
  EXPECT_EQ(late.find("target 1"), std::string::npos) << late;
  EXPECT_EQ(late.find("'reach'"), std::string::npos) << late;
  recording.targets[1].nearest = 0.62;
  EXPECT_NE(course_warning(recording, course).find("larger 'reach'"), std::string::npos);
  recording.targets[1].nearest = 0.3;
  EXPECT_NE(course_warning(recording, course).find("with the wrong heading"), std::string::npos);
  recording.targets = {{1, 0.4}, {2, 0.1}, {1, 0.2}};
  EXPECT_TRUE(course_warning(recording, course).empty());
}

/// A river along any direction: whether it is called too fast depends on the way to the target only
/// by the triangle of velocities.
TEST(CourseWarning, CallsARiverFasterThanTheSwimmerThat) {
  Random random(3);
  int too_fast = 0;
  for (int i = 0; i < 200; ++i) {
    const double own = random.uniform(0.2, 1.5);
    const double speed = random.uniform(0, 3);
    const double angle = random.uniform(0, 3.14159);  // between the river and the way
    WaterSettings water;
    water.flow = river({speed * std::cos(angle), 0, speed * std::sin(angle)}).value();
    Course course;
    course.targets.resize(1);
    course.targets[0].position = {100, 0, 0};
    Recording recording;
    recording.frames.resize(2);
    recording.frames[1].time = 60;
    recording.targets = {{0, 90}};
    // Too fast if no velocity of this length through the water gives one along +x.
    bool can = false;
    for (int k = 0; k < 3600 && !can; ++k) {
      const double a = k * 3.14159265 / 1800;
      const double aside = own * std::sin(a) + speed * std::sin(angle);
      can = std::abs(aside) < 2e-3 * own && own * std::cos(a) + speed * std::cos(angle) > 1e-3;
    }
    const std::string warning = course_warning(recording, course, water, own);
    EXPECT_EQ(warning.find("river is faster") == std::string::npos, can)
        << own << " m/s in a river of " << speed << " m/s at " << angle << ": " << warning;
    too_fast += can ? 0 : 1;
  }
  EXPECT_GT(too_fast, 50);
  EXPECT_LT(too_fast, 150);
}

TEST(CurrentWarning, IsForThoseCarriedOff) {
  Recording recording;
  recording.frames.resize(2);
  SwimReport report;
  report.mean_speed_mps = 0.9;
  report.ahead_m = -10;
  WaterSettings water;
  EXPECT_TRUE(current_warning(recording, water, report).empty());
  water.flow = river({-1.6, 0, 0}).value();
  const std::string back = current_warning(recording, water, report);
  EXPECT_NE(back.find("river is faster than the swimmer and carries it back"), std::string::npos)
      << back;
  EXPECT_NE(back.find("1.60 m/s and the swimmer swims at 0.90 m/s"), std::string::npos) << back;
  report.ahead_m = 25;  // downstream
  EXPECT_TRUE(current_warning(recording, water, report).empty());
  report.right_m = -30;
  EXPECT_NE(current_warning(recording, water, report).find("aside"), std::string::npos);
}

TEST(DriftWarning, SaysHowFarAndTheRemedy) {
  SwimReport report;
  report.ahead_m = 50;
  report.right_m = 0.3;
  report.up_m = -0.4;
  EXPECT_TRUE(drift_warning(report, 60, false, true).empty());
  report.up_m = -14.1;
  const std::string sinks = drift_warning(report, 60, false, true);
  EXPECT_NE(sinks.find("0.3 m to the right and 14.1 m down in 60 s"), std::string::npos) << sinks;
  EXPECT_NE(sinks.find("instead of swimming free"), std::string::npos) << sinks;
  EXPECT_NE(drift_warning(report, 60, false, false).find("supple swim turns"), std::string::npos);
  report.up_m = 0;
  report.turned_deg = -170;
  EXPECT_NE(drift_warning(report, 60, false, true).find("turned by 170"), std::string::npos);
  report.pitch_deg = 80;
  EXPECT_TRUE(drift_warning(report, 60, false, true).empty()) << "treads water";
}

TEST(SlowerWarning, StatesByHowMuch) {
  EXPECT_TRUE(slower_warning(1.25, 1.27, "tune").empty());
  EXPECT_TRUE(slower_warning(1.5, 1.27, "tune").empty());
  const std::string slow = slower_warning(0.23, 1.27, "supple swim optimise backstroke");
  for (const char* part : {"0.23 m/s", "82 % slower", "1.27 m/s", "swim optimise backstroke"}) {
    EXPECT_NE(slow.find(part), std::string::npos) << part << " in: " << slow;
  }
}

TEST(ObstacleWarning, NamesThoseTooNear) {
  const Body body = build_body({}).value();
  EXPECT_NEAR(body.width(), 0.54, 1e-9);  // the torso 0.34 m, the arms 0.10 m each
  Recording recording;
  recording.clearances = {0.3, 0.11, -0.02, 2};
  const std::string near = obstacle_warning(recording, body);
  EXPECT_NE(near.find("obstacle 2 at 0.11 m, obstacle 3 touching it, nearer than half its width"),
            std::string::npos)
      << near;
  recording.clearances = {0.28};
  EXPECT_TRUE(obstacle_warning(recording, body).empty());
}

TEST(ProgressWarning, IsForThoseWhoLieAndStay) {
  SwimReport report;
  report.strokes_per_min = 40;
  report.mean_speed_mps = 0.03;
  EXPECT_NE(progress_warning(report, 1.73).find("makes no headway"), std::string::npos);
  EXPECT_TRUE(progress_warning(report, 1).empty()) << "a child is fast enough with that";
  report.mean_speed_mps = -0.5;
  EXPECT_NE(progress_warning(report, 1.73).find("backwards"), std::string::npos);
  report.pitch_deg = 80;
  EXPECT_TRUE(progress_warning(report, 1.73).empty()) << "treads water";
  report.pitch_deg = 0;
  report.strokes_per_min = 0;
  EXPECT_TRUE(progress_warning(report, 1.73).empty()) << "hardly begun";
}

}  // namespace
}  // namespace supple::swim
