// SPDX-License-Identifier: Apache-2.0
#include "shell/medium.hpp"

#include "shell/baked.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace supple::shell {
namespace {

geometry::TriMesh disc_mesh(double radius, int sides) {
  geometry::TriMesh mesh;
  mesh.positions.emplace_back(0, 0, 0);
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * std::numbers::pi * i / sides;
    mesh.positions.emplace_back(radius * std::cos(angle), radius * std::sin(angle), 0);
    mesh.triangles.push_back({0, 1 + i, 1 + (i + 1) % sides});
  }
  return mesh;
}

TEST(ShellMedium, FluidThatMovesAlongIsThatOfPlatesInPotentialFlow) {
  Medium water;
  water.density = 1000;
  // Lamb, Hydrodynamics: 8/3 rho r^3 of a disc that moves across itself.
  const double disc = added_mass(water, disc_mesh(0.1, 90)) * std::numbers::pi * 0.01;
  const double lamb = 8.0 / 3 * 1000 * 0.001;
  EXPECT_NEAR(disc, lamb, 0.08 * lamb);
  // DNV-RP-H103, table A-2: C pi / 4 rho a^2 b of rectangular plates a x b.
  for (const auto& [aspect, coefficient] :
       {std::pair{1.0, 0.579}, {2.0, 0.757}, {5.0, 0.897}, {10.0, 0.947}}) {
    const auto plate = fem::strip_mesh(0.2 * aspect, 0.2, 10, 4);
    const double expected = coefficient * std::numbers::pi / 4 * 1000 * 0.2;
    EXPECT_NEAR(added_mass(water, plate), expected, 0.14 * expected) << aspect;
  }
}

// Strip theory of a cantilever plate in water (Lindholm, Kana, Chu, Abramson 1965): every
// frequency falls by 1 / sqrt(1 + pi rho chord / (4 rho_s t)).
TEST(ShellMedium, WetFrequenciesAreThoseOfStripTheory) {
  const Baked dry = bake(cantilever(), settings(6));
  ObjectSettings how = settings(6);
  how.medium = {1000, 0.2, 0};
  const Baked wet = bake(cantilever(), how);
  const double ratio = 1 / std::sqrt(1 + std::numbers::pi / 4 * 1000 * 0.2 / 1);
  for (std::size_t k = 0; k < 6; ++k) {
    const double expected = ratio * dry.object.modes[k].omega;
    EXPECT_NEAR(wet.object.modes[k].omega, expected, 1e-9 * expected) << k;
  }
  EXPECT_NEAR(wet.object.added_mass, std::numbers::pi * 50, 1e-9);
  EXPECT_EQ(wet.object.medium_density, 1000);
  EXPECT_NEAR(wet.object.mass, dry.object.mass, 1e-12);
}

TEST(ShellMedium, BuoyancyHoldsUpWhatTheShellDisplaces) {
  // Static: the sag in water is that in air times 1 - rho / rho_s, however much water moves along.
  const Baked dry = bake(cantilever(), settings(6));
  ObjectSettings how = settings(6);
  how.medium = {1000, 0.2, 1250};
  const Baked wet = bake(cantilever(), how);
  EXPECT_NEAR(wet.object.sag, 0.2 * dry.object.sag, 1e-6 * dry.object.sag);
  how.medium.solid_density = 800;  // floats
  EXPECT_LT(bake(cantilever(), how).object.weight, 0);
  how.medium.solid_density = 0;  // not known
  EXPECT_NEAR(bake(cantilever(), how).object.sag, dry.object.sag, 1e-6 * dry.object.sag);
}

}  // namespace
}  // namespace supple::shell
