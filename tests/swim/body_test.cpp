// SPDX-License-Identifier: Apache-2.0
#include "supple/core/units.hpp"
#include "supple/geometry/solid_moments.hpp"
#include "supple/swim/swimmer.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace supple::swim {
namespace {

Body built_body(const BodySettings& settings = {}) {
  auto built = build_body(settings);
  EXPECT_TRUE(built.ok()) << built.error().describe();
  return *std::move(built);
}

/// Where a segment's origin and its x axis are when one joint is bent.
SegmentMotion bent(const Body& body, const std::string& joint, double degrees,
                   const std::string& segment) {
  StartState start;
  start.angles.assign(body.joints.size(), 0.0);
  start.angles[body.find_joint(joint).value()] = degrees * kDegree;
  const auto swimmer = Swimmer::create(body, {}, start);
  EXPECT_TRUE(swimmer.ok());
  return swimmer->segment(body.find_segment(segment).value());
}

TEST(Body, HasThePapersHingesOrThoseOfAHuman) {
  EXPECT_EQ(built_body({.hinges = HingeSet::Paper14}).joints.size(), 14U);
  EXPECT_EQ(built_body().joints.size(), 24U);
  EXPECT_EQ(built_body().segments.size(), 15U);
}

TEST(Body, WeighsWhatIsAskedForByEitherTable) {
  for (const MassTable table : {MassTable::Paper, MassTable::DeLeva}) {
    const Body made = built_body({.masses = table, .mass = 82});
    EXPECT_NEAR(made.mass(), 82, 0.05);  // de Leva's shares add up to 0.9995
  }
  const Body made = built_body({.mass = 100});
  EXPECT_NEAR(made.segments[*made.find_segment("right_thigh")].mass, 14.16, 1e-9);
  EXPECT_NEAR(made.segments[*made.find_segment("head")].mass, 6.94, 1e-9);
}

TEST(Body, FloatsAsPeopleDo) {
  const Body made = built_body();
  double volume = 0;
  for (const Segment& segment : made.segments) volume += segment.volume;
  const double density = made.mass() / volume;
  EXPECT_GT(density, 960);  // with full lungs
  EXPECT_LT(density, 1000);
}

TEST(Body, BoxesHaveTheInertiaOfBoxes) {
  const Body made = built_body();
  const Segment& thigh = made.segments[*made.find_segment("left_thigh")];
  const Eigen::Vector3d square = thigh.size.cwiseAbs2();
  EXPECT_NEAR(thigh.inertia(0, 0), thigh.mass / 12 * (square.y() + square.z()), 1e-12);
  EXPECT_NEAR(thigh.inertia(1, 1), thigh.mass / 12 * (square.x() + square.z()), 1e-12);
  EXPECT_NEAR(thigh.inertia(0, 1), 0, 1e-12);
  EXPECT_NEAR(thigh.centre.x(), -thigh.size.x() / 2, 1e-12);
}

TEST(Body, FacesCloseUp) {
  for (const SegmentShape shape : {SegmentShape::Box, SegmentShape::Capsule}) {
    for (const Segment& segment : built_body({.shape = shape}).segments) {
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      double volume = 0;  // by the divergence theorem
      for (const Face& face : segment.faces) {
        sum += face.area * face.normal;
        volume += face.area * face.normal.dot(face.centre) / 3;
      }
      EXPECT_LT(sum.norm(), 1e-12) << segment.name;
      EXPECT_NEAR(volume, geometry::solid_moments(segment.surface).volume, 1e-12) << segment.name;
    }
  }
}

TEST(Body, JointsBendTheWayTheyAreNamed) {
  const Body human = built_body();
  // Right arm out to the side; left arm the mirror image.
  EXPECT_GT(bent(human, "right_shoulder", 90, "right_hand").origin.z(), 0.5);
  EXPECT_LT(bent(human, "left_shoulder", 90, "left_hand").origin.z(), -0.5);
  EXPECT_LT(bent(human, "right_shoulder_depth", 90, "right_hand").origin.y(), -0.5);
  EXPECT_LT(bent(human, "left_hip_flex", 90, "left_foot").origin.y(), -0.5);
  EXPECT_GT(bent(human, "right_hip", 45, "right_foot").origin.z(), 0.5);
  EXPECT_GT(bent(human, "right_knee", 90, "right_foot").origin.y(), 0.3);  // heel to the back
  // The foot reaches along -x of its axes: toes to the shin, towards the belly.
  EXPECT_LT(-bent(human, "right_ankle", 90, "right_foot").axes(1, 0), -0.9);
  EXPECT_GT(bent(human, "neck", 45, "head").axes(1, 0), 0.5);
  EXPECT_GT(bent(human, "waist", 30, "torso").axes(1, 0), 0.4);
  const Body paper = built_body({.hinges = HingeSet::Paper14});
  EXPECT_LT(bent(paper, "right_knee", 60, "right_foot").origin.z(), 0);  // inward
  EXPECT_GT(-bent(paper, "right_ankle", 60, "right_foot").axes(2, 0), 0.5);
}

TEST(Body, TwoSidesAreMirrorImages) {
  const Body human = built_body();
  for (const Joint& joint : human.joints) {
    if (joint.name.rfind("right_", 0) != 0) continue;
    const std::string left = "left_" + joint.name.substr(6);
    const std::string segment = human.segments[joint.segment].name;
    const SegmentMotion a = bent(human, joint.name, 20, segment);
    const SegmentMotion b = bent(human, left, 20, "left_" + segment.substr(6));
    const Eigen::Matrix3d mirror = Eigen::Vector3d(1, 1, -1).asDiagonal();
    EXPECT_LT((mirror * a.axes * mirror - b.axes).norm(), 1e-12) << joint.name;
    EXPECT_LT((mirror * a.origin - b.origin).norm(), 1e-12) << joint.name;
  }
}

TEST(Body, RefusesWhatIsNoBody) {
  for (const BodySettings& wrong :
       {BodySettings{.mass = 0}, BodySettings{.mass = -3}, BodySettings{.height = 0},
        BodySettings{.hand_width = 0}, BodySettings{.strength = -1},
        BodySettings{.gain = std::nan("")}, BodySettings{.cuts = 0}}) {
    const auto built = build_body(wrong);
    ASSERT_FALSE(built.ok());
    EXPECT_NE(built.error().message().find("it must be from"), std::string::npos)
        << built.error().describe();
  }
}

}  // namespace
}  // namespace supple::swim
