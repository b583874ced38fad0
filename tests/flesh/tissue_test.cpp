// SPDX-License-Identifier: Apache-2.0
#include "supple/flesh/tissue.hpp"

#include "flesh/limb.hpp"
#include "supple/core/interrupt.hpp"
#include "supple/core/log.hpp"
#include "supple/core/random.hpp"
#include "supple/fem/solid_modes.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <set>
#include <string>

namespace supple::flesh {
namespace {

using geometry::Vec3;
using testing::limb;
using testing::thigh;

std::size_t fixed_count(const Tissue& tissue) {
  return static_cast<std::size_t>(
      std::count(tissue.model.fixed.begin(), tissue.model.fixed.end(), fem::kFixAll));
}

TEST(Tissue, FillsTheLimbBetweenItsSeams) {
  const auto tissue = build_tissue(limb(), thigh());
  ASSERT_TRUE(tissue.ok()) << tissue.error().describe();
  ASSERT_TRUE(tissue->model.validate().ok());
  EXPECT_EQ(tissue->model.mesh.order, geometry::TetOrder::Quadratic);
  // Weight 1/4 is 1.5 cm beyond each joint: a cylinder 0.38 m long, its polygon a little thinner.
  const double expected = std::numbers::pi * 0.07 * 0.07 * 0.38;
  EXPECT_NEAR(geometry::volume(tissue->model.mesh), expected, 0.1 * expected);
  EXPECT_NEAR(tissue->thickness, 0.07, 0.01);
  EXPECT_GT(fixed_count(*tissue), 20U);
}

TEST(Tissue, IsHeldAtBoneAndSeamsAndNowhereElse) {
  const auto tissue = build_tissue(limb(), thigh());
  ASSERT_TRUE(tissue.ok());
  const auto& nodes = tissue->model.mesh.nodes;
  std::set<geometry::Index> corners;  // a node amid an edge is held where both its ends are
  for (std::size_t e = 0; e < tissue->model.mesh.element_count(); ++e) {
    const auto element = tissue->model.mesh.element(e);
    corners.insert(element.begin(), element.begin() + 4);
  }
  for (const geometry::Index n : corners) {
    const double from_axis = std::hypot(nodes[n].x(), nodes[n].z());
    const double y = nodes[n].y();  // 0 at the hip joint of the thigh, -0.35 at the knee
    const bool held = tissue->model.fixed[n] != 0;
    if (from_axis < 0.02 && y < 0 && y > -0.35) {
      EXPECT_TRUE(held) << nodes[n].transpose();
    }
    if (from_axis > 0.05 && y < -0.03 && y > -0.32) {
      EXPECT_FALSE(held) << nodes[n].transpose();
    }
  }
}

TEST(Tissue, StiffensTowardsTheSeams) {
  const auto tissue = build_tissue(limb(), thigh());
  ASSERT_TRUE(tissue.ok());
  const auto& mesh = tissue->model.mesh;
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const double y = mesh.nodes[mesh.element(e)[0]].y();
    const double modulus = tissue->model.materials[mesh.region(e)].youngs_modulus;
    EXPECT_GE(modulus, 8e3);
    EXPECT_LE(modulus, 30 * 8e3 * (1 + 1e-9));
    if (y < -0.08 && y > -0.27) {
      EXPECT_NEAR(modulus, 8e3, 800);
    }
  }
}

TEST(Tissue, LayersLieAtTheirDepth) {
  ObjectSettings settings = thigh();
  settings.elements = 3000;
  settings.layers = {{{"fat", 3e3, 0.49, 900}, 0.02}, {{"muscle", 12e3, 0.49, 1060}, 0}};
  const auto tissue = build_tissue(limb(), settings);
  ASSERT_TRUE(tissue.ok()) << tissue.error().describe();
  const auto& mesh = tissue->model.mesh;
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    Vec3 centre = Vec3::Zero();
    for (int a = 0; a < 4; ++a) centre += mesh.nodes[mesh.element(e)[a]] / 4;
    const double depth = 0.07 - std::hypot(centre.x(), centre.z());
    const bool fat = tissue->model.materials[mesh.region(e)].name == "fat";
    if (depth < 0.012) {
      EXPECT_TRUE(fat) << centre.transpose();
    }
    if (depth > 0.028) {
      EXPECT_FALSE(fat) << centre.transpose();
    }
  }
}

TEST(Tissue, CentimetresGiveTheSameBody) {
  character::Character character = limb();
  for (Vec3& p : character.positions) p *= 100;
  for (character::Bone& bone : character.bones) {
    bone.rest_world.topRightCorner<3, 1>() *= 100;
    bone.inverse_bind.topRightCorner<3, 1>() *= 100;
  }
  character.metres_per_unit = 0.01;
  const auto metres = build_tissue(limb(), thigh());
  const auto centimetres = build_tissue(character, thigh());
  ASSERT_TRUE(metres.ok());
  ASSERT_TRUE(centimetres.ok()) << centimetres.error().describe();
  const double volume = geometry::volume(metres->model.mesh);
  EXPECT_NEAR(geometry::volume(centimetres->model.mesh), volume, 1e-3 * volume);
}

/// Limbs of several widths and cores of several radii: a core may reach 0.8 of the way to the skin.
TEST(Tissue, ReportsACoreLargerThanItsLimb) {
  std::string messages;
  log::to_function([&messages](log::Level, std::string_view text) { messages += text; });
  Random random(5);
  for (int i = 0; i < 8; ++i) {
    const double wider = random.uniform(0.5, 2);
    character::Character character = limb();
    for (Vec3& p : character.positions) p = Vec3(wider * p.x(), p.y(), wider * p.z());
    ObjectSettings settings = thigh();
    settings.elements = 700;
    const bool fits = i % 2 == 0;
    const double share = fits ? random.uniform(0.1, 0.7) : random.uniform(0.85, 3);
    settings.core.radius = share * 0.07 * wider;
    messages.clear();
    const bool built = build_tissue(character, settings).ok();
    EXPECT_TRUE(built || !fits) << wider;  // a core of most of the limb may leave nothing to move
    EXPECT_EQ(messages.find("does not fit into the limb") == std::string::npos, fits)
        << wider << ' ' << share << ' ' << messages;
    if (fits) continue;
    EXPECT_NE(messages.find("thigh"), std::string::npos) << messages;
    EXPECT_NE(messages.find("smaller radius"), std::string::npos) << messages;
  }
  log::to_nowhere();
}

TEST(Tissue, RefusesWhatNothingHolds) {
  character::Character character = limb();
  ObjectSettings settings = thigh();
  settings.region.bones = {"Hip", "Thigh", "Shin"};
  settings.core.enabled = false;
  const auto loose = build_tissue(character, settings);
  ASSERT_FALSE(loose.ok());
  EXPECT_NE(loose.error().message().find("nothing holds"), std::string::npos);
}

TEST(Tissue, RefusesSkinWithoutInterior) {
  character::Character flat = limb();
  for (Vec3& p : flat.positions) p.x() = 0;
  const auto tissue = build_tissue(flat, thigh());
  ASSERT_FALSE(tissue.ok());
  EXPECT_NE(tissue.error().message().find("no interior"), std::string::npos);
}

/// It used to be reported as a region without interior, with another exit status.
TEST(Tissue, AnInterruptIsNoFaultOfTheRegion) {
  set_interrupted(true);
  const auto tissue = build_tissue(limb(), thigh());
  set_interrupted(false);
  ASSERT_FALSE(tissue.ok());
  EXPECT_EQ(tissue.error().code(), ErrorCode::Interrupted) << tissue.error().describe();
}

}  // namespace
}  // namespace supple::flesh
