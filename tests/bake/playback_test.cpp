// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/playback.hpp"

#include "supple/core/files.hpp"

#include "supple/io/supple_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace supple::bake {
namespace {

using geometry::Vec3;

constexpr double kTurn = 2 * std::numbers::pi;
constexpr double kOmega = kTurn * 3;
constexpr double kDampingRatio = 0.15;

/// One mode that acceleration along x drives with transfer -1, on a mesh of three vertices.
soft::Asset oscillator(double damping = kDampingRatio) {
  soft::Mode mode;
  mode.omega = kOmega;
  mode.damping = damping;
  mode.transfer = {0, 0, 0, -1, 0, 0};
  mode.displacements = {Vec3(1, 0, 0), Vec3(0, 0.5, 0)};
  soft::Object object;
  object.name = "belly";
  object.bone = "spine";
  object.joint = 1;
  object.vertices = {0, 2};
  object.modes = {mode};
  soft::Asset asset;
  asset.vertex_count = 3;
  asset.index_count = 3;
  asset.mesh_hash = 7;
  asset.parts = {{0, 0, 0, 3}};
  asset.objects = {object};
  return asset;
}

BakedFile file_of(const soft::Asset& asset) {
  const auto bytes = io::write_supple(asset, {true});
  EXPECT_TRUE(bytes.ok());
  auto file = BakedFile::open(bytes->bytes, "test.supple");
  EXPECT_TRUE(file.ok()) << file.error().describe();
  return *std::move(file);
}

Motion moving(double duration, double rate, const std::function<Eigen::Matrix4d(double)>& spine) {
  Motion motion;
  motion.name = "test";
  motion.bones = {"root", "spine"};
  motion.duration = duration;
  const auto steps = static_cast<int>(std::lround(duration * rate));
  for (int i = 0; i <= steps; ++i) {
    motion.frames.push_back({Eigen::Matrix4d::Identity(), spine(i / rate)});
  }
  motion.loops = character::closes(motion);
  return motion;
}

Eigen::Matrix4d at_x(double x) {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix(0, 3) = x;
  return matrix;
}

TEST(Playback, LoopsEndInTheSteadyStateAndClose) {
  const BakedFile file = file_of(oscillator());
  constexpr double kDrive = kTurn * 2;
  constexpr double kAmplitude = 0.1;
  const Motion motion =
      moving(0.5, 240, [](double t) { return at_x(kAmplitude * std::sin(kDrive * t)); });
  ASSERT_TRUE(motion.loops);
  const auto tracks = play(file, motion);
  ASSERT_TRUE(tracks.ok()) << tracks.error().describe();
  EXPECT_TRUE(tracks->warnings.empty());
  EXPECT_GT(tracks->cycles, 2);
  const auto last = tracks->values.rows() - 1;
  EXPECT_EQ(tracks->values(0, 0), tracks->values(last, 0));
  // q'' + 2 xi w q' + w^2 q = A W^2 sin(W t), driven for ever. Accelerations come from positions
  // at 240 Hz, half a step late.
  const double denominator =
      std::hypot(kOmega * kOmega - kDrive * kDrive, 2 * kDampingRatio * kOmega * kDrive);
  const double amplitude = kAmplitude * kDrive * kDrive / denominator;
  EXPECT_NEAR(tracks->values.cwiseAbs().maxCoeff(), amplitude, 0.01 * amplitude);
  const double phase =
      std::atan2(2 * kDampingRatio * kOmega * kDrive, kOmega * kOmega - kDrive * kDrive);
  for (Eigen::Index f = 0; f <= last; ++f) {
    const double expected = amplitude * std::sin(kDrive * tracks->time(f) - phase);
    EXPECT_NEAR(tracks->values(f, 0), expected, 0.05 * amplitude) << f;
  }
}

TEST(Playback, SpreadsTheGapOfALoopOverItsCycle) {
  const BakedFile file = file_of(oscillator());
  constexpr double kRate = 60;
  const auto swing = [](double t) { return at_x(0.1 * std::sin(kTurn * 2 * t)); };
  // The same loop with and without the key that character::closes it, 1/60 s short.
  const Motion whole = moving(0.5, kRate, swing);
  const Motion open = moving(0.5 - 1 / kRate, kRate, swing);
  ASSERT_TRUE(open.loops);
  const auto closed = play(file, whole);
  const auto gap = play(file, open);
  ASSERT_TRUE(closed.ok() && gap.ok());
  EXPECT_EQ(gap->values(0, 0), gap->values(gap->values.rows() - 1, 0));
  const double largest = closed->values.cwiseAbs().maxCoeff();
  EXPECT_NEAR(gap->values.cwiseAbs().maxCoeff(), largest, 0.2 * largest);
}

TEST(Playback, SaysWhenALoopDoesNotSettle) {
  const BakedFile file = file_of(oscillator(1e-4));
  const Motion motion =
      moving(0.4, 60, [](double t) { return at_x(0.05 * std::sin(kTurn / 0.4 * t)); });
  PlaySettings settings;
  settings.max_cycles = 5;
  const auto tracks = play(file, motion, settings);
  ASSERT_TRUE(tracks.ok());
  ASSERT_EQ(tracks->warnings.size(), 1U);
  EXPECT_NE(tracks->warnings[0].find("after 5 cycles"), std::string::npos);
  EXPECT_EQ(tracks->values(0, 0), tracks->values(tracks->values.rows() - 1, 0));
}

TEST(Playback, OtherMotionsStartSettledInTheirFirstPose) {
  const BakedFile file = file_of(oscillator());
  // The bone lies on its side: in its frame gravity has turned from -y to -x.
  Eigen::Matrix4d lying = Eigen::Matrix4d::Identity();
  lying.topLeftCorner<3, 3>() = Eigen::AngleAxisd(kTurn / 4, Vec3::UnitZ()).toRotationMatrix();
  const Motion motion = moving(1, 60, [&](double t) {
    Eigen::Matrix4d matrix = lying;
    matrix(1, 3) = t * t;
    return matrix;
  });
  ASSERT_FALSE(motion.loops);
  const auto tracks = play(file, motion);
  ASSERT_TRUE(tracks.ok());
  const double sag = -9.81 / (kOmega * kOmega);
  EXPECT_NEAR(tracks->values(0, 0), sag, 1e-4 * std::abs(sag));
  // Then 2 m/s^2 along the bone's x adds its share.
  const double pushed = (-9.81 - 2) / (kOmega * kOmega);
  EXPECT_NEAR(tracks->values(60, 0), pushed, 0.1 * std::abs(sag));

  Motion still;
  still.bones = motion.bones;
  still.frames = {motion.frames.front()};
  still.loops = true;
  const auto held = play(file, still);
  ASSERT_TRUE(held.ok());
  ASSERT_EQ(held->values.rows(), 1);
  EXPECT_NEAR(held->values(0, 0), sag, 1e-4 * std::abs(sag));
}

TEST(Playback, GainScales) {
  const BakedFile file = file_of(oscillator());
  const Motion motion = moving(1, 60, [](double t) { return at_x(0.2 * t * t); });
  PlaySettings twice;
  twice.gain = 2;
  const auto once = play(file, motion);
  const auto doubled = play(file, motion, twice);
  ASSERT_TRUE(once.ok() && doubled.ok());
  EXPECT_TRUE(doubled->values.isApprox(2 * once->values, 1e-5));
}

TEST(Playback, NamesAMissingBone) {
  const BakedFile file = file_of(oscillator());
  Motion motion = moving(1, 60, [](double) { return at_x(0); });
  motion.bones = {"root", "spin"};
  const auto tracks = play(file, motion);
  ASSERT_FALSE(tracks.ok());
  EXPECT_NE(tracks.error().message().find("'spine'"), std::string::npos);
  EXPECT_NE(tracks.error().message().find("did you mean 'spin'"), std::string::npos);
}

TEST(BakedFile, GivesBackWhatWasWritten) {
  soft::Asset asset = oscillator();
  asset.objects[0].rest_rotation = Eigen::Quaterniond(0.6, 0, 0.8, 0);
  const BakedFile file = file_of(asset);
  const auto objects = file.objects();
  ASSERT_EQ(objects.size(), 1U);
  EXPECT_EQ(objects[0].name, "belly");
  EXPECT_EQ(objects[0].vertices, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_LT((objects[0].modes[0].displacements[1] - Vec3(0, 0.5, 0)).norm(), 1e-6);
  const character::Character bones = file.bones();
  ASSERT_EQ(bones.bones.size(), 1U);
  EXPECT_EQ(bones.bones[0].name, "spine");
  EXPECT_LT((bones.bones[0].rest_world.topLeftCorner<3, 3>() -
             Eigen::Quaterniond(0.6, 0, 0.8, 0).toRotationMatrix())
                .norm(),
            1e-12);
}

TEST(BakedFile, RefusesOtherMeshesAndOtherBytes) {
  const BakedFile file = file_of(oscillator());
  EXPECT_TRUE(file.check_mesh(7).ok());
  EXPECT_FALSE(file.check_mesh(8).ok());
  EXPECT_FALSE(BakedFile::open({}, "empty.supple").ok());
  const std::string text = "not a .supple file at all, but long enough to hold a header's bytes";
  EXPECT_FALSE(BakedFile::open(as_bytes(text), "text.supple").ok());
}

}  // namespace
}  // namespace supple::bake
