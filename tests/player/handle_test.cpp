// SPDX-License-Identifier: Apache-2.0
#include "modal_step.hpp"

#include "player/shell_strip.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

namespace supple::player {
namespace {

using testing::Strip;
using testing::StripSpec;

supple_handle handle_at(const Strip& strip, std::uint32_t vertex, std::uint32_t components,
                        const Eigen::Vector3d& position,
                        const Eigen::Quaterniond& turn = Eigen::Quaterniond::Identity()) {
  supple_handle handle{};
  handle.vertex = vertex;
  handle.components = components;
  for (int i = 0; i < 3; ++i) {
    handle.rest[i] = strip.rest[vertex][i];
    handle.position[i] = position[i];
  }
  handle.orientation[0] = turn.x();
  handle.orientation[1] = turn.y();
  handle.orientation[2] = turn.z();
  handle.orientation[3] = turn.w();
  return handle;
}

struct Placed {
  Eigen::Vector3d position;
  Eigen::Quaterniond turn;
};

Placed placed(const Strip& strip, std::uint32_t vertex) {
  Placed at;
  double turn[4];
  SUPPLE_CHECK(supple_player_vertex(strip.player.get(), vertex, strip.rest[vertex].data(),
                                    at.position.data(), turn) == SUPPLE_OK);
  at.turn = Eigen::Quaterniond(turn[3], turn[0], turn[1], turn[2]);
  return at;
}

void set_warp(Strip& strip, int warp) {
  supple_object_settings settings = testing::settings_of(strip.player.get());
  settings.warp = warp;
  SUPPLE_CHECK(supple_player_set_settings(strip.player.get(), 0, &settings) == SUPPLE_OK);
}

/// By rotation and strain, of a strip whose frame is bind space.
std::vector<Eigen::Vector3f> reconstructed(const Strip& strip) {
  std::vector<Eigen::Vector3f> out = strip.rest;
  const supple_stream_in rest{strip.rest.front().data(), 0};
  const supple_stream_out to{out.front().data(), 0};
  SUPPLE_CHECK(supple_player_rotation_strain(strip.player.get(), 0, &rest, &to) == SUPPLE_OK);
  return out;
}

/// Relative.
double area_change(const Strip& strip, const std::vector<Eigen::Vector3f>& x) {
  double area = 0;
  for (const geometry::Triangle& t : strip.shell.model().mesh.triangles) {
    const auto at = [&](std::size_t corner) { return x[static_cast<std::size_t>(t[corner])]; };
    area += 0.5 * (at(1) - at(0)).cross(at(2) - at(0)).norm();
  }
  return area / strip.shell.area(strip.shell.rest()) - 1;
}

supple_handle_state state_of(const Strip& strip, std::uint32_t slot = 0) {
  supple_handle_state state{};
  SUPPLE_CHECK(supple_player_handle_state(strip.player.get(), slot, &state) == SUPPLE_OK);
  return state;
}

/// A place that warped modes reach, because that is where some coefficients took the vertex.
Placed reachable(const Strip& strip, std::uint32_t vertex, const Eigen::VectorXd& q) {
  const Eigen::Index i = 3 * static_cast<Eigen::Index>(vertex);
  const Eigen::VectorXd shape = shell::warped_shape(strip.shell, strip.object, q);
  const Eigen::VectorXd turns = strip.object.turns * q;
  return {shape.segment<3>(i), Eigen::Quaterniond(shell::rotation(turns.segment<3>(i)))};
}

Eigen::VectorXd bent(const Strip& strip, double amount) {
  Eigen::VectorXd q = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(strip.object.modes.size()));
  q(0) = amount;
  q(1) = 0.2 * amount;
  q(2) = -0.1 * amount;
  return q;
}

TEST(Handles, ReachWhatCanBeReached) {
  for (const std::uint32_t components : {SUPPLE_HANDLE_POSITION, SUPPLE_HANDLE_ORIENTATION,
                                         SUPPLE_HANDLE_POSITION | SUPPLE_HANDLE_ORIENTATION}) {
    for (const double h : {1.0 / 30, 1.0 / 60, 1.0 / 144}) {
      Strip strip;
      strip.set_gravity({0, -1, 0});
      strip.step(h);
      const std::uint32_t tip = strip.tip();
      const Placed target = reachable(strip, tip, bent(strip, 0.04));
      ASSERT_GT((target.position - Eigen::Vector3d(1, 0, 0)).norm(), 0.2);
      const supple_handle handle = handle_at(strip, tip, components, target.position, target.turn);
      ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
      strip.step(h, static_cast<int>(4 / h));
      const Placed at = placed(strip, tip);
      if ((components & SUPPLE_HANDLE_POSITION) != 0) {
        EXPECT_LT((at.position - target.position).norm(), 1e-5) << components << " " << h;
        EXPECT_LT(state_of(strip).position_error, 1e-5);
      }
      if ((components & SUPPLE_HANDLE_ORIENTATION) != 0) {
        EXPECT_LT(at.turn.angularDistance(target.turn), 1e-5) << components << " " << h;
        EXPECT_LT(state_of(strip).turn_error, 1e-5);
      }
    }
  }
}

/// Pushed towards the base a flat strip has to buckle, to either side, and stay there. Rotation and
/// strain make shapes for that, whose area stays; warping makes none, so that the handle gives way.
TEST(Handles, CompressedStripsBuckleAndKeepStill) {
  for (const double h : {1.0 / 30, 1.0 / 120}) {
    for (const double shorter : {0.02, 0.1, 0.2}) {
      for (const int warp : {SUPPLE_WARP_WARPED, SUPPLE_WARP_ROTATION_STRAIN}) {
        StripSpec spec;
        spec.columns = 13;
        spec.rows = 3;
        spec.damping = 0.3;
        Strip strip(spec);
        set_warp(strip, warp);
        strip.step(h);
        const std::uint32_t tip = strip.tip();
        const int steps = static_cast<int>(1 / h);
        for (int i = 1; i <= 6 * steps; ++i) {
          const double x = 1 - shorter * std::min(1.0, static_cast<double>(i) / steps);
          const supple_handle handle =
              handle_at(strip, tip, SUPPLE_HANDLE_POSITION, {x, i < 5 ? 1e-3 : 0.0, 0});
          ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
          strip.step(h);
        }
        const Eigen::VectorXd before = strip.q();
        strip.step(h);
        EXPECT_LT((strip.q() - before).norm(), 1e-3 * bent(strip, 0.04).norm());
        const double missed = state_of(strip).position_error;
        if (warp == SUPPLE_WARP_ROTATION_STRAIN) {
          EXPECT_LT(missed, 1e-4) << h << " " << shorter;
          const std::vector<Eigen::Vector3f> x = reconstructed(strip);
          const Eigen::Vector3f target(static_cast<float>(1 - shorter), 0, 0);
          EXPECT_LT((x[tip] - target).norm(), 1e-4) << h << " " << shorter;
          EXPECT_LT(std::abs(area_change(strip, x)), 0.01) << h << " " << shorter;
        } else {
          EXPECT_GT(missed, 0.3 * shorter) << h;
          EXPECT_LT(std::abs(area_change(strip, strip.deformed())), 0.2) << h << " " << shorter;
        }
        supple_player_remove_handle(strip.player.get(), 0);
        strip.step(h, 20 * steps);
        EXPECT_LT(strip.q().norm(), 0.02 * bent(strip, 0.04).norm()) << h << " " << shorter;
      }
    }
  }
}

TEST(Handles, TurnFurtherThanOnce) {
  Strip strip;
  supple_object_settings settings = testing::settings_of(strip.player.get());
  settings.area_bound = settings.turn_bound = 0;
  ASSERT_EQ(supple_player_set_settings(strip.player.get(), 0, &settings), SUPPLE_OK);
  strip.step(1.0 / 60);
  const std::uint32_t tip = strip.tip();
  // Twisted about its length, a little each frame: more than half a turn, and on.
  double angle = 0;
  double last = 0;
  for (int i = 0; i < 400; ++i) {
    angle = 0.025 * i;
    const supple_handle handle =
        handle_at(strip, tip, SUPPLE_HANDLE_ORIENTATION, Eigen::Vector3d::Zero(),
                  Eigen::Quaterniond(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitX())));
    ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
    strip.step(1.0 / 60);
    const Eigen::VectorXd turns = strip.object.turns * strip.q();
    const double turned = turns(3 * static_cast<Eigen::Index>(tip));
    ASSERT_LT(std::abs(turned - last), 0.2) << i;
    last = turned;
  }
  EXPECT_NEAR(last, angle, 0.05);
}

TEST(Handles, SoftOnesBeginWhereTheyEnd) {
  for (const double stiffness : {0.05, 0.5, 500.0}) {
    Strip strip;
    strip.set_gravity({0, -1, 0});
    const std::uint32_t tip = strip.tip();
    supple_handle handle = handle_at(strip, tip, SUPPLE_HANDLE_POSITION, {0.95, 0.2, 0});
    handle.stiffness = stiffness;
    ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
    strip.step(1.0 / 60);
    const Eigen::Vector3d first = strip.where(tip);
    strip.step(1.0 / 60, 6000);
    EXPECT_LT((strip.where(tip) - first).norm(), 2e-3) << stiffness;
  }
}

TEST(Handles, TurnedFramesAndUnitsMakeNoDifference) {
  const Eigen::Quaterniond bind(Eigen::AngleAxisd(0.9, Eigen::Vector3d(3, 1, 2).normalized()));
  const Eigen::Quaterniond bone(Eigen::AngleAxisd(-1.3, Eigen::Vector3d(1, 1, 0).normalized()));
  Strip strip({}, bind, 0.01);
  testing::set_pose(strip.player.get(), 0, {50, -20, 10}, bone);
  strip.step(1.0 / 60);
  const std::uint32_t tip = strip.tip();
  const Placed local = reachable(strip, tip, bent(strip, 0.03));
  const Eigen::Vector3d position = Eigen::Vector3d(50, -20, 10) + 100 * (bone * local.position);
  const Eigen::Quaterniond turn = bone * local.turn * bind;
  const supple_handle handle =
      handle_at(strip, tip, SUPPLE_HANDLE_POSITION | SUPPLE_HANDLE_ORIENTATION, position, turn);
  ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
  strip.step(1.0 / 60, 240);
  const Placed at = placed(strip, tip);
  EXPECT_LT(0.01 * (at.position - position).norm(), 1e-5);
  EXPECT_LT(at.turn.angularDistance(turn), 1e-5);
}

TEST(Handles, SingleComponentsLeaveTheOthersFree) {
  Strip strip;
  strip.set_gravity({0, -2, 0});
  strip.step(1.0 / 60);
  const std::uint32_t tip = strip.tip();
  const supple_handle handle = handle_at(strip, tip, SUPPLE_HANDLE_Y, {7, 0.1, 7});
  ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
  strip.step(1.0 / 60, 300);
  EXPECT_NEAR(strip.where(tip).y(), 0.1, 1e-5);
  EXPECT_LT(strip.where(tip).x(), 1.1);
  EXPECT_NEAR(strip.where(tip).z(), 0, 1e-3);
}

TEST(Handles, SoftOnesAreSprings) {
  // A spring at the tip in y: force k (target - y) on the modes, linear while little moves.
  Strip strip;
  supple_object_settings settings = testing::settings_of(strip.player.get());
  settings.warp = 0;
  ASSERT_EQ(supple_player_set_settings(strip.player.get(), 0, &settings), SUPPLE_OK);
  strip.step(1.0 / 60);
  const std::uint32_t tip = strip.tip();
  supple_handle handle = handle_at(strip, tip, SUPPLE_HANDLE_Y, {0, 0.05, 0});
  handle.stiffness = 0.1;
  ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
  strip.step(1.0 / 60, 3000);
  double compliance = 0;
  for (std::size_t k = 0; k < strip.object.modes.size(); ++k) {
    const double phi = testing::node_row(strip.object.displacements, tip, k).y();
    compliance += phi * phi / std::pow(strip.object.modes[k].omega, 2);
  }
  const double expected = 0.05 * compliance / (compliance + 1 / handle.stiffness);
  EXPECT_NEAR(strip.where(tip).y(), expected, 1e-4 * 0.05);
  EXPECT_NEAR(state_of(strip).position_error, 0.05 - expected, 1e-4 * 0.05);
  supple_shell_state shell{};
  ASSERT_EQ(supple_player_shell_state(strip.player.get(), 0, &shell), SUPPLE_OK);
  EXPECT_EQ(shell.handle_residual, 0) << "a soft handle misses because it is soft";
}

TEST(Handles, ThatContradictEachOtherShareTheError) {
  Strip strip;
  strip.step(1.0 / 60);
  const std::uint32_t tip = strip.tip();
  // A strip whose end rises by 0.05 is about that much shorter.
  const supple_handle up = handle_at(strip, tip, SUPPLE_HANDLE_POSITION, {0.998, 0.2, 0});
  const supple_handle down = handle_at(strip, tip, SUPPLE_HANDLE_POSITION, {0.998, -0.1, 0});
  ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &up), SUPPLE_OK);
  ASSERT_EQ(supple_player_set_handle(strip.player.get(), 3, &down), SUPPLE_OK);
  strip.step(1.0 / 60, 600);
  EXPECT_NEAR(strip.where(tip).y(), 0.05, 2e-3);
  EXPECT_NEAR(state_of(strip, 0).position_error, 0.15, 5e-3);
  EXPECT_NEAR(state_of(strip, 3).position_error, 0.15, 5e-3);
  supple_shell_state shell{};
  ASSERT_EQ(supple_player_shell_state(strip.player.get(), 0, &shell), SUPPLE_OK);
  EXPECT_NEAR(shell.handle_residual, 0.15, 5e-3);
}

/// No sheet follows a pull beyond its length: the handle gives way and reports by how much.
TEST(Handles, PulledFartherThanItIsLongAShellGivesWay) {
  for (const double length : {1.2, 1.5, 3.0}) {
    for (const double slope : {0.0, 0.3}) {
      Strip strip;
      strip.step(1.0 / 60);
      const Eigen::Vector3d target(length, slope * length, 0);
      for (int i = 1; i <= 300; ++i) {
        const double part = std::min(1.0, i / 120.0);
        const supple_handle handle = handle_at(strip, strip.tip(), SUPPLE_HANDLE_POSITION,
                                               {1 + part * (target.x() - 1), part * target.y(), 0});
        ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
        strip.step(1.0 / 60);
        ASSERT_LT(std::abs(area_change(strip, strip.deformed())), 0.2)
            << length << " " << slope << " " << i;
      }
      supple_shell_state shell{};
      ASSERT_EQ(supple_player_shell_state(strip.player.get(), 0, &shell), SUPPLE_OK);
      EXPECT_LE(shell.strained, 1) << length << " " << slope;
      const double missed = (strip.where(strip.tip()) - target).norm();
      EXPECT_GT(missed, length - 1.1) << length << " " << slope;
      EXPECT_NEAR(shell.handle_residual, missed, 1e-5);
    }
  }
}

/// Rotation-strain shapes meet handles too, on strips of any size and stuff: places that such
/// shapes have, up to most of the length away. Warped handles missed them by 14 % of it.
TEST(Handles, HoldWhatRotationAndStrainDraw) {
  Random random(5);
  const auto between = [&random](double low, double high) {
    return low * std::pow(high / low, random.uniform());
  };
  constexpr int kStrips = 12;
  std::vector<double> missed;
  for (int trial = 0; trial < kStrips; ++trial) {
    StripSpec spec;
    spec.length = between(0.2, 2);
    spec.width = spec.length * between(0.1, 0.3);
    spec.columns = 9 + static_cast<int>(random.below(9));
    spec.rows = 3;
    spec.bending = between(0.005, 0.1);
    spec.stretching = 1e5 * spec.bending / (spec.length * spec.length);
    Strip strip(spec);
    set_warp(strip, SUPPLE_WARP_ROTATION_STRAIN);
    strip.step(1.0 / 60);
    // The end's way by the slowest mode alone, were it linear.
    const double way = spec.length * random.uniform(-0.8, 0.8);
    const Eigen::VectorXd q =
        bent(strip, way / testing::node_row(strip.object.displacements, strip.tip(), 0).norm());
    for (Eigen::Index k = 0; k < q.size(); ++k) {
      strip.player->coefficients[k] = static_cast<float>(q(k));
    }
    const auto free = static_cast<std::uint32_t>(strip.rest.size()) - 12;  // beyond the clamp
    const std::uint32_t vertex = 12 + static_cast<std::uint32_t>(random.below(free));
    const Eigen::Vector3d target = reconstructed(strip)[vertex].cast<double>();
    const supple_handle handle = handle_at(strip, vertex, SUPPLE_HANDLE_POSITION, target);
    ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
    strip.step(1.0 / 60, 300);
    const Eigen::Vector3d at = reconstructed(strip)[vertex].cast<double>();
    missed.push_back((at - target).norm() / spec.length);
    EXPECT_LT(missed.back(), 1e-4) << trial << " " << vertex;
    EXPECT_LT(state_of(strip).position_error, 1e-4 * spec.length) << trial << " " << vertex;
  }
  std::sort(missed.begin(), missed.end());
  std::printf("missed by %.4f %% of the length in the median, %.4f %% at most\n",
              100 * missed[missed.size() / 2], 100 * missed.back());
}

/// A hand that goes anywhere, jumps included.
TEST(Handles, AHandNeverTearsAShell) {
  Random random(7);
  for (const double stiffness : {0.1, 1.0, 100.0}) {
    StripSpec spec;
    spec.columns = 13;
    spec.rows = 3;
    spec.bending *= stiffness;
    spec.damping = 0.2;
    Strip strip(spec);
    strip.step(1.0 / 60);
    for (int drag = 0; drag < 60; ++drag) {
      const auto vertex = static_cast<std::uint32_t>(6 + 32 * random.uniform());
      const Eigen::Vector3d way(random.uniform(-1, 1), random.uniform(-1, 1),
                                random.uniform(-1, 1));
      for (int i = 0; i < 20; ++i) {
        supple_handle handle =
            handle_at(strip, vertex, SUPPLE_HANDLE_POSITION,
                      strip.rest[vertex].cast<double>() + (drag % 3 == 0 ? 1 : 0.05 * i) * way);
        handle.stiffness = SUPPLE_HAND;
        ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
        strip.step(1.0 / 60);
        ASSERT_LT(std::abs(area_change(strip, strip.deformed())), 0.2) << stiffness << " " << drag;
      }
    }
    supple_player_remove_handle(strip.player.get(), 0);
    const double period = 2 * std::numbers::pi / strip.object.modes.front().omega;
    strip.step(1.0 / 60, static_cast<int>(60 * 6 * period));
    EXPECT_LT(strip.q().norm(), 0.01 * bent(strip, 0.04).norm()) << stiffness;
  }
}

TEST(Handles, MoreThanTheModesCanMeetStayFinite) {
  Strip strip;
  strip.set_gravity({0, -9.81, 0});
  strip.step(1.0 / 30);
  for (std::uint32_t slot = 0; slot < 6; ++slot) {
    const auto vertex = static_cast<std::uint32_t>((4 + 4 * slot) * 5 + slot % 5);
    const supple_handle handle =
        handle_at(strip, vertex, SUPPLE_HANDLE_POSITION | SUPPLE_HANDLE_ORIENTATION,
                  {0.3 * slot, slot % 2 == 0 ? 1.0 : -1.0, 0.4},
                  Eigen::Quaterniond(Eigen::AngleAxisd(2.0 * slot, Eigen::Vector3d::UnitX())));
    ASSERT_EQ(supple_player_set_handle(strip.player.get(), slot, &handle), SUPPLE_OK);
  }
  double largest = 0;
  for (int i = 0; i < 900; ++i) {
    strip.step(1.0 / 30);
    ASSERT_TRUE(strip.q().allFinite());
    if (i > 300) largest = std::max(largest, strip.q().norm());
  }
  EXPECT_LT(largest, 3);
}

TEST(Handles, FarTargetsDoNotBlowUp) {
  for (const double h : {1.0 / 30, 1.0 / 200}) {
    StripSpec stiff;
    stiff.bending = 1;
    Strip strip(stiff);
    strip.step(h);
    const std::uint32_t tip = strip.tip();
    for (int i = 0; i < 600; ++i) {
      // The mouse jumps about, often where no strip can follow.
      const double angle = 2.4 * i;
      const supple_handle handle =
          handle_at(strip, tip, SUPPLE_HANDLE_POSITION,
                    {1.5 * std::cos(angle), 1.5 * std::sin(angle), std::sin(3 * angle)});
      ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
      strip.step(h);
      ASSERT_TRUE(strip.q().allFinite());
      ASSERT_LT(strip.where(tip).norm(), 10);
    }
    ASSERT_EQ(supple_player_remove_handle(strip.player.get(), 0), SUPPLE_OK);
    strip.step(h, static_cast<int>(60 / h));
    EXPECT_LT((strip.where(tip) - Eigen::Vector3d(1, 0, 0)).norm(), 1e-4);
  }
}

TEST(Handles, LetGoItRingsOnByTheExactFilter) {
  StripSpec spec;
  spec.damping = 0.01;
  Strip strip(spec);
  strip.step(1.0 / 120);
  const std::uint32_t tip = strip.tip();
  const supple_handle handle = handle_at(strip, tip, SUPPLE_HANDLE_Y, {0, 0.02, 0});
  ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &handle), SUPPLE_OK);
  strip.step(1.0 / 120, 600);
  ASSERT_EQ(supple_player_remove_handle(strip.player.get(), 0), SUPPLE_OK);
  // After one period of the first mode it is back, but for its damping.
  const double omega = strip.object.modes[0].omega;
  const double period = 2 * std::numbers::pi / omega;
  const auto steps = static_cast<int>(std::lround(period * 120));
  const double before = strip.q()(0);
  strip.step(period / steps, steps);
  EXPECT_NEAR(strip.q()(0) / before, std::exp(-0.01 * 2 * std::numbers::pi), 0.02);
}

TEST(Handles, BadOnesAreRefusedAndChangeNothing) {
  Strip strip;
  strip.step(1.0 / 60);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::uint32_t tip = strip.tip();
  const auto refused = [&](const supple_handle& handle, std::uint32_t slot = 0) {
    return supple_player_set_handle(strip.player.get(), slot, &handle) == SUPPLE_BAD_ARGUMENT;
  };
  const supple_handle good = handle_at(strip, tip, SUPPLE_HANDLE_POSITION, {1, 0, 0});
  EXPECT_TRUE(refused(good, 16));
  supple_handle bad = good;
  bad.vertex = 125;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.vertex = 2;  // fixed
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.components = 0;
  EXPECT_TRUE(refused(bad));
  bad.components = 64;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.position[1] = nan;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.stiffness = -2;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.components = SUPPLE_HANDLE_ORIENTATION;
  for (double& x : bad.orientation) x = 0;
  EXPECT_TRUE(refused(bad));
  EXPECT_EQ(state_of(strip).active, 0);
  strip.step(1.0 / 60, 10);
  EXPECT_LT(strip.q().norm(), 1e-12);
  // One that holds goes on holding where it did.
  const supple_handle up = handle_at(strip, tip, SUPPLE_HANDLE_Y, {0, 0.1, 0});
  ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &up), SUPPLE_OK);
  bad = up;
  bad.vertex = 2;
  EXPECT_TRUE(refused(bad));
  EXPECT_EQ(state_of(strip).active, 1);
  strip.step(1.0 / 60, 120);
  EXPECT_NEAR(strip.where(tip).y(), 0.1, 1e-5);
}

TEST(Handles, AsManyAsAreReserved) {
  Strip strip;
  strip.step(1.0 / 60);
  const supple_handle first = handle_at(strip, strip.tip(), SUPPLE_HANDLE_POSITION, {0.99, 0.1, 0});
  ASSERT_EQ(supple_player_set_handle(strip.player.get(), 0, &first), SUPPLE_OK);
  ASSERT_EQ(supple_player_reserve_handles(strip.player.get(), 100), SUPPLE_OK);
  EXPECT_EQ(state_of(strip).active, 1);
  const supple_handle last = handle_at(strip, strip.tip() - 50, SUPPLE_HANDLE_Z, {0, 0, 0.001});
  ASSERT_EQ(supple_player_set_handle(strip.player.get(), 99, &last), SUPPLE_OK);
  ASSERT_EQ(supple_player_reserve_handles(strip.player.get(), 200), SUPPLE_OK);
  strip.step(1.0 / 60, 200);
  EXPECT_LT(state_of(strip, 0).position_error, 1e-3);
  EXPECT_EQ(state_of(strip, 99).active, 1);
}

/// Two clamped ends, one of them by an attachment to another bone.
TEST(Handles, AttachmentsFollowTheirBone) {
  StripSpec spec;
  spec.damping = 0.2;
  const fem::DiscreteShell shell = testing::make_strip(spec);
  const shell::ShellObject object = testing::make_object(shell, spec);
  soft::Asset file = testing::strip_asset(shell, object);
  const std::uint32_t tip = 24 * 5 + 2;
  soft::Attachment attachment;
  attachment.vertex = tip;
  attachment.components = SUPPLE_HANDLE_POSITION | SUPPLE_HANDLE_ORIENTATION;
  attachment.node = 9;
  attachment.bone = "hand";
  attachment.rest = {1, 0, 0};
  // The bone stands at (1, -0.5, 0) at rest, turned a quarter about z.
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(std::numbers::pi / 2, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  attachment.bone_from_frame.leftCols<3>() = turn.transpose();
  attachment.bone_from_frame.col(3) = -turn.transpose() * Eigen::Vector3d(1, -0.5, 0);
  file.objects[0].shell->attachments.push_back(attachment);
  const testing::OpenAsset asset(file, {true});
  const testing::Player player = testing::make_player(asset);
  supple_attachment_info info{};
  ASSERT_EQ(supple_asset_attachment(asset.get(), 0, &info), SUPPLE_OK);
  EXPECT_STREQ(info.bone, "hand");
  EXPECT_EQ(info.node, 9U);
  EXPECT_EQ(info.object, 0U);

  const double still[3] = {0, 0, 0};
  supple_player_set_gravity(player.get(), still);
  testing::set_pose(player.get(), 0, Eigen::Vector3d::Zero());
  Eigen::Matrix4f bone = Eigen::Matrix4f::Identity();
  bone.topLeftCorner<3, 3>() = turn.cast<float>();
  bone.col(3).head<3>() << 1, -0.5F, 0;
  const float rest[3] = {1, 0, 0};
  Eigen::Vector3d at;
  // At rest nothing moves.
  ASSERT_EQ(supple_player_set_attachment_matrix(player.get(), 0, bone.data()), SUPPLE_OK);
  for (int i = 0; i < 30; ++i) supple_player_step(player.get(), 1.0 / 60);
  supple_player_vertex(player.get(), tip, rest, at.data(), nullptr);
  EXPECT_LT((at - Eigen::Vector3d(1, 0, 0)).norm(), 1e-6);
  // It comes along when the bone rises.
  for (int i = 0; i < 240; ++i) {
    bone(1, 3) = -0.5F + 0.1F * std::min(1.0F, static_cast<float>(i) / 60.0F);
    ASSERT_EQ(supple_player_set_attachment_matrix(player.get(), 0, bone.data()), SUPPLE_OK);
    supple_player_step(player.get(), 1.0 / 60);
  }
  supple_player_vertex(player.get(), tip, rest, at.data(), nullptr);
  supple_handle_state state{};
  ASSERT_EQ(supple_player_attachment_state(player.get(), 0, &state), SUPPLE_OK);
  EXPECT_EQ(state.active, 1);
  // A strip cannot stretch to follow exactly: the remaining error is reported.
  EXPECT_NEAR((at - Eigen::Vector3d(1, 0.1, 0)).norm(), state.position_error, 1e-6);
  EXPECT_LT(state.position_error, 0.01);
  ASSERT_EQ(supple_player_release_attachment(player.get(), 0), SUPPLE_OK);
  for (int i = 0; i < 3600; ++i) supple_player_step(player.get(), 1.0 / 60);
  supple_player_vertex(player.get(), tip, rest, at.data(), nullptr);
  EXPECT_LT((at - Eigen::Vector3d(1, 0, 0)).norm(), 1e-5);
  const float broken[16] = {};
  EXPECT_EQ(supple_player_set_attachment_matrix(player.get(), 0, broken), SUPPLE_BAD_TRANSFORM);
  EXPECT_EQ(supple_player_set_attachment_matrix(player.get(), 1, bone.data()), SUPPLE_BAD_ARGUMENT);
}

}  // namespace
}  // namespace supple::player
