// SPDX-License-Identifier: Apache-2.0
#include "player/shell_strip.hpp"
#include "shell.hpp"
#include "supple/core/units.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>
#include <numbers>

/// Shells that their own weight bends around more than once by linear modes.
namespace supple::player {
namespace {

using testing::Strip;
using testing::StripSpec;

/// A strip of a sheet with this rigidity D in N m, whose first two columns are clamped.
StripSpec sheet(double length, double rigidity, double area_density) {
  StripSpec spec;
  spec.columns = 31;
  spec.rows = 8;
  spec.length = length;
  spec.width = 0.7 * length;
  spec.bending = rigidity / 6;  // as fem::shell_material has it
  spec.area_density = area_density;
  spec.damping = 0.08;
  spec.modes = 16;  // about half of them bend it lengthwise, the others twist it or bend it across
  return spec;
}
/// Office paper of 80 g/m^2 and cotton of 150 g/m^2, as the presets are.
StripSpec paper(double length) {
  return sheet(length, 3e9 * 1e-12 / 12 / 0.91, 0.08);
}
StripSpec fabric(double length) {
  return sheet(length, 0.08 * 30e6 * 2.7e-11 / 12 / 0.91, 0.15);
}

double free_length(const StripSpec& spec) {
  return spec.length * (spec.columns - 2) / (spec.columns - 1);
}

/// The end of a heavy elastica, D th'' + w (L - s) cos th = 0 with th(0) = th'(L) = 0, by Newton's
/// method while the load grows: how far out and down, metres.
Eigen::Vector2d elastica(double length, double weight_over_rigidity) {
  constexpr Eigen::Index kCount = 200;
  const double ds = length / kCount;
  Eigen::VectorXd th = Eigen::VectorXd::Zero(kCount + 1);
  for (int load = 1; load <= 40; ++load) {
    const double k = weight_over_rigidity * load / 40;
    for (int pass = 0; pass < 12; ++pass) {
      Eigen::MatrixXd a = Eigen::MatrixXd::Zero(kCount + 1, kCount + 1);
      Eigen::VectorXd r(kCount + 1);
      a(0, 0) = 1;
      r(0) = th(0);
      a(kCount, kCount) = 1;
      a(kCount, kCount - 1) = -1;
      r(kCount) = th(kCount) - th(kCount - 1);
      for (Eigen::Index i = 1; i < kCount; ++i) {
        const double beyond = length - ds * static_cast<double>(i);
        r(i) = (th(i + 1) - 2 * th(i) + th(i - 1)) / ds / ds + k * beyond * std::cos(th(i));
        a(i, i - 1) = a(i, i + 1) = 1 / ds / ds;
        a(i, i) = -2 / ds / ds - k * beyond * std::sin(th(i));
      }
      th -= a.partialPivLu().solve(r);
    }
  }
  const Eigen::ArrayXd middle = 0.5 * (th.head(kCount) + th.tail(kCount)).array();
  return {ds * middle.cos().sum(), ds * middle.sin().sum()};
}

/// From flat into gravity: how high it went above its clamp, how far from it, and how fast its end
/// was in the last second.
struct Fall {
  double highest = 0, furthest = 0, restless = 0;
  Eigen::Vector3d end;
};

Fall fall(Strip& strip, double h, double seconds) {
  Fall result;
  strip.step(h);
  strip.set_gravity({0, -kGravity, 0});
  Eigen::Vector3d last = strip.where(strip.tip());
  const int count = static_cast<int>(std::lround(seconds / h));
  for (int i = 0; i < count; ++i) {
    strip.step(h);
    result.end = strip.where(strip.tip());
    result.highest = std::max(result.highest, result.end.y());
    result.furthest = std::max(result.furthest, result.end.norm());
    if (i * h > seconds - 1)
      result.restless = std::max(result.restless, (result.end - last).norm());
    last = result.end;
  }
  result.restless /= h;
  return result;
}

TEST(SoftShell, ASheetOfPaperComesToRestWhereTheElasticaHangs) {
  const StripSpec spec = paper(0.297);
  const Eigen::Vector2d hangs =
      elastica(free_length(spec), spec.area_density * kGravity / (6 * spec.bending));
  for (const double rate : {30.0, 60.0, 240.0}) {
    Strip strip(spec);
    const Fall at = fall(strip, 1 / rate, 60);
    // Warping shortens what turns by th^2 / 12: as low within some percent, and not as far out.
    EXPECT_NEAR(-at.end.y(), hangs.y(), 0.05 * spec.length) << rate;
    EXPECT_NEAR(at.end.x() - spec.length + free_length(spec), hangs.x(), 0.1 * spec.length);
    EXPECT_LT(at.restless, 1e-3 * spec.length) << rate;
    EXPECT_LT(at.highest, 0.1 * spec.length) << rate;
    EXPECT_LT(at.furthest, 1.3 * spec.length) << rate;
  }
}

TEST(SoftShell, FabricFallsFreelyAndComesToRestBelow) {
  for (const double length : {0.2, 0.3, 1.0}) {
    Eigen::Vector3d hangs = Eigen::Vector3d::Zero();
    for (const double rate : {240.0, 60.0, 30.0}) {
      Strip strip(fabric(length));
      strip.step(1 / rate);
      strip.set_gravity({0, -kGravity, 0});
      strip.step(1 / rate, static_cast<int>(rate / 10));
      // The clamp holds some of it back, and the modes do not hold all of a uniform fall.
      const double fallen = 0.5 * kGravity * 0.01;
      EXPECT_NEAR(-strip.where(strip.tip()).y(), fallen, 0.2 * fallen) << length << ' ' << rate;
      Strip again(fabric(length));
      const Fall at = fall(again, 1 / rate, 40);
      EXPECT_NEAR(-at.end.y(), length, 0.15 * length) << rate;
      EXPECT_LT(at.restless, 1e-2 * length) << rate;
      EXPECT_LT(at.furthest, 2.2 * length) << rate;
      if (rate > 200) hangs = at.end;
      EXPECT_LT((at.end - hangs).norm(), 1e-3 * length) << rate;
    }
  }
}

TEST(SoftShell, ACapeStaysBehindABoneThatLeapsAndFollows) {
  constexpr double kLeap = 0.2;  // seconds
  constexpr double kStep = 1.0 / 60;
  for (const StripSpec& spec : {fabric(0.5), paper(0.5)}) {
    for (const double way : {0.05, 0.2, 2.0}) {
      Strip strip(spec);
      supple_object_settings settings = testing::settings_of(strip.player.get());
      settings.teleport_speed = 0;
      supple_player_set_settings(strip.player.get(), 0, &settings);
      strip.set_gravity({kGravity, 0, 0});  // it hangs along x
      strip.step(kStep, 2);
      const Eigen::Vector3d below = strip.where(strip.tip());
      EXPECT_NEAR(below.x(), 0.5, 0.01);
      double most = 0;
      const auto go = [&](int frames, double from) {
        for (int i = 1; i <= frames; ++i) {
          const double s = std::min(1.0, from + i * kStep / kLeap);
          testing::set_pose(strip.player.get(), 0, {0, way * s * s * (3 - 2 * s), 0});
          strip.step(kStep);
          most = std::max(most, (strip.where(strip.tip()) - Eigen::Vector3d(0, way, 0)).norm());
        }
      };
      go(12, 0);
      if (way < 0.3) {
        EXPECT_NEAR(strip.where(strip.tip()).y(), 0, 0.15 * way) << way;
      }
      go(1200, 1);
      const Eigen::Vector3d end = strip.where(strip.tip()) - Eigen::Vector3d(0, way, 0);
      EXPECT_LT((end - below).norm(), 0.01) << way;
      EXPECT_LT(most, way + 4 * spec.length) << way;
    }
  }
}

/// Kinetic, elastic and potential energy of what the modes have now.
double total_energy(const Strip& strip, const Eigen::Vector3d& gravity) {
  const ModalState& state = modal_state(*strip.player, 0);
  const auto count = static_cast<Eigen::Index>(strip.object.modes.size());
  const Eigen::Map<const Eigen::VectorXd> q(state.q, count);
  const Eigen::Map<const Eigen::VectorXd> q_dot(state.q_dot, count);
  double sum = 0.5 * q_dot.squaredNorm();
  for (Eigen::Index k = 0; k < count; ++k) {
    const soft::Vibration& mode = strip.object.modes[static_cast<std::size_t>(k)];
    const auto& h = mode.transfer;
    sum += 0.5 * mode.omega * mode.omega * q(k) * q(k) +
           Eigen::Vector3d(h[3], h[4], h[5]).dot(gravity) * q(k);
  }
  for (const shell::Point& point : strip.object.points) {
    const Eigen::Vector3d w = strip.object.turns.middleRows<3>(3 * Eigen::Index{point.node}) * q;
    sum -= gravity.dot(shell::rotation(w) * point.lever - point.lever - w.cross(point.lever));
    const double wound = std::max(0.0, w.norm() - std::numbers::pi);
    sum += 0.5 * wound * wound * point.lever.norm() * gravity.norm();
  }
  return sum;
}

TEST(SoftShell, NothingFeedsAFreeSwing) {
  const Eigen::Vector3d gravity(0, -kGravity, 0);
  for (StripSpec spec : {paper(0.297), fabric(0.3)}) {
    spec.damping = 0;
    for (const double rate : {30.0, 60.0, 240.0}) {
      Strip strip(spec);
      strip.step(1 / rate);
      strip.set_gravity(gravity);
      // What falling to where it hangs sets free.
      const double scale = 0.5 * strip.object.mass * kGravity * spec.length;
      double most = -1;
      const int frames = static_cast<int>(60 * rate);
      for (int i = 0; i < frames; ++i) {
        strip.step(1 / rate);
        most = std::max(most, total_energy(strip, gravity) / scale);
      }
      EXPECT_LT(most, 0.01) << rate;
    }
  }
}

}  // namespace
}  // namespace supple::player
