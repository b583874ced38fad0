// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/swimmer.hpp"

#include "supple/core/random.hpp"
#include "supple/core/units.hpp"
#include "supple/swim/flow.hpp"

#include "swim/strokes.hpp"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

namespace supple::swim {
namespace {

using Table = test::PlaneTable;

/// The paper's breaststroke for 14 hinges and the linear law, as given with its equations.
constexpr Table kLinear{{{16, 15, 6, 11, 1, 48, 0.17},
                         {130, 0, 26, 0, 1, 0, 0.59},
                         {130, 103, 90, 0, 22, 41, 0.27},
                         {55, 100, 90, 65, 125, 31, 0.20},
                         {13, 38, 86, 55, 88, 75, 0.08},
                         {1, 8, 17, 65, 0, 85, 0.31},
                         {7, 24, 7, 9, 77, 6, 0.13},
                         {16, 12, -24, 0, 125, 5, 0.28}}};
constexpr const Table& kQuadratic = test::kPlaneBreaststroke;

/// Targets of a table at a time; both sides alike.
std::vector<double> pose(const Body& body, const Table& table, double time) {
  double cycle = 0;
  for (const auto& row : table) cycle += row[6];
  double left = std::fmod(time + 1e-9, cycle);
  std::size_t row = 0;
  while (row + 1 < table.size() && left >= table[row][6]) left -= table[row++][6];
  std::vector<double> targets(body.joints.size(), 0.0);
  constexpr std::array<const char*, 6> kNames{"shoulder", "elbow", "wrist", "hip", "knee", "ankle"};
  for (std::size_t j = 0; j < targets.size(); ++j) {
    for (std::size_t k = 0; k < kNames.size(); ++k) {
      if (body.joints[j].name.ends_with(std::string("_") + kNames[k])) {
        targets[j] = table[row][k] * kDegree;
      }
    }
  }
  return targets;
}

Body paper_body(BodySettings settings = {}) {
  settings.hinges = HingeSet::Paper14;
  settings.masses = MassTable::Paper;
  return *build_body(settings);
}

/// How far the table swims, or nan when it gets out of control.
double distance(const Body& body, const WaterSettings& water, const Table& table, double step,
                double seconds = 7, Stepping stepping = Stepping::Midway) {
  Swimmer swimmer = *Swimmer::create(body, water);
  swimmer.set_stepping(stepping);
  const double from = swimmer.centre_of_mass().x();
  const int steps = static_cast<int>(std::lround(seconds / step));
  for (int k = 0; k < steps; ++k) {
    if (!swimmer.step(pose(body, table, k * step), step).ok()) return std::nan("");
  }
  return swimmer.centre_of_mass().x() - from;
}

WaterSettings linear(double eta) {
  WaterSettings water;
  water.drag = DragLaw::Linear;
  water.viscosity = eta;
  return water;
}

WaterSettings no_water() {
  WaterSettings water;
  water.drag = DragLaw::None;
  return water;
}

/// A start in which everything moves.
StartState tumbling(const Body& body) {
  StartState start;
  start.axes = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  start.velocity = {0.3, -0.2, 0.5};
  Random random(5);
  for (const Joint& joint : body.joints) {
    start.angles.push_back(random.uniform(0.2 * joint.low, 0.5 * joint.high));
  }
  return start;
}

TEST(Swimmer, KeepsItsMomentumWithoutWater) {
  for (const HingeSet hinges : {HingeSet::Paper14, HingeSet::Human24}) {
    for (const Stepping stepping : {Stepping::Plain, Stepping::Midway}) {
      const Body body = *build_body({.hinges = hinges});
      Swimmer swimmer = *Swimmer::create(body, no_water(), tumbling(body));
      swimmer.set_stepping(stepping);
      const Eigen::Vector3d linear = swimmer.momentum();
      const Eigen::Vector3d angular = swimmer.angular_momentum();
      const Eigen::Vector3d from = swimmer.centre_of_mass();
      for (int k = 0; k < 300; ++k) {
        ASSERT_TRUE(swimmer.step(pose(body, kLinear, k / 30.0), 1 / 30.0).ok());
      }
      EXPECT_GT(swimmer.energy().effort, 100);  // it did struggle
      EXPECT_LT((swimmer.momentum() - linear).norm(), 1e-10);
      EXPECT_LT((swimmer.angular_momentum() - angular).norm(), 1e-10);
      const Eigen::Vector3d straight = from + 10 * linear / body.mass();
      EXPECT_LT((swimmer.centre_of_mass() - straight).norm(), 1e-9);
    }
  }
}

TEST(Swimmer, KeepsTheMomentumOfBodyAndWaterWithAddedMass) {
  const Body body = *build_body({});
  WaterSettings water = no_water();
  water.added_mass = true;
  Swimmer swimmer = *Swimmer::create(body, water, tumbling(body));
  const Eigen::Vector3d linear = swimmer.momentum();
  EXPECT_GT((linear - body.mass() * swimmer.velocity()).norm(), 1);  // the water has its share
  // About a point that stands still; the centre of mass does not move along the momentum here.
  const Eigen::Vector3d angular =
      swimmer.angular_momentum() + swimmer.centre_of_mass().cross(linear);
  for (int k = 0; k < 300; ++k) {
    ASSERT_TRUE(swimmer.step(pose(body, kLinear, k / 60.0), 1 / 60.0).ok());
  }
  EXPECT_LT((swimmer.momentum() - linear).norm(), 1e-9);
  const Eigen::Vector3d after =
      swimmer.angular_momentum() + swimmer.centre_of_mass().cross(swimmer.momentum());
  EXPECT_LT((after - angular).norm(), 1e-9);
}

TEST(Swimmer, ReachesTheSpeedsOfMujocoWithoutWater) {
  // The same tree, servos and start in MuJoCo's own Runge-Kutta at a short step.
  const Body body = *build_body({});
  const std::string text = to_mjcf(body, "swimmer");
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "swimmer.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[0], text.data(), text.size());
  std::array<char, 500> reason{};
  mjModel* model = mj_loadXML("swimmer.xml", files.get(), reason.data(), 500);
  mj_deleteVFS(files.get());
  ASSERT_NE(model, nullptr) << reason.data();
  model->opt.timestep = 1e-4;
  model->opt.integrator = mjINT_RK4;
  mjData* data = mj_makeData(model);
  std::vector<double> targets(body.joints.size());
  Random random(3);
  for (std::size_t j = 0; j < targets.size(); ++j) {
    const Joint& joint = body.joints[j];
    targets[j] = random.uniform(0.3 * joint.low, 0.3 * joint.high);
    data->ctrl[j] = targets[j];
  }
  Swimmer swimmer = *Swimmer::create(body, no_water());
  for (int k = 0; k < 3000; ++k) {
    mj_step(model, data);
    ASSERT_TRUE(swimmer.step(targets, 1e-4).ok());
  }
  for (std::size_t j = 0; j < targets.size(); ++j) {
    EXPECT_NEAR(swimmer.angles()[j], data->qpos[7 + j], 2e-3) << body.joints[j].name;
  }
  mj_deleteData(data);
  mj_deleteModel(model);
}

TEST(Swimmer, GetsNowhereByTheIsotropicLaw) {
  // A conserved quantity forbids it, whatever the stroke: -eta A v sums to the motion of a
  // centroid.
  const Body body = paper_body();
  WaterSettings water = linear(300);
  const double projected = distance(body, water, kLinear, 1 / 60.0);
  water.drag = DragLaw::Isotropic;
  // Over whole cycles after the first, so that pose and momentum are the same again; what is left
  // comes from the steps and goes with them.
  const auto three_cycles = [&](double steps) {
    const double h = 2.03 / steps;
    return distance(body, water, kLinear, h, 4 * 2.03) - distance(body, water, kLinear, h, 2.03);
  };
  const double coarse = three_cycles(256);
  const double fine = three_cycles(2048);
  std::printf(
      "isotropic law: %.4f m in three cycles, %.5f m at an eighth of the step; projected "
      "area: %.3f m in 7 s\n",
      coarse, fine, projected);
  EXPECT_LT(std::abs(fine), 0.25 * std::abs(coarse));
  EXPECT_LT(std::abs(fine), 0.005 * projected);
  EXPECT_GT(projected, 0.5);
}

TEST(Swimmer, ComesAsFarAtFrameRateAsAtAMillisecond) {
  const Body body = paper_body();
  for (const double eta : {20.0, 100.0, 300.0, 1000.0}) {
    const double fine = distance(body, linear(eta), kLinear, 0.001);
    const double frame = distance(body, linear(eta), kLinear, 1 / 30.0);
    std::printf("eta %g: %.3f m at 1/30 s, %.3f m at 1 ms\n", eta, frame, fine);
    EXPECT_NEAR(frame, fine, 0.03 * fine);
  }
  // With stiff servos muscles are at the end of their strength most of the time.
  for (const double gain : {0.25, 1.0, 4.0, 100.0}) {
    const Body other = paper_body({.gain = gain});
    const double fine = distance(other, {}, kQuadratic, 0.001);
    const double frame = distance(other, {}, kQuadratic, 1 / 30.0);
    std::printf("quadratic, gain %g: %.3f m at 1/30 s, %.3f m at 1 ms\n", gain, frame, fine);
    EXPECT_NEAR(frame, fine, 0.05 * fine);
  }
}

TEST(Swimmer, SwimsAlikeAtEverySize) {
  // Lengths times k, masses times k^3 and torques times k^5 leave the quadratic law and the times
  // as they are. Torques grow by k^4 of themselves.
  const double distance_of_one = distance(paper_body(), {}, kQuadratic, 1 / 60.0);
  for (const double k : {0.25, 0.5, 2.0}) {
    const Body body = paper_body({.height = 1.73 * k, .mass = 75 * k * k * k, .strength = k});
    const double d = distance(body, {}, kQuadratic, 1 / 60.0);
    EXPECT_NEAR(d, k * distance_of_one, 0.01 * k * distance_of_one) << k;
  }
}

TEST(Swimmer, MatchesThePapersFigureWithItsPlainStep) {
  // Distances in 7 s that the corrected equations give for figure 7.
  constexpr std::array<std::array<double, 2>, 9> kExpected{{{5, 0.11},
                                                            {20, 0.32},
                                                            {50, 0.48},
                                                            {100, 0.58},
                                                            {200, 0.70},
                                                            {300, 0.77},
                                                            {400, 0.78},
                                                            {1000, 0.64},
                                                            {4000, 0.25}}};
  const Body body = paper_body();
  for (const auto& [eta, expected] : kExpected) {
    const double d = distance(body, linear(eta), kLinear, 1 / 30.0, 7, Stepping::Plain);
    std::printf("eta %g: %.3f m, expected %.2f\n", eta, d, expected);
    EXPECT_NEAR(d, expected, 0.07);
  }
}

TEST(Swimmer, StaysInControlFromNoWaterToTar) {
  for (const double eta : {0.0, 1.0, 100.0, 1e3, 1e4, 1e5}) {
    for (const double gain : {0.25, 1.0, 4.0}) {
      for (const Stepping stepping : {Stepping::Plain, Stepping::Midway}) {
        const Body body = paper_body({.strength = gain, .gain = gain});
        const double d = distance(body, linear(eta), kLinear, 1 / 30.0, 20, stepping);
        EXPECT_LT(std::abs(d), 10) << "eta " << eta << ", gain " << gain;
        if (eta == 0) {
          EXPECT_LT(std::abs(d), 1e-9);
        }
      }
    }
  }
}

TEST(Swimmer, HoldsItsTorquesWithinTheirLimits) {
  const Body body = paper_body();
  Swimmer swimmer = *Swimmer::create(body, {});
  double most = 0;
  for (int k = 0; k < 600; ++k) {
    ASSERT_TRUE(swimmer.step(pose(body, kQuadratic, k / 60.0), 1 / 60.0).ok());
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      most = std::max(most, std::abs(swimmer.torques()[j]) / body.joints[j].servo.max_torque);
    }
  }
  std::printf("largest torque over its limit: %.4f\n", most);
  EXPECT_GT(most, 0.99);  // it works hard
  EXPECT_LT(most, 1 + 1e-12);
}

TEST(Swimmer, AccountsForItsEnergy) {
  // What steps lose or make vanishes with them.
  const Body body = paper_body();
  double coarse = 0;
  for (const double step : {1 / 60.0, 1 / 240.0, 1 / 960.0}) {
    Swimmer swimmer = *Swimmer::create(body, {});
    for (double t = 0; t < 7; t += step) {
      ASSERT_TRUE(swimmer.step(pose(body, kQuadratic, t), step).ok());
    }
    const Energy& energy = swimmer.energy();
    std::printf("step %.4f s: %.1f J of %.0f J unaccounted for\n", step, energy.error,
                energy.effort);
    EXPECT_LT(std::abs(energy.error), 0.02 * energy.effort);
    if (coarse != 0) {
      EXPECT_LT(std::abs(energy.error), 0.25 * coarse);
    }
    coarse = std::abs(energy.error);
  }
}

TEST(Swimmer, FallsAndFloatsAsArchimedesSays) {
  // Much heavier than water: it falls; the drag law alone stops it.
  const Body heavy = *build_body({.buoyancy = 0});
  WaterSettings water = no_water();
  water.gravity = 9.81;
  Swimmer falling = *Swimmer::create(heavy, water);
  const std::vector<double> still(heavy.joints.size(), 0.0);
  const double from = falling.centre_of_mass().y();
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(falling.step(still, 1 / 60.0).ok());
  EXPECT_NEAR(falling.velocity().y(), -9.81, 1e-9);
  EXPECT_NEAR(falling.impulse().sum().y(), -9.81 * heavy.mass() / 60, 1e-9);
  EXPECT_NEAR(falling.centre_of_mass().y() - from, -9.81 / 2, 0.1);
  // At a surface it comes to rest where it displaces its own weight.
  WaterSettings pool;
  pool.gravity = 9.81;
  pool.surface = 0;
  Swimmer floating = *Swimmer::create(*build_body({}), pool);
  for (int k = 0; k < 3600; ++k) ASSERT_TRUE(floating.step(still, 1 / 60.0).ok());
  EXPECT_LT(floating.velocity().norm(), 0.02);
  EXPECT_LT(floating.impulse().sum().norm(), 0.01 * 9.81 * 75 / 60) << "weight and buoyancy cancel";
  EXPECT_GT(floating.centre_of_mass().y(), -1.0);
  EXPECT_LT(floating.centre_of_mass().y(), 0.1);
}

TEST(Swimmer, DriftsWithTheRiver) {
  WaterSettings water;
  water.flow = *river({0, 0, 0.7});
  const Body body = *build_body({});
  Swimmer swimmer = *Swimmer::create(body, water);
  const std::vector<double> still(body.joints.size(), 0.0);
  for (int k = 0; k < 1200; ++k) ASSERT_TRUE(swimmer.step(still, 1 / 60.0).ok());
  EXPECT_NEAR(swimmer.velocity().z(), 0.7, 0.02);
}

TEST(Swimmer, NamesWhatLeftItsBounds) {
  class Wild : public FlowField {
   public:
    [[nodiscard]] Eigen::Vector3d velocity(const Eigen::Vector3d&, double time) const override {
      return {time > 0.5 ? std::nan("") : 0.0, 0, 0};
    }
  };
  WaterSettings water;
  water.flow = std::make_shared<Wild>();
  const Body body = *build_body({});
  Swimmer swimmer = *Swimmer::create(body, water);
  const std::vector<double> still(body.joints.size(), 0.0);
  Result<void> outcome;
  for (int k = 0; k < 60 && outcome.ok(); ++k) outcome = swimmer.step(still, 1 / 60.0);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), ErrorCode::NotConverged);
  const std::string said = outcome.error().message();
  EXPECT_NE(said.find("at step"), std::string::npos) << said;
  EXPECT_NE(said.find("flow"), std::string::npos) << said;
}

TEST(Swimmer, RefusesServosThatPushAway) {
  Body body = *build_body({});
  body.joints[3].servo.stiffness = -1;
  const auto made = Swimmer::create(body, {});
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message().find(body.joints[3].name), std::string::npos);
}

TEST(Swimmer, CopiesGoOnAlike) {
  const Body body = paper_body();
  Swimmer one = *Swimmer::create(body, {});
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(one.step(pose(body, kQuadratic, k / 60.0), 1 / 60.0).ok());
  }
  Swimmer other = one;
  for (int k = 50; k < 100; ++k) {
    ASSERT_TRUE(one.step(pose(body, kQuadratic, k / 60.0), 1 / 60.0).ok());
    ASSERT_TRUE(other.step(pose(body, kQuadratic, k / 60.0), 1 / 60.0).ok());
  }
  // The copy sums its places anew: the last bits may differ.
  EXPECT_LT((one.centre_of_mass() - other.centre_of_mass()).norm(), 1e-10);
  for (std::size_t j = 0; j < body.joints.size(); ++j) {
    EXPECT_NEAR(one.angles()[j], other.angles()[j], 1e-10);
  }
}

}  // namespace
}  // namespace supple::swim
