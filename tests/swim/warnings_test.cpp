// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/warnings.hpp"

#include <gtest/gtest.h>

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
