// SPDX-License-Identifier: Apache-2.0
// The same motion at any frame rate gives the same flesh: second order, without lag.
#include "modal_step.hpp"
#include "player/reference_motion.hpp"
#include "player/synthetic_asset.hpp"

#include <gtest/gtest.h>

#include <array>
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

/// Largest difference of each mode from the reference.
Eigen::VectorXd errors_with(const soft::Asset& asset, const Reference& reference,
                            const std::function<double()>& next_step) {
  const OpenAsset file(asset);
  const Player player = make_player(file);
  Eigen::VectorXd worst = Eigen::VectorXd::Zero(reference.at(0).size());
  double t = 0;
  double h = next_step();
  while (t + h < kSeconds) {
    EXPECT_EQ(set_pose(player.get(), 0, SmoothMotion::position(t), SmoothMotion::rotation(t)),
              SUPPLE_OK);
    EXPECT_EQ(supple_player_step(player.get(), h), SUPPLE_OK);
    const Eigen::VectorXd exact = reference.at(t);
    for (Eigen::Index k = 0; k < exact.size(); ++k) {
      worst[k] = std::max(worst[k], std::abs(modal_state(*player, 0).output[k] - exact[k]));
    }
    h = next_step();
    t += h;
  }
  return worst;
}

/// The largest of them over the largest coefficient.
double error_with(const soft::Asset& asset, const Reference& reference,
                  const std::function<double()>& next_step) {
  return errors_with(asset, reference, next_step).maxCoeff() / reference.largest().maxCoeff();
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

constexpr std::array kHertz{5.0, 9.0, 13.0, 17.0};

/// From the softest to the stiffest of a bake without settings, shaken by anything.
soft::Asset default_flesh(std::uint64_t seed) {
  MeshSpec spec;
  spec.objects = {{kHertz.size(), 0, 1}};
  soft::Asset asset = random_asset(spec, seed);
  asset.metres_per_unit = 1;
  asset.objects[0].rest_rotation.setIdentity();
  for (std::size_t k = 0; k < kHertz.size(); ++k) {
    asset.objects[0].modes[k].omega = 2 * std::numbers::pi * kHertz[k];
    asset.objects[0].modes[k].damping = 0.2;
  }
  return asset;
}

struct Guess {
  double error = 0;  ///< over the mode's largest value
  double noise = 0;  ///< of positions, over that of a difference of three frames
};

/// A mode from the last `taps` forces seen, by the best factors there are: chosen in hindsight, for
/// this mode in this very motion.
Guess best_guess(const soft::Object& object, Eigen::Index mode, const Reference& reference,
                 double rate, Eigen::Index taps) {
  const double h = 1 / rate;
  const auto frames = static_cast<Eigen::Index>(kSeconds * rate) - taps - 2;
  Eigen::MatrixXd seen(frames, taps);
  Eigen::VectorXd exact(frames);
  for (Eigen::Index i = 0; i < frames; ++i) {
    const double t = h * static_cast<double>(taps + 2 + i);
    exact[i] = reference.at(t)[mode];
    for (Eigen::Index j = 0; j < taps; ++j) {
      seen(i, j) = force_seen(object, t - h * static_cast<double>(j + 1), h).force[mode];
    }
  }
  const Eigen::VectorXd factors = seen.colPivHouseholderQr().solve(exact);
  Eigen::VectorXd of_places = Eigen::VectorXd::Zero(taps + 2);
  for (Eigen::Index j = 0; j < taps; ++j) {
    of_places.segment<3>(j) += factors[j] * Eigen::Vector3d(1, -2, 1);
  }
  const double omega = object.modes[static_cast<std::size_t>(mode)].omega;
  return {(seen * factors - exact).cwiseAbs().maxCoeff() / reference.largest()[mode],
          omega * omega * of_places.norm() / Eigen::Vector3d(1, -2, 1).norm()};
}

/// Largest error of each mode over its own largest coefficient, among random transfers.
Eigen::VectorXd worst_of_default_flesh(double rate) {
  Eigen::VectorXd worst = Eigen::VectorXd::Zero(kHertz.size());
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const soft::Asset asset = default_flesh(seed);
    const Reference reference(asset.objects[0], kSeconds + 0.1);
    const Eigen::VectorXd errors = errors_with(asset, reference, [rate] { return 1 / rate; });
    worst = worst.cwiseMax(errors.cwiseQuotient(reference.largest()));
  }
  std::printf(
      "swings of up to %.0f Hz at %3.0f frames/s: flesh of 5, 9, 13, 17 Hz is off by "
      "%.2f, %.2f, %.2f, %.2f %%\n",
      2 * SmoothMotion::pace, rate, 100 * worst[0], 100 * worst[1], 100 * worst[2], 100 * worst[3]);
  return worst;
}

TEST(FrameRate, IsEnoughForStiffFleshOnSwingsOfAPerson) {
  const Eigen::VectorXd at_30 = worst_of_default_flesh(30);
  EXPECT_LT(at_30.head(3).maxCoeff(), 0.05);
  EXPECT_LT(at_30[3], 0.06);
  EXPECT_LT(worst_of_default_flesh(60).maxCoeff(), 0.005);
  EXPECT_LT(worst_of_default_flesh(144).maxCoeff(), 0.001);
}

/// 30 frames per second do not tell how stiff flesh answers swings of 5 Hz: not even the best
/// linear guess in hindsight reaches 5 %.
TEST(FrameRate, BoundsWhatCanBeKnownOfStiffFlesh) {
  SmoothMotion::pace = 2.5;
  const Eigen::VectorXd at_30 = worst_of_default_flesh(30);
  EXPECT_LT(at_30[0], 0.04);
  EXPECT_LT(at_30[3], 0.45);
  EXPECT_LT(worst_of_default_flesh(60).maxCoeff(), 0.025);
  EXPECT_LT(worst_of_default_flesh(144).maxCoeff(), 0.0025);
  for (const Eigen::Index taps : {2, 4, 6, 8}) {
    Guess best;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const soft::Asset asset = default_flesh(seed);
      const Reference reference(asset.objects[0], kSeconds + 0.1);
      const Guess guess = best_guess(asset.objects[0], 3, reference, 30, taps);
      best = {std::max(best.error, guess.error), std::max(best.noise, guess.noise)};
    }
    std::printf(
        "best factors of %d forces, in hindsight: 17 Hz at 30 frames/s off by %.2f %%, "
        "noise x %.1f\n",
        static_cast<int>(taps), 100 * best.error, best.noise);
    EXPECT_GT(best.error, 0.05) << taps;
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
