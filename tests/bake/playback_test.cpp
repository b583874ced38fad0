// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/playback.hpp"

#include "supple/core/files.hpp"
#include "supple/core/random.hpp"

#include "supple/io/supple_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
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
  character::find_loop(motion);
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

TEST(Playback, OtherMotionsStartInBalance) {
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
  // 2 m/s^2 along the bone's x add their share, from the first frame on.
  const double pushed = (-9.81 - 2) / (kOmega * kOmega);
  for (const Eigen::Index frame : {0, 30, 60}) {
    EXPECT_NEAR(tracks->values(frame, 0), pushed, 1e-4 * std::abs(sag)) << frame;
  }

  Motion still;
  still.bones = motion.bones;
  still.frames = {motion.frames.front()};
  still.loops = true;
  const auto held = play(file, still);
  ASSERT_TRUE(held.ok());
  ASSERT_EQ(held->values.rows(), 1);
  EXPECT_NEAR(held->values(0, 0), sag, 1e-4 * std::abs(sag));
}

/// Several modes with transfers of all kinds.
soft::Asset random_flesh(Random& random) {
  soft::Asset asset = oscillator();
  soft::Object& object = asset.objects[0];
  object.rest_rotation = Eigen::Quaterniond(random.uniform(-1, 1), random.uniform(-1, 1),
                                            random.uniform(-1, 1), random.uniform(-1, 1))
                             .normalized();
  const soft::Mode first = object.modes[0];
  object.modes.clear();
  for (int k = 0; k < 4; ++k) {
    soft::Mode mode = first;
    mode.omega = kTurn * random.uniform(1.5, 8);
    mode.damping = random.uniform(0.05, 0.6);
    for (double& x : mode.transfer) x = random.uniform(-1, 1);
    for (double& x : mode.centrifugal) x = random.uniform(-1, 1);
    object.modes.push_back(mode);
  }
  return asset;
}

Vec3 random_vector(Random& random, double length) {
  return length * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

/// Where forces of this size hold the modes: the scale of errors.
double static_response(const soft::Asset& asset, double acceleration) {
  double largest = 0;
  for (const soft::Mode& mode : asset.objects[0].modes) {
    largest = std::max(largest, acceleration / (mode.omega * mode.omega));
  }
  return largest;
}

constexpr double kGravity = 9.81;
/// Coefficients are floats, and positions a few metres away are differenced twice at up to 144 Hz.
constexpr double kSteady = 1e-5;

TEST(Playback, SteadyMotionDoesNotMoveTheFlesh) {
  Random random(14);
  for (int trial = 0; trial < 40; ++trial) {
    const soft::Asset asset = random_flesh(random);
    const BakedFile file = file_of(asset);
    const Eigen::Quaterniond turn(
        Eigen::AngleAxisd(random.uniform(0, 6), random_vector(random, 1).normalized()));
    const Vec3 velocity = random_vector(random, 8);
    // Half of them speed up as well; the flesh hangs as gravity less this acceleration has it.
    const Vec3 acceleration = random_vector(random, trial % 2 == 0 ? 0 : 5);
    const double rate = trial % 3 == 0 ? 30 : trial % 3 == 1 ? 60 : 144;
    Motion motion = moving(1, rate, [&](double t) {
      Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
      matrix.topLeftCorner<3, 3>() = turn.toRotationMatrix();
      matrix.topRightCorner<3, 1>() = t * velocity + t * t / 2 * acceleration;
      return matrix;
    });
    character::find_loop(motion, character::Looping::No);
    const auto tracks = play(file, motion);
    ASSERT_TRUE(tracks.ok());
    EXPECT_TRUE(tracks->warnings.empty());
    const Vec3 g(0, -kGravity, 0);
    const Vec3 pull =
        turn.conjugate() * (acceleration - g) + asset.objects[0].rest_rotation.conjugate() * g;
    Eigen::RowVectorXd held(4);
    for (int k = 0; k < 4; ++k) {
      const soft::Mode& mode = asset.objects[0].modes[static_cast<std::size_t>(k)];
      held[k] = Vec3(mode.transfer[3], mode.transfer[4], mode.transfer[5]).dot(pull) /
                (mode.omega * mode.omega);
    }
    const double error = (tracks->values.rowwise() - held).cwiseAbs().maxCoeff();
    EXPECT_LT(error, kSteady * static_response(asset, kGravity)) << "trial " << trial;
  }
}

TEST(Playback, SteadySpinDoesNotMoveTheFlesh) {
  Random random(15);
  for (int trial = 0; trial < 20; ++trial) {
    const soft::Asset asset = random_flesh(random);
    const BakedFile file = file_of(asset);
    const double spin = random.uniform(-8, 8);  // about the vertical: gravity stays where it is
    Motion motion = moving(1, 60, [&](double t) {
      Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
      matrix.topLeftCorner<3, 3>() = Eigen::AngleAxisd(spin * t, Vec3::UnitY()).toRotationMatrix();
      return matrix;
    });
    character::find_loop(motion, character::Looping::No);
    const auto tracks = play(file, motion);
    ASSERT_TRUE(tracks.ok());
    const double error = (tracks->values.rowwise() - tracks->values.row(0)).cwiseAbs().maxCoeff();
    EXPECT_LT(error, kSteady * static_response(asset, kGravity + spin * spin)) << trial;
    EXPECT_GT(tracks->values.row(0).cwiseAbs().maxCoeff(), 0);
  }
}

/// A cut has no past, so that its flesh starts in balance instead of in full swing: not the same,
/// but far from the shock of a character that was at rest one frame earlier.
TEST(Playback, ACutBeginsMuchAsTheWholeGoesOn) {
  Random random(16);
  double shocks = 0;
  double differences = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const soft::Asset asset = random_flesh(random);
    const BakedFile file = file_of(asset);
    const double phase = random.uniform(0, kTurn);
    const Vec3 sway = random_vector(random, 0.08);
    const auto run = [&](double t) {
      Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
      matrix.topLeftCorner<3, 3>() =
          Eigen::AngleAxisd(0.4 * std::sin(kTurn * 1.4 * t + phase), Vec3::UnitX())
              .toRotationMatrix();
      matrix.topRightCorner<3, 1>() =
          Vec3(0, 0.05 * std::sin(kTurn * 2.8 * t), 3 * t) + sway * std::sin(kTurn * 1.4 * t);
      return matrix;
    };
    Motion whole = moving(6, 60, run);
    character::find_loop(whole, character::Looping::No);
    Motion cut = whole;
    const auto start = static_cast<std::ptrdiff_t>(random.uniform(120, 240));
    cut.frames.erase(cut.frames.begin(), cut.frames.begin() + start);
    cut.duration = whole.time(cut.frames.size() - 1);
    const auto all = play(file, whole);
    const auto part = play(file, cut);
    ASSERT_TRUE(all.ok() && part.ok());
    const Eigen::MatrixXd same = all->values.bottomRows(part->values.rows());
    const double largest = all->values.bottomRows(120).cwiseAbs().maxCoeff();
    differences += (part->values - same).cwiseAbs().maxCoeff() / largest / 30;
    // At rest until one frame before: held for long in the first pose.
    Motion held = cut;
    held.frames.insert(held.frames.begin(), 600, cut.frames.front());
    held.duration = cut.duration + 600 * cut.step();
    const auto shocked = play(file, held);
    ASSERT_TRUE(shocked.ok());
    shocks += (shocked->values.bottomRows(part->values.rows()) - same).cwiseAbs().maxCoeff() /
              largest / 30;
  }
  std::printf(
      "mean of the largest difference, over the largest coefficient: %.2f (%.2f from rest)\n",
      differences, shocks);
  EXPECT_LT(differences, 0.45);
  EXPECT_GT(shocks, 1);
}

TEST(Playback, RowsBeforeTheFirstKeyHoldStill) {
  const BakedFile file = file_of(oscillator());
  const auto swing = [](double t) { return at_x(0.1 * std::sin(kTurn * 2 * t + 1)); };
  Motion plain = moving(1.2, 60, swing);
  character::find_loop(plain, character::Looping::No);
  Motion late = plain;
  constexpr std::size_t kHeld = 20;
  late.frames.insert(late.frames.begin(), kHeld, plain.frames.front());
  late.duration = plain.duration + kHeld * plain.step();
  late.first_frame = kHeld;
  const auto expected = play(file, plain);
  const auto shown = play(file, late);
  ASSERT_TRUE(expected.ok() && shown.ok());
  EXPECT_TRUE(shown->values.bottomRows(expected->values.rows()).isApprox(expected->values, 1e-6));
  for (Eigen::Index f = 0; f < static_cast<Eigen::Index>(kHeld); ++f) {
    EXPECT_EQ(shown->values(f, 0), expected->values(0, 0));
  }
}

/// Steady travel has no effect on flesh: the loop that gets somewhere equals the one on the spot.
TEST(Playback, LoopsThatTravelEqualThoseOnTheSpot) {
  Random random(17);
  for (int trial = 0; trial < 10; ++trial) {
    const BakedFile file = file_of(random_flesh(random));
    const double seconds = random.uniform(0.5, 1.3);
    const Vec3 velocity = random_vector(random, 4);
    const auto gait = [&](double t) {
      Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
      const double cycle = kTurn * t / seconds;
      matrix.topLeftCorner<3, 3>() =
          Eigen::AngleAxisd(0.3 * std::sin(cycle), Vec3::UnitX()).toRotationMatrix();
      matrix.topRightCorner<3, 1>() = Vec3(0, 0.03 * std::cos(2 * cycle), 0);
      return matrix;
    };
    Motion spot = moving(seconds, 120 / seconds, gait);
    Motion walk = moving(seconds, 120 / seconds, gait);
    for (std::size_t f = 0; f < walk.frames.size(); ++f) {
      for (Eigen::Matrix4d& bone : walk.frames[f]) {
        bone.topRightCorner<3, 1>() += walk.time(f) * velocity;
      }
    }
    character::find_loop(walk);
    ASSERT_TRUE(spot.loops && walk.loops);
    const auto expected = play(file, spot);
    const auto tracks = play(file, walk);
    ASSERT_TRUE(expected.ok() && tracks.ok());
    EXPECT_EQ(tracks->cycles, expected->cycles);
    const double largest = expected->values.cwiseAbs().maxCoeff();
    EXPECT_LT((tracks->values - expected->values).cwiseAbs().maxCoeff(), 1e-4 * largest) << trial;
  }
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
