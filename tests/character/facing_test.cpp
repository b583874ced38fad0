// SPDX-License-Identifier: Apache-2.0
#include "supple/character/facing.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <numbers>

namespace supple::character {
namespace {

using geometry::Vec3;
using Names = std::vector<std::string>;

/// A few names of the same bones: hips, legs and hands, left before right.
const std::vector<Names> kRigs{
    {"Hips", "LeftUpLeg", "RightUpLeg", "LeftHand", "RightHand"},
    {"mixamorig:Hips", "mixamorig:LeftUpLeg", "mixamorig:RightUpLeg", "mixamorig:LeftHand",
     "mixamorig:RightHand"},
    {"hips", "thigh.L", "thigh.R", "hand.L", "hand.R"},
    {"J_Bip_C_Hips", "J_Bip_L_UpperLeg", "J_Bip_R_UpperLeg", "J_Bip_L_Hand", "J_Bip_R_Hand"},
};
const std::vector<Vec3> kFront{
    {0, 1, 0}, {0.1, 0.9, 0}, {-0.1, 0.9, 0}, {0.6, 1.3, 0.1}, {-0.6, 1.3, 0.1}};

TEST(Facing, IsTheBackOnlyForRigsThatAreTurnedRound) {
  for (const Names& names : kRigs) {
    for (const double degrees : {0.0, 20.0, -40.0, 90.0, -90.0, 140.0, 180.0, -160.0}) {
      const Eigen::AngleAxisd turn(degrees * std::numbers::pi / 180, Vec3::UnitY());
      std::vector<Vec3> places;
      for (const Vec3& place : kFront) places.push_back(turn * place + Vec3(3, 0, -7));
      EXPECT_EQ(faces_back(names, places), std::abs(degrees) > 135) << names[1] << " " << degrees;
    }
  }
}

TEST(Facing, OfRigsWithoutPairsIsTheFront) {
  EXPECT_FALSE(faces_back({}, {}));
  EXPECT_FALSE(faces_back({"root", "tail", "LeftFin"}, {{0, 0, 0}, {0, 0, 1}, {-1, 0, 0}}));
}

}  // namespace
}  // namespace supple::character
