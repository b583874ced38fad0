// SPDX-License-Identifier: Apache-2.0
#include "supple/swim/water.hpp"

#include "supple/swim/flow.hpp"
#include "swim/boxes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace supple::swim {
namespace {

using Eigen::Vector3d;
using test::body_of;
using test::box;

Water water_around(const Segment& segment, const WaterSettings& settings) {
  Result<Water> water = Water::create(body_of(segment), settings);
  EXPECT_TRUE(water.ok()) << water.error().describe();
  return *water;
}

Vector3d random_vector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

SegmentMotion random_motion(std::mt19937& random) {
  SegmentMotion motion;
  motion.axes = Eigen::AngleAxisd(3 * random_vector(random).x(), random_vector(random).normalized())
                    .toRotationMatrix();
  motion.origin = random_vector(random);
  motion.velocity = random_vector(random);
  motion.spin = random_vector(random);
  return motion;
}

Vector6d twist_of(const SegmentMotion& motion) {
  Vector6d twist;
  twist << motion.axes.transpose() * motion.spin, motion.axes.transpose() * motion.velocity;
  return twist;
}

SegmentMotion with_twist(SegmentMotion motion, const Vector6d& twist) {
  motion.spin = motion.axes * twist.head<3>();
  motion.velocity = motion.axes * twist.tail<3>();
  return motion;
}

Eigen::Matrix<double, 6, 6> finite_differences(const Water& water, const SegmentMotion& motion) {
  const double step = 1e-6;
  Eigen::Matrix<double, 6, 6> slope;
  for (int i = 0; i < 6; ++i) {
    const Vector6d shift = step * Vector6d::Unit(i);
    slope.col(i) = (water.on_segment(0, with_twist(motion, twist_of(motion) - shift), 0).drag -
                    water.on_segment(0, with_twist(motion, twist_of(motion) + shift), 0).drag) /
                   (2 * step);
  }
  return slope;
}

const Segment kLimb = box({0.4, 0.1, 0.2}, 2, {0.2, 0.03, -0.01});

TEST(Water, DampingIsTheDerivativeOfPressure) {
  std::mt19937 random(1);
  const Water water = water_around(kLimb, {});
  for (int trial = 0; trial < 20; ++trial) {
    const SegmentMotion motion = random_motion(random);
    const Matrix6d damping = water.on_segment(0, motion, 0).damping;
    EXPECT_LT((damping - finite_differences(water, motion)).norm(), 1e-6 * damping.norm());
  }
}

TEST(Water, FrictionIsAlongTheFacesAndDampsByItsSecant) {
  std::mt19937 random(9);
  WaterSettings settings;
  settings.drag = DragLaw::None;
  settings.friction = 0.3;
  const Water water = water_around(kLimb, settings);
  const SegmentMotion motion = random_motion(random);
  const Vector6d twist = twist_of(motion);
  Vector6d expected = Vector6d::Zero();
  for (const Face& face : kLimb.faces) {
    const Vector3d velocity = twist.tail<3>() + twist.head<3>().cross(face.centre);
    const Vector3d along = velocity - face.normal.dot(velocity) * face.normal;
    const Vector3d force = -0.5 * 1000 * 0.3 * face.area * along.norm() * along;
    expected.head<3>() += face.centre.cross(force);
    expected.tail<3>() += force;
  }
  const SegmentForce force = water.on_segment(0, motion, 0);
  EXPECT_LT((force.drag - expected).norm(), 1e-12 * expected.norm());
  EXPECT_LT((force.damping * twist + force.drag).norm(), 1e-12 * force.drag.norm());
}

TEST(Water, DampingIsTheSecantOfLinearLaws) {
  std::mt19937 random(2);
  for (const DragLaw law : {DragLaw::Linear, DragLaw::Isotropic}) {
    WaterSettings settings;
    settings.drag = law;
    const Water water = water_around(kLimb, settings);
    const SegmentMotion motion = random_motion(random);
    const SegmentForce force = water.on_segment(0, motion, 0);
    EXPECT_LT((force.damping * twist_of(motion) + force.drag).norm(), 1e-12 * force.drag.norm());
  }
}

TEST(Water, LinearLawIsTheProjectedAreaTimesTheVelocity) {
  WaterSettings settings;
  settings.drag = DragLaw::Linear;
  const Vector3d size(0.4, 0.1, 0.2);
  const Water water = water_around(box(size), settings);
  SegmentMotion motion;
  motion.velocity = {0.3, -0.5, 0.2};
  const Vector3d way = motion.velocity.normalized().cwiseAbs();
  // Both sides of a closed surface show their projected area.
  const double projected = 2 * (way.x() * size.y() * size.z() + way.y() * size.x() * size.z() +
                                way.z() * size.x() * size.y());
  const Vector3d force = water.on_segment(0, motion, 0).drag.tail<3>();
  EXPECT_LT((force + 300 * projected * motion.velocity).norm(), 1e-12);
}

TEST(Water, DampingIsSymmetricAndTakesEnergyUnderAllLaws) {
  std::mt19937 random(3);
  for (const DragLaw law :
       {DragLaw::None, DragLaw::Linear, DragLaw::Isotropic, DragLaw::Quadratic}) {
    WaterSettings settings;
    settings.drag = law;
    settings.friction = 0.2;
    settings.lift = 0.4;
    settings.surface = 0.1;
    const Water water = water_around(kLimb, settings);
    for (int trial = 0; trial < 50; ++trial) {
      const SegmentMotion motion = random_motion(random);
      const SegmentForce force = water.on_segment(0, motion, 0);
      EXPECT_LT((force.damping - force.damping.transpose()).norm(),
                1e-14 * (1 + force.damping.norm()));
      const double least =
          Eigen::SelfAdjointEigenSolver<Matrix6d>(force.damping).eigenvalues().minCoeff();
      EXPECT_GT(least, -1e-12 * (1 + force.damping.norm()));
      EXPECT_LE(force.drag.dot(twist_of(motion)), 1e-12);
    }
  }
}

TEST(Water, LiftDoesNoWorkAndPushesTowardsTheBackOfAPlate) {
  std::mt19937 random(4);
  WaterSettings settings;
  settings.drag = DragLaw::None;
  settings.lift = 0.7;
  const Water water = water_around(kLimb, settings);
  for (int trial = 0; trial < 20; ++trial) {
    const SegmentMotion motion = random_motion(random);
    const SegmentForce force = water.on_segment(0, motion, 0);
    EXPECT_GT(force.drag.norm(), 0);
    EXPECT_LT(std::abs(force.drag.dot(twist_of(motion))), 1e-12 * force.drag.norm());
    EXPECT_EQ(force.damping.norm(), 0);
  }
  // A wing with its front edge up moves along x: lift is up, 1/2 rho C A v^2 sin(a) cos(a).
  Segment wing;
  wing.size = {1, 0, 1};
  const double angle = 0.2;
  wing.faces.push_back(
      {Vector3d::Zero(), Vector3d(std::sin(angle), -std::cos(angle), 0), 0.5, 0.0});
  SegmentMotion motion;
  motion.velocity = {2, 0, 0};
  const Vector3d lift = water_around(wing, settings).on_segment(0, motion, 0).drag.tail<3>();
  const double expected = 0.5 * 1000 * 0.7 * 0.5 * 4 * std::sin(angle) * std::cos(angle);
  EXPECT_LT((lift - Vector3d(0, expected, 0)).norm(), 1e-10);
}

TEST(Water, RestIsRestUnderAllLaws) {
  for (const DragLaw law :
       {DragLaw::None, DragLaw::Linear, DragLaw::Isotropic, DragLaw::Quadratic}) {
    WaterSettings settings;
    settings.drag = law;
    settings.friction = 0.2;
    settings.lift = 0.4;
    const SegmentForce force = water_around(kLimb, settings).on_segment(0, {}, 0);
    EXPECT_EQ(force.drag.norm(), 0);
    EXPECT_EQ(force.buoyancy.norm(), 0);
    EXPECT_TRUE(force.damping.allFinite());
  }
}

TEST(Water, IsotropicLawPullsAtTheCentroidWhateverTheMotion) {
  // So the sum over a body is -eta times the rate of a quantity that is back after each stroke.
  std::mt19937 random(5);
  WaterSettings settings;
  settings.drag = DragLaw::Isotropic;
  const Water water = water_around(kLimb, settings);
  const double area = 2 * (0.4 * 0.1 + 0.4 * 0.2 + 0.1 * 0.2);
  for (int trial = 0; trial < 10; ++trial) {
    const SegmentMotion motion = random_motion(random);
    const Vector3d centroid_velocity =
        motion.velocity + motion.spin.cross(motion.axes * kLimb.centre);
    const Vector3d force = motion.axes * water.on_segment(0, motion, 0).drag.tail<3>();
    EXPECT_LT((force + 300 * area * centroid_velocity).norm(), 1e-11);
  }
}

TEST(Water, PlateBroadsideHasTheTextbookDragAndSinSquaredAtAnAngle) {
  Segment plate = box({0.3, 0.001, 0.3}, 2);
  const Water water = water_around(plate, {});
  const auto force_at = [&](double angle) -> Vector3d {
    SegmentMotion motion;
    motion.velocity = 1.5 * Vector3d(std::cos(angle), std::sin(angle), 0);
    return water.on_segment(0, motion, 0).drag.tail<3>();
  };
  const double pressure = 0.5 * 1000 * 1.5 * 1.5 * 0.3 * 0.3;
  const double broadside = -force_at(std::numbers::pi / 2).y() / pressure;
  // Square and round plates across a stream, Reynolds numbers above 1e4: 1.1 to 1.2. [Hoe65]
  EXPECT_GE(broadside, 1.1 - 1e-12);
  EXPECT_LE(broadside, 1.2);
  for (const double angle : {0.3, 0.7, 1.2}) {
    const double sine = std::sin(angle);
    EXPECT_NEAR(-force_at(angle).y() / pressure, broadside * sine * sine, 1e-12);
  }
}

TEST(Water, StretchedBodyGlidesLikeASwimmer) {
  // 26.6 v^2 N with the default boxes; swimmers that are towed: 23.5 to 25 v^2.
  const Result<Body> body = build_body({});
  ASSERT_TRUE(body.ok()) << body.error().describe();
  const Result<Water> water = Water::create(*body, {});
  SegmentMotion motion;
  motion.velocity = {1.4, 0, 0};
  Vector3d drag = Vector3d::Zero();
  for (std::size_t i = 0; i < body->segments.size(); ++i)
    drag += water->on_segment(i, motion, 0).drag.tail<3>();
  EXPECT_NEAR(-drag.x() / (1.4 * 1.4), 26.6, 0.1);
  EXPECT_LT(drag.tail<2>().norm(), 1e-10);
}

TEST(Water, BodyCarriedByARiverFeelsNothingAndOneHeldFeelsAll) {
  std::mt19937 random(6);
  for (const DragLaw law : {DragLaw::Linear, DragLaw::Isotropic, DragLaw::Quadratic}) {
    WaterSettings settings;
    settings.drag = law;
    settings.friction = 0.1;
    const Water still = water_around(kLimb, settings);
    const Vector3d stream(0.7, -0.2, 0.4);
    settings.flow = *river(stream);
    const Water moving = water_around(kLimb, settings);
    SegmentMotion motion = random_motion(random);
    const SegmentForce alone = still.on_segment(0, motion, 0);
    motion.velocity += stream;
    const SegmentForce carried = moving.on_segment(0, motion, 0);
    EXPECT_LT((alone.drag - carried.drag).norm(), 1e-12 * alone.drag.norm());
    EXPECT_LT((alone.damping - carried.damping).norm(), 1e-12 * alone.damping.norm());
  }
}

TEST(Water, FlowIsTakenAtEachFaceInTheWorld) {
  // Water that turns like a solid about the origin does nothing to a body that turns with it.
  std::mt19937 random(7);
  WaterSettings settings;
  settings.flow = *flow_from_expressions({"-2 * z * t", "0", "2 * x * t"});
  const Water water = water_around(kLimb, settings);
  SegmentMotion motion = random_motion(random);
  motion.spin = {0, -2 * 1.5, 0};
  motion.velocity = motion.spin.cross(motion.origin);
  EXPECT_LT(water.on_segment(0, motion, 1.5).drag.norm(), 1e-12);
  EXPECT_GT(water.on_segment(0, motion, 1.6).drag.norm(), 0.01);
}

TEST(Water, BuoyancyOfAFloatingBoxIsArchimedes) {
  WaterSettings settings;
  settings.gravity = 9.81;
  settings.surface = 0.3;
  const Vector3d size(0.4, 0.1, 0.2);
  const Water water = water_around(box(size), settings);
  for (const double depth : {-0.06, -0.05, -0.02, 0.0, 0.03, 0.05, 0.3}) {
    SegmentMotion motion;
    motion.origin.y() = 0.3 - depth;
    const double wet = std::clamp(0.5 + depth / size.y(), 0.0, 1.0);
    const Vector6d force = water.on_segment(0, motion, 0).buoyancy;
    EXPECT_NEAR(force[4], 1000 * 9.81 * size.prod() * wet, 1e-9) << depth;
    EXPECT_LT(force.head<3>().norm(), 1e-9);
  }
}

TEST(Water, FloatingBoxRightsItselfByTheMetacentre) {
  // A small tilt about x moves the centre of buoyancy by I / V times the angle, I = l b^3 / 12.
  WaterSettings settings;
  settings.gravity = 9.81;
  settings.surface = 0;
  const Vector3d size(0.4, 0.1, 0.2);
  const double angle = 0.01;
  SegmentMotion motion;
  motion.axes = Eigen::AngleAxisd(angle, Vector3d::UnitX()).toRotationMatrix();
  const Vector3d torque =
      motion.axes * water_around(box(size), settings).on_segment(0, motion, 0).buoyancy.head<3>();
  const double moment = size.x() * std::pow(size.z(), 3) / 12;
  // Half wet: its centre of buoyancy is a quarter of the height below the middle, which upsets.
  const double upset = size.prod() / 2 * size.y() / 4;
  const double expected = -1000 * 9.81 * (moment - upset) * angle;
  const double cells = 1000 * 9.81 * moment * angle / 16;  // what four cells across leave out of I
  EXPECT_NEAR(torque.x(), expected, cells);
}

TEST(Water, SubmergedBodyIsLiftedAtItsCentreOfVolume) {
  std::mt19937 random(8);
  WaterSettings settings;
  settings.gravity = 9.81;
  const SegmentMotion motion = random_motion(random);
  const Vector6d force = water_around(kLimb, settings).on_segment(0, motion, 0).buoyancy;
  const Vector3d lift(0, 1000 * 9.81 * kLimb.volume, 0);
  EXPECT_LT((motion.axes * force.tail<3>() - lift).norm(), 1e-10);
  EXPECT_LT(
      (motion.axes * force.head<3>() - (motion.axes * kLimb.centre_of_volume).cross(lift)).norm(),
      1e-10);
}

TEST(Water, NothingPullsAboveTheSurfaceAndHalfDoesHalfWay) {
  WaterSettings settings;
  settings.surface = 0;
  settings.gravity = 9.81;
  const Water water = water_around(box({0.4, 0.1, 0.2}), settings);
  SegmentMotion motion;
  motion.velocity = {0, 0, 1};
  const auto drag_at = [&](double y) {
    motion.origin.y() = y;
    return -water.on_segment(0, motion, 0).drag[5];
  };
  const double whole = 0.5 * 1000 * 1.1 * 0.4 * 0.1;
  EXPECT_NEAR(drag_at(-1), whole, 1e-10);
  EXPECT_NEAR(drag_at(0), whole / 2, 1e-10);
  EXPECT_EQ(drag_at(0.5), 0);
  EXPECT_EQ(drag_at(0.1), 0);
  double before = 0;
  for (int i = 100; i >= -100; --i) {
    const double drag = drag_at(0.002 * i);
    EXPECT_GE(drag, before - 1e-12);
    EXPECT_LT(drag - before, 0.1 * whole);
    before = drag;
  }
}

TEST(Water, WavesLiftTheSurface) {
  WaterSettings settings;
  settings.surface = 0;
  settings.gravity = 9.81;
  settings.drag = DragLaw::None;
  WaveSettings wave;
  wave.amplitude = 0.3;
  settings.flow = *waves(wave);
  const Water water = water_around(box({0.1, 0.1, 0.1}), settings);
  const double crest = water.on_segment(0, {}, 0).buoyancy[4];
  SegmentMotion trough;
  trough.origin.x() = wave.length / 2;
  EXPECT_NEAR(crest, 9.81, 1e-9);
  EXPECT_EQ(water.on_segment(0, trough, 0).buoyancy[4], 0);
}

TEST(Water, RefusesSettingsThatCannotBe) {
  const auto refused = [](auto change) {
    WaterSettings settings;
    change(settings);
    const Result<Water> water = Water::create(body_of(kLimb), settings);
    return water.ok() ? std::string() : water.error().message();
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refused([](auto& s) { s.density = -1; }).find("density"), std::string::npos);
  EXPECT_NE(refused([&](auto& s) { s.viscosity = nan; }).find("viscosity"), std::string::npos);
  EXPECT_NE(refused([](auto& s) { s.gravity = -9.81; }).find("gravity"), std::string::npos);
  EXPECT_NE(refused([&](auto& s) { s.surface = nan; }).find("surface"), std::string::npos);
  EXPECT_EQ(refused([](auto& s) { s.lift = 1; }), "");
  Segment bad = kLimb;
  bad.faces[3].normal *= 2;
  EXPECT_NE(Water::create(body_of(bad), {}).error().message().find("'box'"), std::string::npos);
}

TEST(Water, NamesTheFlowThatIsNotFinite) {
  // Finite where it was probed, not in a thin shell where the limb is.
  WaterSettings settings;
  settings.flow = *flow_from_expressions({"sqrt(abs(x - 3.3) - 1.4)", "0", "0"});
  const Water water = water_around(kLimb, settings);
  SegmentMotion motion;
  EXPECT_EQ(water.blame_flow(0, motion, 0.5), "");
  motion.origin.x() = 3;
  EXPECT_FALSE(water.on_segment(0, motion, 0.5).drag.allFinite());
  EXPECT_NE(water.blame_flow(0, motion, 0.5).find("nan"), std::string::npos);
}

}  // namespace
}  // namespace supple::swim
