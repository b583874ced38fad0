// SPDX-License-Identifier: Apache-2.0
#include "modal_step.hpp"

#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

namespace supple::player::testing {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// Positions of about 100 m in double, differenced twice at 60 Hz.
constexpr double kDifferencing = 1e-9;
constexpr double kCoefficientFloat = 1e-6;  // what a coefficient loses as a float

double q_of(const Player& player, std::size_t mode = 0) {
  return modal_state(*player, 0).output[mode];
}

/// One object that feels everything: transfer and centrifugal rows that differ.
soft::Asset rich_object(double hertz = 3, double xi = 0.4) {
  soft::Mode mode = oscillator(hertz, xi);
  mode.transfer = {0.3, -0.2, 0.1, -1, 0.5, 0.25};
  mode.centrifugal = {0.7, -0.4, 0.2, 0.9, -0.6, 0.1};
  return one_object({mode});
}

void run(const Player& player, double seconds, auto&& pose) {
  const int frames = static_cast<int>(std::lround(seconds / kFrame));
  for (int k = 0; k <= frames; ++k) {
    pose(k * kFrame);
    ASSERT_EQ(supple_player_step(player.get(), kFrame), SUPPLE_OK);
  }
}

TEST(PlayerStep, ConstantAccelerationGivesStaticDeflection) {
  const soft::Asset asset = rich_object();
  const OpenAsset file(asset);
  const Player player = make_player(file);
  const Vector3d a(1, -2, 3);
  run(player, 8, [&](double t) { set_pose(player.get(), 0, 0.5 * t * t * a); });
  const soft::Mode& mode = asset.objects[0].modes[0];
  const double force = mode.transfer[3] * a[0] + mode.transfer[4] * a[1] + mode.transfer[5] * a[2];
  EXPECT_NEAR(q_of(player), force / (mode.omega * mode.omega), kDifferencing);
  EXPECT_NEAR(supple_player_coefficients(player.get())[0], q_of(player), kCoefficientFloat);
}

TEST(PlayerStep, UnitsOfTheWorldAreHonoured) {
  soft::Asset asset = rich_object();
  asset.metres_per_unit = 0.01;
  const OpenAsset file(asset);
  const Player player = make_player(file);
  run(player, 8, [&](double t) { set_pose(player.get(), 0, Vector3d(50 * t * t, 0, 0)); });
  const soft::Mode& mode = asset.objects[0].modes[0];
  EXPECT_NEAR(q_of(player), mode.transfer[3] * 1.0 / (mode.omega * mode.omega), kDifferencing);
}

TEST(PlayerStep, SpinGivesTheCentrifugalDeflection) {
  const soft::Asset asset = rich_object();
  const OpenAsset file(asset);
  const Player player = make_player(file);
  const double weightless[3] = {};
  supple_player_set_gravity(player.get(), weightless);
  const Vector3d w(2, -3, 5);
  run(player, 8, [&](double t) {
    set_pose(player.get(), 0, Vector3d::Zero(),
             Quaterniond(Eigen::AngleAxisd(w.norm() * t, w.normalized())));
  });
  const soft::Mode& mode = asset.objects[0].modes[0];
  const Eigen::Matrix3d S = w * w.transpose() - w.squaredNorm() * Eigen::Matrix3d::Identity();
  const double s[6] = {S(0, 0), S(1, 1), S(2, 2), S(0, 1), S(0, 2), S(1, 2)};
  double force = 0;
  for (std::size_t i = 0; i < 6; ++i) force -= mode.centrifugal[i] * s[i];
  EXPECT_NEAR(q_of(player), force / (mode.omega * mode.omega), kDifferencing);
}

double sag(const soft::Mode& mode, const Quaterniond& rest, const Quaterniond& turn) {
  const Vector3d g(0, -9.81, 0);
  const Vector3d change = turn.conjugate() * g - rest.conjugate() * g;
  double force = 0;
  for (int i = 0; i < 3; ++i) force -= mode.transfer[static_cast<std::size_t>(3 + i)] * change[i];
  return force / (mode.omega * mode.omega);
}

TEST(PlayerStep, TiltingSagsTowardsTheGround) {
  soft::Asset asset = rich_object();
  asset.objects[0].rest_rotation = Quaterniond(0.5, 0.5, -0.5, 0.5);
  const OpenAsset file(asset);
  const Player player = make_player(file);
  const Quaterniond rest = asset.objects[0].rest_rotation;
  const auto turn = [&](double angle) {
    return Quaterniond(Eigen::AngleAxisd(angle, Vector3d(1, 2, 2) / 3)) * rest;
  };
  set_pose(player.get(), 0, Vector3d::Zero(), rest);
  supple_player_step(player.get(), kFrame);
  EXPECT_NEAR(q_of(player), 0, kDifferencing);
  run(player, 8,
      [&](double t) { set_pose(player.get(), 0, Vector3d::Zero(), turn(std::min(t, 1.5))); });
  EXPECT_NEAR(q_of(player), sag(asset.objects[0].modes[0], rest, turn(1.5)), kDifferencing);
  // Seen for the first time in that pose, it hangs there at once.
  const Player late = make_player(file);
  set_pose(late.get(), 0, Vector3d(5, 5, 5), turn(1.5));
  supple_player_step(late.get(), kFrame);
  EXPECT_NEAR(q_of(late), q_of(player), kDifferencing);
}

TEST(PlayerStep, MatrixAndPoseSayTheSame) {
  const OpenAsset file(rich_object());
  const Player by_pose = make_player(file);
  const Player by_matrix = make_player(file);
  for (int k = 0; k < 30; ++k) {
    const Quaterniond turn(Eigen::AngleAxisd(0.1 * k, Vector3d(2, -1, 2) / 3));
    const Vector3d p(0.25 * k, 0, -0.5 * k);
    set_pose(by_pose.get(), 0, p, turn);
    Eigen::Matrix4f m = Eigen::Matrix4f::Identity();
    m.topLeftCorner<3, 3>() =
        (turn.toRotationMatrix() * Vector3d(2, 0.5, 3).asDiagonal()).cast<float>();
    m.topRightCorner<3, 1>() = p.cast<float>();
    ASSERT_EQ(supple_player_set_bone_matrix(by_matrix.get(), 0, m.data()), SUPPLE_OK);
    supple_player_step(by_pose.get(), kFrame);
    supple_player_step(by_matrix.get(), kFrame);
  }
  // Rotations rounded to floats, differenced twice at 60 Hz: 1e-7 * 3600, over w^2 = 355.
  EXPECT_NEAR(q_of(by_matrix), q_of(by_pose), 5e-6);
  EXPECT_NE(q_of(by_pose), 0);
}

/// Shaken for a while, so that something moves.
void shake(const Player& player, int frames = 40) {
  for (int k = 0; k < frames; ++k) {
    set_pose(player.get(), 0, Vector3d(0.1 * std::sin(0.2 * k), 0, 0));
    supple_player_step(player.get(), kFrame);
  }
}

TEST(PlayerStep, TeleportResetsAndIsCounted) {
  const OpenAsset file(rich_object());
  const Player player = make_player(file);
  shake(player);
  EXPECT_GT(std::abs(q_of(player)), 1e-3);
  set_pose(player.get(), 0, Vector3d(100, 0, 0));
  supple_player_step(player.get(), kFrame);
  EXPECT_EQ(q_of(player), 0);
  supple_player_step(player.get(), kFrame);
  EXPECT_EQ(q_of(player), 0);
  EXPECT_EQ(diagnostics_of(player.get()).teleports, 1U);
  // Just below the limit is motion.
  set_pose(player.get(), 0, Vector3d(100 + 59 * kFrame, 0, 0));
  supple_player_step(player.get(), kFrame);
  EXPECT_EQ(diagnostics_of(player.get()).teleports, 1U);
}

TEST(PlayerStep, AHalfTurnInOneFrameIsATeleport) {
  const OpenAsset file(rich_object());
  Random random(8);
  for (int trial = 0; trial < 50; ++trial) {
    const Player player = make_player(file);
    const Vector3d axis =
        Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
    const Quaterniond from(Eigen::AngleAxisd(random.uniform(0, 6), axis));
    const auto turned = [&](double angle) {
      const Vector3d about =
          Vector3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))
              .normalized();
      return Quaterniond(from * Eigen::AngleAxisd(angle, about));
    };
    const double h = trial % 2 == 0 ? 1.0 / 60 : 1.0 / 15;
    const auto teleports_after = [&](double angle) {
      supple_player_reset(player.get());
      const auto before = diagnostics_of(player.get()).teleports;
      set_pose(player.get(), 0, Vector3d::Zero(), from);
      supple_player_step(player.get(), h);
      set_pose(player.get(), 0, Vector3d::Zero(), turned(angle));
      supple_player_step(player.get(), h);
      return diagnostics_of(player.get()).teleports - before;
    };
    EXPECT_EQ(teleports_after(random.uniform(2.7, 3.55)), 1U);
    EXPECT_EQ(teleports_after(random.uniform(-2.5, 2.5)), 0U);
  }
  // A dancer who is shown five times a second turns as far and does not jump.
  const Player player = make_player(file);
  set_pose(player.get(), 0, Vector3d::Zero(), Quaterniond::Identity());
  supple_player_step(player.get(), 0.2);
  set_pose(player.get(), 0, Vector3d::Zero(), Quaterniond(Eigen::AngleAxisd(3, Vector3d::UnitY())));
  supple_player_step(player.get(), 0.2);
  EXPECT_EQ(diagnostics_of(player.get()).teleports, 0U);
}

TEST(PlayerStep, StartsInMotionWithoutAJolt) {
  const soft::Asset asset = rich_object();
  const OpenAsset file(asset);
  Random random(9);
  const auto vector = [&random](double size) {
    return Vector3d(size * random.uniform(-1, 1), size * random.uniform(-1, 1),
                    size * random.uniform(-1, 1));
  };
  for (int trial = 0; trial < 20; ++trial) {
    const Player player = make_player(file);
    const Vector3d v = vector(5);
    const Vector3d a = vector(3);
    const double scale = 1 / asset.metres_per_unit;  // positions are in units of the file
    const Quaterniond turn(Eigen::AngleAxisd(random.uniform(0, 6), vector(1).normalized()));
    set_pose(player.get(), 0, Vector3d::Zero(), turn);
    ASSERT_EQ(supple_player_set_bone_motion(player.get(), 0, v.data(), a.data(), nullptr, nullptr),
              SUPPLE_OK);
    supple_player_step(player.get(), kFrame);
    const double first = q_of(player);
    for (int k = 1; k < 60; ++k) {
      const double t = k * kFrame;
      set_pose(player.get(), 0, scale * (t * v + t * t / 2 * a), turn);
      supple_player_step(player.get(), kFrame);
      ASSERT_NEAR(q_of(player), first, kDifferencing) << "frame " << k;
    }
  }
  const Player player = make_player(file);
  const Vector3d bad(0, std::nan(""), 0);
  EXPECT_EQ(supple_player_set_bone_motion(player.get(), 0, bad.data(), nullptr, nullptr, nullptr),
            SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_player_set_bone_motion(player.get(), 9, nullptr, nullptr, nullptr, nullptr),
            SUPPLE_BAD_ARGUMENT);
}

TEST(PlayerStep, NumbersBeyondSenseBeginAnewAndAreCountedApart) {
  const OpenAsset file(rich_object());
  const Player player = make_player(file);
  supple_object_settings settings = settings_of(player.get());
  settings.max_acceleration = settings.teleport_speed = 0;  // anything goes
  settings.gain = 1e300;
  ASSERT_EQ(supple_player_set_settings(player.get(), 0, &settings), SUPPLE_OK);
  shake(player);
  EXPECT_GT(diagnostics_of(player.get()).numeric_resets, 0U);
  EXPECT_EQ(diagnostics_of(player.get()).teleports, 0U);
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(std::isfinite(supple_player_coefficients(player.get())[k]));
  }
  // And a jump is none of them.
  const std::uint64_t resets = diagnostics_of(player.get()).numeric_resets;
  settings.gain = 1;
  settings.teleport_speed = 60;
  ASSERT_EQ(supple_player_set_settings(player.get(), 0, &settings), SUPPLE_OK);
  shake(player);
  set_pose(player.get(), 0, Vector3d(1e5, 0, 0));
  supple_player_step(player.get(), kFrame);
  EXPECT_EQ(diagnostics_of(player.get()).teleports, 1U);
  EXPECT_EQ(diagnostics_of(player.get()).numeric_resets, resets);
}

TEST(PlayerStep, PauseLetsTheFleshComeToRest) {
  const soft::Asset asset = rich_object(3, 0.1);
  const OpenAsset file(asset);
  const Player player = make_player(file);
  shake(player);
  const double before = std::abs(q_of(player));
  set_pose(player.get(), 0, Vector3d(1000, 0, 0));  // wherever the bone went meanwhile
  EXPECT_EQ(supple_player_step(player.get(), 0.5), SUPPLE_OK);
  EXPECT_LT(std::abs(q_of(player)), before);
  EXPECT_NE(q_of(player), 0);
  EXPECT_EQ(diagnostics_of(player.get()).pauses, 1U);
  EXPECT_EQ(diagnostics_of(player.get()).teleports, 0U);
  EXPECT_EQ(supple_player_step(player.get(), 1e300), SUPPLE_OK);
  EXPECT_NEAR(q_of(player), 0, 1e-200);
}

TEST(PlayerStep, PauseIsTheFreeDecay) {
  // A push and its release, watched through small steps and through one pause.
  MeshSpec spec;
  const OpenAsset file(random_asset(spec));
  const Player small = make_player(file);
  const Player pause = make_player(file);
  const double force[3] = {3, 1, 2};
  for (const Player* player : {&small, &pause}) {
    set_pose(player->get(), 0, Vector3d::Zero());
    supple_player_step(player->get(), kFrame);
    supple_player_push(player->get(), 0, force);
    supple_player_step(player->get(), kFrame);
    supple_player_step(player->get(), kFrame);
  }
  for (int k = 0; k < 30; ++k) supple_player_step(small.get(), kFrame);
  supple_player_step(pause.get(), 30 * kFrame);
  EXPECT_NEAR(q_of(pause), q_of(small), 1e-13);
  EXPECT_NE(q_of(pause), 0);
}

TEST(PlayerStep, BadTimeStepsDoNothing) {
  const OpenAsset file(rich_object());
  const Player player = make_player(file);
  shake(player);
  const double before = q_of(player);
  for (const double dt : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                          std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(supple_player_step(player.get(), dt), SUPPLE_BAD_TIME_STEP);
  }
  EXPECT_EQ(q_of(player), before);
  EXPECT_EQ(diagnostics_of(player.get()).bad_time_steps, 4U);
  EXPECT_EQ(diagnostics_of(player.get()).steps, 40U);
}

TEST(PlayerStep, BadTransformWaitsForAGoodOne) {
  const OpenAsset file(rich_object());
  const Player hurt = make_player(file);
  const Player whole = make_player(file);
  shake(hurt);
  shake(whole);
  const double before = q_of(hurt);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(set_pose(hurt.get(), 0, Vector3d(nan, 0, 0)), SUPPLE_BAD_TRANSFORM);
  supple_player_step(hurt.get(), kFrame);
  EXPECT_EQ(q_of(hurt), before);
  EXPECT_EQ(set_pose(hurt.get(), 0, Vector3d::Zero(), Quaterniond(0, 0, 0, 0)),
            SUPPLE_BAD_TRANSFORM);
  const float mirrored[16] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  EXPECT_EQ(supple_player_set_bone_matrix(hurt.get(), 0, mirrored), SUPPLE_BAD_TRANSFORM);
  EXPECT_EQ(diagnostics_of(hurt.get()).bad_transforms, 3U);
  // The time is made up for: as if there had been one longer step.
  const Vector3d next(0.1 * std::sin(0.2 * 41), 0, 0);
  set_pose(hurt.get(), 0, next);
  supple_player_step(hurt.get(), kFrame);
  set_pose(whole.get(), 0, next);
  supple_player_step(whole.get(), 2 * kFrame);
  EXPECT_EQ(q_of(hurt), q_of(whole));
}

TEST(PlayerStep, HardJerksAreCut) {
  const soft::Asset asset = rich_object();
  const OpenAsset file(asset);
  const Player player = make_player(file);
  supple_object_settings settings = settings_of(player.get());
  settings.max_acceleration = 10;
  supple_player_set_settings(player.get(), 0, &settings);
  run(player, 8, [&](double t) {
    set_pose(player.get(), 0, Vector3d(0, 0, 0));
    if (t > 0) set_pose(player.get(), 0, Vector3d(0.5 * 13 * t * t, 0, 0));
    settings.teleport_speed = 0;
    supple_player_set_settings(player.get(), 0, &settings);
  });
  const soft::Mode& mode = asset.objects[0].modes[0];
  EXPECT_NEAR(q_of(player), mode.transfer[3] * 10 / (mode.omega * mode.omega), kDifferencing);
  EXPECT_GT(diagnostics_of(player.get()).clamped_accelerations, 400U);
}

TEST(PlayerSettings, DefaultsAreThoseOfTheFile) {
  soft::Asset asset = rich_object();
  asset.objects[0].limit = 0.07;
  const OpenAsset file(asset);
  const Player player = make_player(file);
  const supple_object_settings settings = settings_of(player.get());
  EXPECT_EQ(settings.enabled, 1);
  EXPECT_EQ(settings.gain, 1);
  EXPECT_EQ(settings.limit_metres, 0.07);
  EXPECT_EQ(settings.modes, 1U);
  EXPECT_EQ(settings.coriolis, 0);
}

TEST(PlayerSettings, RefusesNumbersThatAreNone) {
  const OpenAsset file(rich_object());
  const Player player = make_player(file);
  supple_object_settings settings = settings_of(player.get());
  settings.gain = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(supple_player_set_settings(player.get(), 0, &settings), SUPPLE_BAD_ARGUMENT);
  settings.gain = 1;
  settings.limit_metres = -1;
  EXPECT_EQ(supple_player_set_settings(player.get(), 0, &settings), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_player_set_settings(player.get(), 1, &settings), SUPPLE_BAD_ARGUMENT);
}

TEST(PlayerSettings, GainScalesAndLimitHoldsSoftly) {
  MeshSpec spec;
  spec.objects = {{3, 0, 1}};
  const soft::Asset asset = random_asset(spec);
  const OpenAsset file(asset);
  const Player plain = make_player(file);
  const Player changed = make_player(file);
  supple_object_settings settings = settings_of(changed.get());
  settings.gain = 2.5;
  settings.limit_metres = 1e-4;
  supple_player_set_settings(changed.get(), 0, &settings);
  for (int k = 0; k < 60; ++k) {
    for (const Player* player : {&plain, &changed}) {
      set_pose(player->get(), 0, Vector3d(10 * std::sin(0.2 * k), 0, 0));
      supple_player_step(player->get(), kFrame);
    }
    const float* q = supple_player_coefficients(plain.get());
    const float* shown = supple_player_coefficients(changed.get());
    double square = 0;
    for (uint32_t mode = 0; mode < 3; ++mode) {
      supple_mode_info info{};
      supple_asset_mode(file.get(), mode, &info);
      square += std::pow(2.5 * q[mode] * info.largest_displacement, 2);
    }
    const double d = std::sqrt(square);
    const double factor = d > 0 ? 1e-4 * std::tanh(d / 1e-4) / d : 1;
    for (std::size_t mode = 0; mode < 3; ++mode) {
      EXPECT_NEAR(shown[mode], 2.5 * factor * q[mode],
                  kCoefficientFloat * std::abs(q[mode]) + 1e-12);
      // The state does not know.
      EXPECT_EQ(q_of(plain, mode), q_of(changed, mode));
    }
  }
}

TEST(PlayerSettings, LevelOfDetailKeepsTheFirstModes) {
  MeshSpec spec;
  spec.objects = {{5, 0, 1}};
  const OpenAsset file(random_asset(spec));
  const Player full = make_player(file);
  const Player fewer = make_player(file);
  supple_object_settings settings = settings_of(fewer.get());
  settings.modes = 2;
  supple_player_set_settings(fewer.get(), 0, &settings);
  shake(full);
  shake(fewer);
  EXPECT_EQ(q_of(full, 0), q_of(fewer, 0));
  EXPECT_EQ(q_of(full, 1), q_of(fewer, 1));
  for (std::size_t k = 2; k < 5; ++k) {
    EXPECT_NE(q_of(full, k), 0);
    EXPECT_EQ(supple_player_coefficients(fewer.get())[k], 0);
  }
  settings.modes = 99;
  supple_player_set_settings(fewer.get(), 0, &settings);
  EXPECT_EQ(settings_of(fewer.get()).modes, 5U);
  shake(fewer);
  EXPECT_NE(supple_player_coefficients(fewer.get())[4], 0);
}

TEST(PlayerSettings, DisabledIsStillAndBeginsAnew) {
  const OpenAsset file(rich_object());
  const Player player = make_player(file);
  shake(player);
  supple_object_settings settings = settings_of(player.get());
  settings.enabled = 0;
  supple_player_set_settings(player.get(), 0, &settings);
  EXPECT_EQ(supple_player_coefficients(player.get())[0], 0);
  shake(player);
  EXPECT_EQ(supple_player_coefficients(player.get())[0], 0);
  settings.enabled = 1;
  supple_player_set_settings(player.get(), 0, &settings);
  const Player fresh = make_player(file);
  shake(player);
  shake(fresh);
  EXPECT_EQ(q_of(player), q_of(fresh));
}

TEST(PlayerStep, ResetForgetsEverything) {
  const OpenAsset file(rich_object());
  const Player player = make_player(file);
  const Player fresh = make_player(file);
  shake(player, 17);
  supple_player_reset(player.get());
  EXPECT_EQ(supple_player_coefficients(player.get())[0], 0);
  shake(player);
  shake(fresh);
  EXPECT_EQ(q_of(player), q_of(fresh));
}

/// Phi^T F by hand, from what was written.
double push_force(const soft::Asset& asset, std::size_t mode, std::uint32_t vertex,
                  const Vector3d& force, const Quaterniond& turn) {
  const soft::Object& object = asset.objects[0];
  const Vector3d u =
      object.frame_from_bind.leftCols<3>() * object.modes[mode].displacements[vertex];
  return (turn.conjugate() * force).dot(u);
}

TEST(PlayerPush, HoldsAtPhiTransposedForce) {
  MeshSpec spec;
  spec.objects = {{3, 0, 1}};
  const soft::Asset asset = random_asset(spec);
  const OpenAsset file(asset, {.float32 = true});
  const Player player = make_player(file);
  const Quaterniond turn(Eigen::AngleAxisd(0.7, Vector3d(2, -1, 2) / 3));
  const double weightless[3] = {};
  supple_player_set_gravity(player.get(), weightless);
  const double force[3] = {3, -4, 5};
  run(player, 30, [&](double) {
    set_pose(player.get(), 0, Vector3d(1, 2, 3), turn);
    supple_player_push(player.get(), 37, force);
  });
  for (std::size_t k = 0; k < 3; ++k) {
    const double w = asset.objects[0].modes[k].omega;
    const double expected = push_force(asset, k, 37, {3, -4, 5}, turn) / (w * w);
    EXPECT_NEAR(q_of(player, k), expected, 1e-12 + 1e-6 * std::abs(expected));
  }
}

TEST(PlayerPush, LastsExactlyOneStepHoweverLong) {
  MeshSpec spec;
  spec.objects = {{1, 0, 1}};
  soft::Asset asset = random_asset(spec);
  asset.objects[0].modes[0].damping = 0;
  asset.objects[0].rest_rotation.setIdentity();
  const OpenAsset file(asset, {.float32 = true});
  const double w = asset.objects[0].modes[0].omega;
  const double u = push_force(asset, 0, 5, {3, -4, 5}, Quaterniond::Identity()) / (w * w);
  for (const double pushed : {0.005, 0.02, 0.1}) {
    const Player player = make_player(file);
    set_pose(player.get(), 0, Vector3d::Zero());
    for (int k = 0; k < 3; ++k) supple_player_step(player.get(), kFrame);
    const double force[3] = {3, -4, 5};
    supple_player_push(player.get(), 5, force);
    supple_player_step(player.get(), pushed);
    EXPECT_NEAR(q_of(player), u * (1 - std::cos(w * pushed)), 1e-6 * std::abs(u));
    for (int k = 0; k < 4; ++k) supple_player_step(player.get(), 0.013);
    // Undamped, released: the difference of two answers to a step.
    const double t = 4 * 0.013;
    EXPECT_NEAR(q_of(player), u * (std::cos(w * t) - std::cos(w * (pushed + t))),
                1e-6 * std::abs(u));
  }
}

TEST(PlayerPush, WithoutForceChangesNoBit) {
  // Steps with a push are made of parts, those without at one go.
  MeshSpec spec;
  spec.objects = {{5, 0, 1}};
  const OpenAsset file(random_asset(spec));
  const Player pushed = make_player(file);
  const Player left_alone = make_player(file);
  const double nothing[3] = {};
  for (int frame = 0; frame < 60; ++frame) {
    const double swing = std::sin(0.2 * frame);
    for (const Player* player : {&pushed, &left_alone}) {
      set_pose(player->get(), 0, Vector3d(0.3 * swing, 0, 0.1 * swing * swing));
    }
    supple_player_push(pushed.get(), 0, nothing);
    const double h = kFrame * (1 + 0.5 * std::sin(1.7 * frame));
    for (const Player* player : {&pushed, &left_alone}) supple_player_step(player->get(), h);
    for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(q_of(pushed, k), q_of(left_alone, k));
  }
  EXPECT_NE(q_of(left_alone), 0);
}

TEST(PlayerPush, RefusesWhatIsNotThere) {
  MeshSpec spec;
  const OpenAsset file(random_asset(spec));
  const Player player = make_player(file);
  const double force[3] = {1, 0, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(supple_player_push(player.get(), 0, force), SUPPLE_BAD_ARGUMENT);
  EXPECT_EQ(supple_player_push(player.get(), spec.vertices, force), SUPPLE_BAD_ARGUMENT);
}

TEST(PlayerThreads, PlayersOfOneAssetDoNotDisturbEachOther) {
  MeshSpec spec;
  spec.coriolis = true;
  const OpenAsset file(random_asset(spec));
  const auto play = [&file](double speed) {
    const Player player = make_player(file);
    for (int k = 0; k < 500; ++k) {
      set_pose(player.get(), 0, Vector3d(std::sin(speed * k), 0, 0),
               Quaterniond(Eigen::AngleAxisd(0.05 * k, Vector3d::UnitY())));
      supple_player_step(player.get(), kFrame);
    }
    const float* q = supple_player_coefficients(player.get());
    return std::vector<float>(q, q + 5);
  };
  std::vector<std::vector<float>> alone;
  for (int i = 0; i < 8; ++i) alone.push_back(play(0.1 * i));
  std::vector<std::vector<float>> together(8);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] { together[static_cast<std::size_t>(i)] = play(0.1 * i); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(alone, together);
}

}  // namespace
}  // namespace supple::player::testing
