// SPDX-License-Identifier: Apache-2.0
#include "shell.hpp"
#include "player/shell_strip.hpp"
#include "supple/shell/modal_equilibrium.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace supple::player {
namespace {

using testing::Strip;
using testing::StripSpec;

/// Where q = f(q) / omega^2 by Newton's method in double precision, while the load grows.
Eigen::VectorXd balanced(const Strip& strip, const Eigen::Vector3d& acceleration) {
  Eigen::VectorXd q;
  for (int part = 1; part <= 20; ++part) {
    auto found = shell::modal_equilibrium(strip.object, part / 20.0 * acceleration, q);
    SUPPLE_CHECK(found.ok());
    q = *std::move(found);
  }
  return q;
}

TEST(ShellPlayer, DescribesItself) {
  const Strip strip;
  supple_object_info object{};
  ASSERT_EQ(supple_asset_object(strip.asset.get(), 0, &object), SUPPLE_OK);
  EXPECT_EQ(object.kind, SUPPLE_SHELL);
  supple_shell_info info{};
  ASSERT_EQ(supple_asset_shell(strip.asset.get(), 0, &info), SUPPLE_OK);
  EXPECT_EQ(info.point_count, strip.object.points.size());
  EXPECT_NEAR(info.size_metres, std::hypot(1.0, 0.2), 1e-12);
  EXPECT_GT(info.follow_turn, 0.1);
  EXPECT_EQ(info.has_rotation_strain, 1);
  EXPECT_EQ(supple_asset_shell(strip.asset.get(), 1, &info), SUPPLE_BAD_ARGUMENT);
}

TEST(ShellPlayer, HangsWhereTurnedForcesBalance) {
  for (const double g : {0.5, 2.0, 9.81}) {
    Strip strip;
    strip.set_gravity({0, -g, 0});
    strip.step(1.0 / 60);
    const Eigen::VectorXd expected = balanced(strip, {0, -g, 0});
    EXPECT_LT((strip.q() - expected).norm(), 2e-4 * expected.norm()) << g;
  }
}

TEST(ShellPlayer, ForcesTurnWithFrameAndBindSpace) {
  // The same strip, but its bind space is turned and in centimetres, and its bone stands askew:
  // in the bone's frame gravity comes from the side.
  const Eigen::Quaterniond bind(Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, 3).normalized()));
  const Eigen::Quaterniond bone(Eigen::AngleAxisd(0.7, Eigen::Vector3d(-1, 1, 0.5).normalized()));
  Strip strip({}, bind, 0.01);
  const Eigen::Vector3d gravity(1, -3, 2);
  strip.set_gravity(gravity);
  testing::set_pose(strip.player.get(), 0, {100, 20, -30}, bone);
  strip.step(1.0 / 60);
  const Eigen::VectorXd expected = balanced(strip, bone.conjugate() * gravity);
  EXPECT_LT((strip.q() - expected).norm(), 2e-4 * expected.norm());
  // And the tip is where the warped shape says, in the world.
  const Eigen::VectorXd shape = shell::warped_shape(strip.shell, strip.object, strip.q());
  const Eigen::Vector3d tip =
      Eigen::Vector3d(1, 0.2, -0.3) + bone * shape.segment<3>(3 * strip.tip());
  EXPECT_LT((0.01 * strip.where(strip.tip()) - tip).norm(), 2e-6);
}

TEST(ShellPlayer, DeformsToTheWarpedShape) {
  for (const bool warp : {true, false}) {
    Strip strip;
    supple_object_settings settings = testing::settings_of(strip.player.get());
    settings.warp = warp ? 1 : 0;
    ASSERT_EQ(supple_player_set_settings(strip.player.get(), 0, &settings), SUPPLE_OK);
    strip.set_gravity({0, -3, 0});
    strip.step(1.0 / 60);
    const Eigen::VectorXd shape = warp ? shell::warped_shape(strip.shell, strip.object, strip.q())
                                       : shell::linear_shape(strip.shell, strip.object, strip.q());
    const auto deformed = strip.deformed();
    for (std::size_t i = 0; i < deformed.size(); ++i) {
      const Eigen::Vector3d expected = shape.segment<3>(3 * static_cast<Eigen::Index>(i));
      ASSERT_LT((deformed[i].cast<double>() - expected).norm(), 2e-6) << i;
    }
  }
}

TEST(ShellPlayer, LinearModesIgnoreTurns) {
  Strip strip;
  supple_object_settings settings = testing::settings_of(strip.player.get());
  settings.warp = 0;
  ASSERT_EQ(supple_player_set_settings(strip.player.get(), 0, &settings), SUPPLE_OK);
  strip.set_gravity({0, -9.81, 0});
  strip.step(1.0 / 60);
  for (std::size_t k = 0; k < strip.object.modes.size(); ++k) {
    const soft::Vibration& mode = strip.object.modes[k];
    EXPECT_NEAR(strip.q()(static_cast<Eigen::Index>(k)),
                mode.transfer[4] * 9.81 / (mode.omega * mode.omega), 1e-6);
  }
}

void expect_rotation_strain_of_the_bake(Strip& strip) {
  const Eigen::VectorXd expected =
      shell::rotation_strain_shape(strip.shell, strip.object, strip.q());
  std::vector<Eigen::Vector3f> out(strip.rest.size());
  const supple_stream_in rest{strip.rest.front().data(), 0};
  const supple_stream_out to{out.front().data(), 0};
  ASSERT_EQ(supple_player_rotation_strain(strip.player.get(), 0, &rest, &to), SUPPLE_OK);
  double largest = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Eigen::Vector3d x = expected.segment<3>(3 * static_cast<Eigen::Index>(i));
    largest = std::max(largest, (out[i].cast<double>() - x).norm());
  }
  EXPECT_LT(largest, 2e-6);
}

TEST(ShellPlayer, RotationStrainMatchesTheBake) {
  Strip strip;
  strip.set_gravity({0, -3, 0.5});
  strip.step(1.0 / 60);
  expect_rotation_strain_of_the_bake(strip);
}

/// A free shell is pinned at one node for the solve, which moves all the same.
TEST(ShellPlayer, RotationStrainOfAFreeShellMatchesTheBake) {
  StripSpec spec;
  spec.clamped = false;
  Strip strip(spec);
  strip.step(1.0 / 60);
  const double kick[3] = {0, 3, 0};
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(supple_player_push(strip.player.get(), strip.tip(), kick), SUPPLE_OK);
    strip.step(1.0 / 60);
  }
  ASSERT_GT((strip.where(62) - strip.rest[62].cast<double>()).norm(), 1e-3);
  expect_rotation_strain_of_the_bake(strip);
}

/// Without drift: a minute of ringing ends at rest.
TEST(ShellPlayer, SixtySecondsOfRingingEndAtRest) {
  for (const double h : {1.0 / 30, 1.0 / 60, 1.0 / 144}) {
    StripSpec stiff;
    stiff.bending = 1;  // 2.8 Hz: a minute is long enough to come to rest
    Strip strip(stiff);
    strip.step(h, 2);
    const double kick[3] = {0, 20, 8};
    for (int i = 0; i < 10; ++i) {
      ASSERT_EQ(supple_player_push(strip.player.get(), strip.tip(), kick), SUPPLE_OK);
      strip.step(h);
    }
    const auto kicked = strip.deformed();
    double moved = 0;
    for (std::size_t i = 0; i < kicked.size(); ++i) {
      moved = std::max(moved, static_cast<double>((kicked[i] - strip.rest[i]).norm()));
    }
    EXPECT_GT(moved, 0.1);
    strip.step(h, static_cast<int>(60 / h));
    const auto after = strip.deformed();
    double left = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      left = std::max(left, static_cast<double>((after[i] - strip.rest[i]).norm()));
    }
    EXPECT_LT(left, 1e-6 * strip.object.size) << h;
  }
}

/// Gravity that comes all at once, over the range of loads of the paper's comparison and beyond.
TEST(ShellPlayer, StableAtThirtyHertzOverTheRangeOfLoads) {
  // Turns of 0.17 to 1.3: loads of 0.2 to 6 where the comparison ends at 4.
  for (const double g : {0.5, 2.0, 4.0, 8.0, 12.0}) {
    Strip strip;
    strip.step(1.0 / 30);
    strip.set_gravity({0, -g, 0});
    double largest = 0;
    for (int i = 0; i < 3600; ++i) {
      strip.step(1.0 / 30);
      largest = std::max(largest, strip.q().norm());
    }
    const Eigen::VectorXd rest = balanced(strip, {0, -g, 0});
    EXPECT_LT(largest, 4 * rest.norm()) << g;
    EXPECT_LT((strip.q() - rest).norm(), 2e-3 * rest.norm()) << g;
  }
}

TEST(ShellPlayer, RingingDoesNotDependOnTheFrameRate) {
  Eigen::VectorXd reference;
  for (const double rate : {960.0, 240.0, 120.0}) {
    Strip strip;
    strip.step(1 / rate);
    strip.set_gravity({0, -1, 0});
    strip.step(1 / rate, static_cast<int>(rate));
    if (reference.size() == 0) {
      reference = strip.q();
    } else {
      // Second order in the step.
      EXPECT_LT((strip.q() - reference).norm(),
                2.5 * 120 * 120 / (rate * rate) * 0.02 * reference.norm())
          << rate;
    }
  }
}

TEST(ShellPlayer, SampledForcesAreAsGoodAsTheBakeSays) {
  StripSpec fine;
  fine.columns = 61;
  fine.rows = 13;
  fine.points = 60;
  Strip strip(fine);
  EXPECT_LT(strip.object.points.size(), strip.rest.size());
  strip.set_gravity({0, -4, 1});
  strip.step(1.0 / 60);
  const Eigen::VectorXd expected = balanced(strip, {0, -4, 1});
  EXPECT_LT((strip.q() - expected).norm(), 0.03 * expected.norm());
}

TEST(ShellPlayer, TheSameBitsOnEveryInstructionSet) {
  Eigen::VectorXd reference;
  for (const auto set : {InstructionSet::Baseline, InstructionSet::Avx2, InstructionSet::Avx512}) {
    if (!has(set)) continue;
    Strip strip;
    choose(*strip.player, set);
    strip.set_gravity({0, -5, 0});
    const supple_wind wind{.velocity = {3, 0, 1}, .gusts = 0.5, .gust_size = 2, .density = 1.2};
    ASSERT_EQ(supple_player_set_wind(strip.player.get(), &wind), SUPPLE_OK);
    strip.step(1.0 / 60, 120);
    if (reference.size() == 0) reference = strip.q();
    EXPECT_EQ((strip.q() - reference).norm(), 0);
  }
}

TEST(ShellPlayer, WindBlowsAlongItsDirectionAndStaysBounded) {
  for (const double speed : {1.0, 5.0, 15.0, 30.0, 200.0}) {
    StripSpec light;
    light.area_density = 0.08;
    Strip strip(light);
    strip.step(1.0 / 30);
    const supple_wind wind{.velocity = {0, speed, 0}, .gusts = 0.3, .gust_size = 1, .density = 1.2};
    ASSERT_EQ(supple_player_set_wind(strip.player.get(), &wind), SUPPLE_OK);
    double largest = 0;
    for (int i = 0; i < 600; ++i) {
      strip.step(1.0 / 30);
      ASSERT_TRUE(strip.q().allFinite());
      largest = std::max(largest, (strip.where(strip.tip()) - Eigen::Vector3d(1, 0, 0)).norm());
    }
    if (speed > 20) continue;  // a thousand times its weight: finite is all that counts
    EXPECT_GT(strip.where(strip.tip()).y(), 0) << speed;
    EXPECT_LT(largest, 5) << speed;
  }
}

TEST(ShellPlayer, WindAtUnevenFramesIsThatOfEvenOnes) {
  // A long frame before a short one: the force acts over half of both.
  const auto blown = [](double longer, double shorter) {
    StripSpec light;
    light.area_density = 0.08;
    light.bending = 0.05;
    Strip strip(light);
    strip.step(longer);
    const supple_wind wind{.velocity = {0, 8, 0}, .gusts = 0, .gust_size = 1, .density = 1.2};
    supple_player_set_wind(strip.player.get(), &wind);
    double time = 0;
    while (time < 20) {
      strip.step(longer);
      strip.step(shorter);
      time += longer + shorter;
    }
    EXPECT_EQ(testing::diagnostics_of(strip.player.get()).teleports, 0U);
    EXPECT_EQ(testing::diagnostics_of(strip.player.get()).numeric_resets, 0U);
    return strip.q();
  };
  const Eigen::VectorXd even = blown(1.0 / 60, 1.0 / 60);
  // What steady wind holds does not depend on the frames: the brake acts on motion alone.
  constexpr double kSame = 1e-3;
  EXPECT_LT((blown(0.05, 0.0005) - even).norm(), kSame * even.norm());
  EXPECT_LT((blown(0.032, 0.001) - even).norm(), kSame * even.norm());
  EXPECT_LT((blown(1.0 / 500, 1.0 / 500) - even).norm(), kSame * even.norm());
}

TEST(ShellPlayer, AirStopsAShellThatRings) {
  // Hardly damped in itself; air at rest is air enough.
  const auto left = [](bool air) {
    StripSpec spec;
    spec.damping = 1e-4;
    Strip strip(spec);
    strip.step(1.0 / 120);
    const supple_wind wind{.velocity = {0, 0, 0}, .gusts = 0, .gust_size = 1, .density = 1.2};
    if (air) supple_player_set_wind(strip.player.get(), &wind);
    strip.set_gravity({0, -1, 0});
    strip.step(1.0 / 120, 120);
    strip.set_gravity({0, 0, 0});
    strip.step(1.0 / 120, 600);
    return strip.q().norm();
  };
  EXPECT_LT(left(true), 0.5 * left(false));
}

struct FieldProbe {
  int calls = 0;
  Eigen::Vector3d total = Eigen::Vector3d::Zero();
  double mass = 0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
  bool broken = false;
};

void probe_field(void* context, double, std::uint32_t, std::uint32_t count, const double* positions,
                 const double*, const double* masses, double* forces) {
  auto& probe = *static_cast<FieldProbe*>(context);
  ++probe.calls;
  probe.mass = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    probe.mass += masses[i];
    probe.total += Eigen::Vector3d(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    for (int axis = 0; axis < 3; ++axis) {
      forces[3 * i + static_cast<std::uint32_t>(axis)] = masses[i] * probe.force[axis];
    }
  }
  if (probe.broken) forces[0] = std::numeric_limits<double>::quiet_NaN();
}

TEST(ShellPlayer, AForceFieldOfWeightIsGravity) {
  Strip by_field;
  FieldProbe probe;
  probe.force = {0, -2, 0};
  ASSERT_EQ(supple_player_set_force_field(by_field.player.get(), probe_field, &probe), SUPPLE_OK);
  by_field.step(1.0 / 60);
  EXPECT_GT(probe.calls, 0);
  const Eigen::VectorXd expected = balanced(by_field, {0, -2, 0});
  EXPECT_LT((by_field.q() - expected).norm(), 1e-3 * expected.norm());
}

TEST(ShellPlayer, ForcesThatAreNotFiniteAreDroppedAndCounted) {
  Strip strip;
  FieldProbe probe;
  probe.broken = true;
  ASSERT_EQ(supple_player_set_force_field(strip.player.get(), probe_field, &probe), SUPPLE_OK);
  strip.step(1.0 / 60, 5);
  EXPECT_TRUE(strip.q().allFinite());
  EXPECT_GE(testing::diagnostics_of(strip.player.get()).bad_forces, 5U);
}

TEST(ShellPlayer, SaysWhenALoadIsBeyondItsModes) {
  Strip strip;
  strip.set_gravity({0, -0.05, 0});
  strip.step(1.0 / 60);
  supple_shell_state state{};
  ASSERT_EQ(supple_player_shell_state(strip.player.get(), 0, &state), SUPPLE_OK);
  EXPECT_LT(state.beyond, 1);
  strip.set_gravity({0, -60, 0});
  supple_player_reset(strip.player.get());
  strip.step(1.0 / 60, 2);
  ASSERT_EQ(supple_player_shell_state(strip.player.get(), 0, &state), SUPPLE_OK);
  EXPECT_GT(state.beyond, 1);
  EXPECT_NEAR(state.beyond * strip.object.follow_turn, state.largest_turn, 1e-9);
}

TEST(ShellPlayer, BaseMotionSwingsIt) {
  // Carried upwards with 2 m/s^2 it bends as under 2 more of gravity.
  StripSpec damped;
  damped.damping = 0.2;
  Strip strip(damped);
  strip.set_gravity({0, -1, 0});
  const double h = 1.0 / 240;
  double time = 0;
  for (int i = 0; i < 240 * 20; ++i) {
    time += h;
    testing::set_pose(strip.player.get(), 0, {0, 0.5 * 2 * time * time, 0});
    supple_object_settings settings = testing::settings_of(strip.player.get());
    settings.teleport_speed = 0;
    supple_player_set_settings(strip.player.get(), 0, &settings);
    strip.step(h);
  }
  const Eigen::VectorXd expected = balanced(strip, {0, -3, 0});
  EXPECT_LT((strip.q() - expected).norm(), 1e-3 * expected.norm());
}

TEST(ShellPlayer, WaitsForItsBone) {
  const testing::StripSpec spec;
  const fem::DiscreteShell shell = testing::make_strip(spec);
  const testing::OpenAsset asset(testing::strip_asset(shell, testing::make_object(shell, spec)));
  const testing::Player player = testing::make_player(asset);
  const double none[3] = {0, 0, 0};
  supple_player_set_gravity(player.get(), none);
  supple_player_step(player.get(), 1.0 / 60);
  // Where the bone is seen first is where it always was.
  testing::set_pose(player.get(), 0, {0.5, 0.5, 0});
  for (int i = 0; i < 10; ++i) supple_player_step(player.get(), 1.0 / 60);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(supple_player_coefficients(player.get())[k], 0);
  }
}

TEST(ShellPlayer, BadWindIsRefused) {
  const Strip strip;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const supple_wind wind :
       {supple_wind{.velocity = {nan, 0, 0}, .gusts = 0, .gust_size = 1, .density = 1},
        supple_wind{.velocity = {1, 0, 0}, .gusts = -0.1, .gust_size = 1, .density = 1},
        supple_wind{.velocity = {1, 0, 0}, .gusts = 2, .gust_size = 1, .density = 1},
        supple_wind{.velocity = {1, 0, 0}, .gusts = 0, .gust_size = 0, .density = 1},
        supple_wind{.velocity = {1, 0, 0}, .gusts = 0, .gust_size = 1, .density = -2}}) {
    EXPECT_EQ(supple_player_set_wind(strip.player.get(), &wind), SUPPLE_BAD_ARGUMENT);
  }
}

}  // namespace
}  // namespace supple::player
