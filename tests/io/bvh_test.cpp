// SPDX-License-Identifier: Apache-2.0
#include "supple/io/bvh.hpp"

#include "supple/core/files.hpp"
#include "supple/io/transform_table.hpp"

#include "io/gltf_files.hpp"
#include "io/motion_samples.hpp"
#include "text.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace supple::io {
namespace {

using geometry::Vec3;
using supple::testing::replaced;

Result<Bvh> parse(const std::string& text) {
  return read_bvh(as_bytes(text), "test.bvh");
}

void expect_bvh_error(const std::string& text, std::size_t line, std::string_view part) {
  const auto bvh = parse(text);
  ASSERT_FALSE(bvh.ok()) << text;
  EXPECT_EQ(bvh.error().code(), ErrorCode::BadInput);
  EXPECT_NE(bvh.error().message().find(part), std::string::npos) << bvh.error().message();
  ASSERT_TRUE(bvh.error().place().has_value());
  EXPECT_EQ(bvh.error().place()->file, "test.bvh");
  EXPECT_EQ(bvh.error().place()->line, line) << bvh.error().message();
}

constexpr double kRounding = 1e-12;

TEST(Bvh, ReadsTheSkeletonAndItsFrames) {
  const auto bvh = parse(samples::bvh());
  ASSERT_TRUE(bvh.ok()) << bvh.error().describe();
  ASSERT_EQ(bvh->joints.size(), 2U);
  EXPECT_EQ(bvh->joints[1].name, "Left Knee");
  EXPECT_EQ(bvh->joints[1].parent, 0U);
  EXPECT_EQ(bvh->joints[1].first_channel, 6U);
  ASSERT_TRUE(bvh->joints[1].end.has_value());
  EXPECT_EQ(*bvh->joints[1].end, Vec3(0, -2, 0.5));
  EXPECT_EQ(bvh->frame_count(), 3U);
  EXPECT_DOUBLE_EQ(bvh->duration(), 1.0);
  EXPECT_TRUE(bvh->warnings.empty());
}

TEST(Bvh, AppliesChannelsInTheOrderOfTheFile) {
  const auto bvh = parse(samples::bvh());
  ASSERT_TRUE(bvh.ok());
  // Frame 2: the hips turn a quarter about z, so that the knee hangs to +x.
  const auto second = bvh_pose(*bvh, 0.5);
  EXPECT_LT((second[0].translation() - Vec3(1, 2, 4)).norm(), kRounding);
  EXPECT_LT((second[1].translation() - Vec3(2, 2, 4)).norm(), kRounding);
  // Frame 3: z then x for the hips, x z y for the knee.
  const auto turn = [](double degrees, const Vec3& axis) {
    return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis).toRotationMatrix();
  };
  const Eigen::Matrix3d hips = turn(90, Vec3::UnitZ()) * turn(90, Vec3::UnitX());
  const Eigen::Matrix3d knee =
      hips * turn(30, Vec3::UnitX()) * turn(20, Vec3::UnitZ()) * turn(10, Vec3::UnitY());
  const auto third = bvh_pose(*bvh, 1.0);
  EXPECT_LT((third[1].linear() - knee).norm(), kRounding);
  EXPECT_LT((third[1].translation() - (Vec3(1, 2, 5) + hips * Vec3(0, -1, 0))).norm(), kRounding);
}

TEST(Bvh, InterpolatesBetweenFramesAndHoldsTheEnds) {
  const auto bvh = parse(samples::bvh());
  ASSERT_TRUE(bvh.ok());
  const auto between = bvh_pose(*bvh, 0.25);
  EXPECT_NEAR(between[0].translation().z(), 3.5, kRounding);
  EXPECT_NEAR(Eigen::AngleAxisd(between[0].linear()).angle(), std::numbers::pi / 4, 1e-9);
  EXPECT_TRUE(bvh_pose(*bvh, 99)[1].isApprox(bvh_pose(*bvh, 1.0)[1]));
  EXPECT_TRUE(bvh_pose(*bvh, -1)[1].isApprox(bvh_pose(*bvh, 0)[1]));
}

TEST(Bvh, AcceptsWhatOtherProgramsWrite) {
  std::string dos;
  for (const char c : samples::bvh()) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  std::string shouting = samples::bvh();
  for (char& c : shouting) c = static_cast<char>(std::toupper(c));
  const std::string glued = replaced(samples::bvh(), "ROOT Hips\n{", "ROOT Hips{");
  for (const std::string& text : {dos, shouting, glued, "\xEF\xBB\xBF" + samples::bvh()}) {
    const auto bvh = parse(text);
    ASSERT_TRUE(bvh.ok()) << bvh.error().describe();
    EXPECT_EQ(bvh->frame_count(), 3U);
    EXPECT_EQ(bvh->joints[0].name.size(), 4U);
  }
}

TEST(Bvh, DistrustsTheAnnouncedNumberOfFrames) {
  const auto few = parse(replaced(samples::bvh(), "Frames: 3", "Frames: 9000000000"));
  ASSERT_TRUE(few.ok()) << few.error().describe();
  EXPECT_EQ(few->frame_count(), 3U);
  ASSERT_EQ(few->warnings.size(), 1U);
  const auto many = parse(replaced(samples::bvh(), "Frames: 3", "Frames: 2"));
  ASSERT_TRUE(many.ok());
  EXPECT_EQ(many->frame_count(), 2U);
  EXPECT_EQ(many->warnings.size(), 1U);
  const auto cut = parse(replaced(samples::bvh(), "1 2 5 90 0 90 30 20 10\n", "1 2 5 90"));
  ASSERT_TRUE(cut.ok());
  EXPECT_EQ(cut->frame_count(), 2U);
}

TEST(Bvh, NamesTheLineOfAnError) {
  const std::string good = samples::bvh();
  expect_bvh_error("", 1, "HIERARCHY");
  expect_bvh_error(replaced(good, "ROOT", "TREE"), 2, "ROOT");
  expect_bvh_error(replaced(good, "OFFSET 0 -1 0", "OFFSET 0 -1 x"), 8, "offset");
  expect_bvh_error(replaced(good, "OFFSET 0 -1 0", "OFFSET 0 -1 nan"), 8, "number");
  expect_bvh_error(replaced(good, "CHANNELS 6", "CHANNELS 600000"), 5, "at most 6");
  expect_bvh_error(replaced(good, "Yrotation", "Wrotation"), 5, "channel");
  expect_bvh_error(replaced(good, "Frames: 3", "Frames: 0"), 17, "no frames");
  expect_bvh_error(replaced(good, "Frame Time: 0.5", "Frame Time: 0"), 18, "frame time");
  expect_bvh_error(replaced(good, "1 2 4 90", "1 2 4 ninety"), 20, "frame 2");
  expect_bvh_error(good.substr(0, good.find("MOTION")), 16, "MOTION");
}

TEST(Bvh, ReadsRecordedMotion) {
  const auto path = testing::assets() / "cmu_bvh/02_01.bvh";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no " << path;
  const auto bvh = read_bvh(path);
  ASSERT_TRUE(bvh.ok()) << bvh.error().describe();
  EXPECT_EQ(bvh->frame_count(), 344U);
  EXPECT_TRUE(bvh->warnings.empty());
}

TEST(TransformTable, ReadsPositionsAndRotationsByName) {
  const auto table = read_transform_table(as_bytes(samples::transform_table()), "test.csv");
  ASSERT_TRUE(table.ok()) << table.error().describe();
  ASSERT_EQ(table->tracks.size(), 1U);
  EXPECT_EQ(table->tracks[0].name, "arm.L");
  EXPECT_EQ(table->times, (std::vector<double>{0, 0.5}));
  EXPECT_EQ(table->tracks[0].positions[1], Vec3(1, 2, 4));
  EXPECT_DOUBLE_EQ(table->tracks[0].rotations[1].y(), 0.6);
}

TEST(TransformTable, NamesTheLineOfAnError) {
  const std::string good = samples::transform_table();
  const auto expect_table_error = [](const std::string& text, std::size_t line,
                                     std::string_view part) {
    const auto table = read_transform_table(as_bytes(text), "test.csv");
    ASSERT_FALSE(table.ok()) << text;
    EXPECT_EQ(table.error().place()->line, line);
    EXPECT_NE(table.error().message().find(part), std::string::npos) << table.error().message();
  };
  expect_table_error(replaced(good, "time", "tyme"), 2, "tyme");
  expect_table_error(replaced(good, ",arm.L.qw", ""), 2, ".qw");
  expect_table_error(replaced(good, "0,1,2,3", "0,1,2"), 3, "7 numbers");
  expect_table_error(replaced(good, "0,1,2,3", "0,1,x,3"), 3, "column 3");
  expect_table_error(replaced(good, "0.5,1", "-0.5,1"), 5, "after");
  expect_table_error(replaced(good, "0.6,0,0.8", "6,0,8"), 5, "unit");
  expect_table_error("time,a.px\n", 1, ".py");
  expect_table_error("", 0, "empty");
}

}  // namespace
}  // namespace supple::io
