// SPDX-License-Identifier: Apache-2.0
#include "modal_step.hpp"

#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace supple::player::testing {
namespace {

constexpr double kExact = 1e-11;  // the filter is exact; what is left is rounding

void set_factors(const Player& player, double stiffness, double damping) {
  supple_object_settings settings = settings_of(player.get());
  settings.stiffness = stiffness;
  settings.damping = damping;
  ASSERT_EQ(supple_player_set_settings(player.get(), 0, &settings), SUPPLE_OK);
}

/// A player whose bone stands still and whose mode is let go at q = 1.
Player released(const OpenAsset& asset) {
  Player player = make_player(asset);
  for (int k = 0; k < 3; ++k) {
    set_pose(player.get(), 0, Eigen::Vector3d::Zero());
    SUPPLE_CHECK(supple_player_step(player.get(), kFrame) == SUPPLE_OK);
  }
  modal_state(*player, 0).q[0] = 1;
  return player;
}

/// q of a free oscillator that starts at (q0, v0).
double free_swing(double w, double xi, double q0, double v0, double t) {
  const double wd = w * std::sqrt(1 - xi * xi);
  return std::exp(-xi * w * t) *
         (q0 * std::cos(wd * t) + (v0 + xi * w * q0) / wd * std::sin(wd * t));
}

TEST(Retune, StiffnessActsOnFrequencyBySquareRootAndDampingOnTheRatio) {
  const OpenAsset asset(one_object({oscillator(3, 0.1)}));
  for (const auto& [stiffness, damping] : {std::pair{4.0, 1.0}, {1.0, 2.5}, {0.25, 0.5}}) {
    const Player player = released(asset);
    set_factors(player, stiffness, damping);
    const double w = 2 * std::numbers::pi * 3 * std::sqrt(stiffness);
    for (int k = 1; k <= 60; ++k) {
      ASSERT_EQ(supple_player_step(player.get(), kFrame), SUPPLE_OK);
      // The state stands half a frame behind what is shown.
      EXPECT_NEAR(modal_state(*player, 0).output[0],
                  free_swing(w, 0.1 * damping, 1, 0, (k + 0.5) * kFrame), kExact);
    }
  }
}

TEST(Retune, CrossesCriticalDampingAndComesBack) {
  const OpenAsset asset(one_object({oscillator(3, 0.1)}));
  const double w = 2 * std::numbers::pi * 3;
  const Player player = released(asset);
  set_factors(player, 1, 20);  // xi = 2: both rates are real
  const double slow = w * (2 - std::sqrt(3.0));
  const double fast = w * (2 + std::sqrt(3.0));
  for (int k = 1; k <= 10; ++k) {
    ASSERT_EQ(supple_player_step(player.get(), kFrame), SUPPLE_OK);
    const double t = (k + 0.5) * kFrame;
    const double creep = (fast * std::exp(-slow * t) - slow * std::exp(-fast * t)) / (fast - slow);
    EXPECT_NEAR(modal_state(*player, 0).output[0], creep, kExact);
  }
  const double q = modal_state(*player, 0).q[0];
  const double q_dot = modal_state(*player, 0).q_dot[0];
  set_factors(player, 1, 2);
  for (int k = 1; k <= 10; ++k) {
    ASSERT_EQ(supple_player_step(player.get(), kFrame), SUPPLE_OK);
    EXPECT_NEAR(modal_state(*player, 0).output[0], free_swing(w, 0.2, q, q_dot, (k + 0.5) * kFrame),
                kExact);
  }
}

TEST(Retune, GoesOnFromWhereTheFleshIs) {
  const OpenAsset asset(one_object({oscillator(3, 0.1)}));
  const Player player = released(asset);
  for (int k = 0; k < 7; ++k) ASSERT_EQ(supple_player_step(player.get(), kFrame), SUPPLE_OK);
  const double q = modal_state(*player, 0).q[0];
  const double q_dot = modal_state(*player, 0).q_dot[0];
  set_factors(player, 9, 1);
  EXPECT_EQ(modal_state(*player, 0).q[0], q);
  const double w = 2 * std::numbers::pi * 9;
  for (int k = 1; k <= 30; ++k) {
    ASSERT_EQ(supple_player_step(player.get(), kFrame), SUPPLE_OK);
    EXPECT_NEAR(modal_state(*player, 0).output[0], free_swing(w, 0.1, q, q_dot, (k + 0.5) * kFrame),
                kExact);
  }
}

TEST(Retune, FactorsOfOneGiveTheFileBackBitForBit) {
  const OpenAsset asset(one_object({oscillator(3, 0.1), oscillator(7, 1.4)}));
  const Player plain = released(asset);
  const Player tuned = released(asset);
  set_factors(tuned, 3, 2);
  set_factors(tuned, 1, 1);
  for (int k = 0; k < 40; ++k) {
    ASSERT_EQ(supple_player_step(plain.get(), kFrame), SUPPLE_OK);
    ASSERT_EQ(supple_player_step(tuned.get(), kFrame), SUPPLE_OK);
    ASSERT_EQ(modal_state(*plain, 0).output[0], modal_state(*tuned, 0).output[0]);
    ASSERT_EQ(modal_state(*plain, 0).output[1], modal_state(*tuned, 0).output[1]);
  }
}

TEST(Retune, DampingPastCriticalCreepsBack) {
  const OpenAsset asset(one_object({oscillator(3, 0.5)}));
  const Player player = released(asset);
  set_factors(player, 1, 6);  // xi = 3
  double last = 1;
  for (int k = 0; k < 120; ++k) {
    ASSERT_EQ(supple_player_step(player.get(), kFrame), SUPPLE_OK);
    const double q = modal_state(*player, 0).output[0];
    EXPECT_LT(q, last);
    EXPECT_GT(q, 0);
    last = q;
  }
}

TEST(Retune, RefusesFactorsWithoutSense) {
  const OpenAsset asset(one_object({oscillator(3, 0.1)}));
  const Player player = make_player(asset);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double stiffness : {0.0, -1.0, 1e-9, 1e9, nan, infinite}) {
    supple_object_settings settings = settings_of(player.get());
    settings.stiffness = stiffness;
    EXPECT_EQ(supple_player_set_settings(player.get(), 0, &settings), SUPPLE_BAD_ARGUMENT);
  }
  for (const double damping : {-1.0, 1e9, nan, infinite}) {
    supple_object_settings settings = settings_of(player.get());
    settings.damping = damping;
    EXPECT_EQ(supple_player_set_settings(player.get(), 0, &settings), SUPPLE_BAD_ARGUMENT);
  }
  EXPECT_EQ(settings_of(player.get()).stiffness, 1);
}

}  // namespace
}  // namespace supple::player::testing
