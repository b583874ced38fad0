// SPDX-License-Identifier: Apache-2.0
// The same motion at any frame rate gives the same flesh: second order, without lag.
#include "modal_step.hpp"
#include "player/reference_motion.hpp"
#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>

namespace supple::player::testing {
namespace {

constexpr double kSeconds = 4;

soft::Asset asset_of(bool coriolis) {
  MeshSpec spec;
  spec.objects = {{4, 0, 1}};
  spec.coriolis = coriolis;
  soft::Asset asset = random_asset(spec, 5);
  asset.metres_per_unit = 1;
  asset.objects[0].rest_rotation.setIdentity();
  asset.objects[0].modes[3] = oscillator(3, 1.3);
  asset.objects[0].modes[3].displacements = asset.objects[0].modes[0].displacements;
  asset.objects[0].modes[3].normals = asset.objects[0].modes[0].normals;
  return asset;
}

/// Largest difference from the reference over the largest coefficient.
double error_with(const soft::Asset& asset, const Reference& reference,
                  const std::function<double()>& next_step) {
  const OpenAsset file(asset);
  const Player player = make_player(file);
  double worst = 0;
  double t = 0;
  double h = next_step();
  while (t + h < kSeconds) {
    EXPECT_EQ(set_pose(player.get(), 0, SmoothMotion::position(t), SmoothMotion::rotation(t)),
              SUPPLE_OK);
    EXPECT_EQ(supple_player_step(player.get(), h), SUPPLE_OK);
    const Eigen::VectorXd exact = reference.at(t);
    for (Eigen::Index k = 0; k < exact.size(); ++k) {
      worst = std::max(worst, std::abs(modal_state(*player, 0).output[k] - exact[k]));
    }
    h = next_step();
    t += h;
  }
  return worst / reference.largest();
}

void expect_second_order(bool coriolis) {
  const soft::Asset asset = asset_of(coriolis);
  const Reference reference(asset.objects[0], kSeconds + 0.1);
  const double rates[] = {30, 60, 144, 288, 576};
  std::vector<double> errors;
  for (const double rate : rates) {
    errors.push_back(error_with(asset, reference, [rate] { return 1 / rate; }));
    std::printf("%4.0f Hz: %.2e of the largest coefficient\n", rate, errors.back());
  }
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const double order = std::log(errors[i - 1] / errors[i]) / std::log(rates[i] / rates[i - 1]);
    EXPECT_GT(order, 1.8) << rates[i];
  }
  EXPECT_LT(errors[0], 0.02);
  EXPECT_LT(errors[1], 0.004);
  EXPECT_LT(errors[2], 0.0008);
  for (const double rate : {60.0, 240.0, 960.0}) {
    Random random(3);
    const double jittered =
        error_with(asset, reference, [&random, rate] { return random.uniform(0.5, 1.5) / rate; });
    std::printf("%4.0f Hz jittered by half: %.2e\n", rate, jittered);
    EXPECT_LT(jittered, 0.006 * (60 / rate) * (60 / rate));
  }
}

TEST(FrameRate, DoesNotChangeTheMotion) {
  expect_second_order(false);
}

TEST(FrameRate, DoesNotChangeTheMotionWithCoriolis) {
  expect_second_order(true);
}

/// Flesh as a bake without settings has it (5 to 9 Hz, a damping ratio of 0.2), on swings of up to
/// 5 Hz: quicker than a person's.
TEST(FrameRate, DoesNotChangeQuickSwingsOfDefaultBakes) {
  SmoothMotion::pace = 2.5;
  soft::Asset asset = asset_of(false);
  const double hertz[] = {5, 6, 7.5, 9};
  for (std::size_t k = 0; k < 4; ++k) {
    asset.objects[0].modes[k].omega = 2 * std::numbers::pi * hertz[k];
    asset.objects[0].modes[k].damping = 0.2;
  }
  const Reference reference(asset.objects[0], kSeconds + 0.1);
  const std::pair<double, double> bounds[] = {{30, 0.03}, {60, 0.007}, {144, 0.0015}};
  for (const auto& [rate, bound] : bounds) {
    const double error = error_with(asset, reference, [rate = rate] { return 1 / rate; });
    std::printf("%4.0f Hz: %.2f %% of the largest coefficient\n", rate, 100 * error);
    EXPECT_LT(error, bound) << rate;
  }
  SmoothMotion::pace = 1;
}

TEST(FrameRate, CoriolisNeverFeedsEnergyIn) {
  MeshSpec spec;
  spec.objects = {{4, 0, 1}};
  spec.coriolis = true;
  soft::Asset asset = random_asset(spec, 5);
  for (soft::Mode& mode : asset.objects[0].modes) {
    mode.damping = 0.001;
    mode.centrifugal = {};
  }
  const OpenAsset file(asset);
  const Player player = make_player(file);
  supple_object_settings settings = settings_of(player.get());
  settings.limit_metres = 0;
  settings.max_spin = 0;
  ASSERT_EQ(supple_player_set_settings(player.get(), 0, &settings), SUPPLE_OK);
  const double weightless[3] = {};
  supple_player_set_gravity(player.get(), weightless);
  double early = 0;
  double late = 0;
  for (int frame = 0; frame < 6000; ++frame) {
    // 40 rad/s with matrices of size 1 to 2: a predictor and corrector at 60 Hz would double the
    // velocities every step.
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(40.0 / 60 * frame, Eigen::Vector3d::UnitY()));
    set_pose(player.get(), 0, Eigen::Vector3d(frame < 10 ? 0 : 10, 0, 0), turn);
    supple_player_step(player.get(), 1.0 / 60);
    for (int k = 0; k < 4; ++k) {
      const double q = std::abs(modal_state(*player, 0).output[k]);
      if (frame < 600) early = std::max(early, q);
      if (frame > 5000) late = std::max(late, q);
    }
  }
  EXPECT_GT(early, 0);
  EXPECT_LT(late, early);
}

}  // namespace
}  // namespace supple::player::testing
