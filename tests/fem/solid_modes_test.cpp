// SPDX-License-Identifier: Apache-2.0
#include "supple/fem/solid_modes.hpp"

#include "supple/core/parallel.hpp"
#include "supple/core/random.hpp"
#include "supple/geometry/shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace supple::fem {
namespace {

using geometry::Box;
using geometry::Vec3;

SolidModel clamped_beam(int nx, int ny, int nz, geometry::TetOrder order) {
  SolidModel model;
  model.mesh = geometry::beam_mesh(0.63, 0.18, 0.16, nx, ny, nz);
  const auto clamped = model.mesh.node_sets.at("x_min");
  if (order == geometry::TetOrder::Quadratic) model.mesh = geometry::to_quadratic(model.mesh);
  model.fixed.assign(model.mesh.nodes.size(), 0);
  for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
    if (model.mesh.nodes[i].x() < 1e-12) model.fixed[i] = kFixAll;
  }
  model.materials = {{"flesh", 2e4, 0.45, 1000}};
  return model;
}

TEST(SolidModes, MethodsAgree) {
  const SolidModel model = clamped_beam(5, 2, 2, geometry::TetOrder::Quadratic);
  ModalSettings settings;
  settings.count = 8;
  settings.method = EigenMethod::Direct;
  const auto direct = solve_modes(model, settings);
  settings.method = EigenMethod::Iterative;
  const auto iterative = solve_modes(model, settings);
  settings.method = EigenMethod::Automatic;
  settings.count = 100;  // more than an eighth: the dense solver
  const auto dense = solve_modes(model, settings);
  ASSERT_TRUE(direct.ok()) << direct.error().describe();
  ASSERT_TRUE(iterative.ok()) << iterative.error().describe();
  ASSERT_TRUE(dense.ok()) << dense.error().describe();
  EXPECT_EQ(dense->method, "dense");
  for (int i = 0; i < 8; ++i) {
    const double exact = dense->omega_squared(i);
    EXPECT_NEAR(direct->omega_squared(i), exact, 1e-10 * exact);
    EXPECT_NEAR(iterative->omega_squared(i), exact, 1e-10 * exact);
    for (int c = 0; c < 6; ++c) {
      EXPECT_NEAR(std::abs(direct->participation(i, c)), std::abs(dense->participation(i, c)),
                  1e-5);
    }
  }
  EXPECT_LT(direct->residual_max, 1e-4);
}

TEST(SolidModes, FreeBodiesHaveSixRigidMotionsAndTheSameModesByEveryMethod) {
  SolidModel model = clamped_beam(6, 2, 2, geometry::TetOrder::Quadratic);
  model.fixed.clear();
  ModalSettings settings;
  settings.count = 6;
  settings.method = EigenMethod::Direct;
  const auto direct = solve_modes(model, settings);
  settings.method = EigenMethod::Iterative;
  const auto iterative = solve_modes(model, settings);
  settings.method = EigenMethod::Automatic;
  settings.count = 150;
  const auto dense = solve_modes(model, settings);
  ASSERT_TRUE(direct.ok()) << direct.error().describe();
  ASSERT_TRUE(iterative.ok()) << iterative.error().describe();
  ASSERT_TRUE(dense.ok()) << dense.error().describe();
  EXPECT_EQ(direct->rigid_modes, 6);
  EXPECT_EQ(dense->rigid_modes, 6);
  for (int i = 0; i < 6; ++i) {
    const double exact = dense->omega_squared(i);
    EXPECT_GT(exact, 1.0);
    EXPECT_NEAR(direct->omega_squared(i), exact, 1e-9 * exact);
    EXPECT_NEAR(iterative->omega_squared(i), exact, 1e-9 * exact);
    // Elastic modes of a free body carry no momentum.
    EXPECT_LT(direct->participation.row(i).cwiseAbs().maxCoeff(), 1e-8);
  }
}

TEST(SolidModes, UnitsDoNotMatter) {
  // The same beam in millimetres, tonnes and megapascals: frequencies in hertz must not change.
  SolidModel metres = clamped_beam(6, 2, 2, geometry::TetOrder::Quadratic);
  SolidModel millimetres = metres;
  for (Vec3& node : millimetres.mesh.nodes) node *= 1e3;
  millimetres.materials[0].youngs_modulus *= 1e-6;
  millimetres.materials[0].density *= 1e-12;
  for (const bool fixed : {true, false}) {
    if (!fixed) {
      metres.fixed.clear();
      millimetres.fixed.clear();
    }
    ModalSettings settings;
    settings.count = 5;
    settings.method = EigenMethod::Direct;
    const auto a = solve_modes(metres, settings);
    const auto b = solve_modes(millimetres, settings);
    ASSERT_TRUE(a.ok() && b.ok());
    for (int i = 0; i < 5; ++i) {
      EXPECT_NEAR(b->omega_squared(i), a->omega_squared(i), 1e-9 * a->omega_squared(i));
    }
  }
}

TEST(SolidModes, ParticipationOfAllModesIsTheWholeMass) {
  // Sum over all modes of the squared participation is Gamma^T M Gamma over the free nodes: with
  // nothing clamped but one face, nearly the mass of the beam.
  SolidModel model = clamped_beam(3, 1, 1, geometry::TetOrder::Linear);
  ModalSettings settings;
  settings.count = 36;  // every mode: 12 free nodes
  const auto modes = solve_modes(model, settings);
  ASSERT_TRUE(modes.ok()) << modes.error().describe();
  ASSERT_EQ(modes->free_dofs, 36U);
  const Eigen::VectorXd total = modes->participation.colwise().squaredNorm();
  EXPECT_NEAR(total(0), total(1), 1e-10 * total(0));
  EXPECT_NEAR(total(0), total(2), 1e-10 * total(0));
  const double mass = 1000 * 0.63 * 0.18 * 0.16;
  EXPECT_LT(total(0), mass);
  EXPECT_GT(total(0), 0.6 * mass);
}

TEST(SolidModes, SameBitsForAnyNumberOfThreads) {
  const SolidModel model = clamped_beam(9, 4, 4, geometry::TetOrder::Quadratic);
  for (const EigenMethod method : {EigenMethod::Direct, EigenMethod::Iterative}) {
    ModalSettings settings;
    settings.count = 6;
    settings.method = method;
    SolidModes expected;
    for (const int threads : {1, 4}) {
      set_thread_count(threads);
      const auto modes = solve_modes(model, settings);
      ASSERT_TRUE(modes.ok());
      if (threads == 1) expected = *modes;
      EXPECT_EQ(modes->omega_squared, expected.omega_squared) << threads << " threads";
      EXPECT_EQ(modes->shapes, expected.shapes) << threads << " threads";
      EXPECT_EQ(modes->participation, expected.participation) << threads << " threads";
    }
  }
  set_thread_count(0);
}

TEST(SolidModes, SlenderBodiesKeepTheirLowestModes) {
  // 1 : 400 in length: single precision may lose the lowest modes, the answer must not.
  SolidModel model;
  model.mesh = geometry::to_quadratic(geometry::beam_mesh(4.0, 0.01, 0.01, 160, 1, 1));
  model.fixed.assign(model.mesh.nodes.size(), 0);
  for (std::size_t i = 0; i < model.mesh.nodes.size(); ++i) {
    if (model.mesh.nodes[i].x() < 1e-12) model.fixed[i] = kFixAll;
  }
  model.materials = {{"steel", 2.1e11, 0.0, 7850}};
  ModalSettings settings;
  settings.count = 4;
  settings.method = EigenMethod::Direct;
  const auto modes = solve_modes(model, settings);
  ASSERT_TRUE(modes.ok()) << modes.error().describe();
  // Euler-Bernoulli, slenderness 400: shear and rotary inertia change it by less than 1e-4.
  const double inertia = std::pow(0.01, 4) / 12;
  const double f1 = 1.8751040687 * 1.8751040687 / (2 * std::numbers::pi) *
                    std::sqrt(2.1e11 * inertia / (7850 * 1e-4 * std::pow(4.0, 4)));
  EXPECT_NEAR(modes->frequencies_hz()(0), f1, 1e-3 * f1);
  EXPECT_NEAR(modes->frequencies_hz()(1), f1, 1e-3 * f1);
}

TEST(SolidModes, ErrorsNameTheProblem) {
  SolidModel model = clamped_beam(2, 1, 1, geometry::TetOrder::Linear);
  const auto message = [&](const SolidModel& wrong, const ModalSettings& settings) {
    const auto result = solve_modes(wrong, settings);
    EXPECT_FALSE(result.ok());
    return result.ok() ? std::string() : result.error().describe();
  };
  EXPECT_NE(message(model, {.count = 1000}).find("only 24"), std::string::npos);
  EXPECT_NE(message(model, {.count = 0}).find("at least one"), std::string::npos);

  SolidModel soft = model;
  soft.materials[0].poisson_ratio = 0.5;
  EXPECT_NE(message(soft, {.count = 3}).find("Poisson"), std::string::npos);

  SolidModel inverted = model;
  std::swap(inverted.mesh.connectivity[0], inverted.mesh.connectivity[1]);
  EXPECT_NE(message(inverted, {.count = 3}).find("1"), std::string::npos);

  SolidModel pieces = model;
  const auto shift = static_cast<geometry::Index>(model.mesh.nodes.size());
  for (const Vec3& node : model.mesh.nodes) pieces.mesh.nodes.push_back(node + Vec3(0, 3, 0));
  for (const auto node : model.mesh.connectivity) pieces.mesh.connectivity.push_back(node + shift);
  pieces.fixed.clear();
  const std::string text = message(pieces, {.count = 3});
  EXPECT_NE(text.find("2 pieces"), std::string::npos);
  EXPECT_NE(text.find("12 elements"), std::string::npos);
  EXPECT_TRUE(solve_modes(pieces, {.count = 3, .allow_pieces = true}).ok());
}

/// Whatever the units: the modes are right, or the message says what to change.
TEST(SolidModes, NumbersOfAnySizeAreSolvedOrRefusedWithARemedy) {
  const SolidModel plain = clamped_beam(3, 2, 1, geometry::TetOrder::Quadratic);
  ModalSettings settings;
  settings.count = 3;
  settings.method = EigenMethod::Direct;
  const auto expected = solve_modes(plain, settings);
  ASSERT_TRUE(expected.ok()) << expected.error().describe();
  const std::array<std::string, 4> remedies{"check units", "check the mesh", "request fewer modes",
                                            "hold the body"};
  Random random(4);
  int refused = 0;
  for (int i = 0; i < 30; ++i) {
    SolidModel model = plain;
    const double stiffer = std::pow(10, random.uniform(-300, 300));
    const double heavier = std::pow(10, random.uniform(-150, 150));
    model.materials[0].youngs_modulus *= stiffer;
    model.materials[0].density *= heavier;
    const auto modes = solve_modes(model, settings);
    if (modes.ok()) {
      for (int k = 0; k < settings.count; ++k) {
        const double right = expected->omega_squared(k) * stiffer / heavier;
        EXPECT_NEAR(modes->omega_squared(k) / right, 1, 1e-9) << stiffer << ' ' << heavier;
      }
      continue;
    }
    ++refused;
    const std::string text = modes.error().message();
    EXPECT_EQ(modes.error().code(), ErrorCode::NotConverged) << text;
    EXPECT_TRUE(std::any_of(remedies.begin(), remedies.end(), [&](const std::string& remedy) {
      return text.find(remedy) != std::string::npos;
    })) << text;
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 30);
}

TEST(SolidModes, AFactorThatDoesNotFitIsRefusedOrAvoided) {
  const SolidModel quadratic = clamped_beam(8, 3, 3, geometry::TetOrder::Quadratic);
  ModalSettings settings;
  settings.count = 3;
  settings.memory_limit = 1000;
  const auto modes = solve_modes(quadratic, settings);
  ASSERT_TRUE(modes.ok());
  EXPECT_NE(modes->method.find("iterative"), std::string::npos);
  settings.method = EigenMethod::Direct;
  EXPECT_FALSE(solve_modes(quadratic, settings).ok());
}

}  // namespace
}  // namespace supple::fem
