// SPDX-License-Identifier: Apache-2.0
#include "supple/shell/shell_object.hpp"

#include "shell/baked.hpp"
#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/fem/shell_motion.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <numbers>

namespace supple::shell {
namespace {

using geometry::Index;
using geometry::Vec3;

bool mentions(const std::vector<std::string>& texts, const std::string& part) {
  for (const std::string& text : texts) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(ShellObject, TurnsAreTheNodeRotationsOfTheModes) {
  const Baked baked = bake(cantilever(), settings(8));
  const Eigen::MatrixXd expected =
      node_rotations(baked.shell.model().mesh) * baked.object.displacements;
  EXPECT_LT((baked.object.turns - expected).norm(), 1e-11 * expected.norm());
}

TEST(ShellObject, ModesAreOrthonormalAndZeroWhereFixed) {
  const Baked baked = bake(cantilever(), settings(8));
  const Eigen::MatrixXd& phi = baked.object.displacements;
  Eigen::VectorXd mass(phi.rows());
  for (Eigen::Index i = 0; i < mass.size(); ++i) mass(i) = baked.shell.masses()(i / 3);
  const Eigen::MatrixXd gram = phi.transpose() * mass.asDiagonal() * phi;
  EXPECT_LT((gram - Eigen::MatrixXd::Identity(8, 8)).norm(), 1e-8);
  const auto& fixed = baked.shell.model().fixed;
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    if (fixed[i] == 0) continue;
    EXPECT_EQ(phi.middleRows<3>(3 * static_cast<Eigen::Index>(i)).norm(), 0);
  }
  EXPECT_EQ(baked.object.fixed_nodes, 10U);
  EXPECT_NEAR(baked.object.mass, 0.2, 1e-12);
  EXPECT_NEAR(baked.object.size, std::hypot(1, 0.2), 1e-12);
}

TEST(ShellObject, DampingIsARatioOrRayleighs) {
  ObjectSettings how = settings(5);
  how.damping = DampingRatio{0.13};
  for (const soft::Vibration& mode : bake(cantilever(), how).object.modes)
    EXPECT_EQ(mode.damping, 0.13);
  how.damping = RayleighDamping{0.4, 0.002};
  for (const soft::Vibration& mode : bake(cantilever(), how).object.modes) {
    // C = xi M + zeta K in modal form: 2 ratio omega = xi + zeta omega^2 [CWK07 eq. 8].
    EXPECT_NEAR(2 * mode.damping * mode.omega, 0.4 + 0.002 * mode.omega * mode.omega, 1e-12);
  }
}

TEST(ShellObject, SharesNeverOverstateTheStaticResponse) {
  // Against the compliance from all modes that the shell has.
  fem::ShellModel model = fem::shell_model(fem::v_mesh(1, 0.4, 6, 4), sheet_material());
  fem::clamp_up_to(model, 0.17);
  const int all = 3 * 5 * 5;
  const Baked full = bake(model, settings(all));
  const Baked few = bake(model, settings(6));
  double compliance = 0;
  for (const soft::Vibration& mode : full.object.modes) {
    for (int c = 3; c < 6; ++c) compliance += std::pow(mode.transfer[c] / mode.omega, 2);
  }
  double sum = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    const soft::Vibration& mode = few.object.modes[k];
    double held = 0;
    for (int c = 3; c < 6; ++c) held += std::pow(mode.transfer[c] / mode.omega, 2);
    EXPECT_LE(mode.share, held / compliance * (1 + 1e-6));
    sum += mode.share;
  }
  EXPECT_GT(sum, 0.5);
  EXPECT_LE(sum, 1);
  double whole = 0;
  for (const soft::Vibration& mode : full.object.modes) whole += mode.share;
  EXPECT_NEAR(whole, 1, 1e-6);
}

TEST(ShellObject, TetherKeepsTheRigidMotionsOfAFreeShell) {
  ObjectSettings how = settings(4);
  how.tether = 2;
  const Baked baked = bake(fem::shell_model(fem::v_mesh(1, 0.4, 10, 4), sheet_material()), how);
  const ShellObject& object = baked.object;
  ASSERT_EQ(object.modes.size(), 10U);
  const double omega = 4 * std::numbers::pi;
  double share = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(object.modes[k].omega, omega, 1e-12);
    share += object.modes[k].share;
  }
  EXPECT_NEAR(share, 1, 1e-6);
  EXPECT_NEAR(object.sag, 9.81 / (omega * omega), 1e-6);
  // Any of them, and sums of them, keep the shape at any turn.
  Eigen::VectorXd q = Eigen::VectorXd::Zero(10);
  Random random(4);
  for (Eigen::Index k = 0; k < 6; ++k) q(k) = random.uniform(-0.3, 0.3);
  const Eigen::VectorXd x = warped_shape(baked.shell, object, q);
  const Eigen::VectorXd strained = rotation_strain_shape(baked.shell, object, q);
  EXPECT_GT((x - baked.shell.rest()).norm(), 0.1);
  EXPECT_LT(baked.shell.energy(x), 1e-20);
  EXPECT_LT((x - strained).norm(), 1e-9);
}

TEST(ShellObject, FreeShellWithoutTetherOnlyBends) {
  const Baked baked =
      bake(fem::shell_model(fem::v_mesh(1, 0.4, 10, 4), sheet_material()), settings(4));
  for (const soft::Vibration& mode : baked.object.modes) {
    for (const double h : mode.transfer) EXPECT_NEAR(h, 0, 1e-9);
    EXPECT_NEAR(mode.share, 0, 1e-12);
  }
  EXPECT_GT(baked.object.follow_turn, 0.3);
  EXPECT_LE(baked.object.follow_turn, std::numbers::pi);
}

TEST(ShellObject, AssumesSilkWhereALargeSheetHasNoBendingStiffness) {
  // 3721 nodes, all of which leave the plane for nothing; k_B = 0.3 g (15 mm)^3 / 6.
  fem::ShellModel model = fem::shell_model(fem::strip_mesh(1, 1, 60, 60), {"silk", 20, 10, 0, 0.3});
  fem::clamp_up_to(model, 1.01 / 60);
  ObjectSettings how = settings(4);
  how.rotation_strain = false;
  const Baked limp = bake(model, how);
  EXPECT_EQ(limp.object.mechanisms, 0);
  ASSERT_TRUE(mentions(limp.object.warnings, "1.7e-06 N m is assumed"));
  // A narrow strip's first frequency would be 1.875^2 sqrt(D / rho) / L^2 with D = 6 k_B; a square
  // plate that is clamped along one edge has 3.4 to 3.5 in place of 3.52.
  const double expected = 3.45 * std::sqrt(9.81 * std::pow(0.015, 3));
  EXPECT_NEAR(limp.object.modes[0].omega, expected, 0.15 * expected);
  // What is written out by hand gives the same, without the warning.
  model.materials[0].bending_stiffness = 0.3 * 9.81 * std::pow(0.015, 3) / 6;
  const Baked silk = bake(model, how);
  EXPECT_FALSE(mentions(silk.object.warnings, "assumed"));
  EXPECT_NEAR(silk.object.modes[3].omega, limp.object.modes[3].omega, 1e-9 * expected);
}

TEST(ShellObject, WarnsOfMotionsWithoutResistance) {
  fem::ShellModel model = cantilever();
  model.materials[0].bending_stiffness = 0;
  const auto limp = bake_shell(fem::make_shell(model), settings(4));
  ASSERT_TRUE(limp.ok()) << limp.error().describe();
  EXPECT_GT(limp->mechanisms, 0);
  EXPECT_TRUE(mentions(limp->warnings, "lacks bending stiffness")) << limp->warnings.at(0);
  EXPECT_TRUE(bake(cantilever(), settings(4)).object.mechanisms == 0);
}

TEST(ShellObject, WarnsWhenItsWeightIsMoreThanWarpingFollows) {
  const Baked soft = bake(cantilever(), settings(8));
  EXPECT_GT(soft.object.sag_turn, soft.object.follow_turn);
  EXPECT_TRUE(mentions(soft.object.warnings, "its own weight turns it by"));
  ObjectSettings how = settings(8);
  how.modelled_under_gravity = true;
  EXPECT_TRUE(bake(cantilever(), how).object.warnings.empty());
  fem::ShellModel stiff = cantilever();
  stiff.materials[0].bending_stiffness = 10;
  EXPECT_TRUE(bake(stiff, settings(8)).object.warnings.empty());
}

TEST(ShellObject, SagStiffensAsTheMaterialWould) {
  ObjectSettings how = settings(8);
  how.damping = RayleighDamping{0.1, 0.002};
  how.sag = 0.8;
  const Baked firm = bake(cantilever(), how);
  EXPECT_GT(firm.object.stiffening, 1.5);
  EXPECT_NEAR(firm.object.sag_turn, 0.8 * firm.object.follow_turn, 1e-9);
  EXPECT_TRUE(firm.object.warnings.empty());
  // The same by hand.
  fem::ShellModel stiff = cantilever();
  for (fem::ShellMaterial& material : stiff.materials) {
    material.area_stiffness *= firm.object.stiffening;
    material.length_stiffness *= firm.object.stiffening;
    material.bending_stiffness *= firm.object.stiffening;
  }
  how.sag = 0;
  const Baked by_hand = bake(stiff, how);
  EXPECT_EQ(by_hand.object.stiffening, 1);
  EXPECT_NEAR(by_hand.object.follow_turn, firm.object.follow_turn, 1e-6);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_NEAR(by_hand.object.modes[k].omega / firm.object.modes[k].omega, 1, 1e-6);
    EXPECT_NEAR(by_hand.object.modes[k].damping / firm.object.modes[k].damping, 1, 1e-6);
    EXPECT_NEAR(by_hand.object.modes[k].share, firm.object.modes[k].share, 1e-6);
  }
  // What is stiff enough stays.
  how.sag = 10;
  EXPECT_EQ(bake(stiff, how).object.stiffening, 1);
}

TEST(ShellObject, WarnsWhenFixedVerticesLeaveItFreeToTurn) {
  fem::ShellModel hinged = cantilever();
  hinged.fixed.clear();
  fem::clamp_up_to(hinged, 0);
  const Baked swings = bake(hinged, settings(4));
  EXPECT_TRUE(mentions(swings.object.warnings, "swing as on a hinge"));
  EXPECT_TRUE(mentions(swings.object.warnings, "not among its modes"));
  EXPECT_TRUE(mentions(swings.object.warnings, "clamp = ["));
  ObjectSettings sprung = settings(4);
  sprung.tether = 1;
  EXPECT_TRUE(mentions(bake(hinged, sprung).object.warnings, "The tether pulls it back"));
  fem::ShellModel pinned = cantilever();
  std::fill(pinned.fixed.begin() + 1, pinned.fixed.end(), std::uint8_t{0});
  EXPECT_TRUE(mentions(bake(pinned, settings(4)).object.warnings, "one fixed vertex"));
  fem::ShellModel sliding = cantilever();
  for (std::uint8_t& bits : sliding.fixed) bits &= fem::kFixZ;
  EXPECT_TRUE(mentions(bake(sliding, settings(4)).object.warnings, "free to move as a whole"));
  EXPECT_FALSE(mentions(bake(cantilever(), settings(4)).object.warnings, "clamp = ["));
}

TEST(ShellObject, TakesFewerModesWhereThatWillDo) {
  const fem::ShellModel label = fem::shell_model(fem::strip_mesh(1, 1, 1, 1), sheet_material());
  const auto refused = bake_shell(fem::make_shell(label), settings(8));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("at most 6"), std::string::npos);
  ObjectSettings any = settings(8);
  any.fewer_modes = true;
  EXPECT_EQ(bake(label, any).object.modes.size(), 6U);
}

TEST(ShellObject, WhatFloatsDoesNotSagHoweverSoftItIs) {
  // Modes of microhertz turn rounding errors into gigametres.
  fem::ShellMaterial soft = sheet_material();
  soft.bending_stiffness = 1e-14;
  const Baked floats = bake(fem::shell_model(fem::v_mesh(1, 0.4, 10, 4), soft), settings(4));
  EXPECT_LT(floats.object.modes[0].omega, 1e-4);
  EXPECT_EQ(floats.object.sag, 0);
  EXPECT_EQ(floats.object.sag_turn, 0);
  EXPECT_FALSE(mentions(floats.object.warnings, "its own weight"));
}

TEST(ShellObject, WarnsOfForcesThatFewPointsMiss) {
  fem::ShellModel model = fem::shell_model(fem::v_mesh(1, 0.4, 20, 8), sheet_material());
  fem::clamp_up_to(model, 0.051);
  ObjectSettings how = settings(8);
  how.points = 2;
  const Baked few = bake(model, how);
  ASSERT_GT(few.object.point_error, 0.05);
  EXPECT_TRUE(mentions(few.object.warnings, "at 2 points"));
  EXPECT_TRUE(mentions(few.object.warnings, "points = 4"));
  EXPECT_FALSE(mentions(bake(model, settings(8)).object.warnings, "points = "));
}

TEST(ShellObject, RefusesALoosePieceBesideHeldOnes) {
  fem::ShellModel model = cantilever();
  const geometry::TriMesh other = fem::strip_mesh(1, 0.2, 3, 2);
  const auto first = static_cast<Index>(model.mesh.positions.size());
  for (const Vec3& x : other.positions) model.mesh.positions.emplace_back(x + Vec3(0, 0, 2));
  for (const auto& t : other.triangles) {
    model.mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  }
  model.fixed.resize(model.mesh.positions.size(), 0);
  const auto refused = bake_shell(fem::make_shell(model), settings(4));
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message().find("1 of its 2 separate pieces"), std::string::npos)
      << refused.error().message();
  // Held as well, it passes with a word about it.
  model.fixed[first] = model.fixed[first + 1] = model.fixed[first + 4] = fem::kFixAll;
  EXPECT_TRUE(mentions(bake(model, settings(4)).object.warnings, "2 separate pieces"));
}

TEST(ShellObject, RefusesSettingsAndShellsThatCannotMove) {
  const fem::DiscreteShell shell = fem::make_shell(cantilever());
  EXPECT_FALSE(bake_shell(shell, settings(0)).ok());
  fem::ShellModel held = cantilever();
  held.fixed.assign(held.fixed.size(), fem::kFixAll);
  EXPECT_FALSE(bake_shell(fem::make_shell(held), settings(4)).ok());
}

TEST(ShellObject, DoesNotDependOnTheNumberOfThreads) {
  fem::ShellModel model = fem::shell_model(fem::v_mesh(1, 0.4, 40, 16), sheet_material());
  fem::clamp_up_to(model, 0.03);
  const fem::DiscreteShell shell = fem::make_shell(model);
  std::vector<ShellObject> objects;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    auto object = bake_shell(shell, settings(6));
    ASSERT_TRUE(object.ok());
    objects.push_back(*std::move(object));
  }
  set_thread_count(0);
  for (std::size_t i = 1; i < objects.size(); ++i) {
    const ShellObject& a = objects[0];
    const ShellObject& b = objects[i];
    EXPECT_EQ(a.displacements, b.displacements);
    EXPECT_EQ(a.turns, b.turns);
    EXPECT_EQ(a.follow_turn, b.follow_turn);
    EXPECT_EQ(a.point_error, b.point_error);
    ASSERT_EQ(a.points.size(), b.points.size());
    for (std::size_t p = 0; p < a.points.size(); ++p) {
      EXPECT_EQ(a.points[p].node, b.points[p].node);
      EXPECT_EQ(a.points[p].mass, b.points[p].mass);
      EXPECT_EQ(a.points[p].area_vector, b.points[p].area_vector);
    }
    EXPECT_EQ(a.strain->values, b.strain->values);
    for (std::size_t k = 0; k < a.modes.size(); ++k) {
      EXPECT_EQ(a.modes[k].transfer, b.modes[k].transfer);
      EXPECT_EQ(a.modes[k].share, b.modes[k].share);
    }
  }
}

}  // namespace
}  // namespace supple::shell
