// SPDX-License-Identifier: Apache-2.0
// Shells in air and water: against closed formulas, fine steps, and what energy may do.
#include "player/shell_strip.hpp"

#include "modal_step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

namespace supple::player {
namespace {

using testing::Strip;
using testing::StripSpec;

constexpr double kWater = 1000;

void immerse(Strip& strip, double density, const Eigen::Vector3d& velocity = {0, 0, 0}) {
  const supple_wind wind{.velocity = {velocity.x(), velocity.y(), velocity.z()},
                         .gusts = 0,
                         .gust_size = 1,
                         .density = density};
  ASSERT_EQ(supple_player_set_wind(strip.player.get(), &wind), SUPPLE_OK);
}

void play_linear_modes(Strip& strip) {
  supple_object_settings settings{};
  ASSERT_EQ(supple_player_get_settings(strip.player.get(), 0, &settings), SUPPLE_OK);
  settings.warp = 0;
  ASSERT_EQ(supple_player_set_settings(strip.player.get(), 0, &settings), SUPPLE_OK);
}

/// Sum over points of area (normal . Phi_k)^power, with the sign or without.
double moment(const Strip& strip, std::size_t k, int power) {
  double sum = 0;
  for (const shell::Point& point : strip.object.points) {
    const double area = point.area_vector.norm();
    if (area == 0) continue;
    const double across =
        point.area_vector.dot(testing::node_row(strip.object.displacements,
                                                static_cast<std::size_t>(point.node), k)) /
        area;
    sum += area * (power == 3 ? std::abs(across * across * across) : std::pow(across, power));
  }
  return sum;
}

/// Of the state itself, which is not rounded to floats.
double modal_energy(const Strip& strip) {
  const ModalState& o = modal_state(*strip.player, 0);
  double sum = 0;
  for (std::size_t k = 0; k < strip.object.modes.size(); ++k) {
    const double omega = strip.object.modes[k].omega;
    sum += 0.5 * (o.q_dot[k] * o.q_dot[k] + omega * omega * o.q[k] * o.q[k]);
  }
  return sum;
}

StripSpec one_mode() {
  StripSpec spec;
  spec.modes = 1;
  spec.damping = 0;
  return spec;
}

TEST(Medium, IsNoneUnlessOneSays) {
  const auto rung = [](bool said) {
    Strip strip(one_mode());
    if (said) immerse(strip, 0);
    strip.step(0.01);
    strip.set_gravity({0, -1, 0});
    strip.step(0.01, 40);
    return strip.q();
  };
  EXPECT_EQ((rung(false) - rung(true)).norm(), 0);
  Strip strip(one_mode());
  strip.step(0.01);
  strip.set_gravity({0, -1, 0});
  strip.step(0.01);
  strip.set_gravity({0, 0, 0});
  strip.step(0.01);
  const double before = modal_energy(strip);
  strip.step(0.01, 2000);
  EXPECT_NEAR(modal_energy(strip), before, 1e-9 * before);
}

// A plate that one mode moves through still fluid: q'' + w^2 q = -c |q'| q', whose amplitude falls
// as 1/A = 1/A0 + 4 c w t / (3 pi) to the first order in c A.
TEST(Medium, SwingsDecayByTheQuadraticLaw) {
  for (const double rate : {30.0, 60.0, 240.0}) {
    Strip strip(one_mode());
    play_linear_modes(strip);
    const double omega = strip.object.modes[0].omega;
    immerse(strip, 1.2);
    const double c = 1.2 * moment(strip, 0, 3);
    strip.step(1 / rate);
    const double first = 0.05 / c;  // of the order, c A
    modal_state(*strip.player, 0).q_dot[0] = omega * first;
    const double seconds = 40 * 2 * std::numbers::pi / omega;
    strip.step(1 / rate, static_cast<int>(std::lround(seconds * rate)));
    const double left = std::sqrt(2 * modal_energy(strip)) / omega;
    const double expected = 1 / (1 / first + 4 * c * omega * seconds / (3 * std::numbers::pi));
    std::printf("%5.0f Hz: %.2f Hz swings to %.4f of its amplitude, by the formula %.4f\n", rate,
                omega / (2 * std::numbers::pi), left / first, expected / first);
    constexpr double kSecondOrder = 0.01;
    EXPECT_NEAR(left, expected, kSecondOrder * first) << rate;
  }
}

// Through water at constant speed, the base dragged: the deflection is that of the pressure
// density U^2, the same as that of a current on a base at rest.
TEST(Medium, HoldsAPlateThatIsDraggedWhereItsPressureDoes) {
  constexpr double kSpeed = 0.05;
  for (const double rate : {30.0, 200.0}) {
    StripSpec spec;
    spec.modes = 1;
    spec.bending = 20;  // or it would creep there for minutes
    Strip strip(spec);
    play_linear_modes(strip);
    immerse(strip, kWater);
    const double omega = strip.object.modes[0].omega;
    const double expected = -kWater * kSpeed * kSpeed * moment(strip, 0, 1) / (omega * omega);
    for (int i = 0; i < static_cast<int>(20 * rate); ++i) {
      testing::set_pose(strip.player.get(), 0, {0, kSpeed * i / rate, 0});
      strip.step(1 / rate);
    }
    EXPECT_NEAR(strip.q()(0), expected, 1e-4 * std::abs(expected));
    Strip still(spec);
    play_linear_modes(still);
    immerse(still, kWater, {0, -kSpeed, 0});
    still.step(1 / rate, static_cast<int>(20 * rate));
    EXPECT_NEAR(still.q()(0), expected, 1e-4 * std::abs(expected));
  }
}

// A sheet that sinks flat: density A v^2 = m g. The step is long against m / (density A v).
TEST(Medium, LetsASheetSinkAtItsTerminalSpeed) {
  StripSpec spec;
  spec.clamped = false;
  spec.tether = 1e-3;
  spec.modes = 2;
  for (const double rate : {30.0, 60.0, 1000.0}) {
    Strip strip(spec);
    play_linear_modes(strip);
    strip.step(1 / rate);
    immerse(strip, kWater);
    strip.set_gravity({0, -9.81, 0});
    strip.step(1 / rate, static_cast<int>(rate));
    const double before = strip.where(strip.tip()).y();
    strip.step(1 / rate, static_cast<int>(rate));
    const double speed = before - strip.where(strip.tip()).y();
    const double expected = std::sqrt(spec.area_density * 9.81 / kWater);
    std::printf("%5.0f Hz: sinks at %.5f m/s, by the formula %.5f\n", rate, speed, expected);
    EXPECT_NEAR(speed, expected, 0.005 * expected) << rate;
  }
}

TEST(Medium, NeverGivesEnergy) {
  for (const double density : {1.0, 1000.0, 1e5}) {
    for (const double rate : {20.0, 30.0, 60.0, 500.0}) {
      StripSpec spec;
      spec.area_density = 0.05;
      spec.modes = 12;
      spec.damping = 0;
      Strip strip(spec);
      strip.step(1 / rate);
      immerse(strip, density);
      ModalState& o = modal_state(*strip.player, 0);
      for (std::size_t k = 0; k < 12; ++k) {
        o.q_dot[k] = (k % 2 == 0 ? 0.02 : -0.03) / (1 + static_cast<double>(k));
      }
      double before = modal_energy(strip);
      const double first = before;
      for (int i = 0; i < 400; ++i) {
        strip.step(1 / rate);
        ASSERT_LE(modal_energy(strip), before * (1 + 1e-9)) << density << " " << rate << " " << i;
        before = modal_energy(strip);
      }
      EXPECT_LT(before, 0.9 * first) << density << " " << rate;
    }
  }
}

/// The way of the tip against the base over the third second of a base that kicks, at 30 Hz.
std::vector<Eigen::Vector3d> kicked(double rate, double density, double area_density) {
  StripSpec spec;
  spec.length = 0.4;
  spec.bending = 4;  // bends by a third of its length
  spec.area_density = area_density;
  Strip strip(spec);
  std::vector<Eigen::Vector3d> tip;
  immerse(strip, density);
  for (int i = 0; i <= static_cast<int>(std::lround(3 * rate)); ++i) {
    const double t = i / rate;
    const double angle = 0.5 * std::sin(2 * std::numbers::pi * t);
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
    testing::set_pose(strip.player.get(), 0, {0, 0.1 * std::sin(angle), 0}, turn);
    strip.step(1 / rate);
    if (i % static_cast<int>(std::lround(rate / 30)) != 0 || t < 2) continue;
    tip.push_back(turn.conjugate() *
                  (strip.where(strip.tip()) - Eigen::Vector3d(0, 0.1 * std::sin(angle), 0)));
  }
  return tip;
}

TEST(Medium, KicksAlikeAtEveryFrameRate) {
  for (const double area_density : {0.08, 2.0, 40.0}) {
    const auto fine = kicked(1920, kWater, area_density);
    double reach = 0;
    for (const auto& p : fine) reach = std::max(reach, (p - Eigen::Vector3d(0.4, 0, 0)).norm());
    for (const double rate : {30.0, 60.0, 120.0}) {
      const auto coarse = kicked(rate, kWater, area_density);
      ASSERT_EQ(coarse.size(), fine.size());
      double worst = 0;
      for (std::size_t i = 0; i < fine.size(); ++i) {
        worst = std::max(worst, (coarse[i] - fine[i]).norm());
      }
      std::printf("%5.2f kg/m^2, %3.0f Hz: tip off by %.1f mm of %.0f mm\n", area_density, rate,
                  1000 * worst, 1000 * reach);
      EXPECT_LT(worst, (rate < 40 ? 0.2 : 0.1) * reach) << area_density << " " << rate;
    }
  }
}

}  // namespace
}  // namespace supple::player
