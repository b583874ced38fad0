// SPDX-License-Identifier: Apache-2.0
#include "player/shell_strip.hpp"

#include "supple/core/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

namespace supple::player {
namespace {

using testing::Strip;
using testing::StripSpec;

constexpr double kPushStep = 1.0 / 60;

/// Vertices by rotation and strain, in metres of the strip's frame.
Eigen::Vector3d reconstructed(const Strip& strip, std::uint32_t vertex,
                              const Eigen::Quaterniond& turn, double unit) {
  std::vector<Eigen::Vector3f> out = strip.rest;
  const supple_stream_in rest{strip.rest.front().data(), 0};
  const supple_stream_out to{out.front().data(), 0};
  SUPPLE_CHECK(supple_player_rotation_strain(strip.player.get(), 0, &rest, &to) == SUPPLE_OK);
  return turn * (unit * out[vertex].cast<double>());
}

/// Metres that a newton on the end moves it by, across: by the modes alone.
double compliance(const Strip& strip, std::uint32_t vertex) {
  double sum = 0;
  for (std::size_t k = 0; k < strip.object.modes.size(); ++k) {
    const double u = testing::node_row(strip.object.displacements, vertex, k).y();
    sum += u * u / (strip.object.modes[k].omega * strip.object.modes[k].omega);
  }
  return sum;
}

/// Over ten periods of the slowest mode; the load grows during the first.
void push_to_rest(Strip& strip, std::uint32_t vertex, const Eigen::Vector3d& force) {
  const double period = 2 * std::numbers::pi / strip.object.modes.front().omega;
  const int frames = static_cast<int>(10 * period / kPushStep) + 60;
  for (int i = 0; i < frames; ++i) {
    const Eigen::Vector3d now = std::min(1.0, (i + 1) * kPushStep / period) * force;
    ASSERT_EQ(supple_player_push(strip.player.get(), vertex, now.data()), SUPPLE_OK);
    strip.step(kPushStep);
  }
}

struct Elastica {
  double load;  ///< P L^2 / E I
  double tip;   ///< of the length, across (Bisshopp and Drucker 1945)
};
constexpr std::array<Elastica, 4> kElastica{{{1, 0.3017}, {2, 0.4935}, {5, 0.7138}, {10, 0.8106}}};

/// An end load that keeps its direction, on strips of any size, stuff, frame and unit. E I comes
/// from the linear modes: the mesh has its own.
TEST(Push, BendsAStripLikeTheElastica) {
  constexpr double kElasticaTolerance = 0.02;
  Random random(14);
  const auto between = [&random](double low, double high) {
    return low * std::pow(high / low, random.uniform());
  };
  for (const Elastica& known : kElastica) {
    StripSpec spec;
    spec.length = between(0.2, 1);
    spec.width = spec.length * between(0.05, 0.2);
    spec.bending = between(0.02, 0.1);
    spec.stretching = 1e5 * spec.bending / (spec.length * spec.length);
    spec.area_density = between(0.05, 0.5);
    spec.columns = 21 + static_cast<int>(10 * random.uniform());
    spec.modes = 10;
    spec.damping = 0.7;
    const Eigen::Quaterniond turn = Eigen::Quaterniond(random.uniform() - 0.5, random.uniform(),
                                                       random.uniform(), random.uniform())
                                        .normalized();
    const double unit = between(0.01, 10);
    Strip strip(spec, turn, unit);
    // Two columns are clamped.
    const double free = spec.length * (spec.columns - 2) / (spec.columns - 1);
    const double stiffness = free * free * free / (3 * compliance(strip, strip.tip()));
    const double force = known.load * stiffness / (free * free);
    strip.step(kPushStep);
    push_to_rest(strip, strip.tip(), {0, force, 0});
    const Eigen::Vector3d tip = reconstructed(strip, strip.tip(), turn, unit);
    std::printf("end load %.0f: %.4f of the length, elastica %.4f\n", known.load, tip.y() / free,
                known.tip);
    EXPECT_NEAR(tip.y() / free, known.tip, kElasticaTolerance * known.tip) << known.load;
  }
}

/// The modal force of a push is the change of the reconstructed vertex with each coefficient.
TEST(Push, ActsAlongTheReconstructedVertex) {
  for (const bool clamped : {true, false}) {
    StripSpec spec;
    spec.columns = 9;
    spec.clamped = clamped;
    spec.tether = clamped ? 0 : 2;
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, -2, 0.5).normalized()));
    constexpr double kUnit = 0.01;
    Strip strip(spec, turn, kUnit);
    strip.step(kPushStep);
    Random random(3);
    ModalState& state = modal_state(*strip.player, 0);
    const std::size_t modes = strip.object.modes.size();
    for (std::uint32_t vertex = 2 * 5; vertex < strip.rest.size(); vertex += 7) {
      std::vector<double> q(modes);
      for (std::size_t k = 0; k < modes; ++k) {
        const auto column = static_cast<Eigen::Index>(k);
        const double size = strip.object.turns.col(column).cwiseAbs().maxCoeff() +
                            strip.object.displacements.col(column).cwiseAbs().maxCoeff();
        q[k] = (2 * random.uniform() - 1) / (size * (1.0 + static_cast<double>(k)));
      }
      const Eigen::Vector3d force(random.uniform(), random.uniform() - 1, random.uniform());
      std::copy(q.begin(), q.end(), state.output);
      std::fill(state.push, state.push + modes, 0.0);
      ASSERT_EQ(supple_player_push(strip.player.get(), vertex, force.data()), SUPPLE_OK);
      float* shown = strip.player->coefficients;
      for (std::size_t k = 0; k < modes; ++k) {
        const double step = 0.01 * std::abs(q[k]) + 1e-6;
        double along[2];
        for (const int side : {0, 1}) {
          for (std::size_t i = 0; i < modes; ++i) shown[i] = static_cast<float>(q[i]);
          shown[k] = static_cast<float>(q[k] + (side == 0 ? -step : step));
          along[side] = force.dot(reconstructed(strip, vertex, turn, kUnit));
        }
        const double slope = (along[1] - along[0]) / (2 * step);
        const auto column = static_cast<Eigen::Index>(k);
        const double scale = strip.object.displacements.col(column).cwiseAbs().maxCoeff();
        EXPECT_NEAR(state.push[k], slope, 5e-3 * scale * force.norm()) << vertex << " " << k;
      }
    }
  }
}

}  // namespace
}  // namespace supple::player
