// SPDX-License-Identifier: Apache-2.0
#include "flesh/limb.hpp"
#include "supple/flesh/tissue.hpp"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <Eigen/Geometry>

namespace supple::flesh {
namespace {

using geometry::Vec3;
using testing::limb;
using testing::thigh;

TEST(Region, BonesGiveTheirWeights) {
  const character::Character character = limb();
  const auto region = select_region(character, thigh());
  ASSERT_TRUE(region.ok()) << region.error().describe();
  EXPECT_EQ(region->driver, 1U);
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    EXPECT_NEAR(region->weights[v], character.weights[4 * v + 1], 1e-12);
  }
  ObjectSettings both = thigh();
  both.region.bones = {"Thigh", "Shin"};
  const auto two = select_region(character, both);
  ASSERT_TRUE(two.ok());
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    EXPECT_NEAR(two->weights[v], 1 - character.weights[4 * v], 1e-12);
  }
}

TEST(Region, MasksAndBonesLimitEachOther) {
  character::Character character = limb();
  auto& mask = character.masks["_FRONT"];
  for (const Vec3& p : character.positions) mask.push_back(p.z() > 0 ? 1 : 0);
  ObjectSettings settings = thigh();
  settings.region.mask = "_FRONT";
  const auto region = select_region(character, settings);
  ASSERT_TRUE(region.ok()) << region.error().describe();
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    EXPECT_EQ(region->weights[v] > 0,
              character.positions[v].z() > 0 && character.weights[4 * v + 1] > 0);
  }
  settings.region.bones.clear();
  settings.driver = "Shin";
  const auto driven = select_region(character, settings);
  ASSERT_TRUE(driven.ok());
  EXPECT_EQ(driven->driver, 2U);
}

TEST(Region, VerticesThatMeetHaveOneWeight) {
  character::Character character = limb();
  // A texture seam: the last vertex again, with other weights.
  character.positions.push_back(character.positions.front());
  character.normals.push_back(character.normals.front());
  for (const std::uint32_t joint : {0U, 1U, 2U, 0U}) character.joints.push_back(joint);
  for (const double w : {0.0, 1.0, 0.0, 0.0}) character.weights.push_back(w);
  const auto region = select_region(character, thigh());
  ASSERT_TRUE(region.ok());
  EXPECT_EQ(region->weights.front(), region->weights.back());
  EXPECT_LT(region->weights.back(), 1.0);
}

TEST(Region, ErrorsNameWhatIsWrong) {
  const character::Character character = limb();
  ObjectSettings settings = thigh();
  settings.region.bones = {"Tigh"};
  auto wrong = select_region(character, settings);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("'Thigh'"), std::string::npos);
  settings.region.bones = {};
  settings.region.material = "skim";
  wrong = select_region(character, settings);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("skin"), std::string::npos);
  settings.region.material = "";
  settings.region.mask = "_BELLY";
  wrong = select_region(character, settings);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("_BELLY"), std::string::npos);
  settings = thigh();
  settings.border = 1.5;
  wrong = select_region(character, settings);
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.error().message().find("no vertices"), std::string::npos);
}

}  // namespace
}  // namespace supple::flesh
