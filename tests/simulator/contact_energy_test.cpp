// SPDX-License-Identifier: Apache-2.0
#include "supple/simulator/contact_energy.hpp"

#include "fem/energy_checks.hpp"
#include "simulator/bodies.hpp"
#include "supple/core/random.hpp"
#include "supple/simulator/friction_energy.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace supple::simulator {
namespace {

using Eigen::VectorXd;

constexpr double kWidth = 0.02;

/// Two rough grids, one above the other at about half the barrier's width, somewhere in space.
struct TwoGrids {
  ContactSurface surface;
  VectorXd x;

  explicit TwoGrids(Random& random, double distance = 0.5 * kWidth, double offset = 0) {
    const auto rough = [&](double height) {
      return grid(3, 3, [&, height](double u, double v) {
        return Vec3(0.3 * u + random.uniform(-0.02, 0.02),
                    height + random.uniform(-0.15, 0.15) * kWidth,
                    0.3 * v + random.uniform(-0.02, 0.02));
      });
    };
    const geometry::TriMesh below = rough(0);
    const geometry::TriMesh above = rough(distance + offset);
    std::vector<geometry::Triangle> triangles = below.triangles;
    const auto count = static_cast<Index>(below.positions.size());
    for (const geometry::Triangle& t : above.triangles) {
      triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
    }
    const Eigen::Quaterniond turn(Eigen::Vector4d(random.uniform(-1, 1), random.uniform(-1, 1),
                                                  random.uniform(-1, 1), random.uniform(-1, 1))
                                      .normalized());
    const auto vertices = 2 * static_cast<std::size_t>(count);
    x.resize(static_cast<Eigen::Index>(3 * vertices));
    for (Index i = 0; i < 2 * count; ++i) {
      const auto& from = i < count ? below.positions : above.positions;
      x.segment<3>(3 * Eigen::Index{i}) = turn * from[static_cast<std::size_t>(i % count)];
    }
    surface.mesh =
        contact::make_contact_mesh(std::move(triangles), std::vector<std::uint8_t>(vertices, 1));
    surface.rest = x;
    surface.offset.assign(vertices, offset / 2);
    surface.friction.assign(vertices, 0.5);
    for (std::size_t i = 0; i < vertices; ++i) {
      surface.stiffness.push_back(random.uniform(100, 200));
    }
  }
};

class ContactEnergyOf : public testing::TestWithParam<contact::BarrierKind> {};

TEST_P(ContactEnergyOf, HasTheDerivativesOfItsValue) {
  Random random(11);
  for (int round = 0; round < 4; ++round) {
    const TwoGrids grids(random, 0.5 * kWidth, round % 2 == 0 ? 0.0 : 0.01);
    ContactEnergy energy(grids.surface, {GetParam(), kWidth});
    energy.begin(grids.x, VectorXd::Zero(grids.x.size()));
    ASSERT_GT(energy.contacts(grids.x).size(), 10U);
    // Short enough that no closest point passes from a face to an edge.
    fem::expect_derivatives(energy, grids.x, 1e-7, random);
  }
}

TEST_P(ContactEnergyOf, HasADefiniteHessianNoSmallerThanTheExactOne) {
  Random random(12);
  const TwoGrids grids(random);
  ContactEnergy energy(grids.surface, {GetParam(), kWidth});
  energy.begin(grids.x, VectorXd::Zero(grids.x.size()));
  const Eigen::MatrixXd exact = dense_hessian(energy, grids.x, fem::Curvature::Exact);
  const Eigen::MatrixXd definite = dense_hessian(energy, grids.x, fem::Curvature::Definite);
  constexpr double kRounding = 1e-12;
  const double size = definite.norm();
  const auto least = [](const Eigen::MatrixXd& m) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m, Eigen::EigenvaluesOnly)
        .eigenvalues()(0);
  };
  EXPECT_LT(least(exact), -1e-3 * size);  // otherwise this shows nothing
  EXPECT_GT(least(definite), -kRounding * size);
  EXPECT_GT(least(definite - exact), -kRounding * size);
}

TEST_P(ContactEnergyOf, ExertsNoForceAndNoMomentAsAWhole) {
  Random random(13);
  const TwoGrids grids(random);
  ContactEnergy energy(grids.surface, {GetParam(), kWidth});
  energy.begin(grids.x, VectorXd::Zero(grids.x.size()));
  const VectorXd gradient = fem::gradient_of(energy, grids.x);
  Vec3 force = Vec3::Zero();
  Vec3 moment = Vec3::Zero();
  for (Eigen::Index i = 0; i < gradient.size(); i += 3) {
    force += gradient.segment<3>(i);
    moment += Vec3(grids.x.segment<3>(i)).cross(Vec3(gradient.segment<3>(i)));
  }
  constexpr double kRounding = 1e-12;
  EXPECT_LT(force.norm(), kRounding * gradient.norm());
  EXPECT_LT(moment.norm(), kRounding * gradient.norm());
}

INSTANTIATE_TEST_SUITE_P(Barriers, ContactEnergyOf,
                         testing::Values(contact::BarrierKind::Cubic,
                                         contact::BarrierKind::Logarithmic),
                         [](const auto& kind) {
                           return kind.param == contact::BarrierKind::Cubic ? "Cubic"
                                                                            : "Logarithmic";
                         });

TEST(ContactEnergy, ForgetsPairsBeyondItsWidth) {
  Random random(14);
  const TwoGrids grids(random, 2 * kWidth);
  ContactEnergy energy(grids.surface, {contact::BarrierKind::Logarithmic, kWidth});
  energy.begin(grids.x, VectorXd::Zero(grids.x.size()));
  EXPECT_EQ(energy.contacts(grids.x).size(), 0U);
  EXPECT_EQ(energy.value(grids.x).joules, 0);
  EXPECT_EQ(fem::gradient_of(energy, grids.x).norm(), 0);
}

/// Steps of any length, far beyond the other grid too, end before it and keep the thickness.
TEST(ContactEnergy, StopsStepsBeforeTheImpact) {
  Random random(15);
  for (int round = 0; round < 60; ++round) {
    const double offset = round % 2 == 0 ? 0.0 : 0.01;
    const TwoGrids grids(random, random.uniform(0.2, 3) * kWidth, offset);
    ContactEnergy energy(grids.surface, {contact::BarrierKind::Cubic, kWidth});
    energy.begin(grids.x, VectorXd::Zero(grids.x.size()));
    const VectorXd step = fem::random_vector(random, grids.x.size(), std::pow(10.0, round % 5 - 2));
    const double share = energy.longest_share(grids.x, step);
    EXPECT_GT(share, 0);
    const VectorXd x = grids.x + share * step;
    EXPECT_TRUE(contact::find_intersections(grids.surface.mesh, x).empty());
    energy.begin(x, VectorXd::Zero(x.size()));
    EXPECT_GT(energy.nearest(x).gap, 0);
  }
}

/// Candidates of the first state do not cover what a long step meets.
TEST(ContactEnergy, FindsNewCandidatesForStepsThatLeaveTheOldOnes) {
  Random random(16);
  const TwoGrids grids(random, 10 * kWidth);
  ContactEnergy energy(grids.surface, {contact::BarrierKind::Cubic, kWidth});
  energy.begin(grids.x, VectorXd::Zero(grids.x.size()));
  ASSERT_FALSE(std::isfinite(energy.nearest(grids.x).gap));
  // The upper grid jumps through the lower one.
  const auto half = grids.x.size() / 2;
  VectorXd step = VectorXd::Zero(grids.x.size());
  const Vec3 between = grids.x.segment<3>(0) - grids.x.segment<3>(half);
  for (Eigen::Index i = half; i < step.size(); i += 3) step.segment<3>(i) = 2 * between;
  const double share = energy.longest_share(grids.x, step);
  EXPECT_LT(share, 0.6);  // the grids are rough
  EXPECT_TRUE(contact::find_intersections(grids.surface.mesh, grids.x + share * step).empty());
}

TEST(ContactEnergy, KeepsItsListWhileItContainsWhatActs) {
  Random random(17);
  const TwoGrids grids(random, 0.9 * kWidth);
  ContactEnergy energy(grids.surface, {contact::BarrierKind::Cubic, kWidth});
  energy.begin(grids.x, VectorXd::Zero(grids.x.size()));
  const std::uint64_t revision = energy.revision();
  energy.follow(grids.x + fem::random_vector(random, grids.x.size(), 0.02 * kWidth));
  EXPECT_EQ(energy.revision(), revision);
  // Half a width closer, pairs act that were not near before.
  VectorXd closer = grids.x;
  const auto half = closer.size() / 2;
  const Vec3 between = 0.8 * (grids.x.segment<3>(0) - grids.x.segment<3>(half));
  for (Eigen::Index i = half; i < closer.size(); i += 3) closer.segment<3>(i) += between;
  energy.follow(closer);
  EXPECT_GT(energy.revision(), revision);
}

/// Contacts of two grids, and their friction.
struct RoughContact {
  TwoGrids grids;
  ContactEnergy contact;
  FrictionEnergy friction;
  static constexpr double kSpeed = 1e-2;
  static constexpr double kStep = 0.02;

  explicit RoughContact(Random& random)
      : grids(random), contact(grids.surface, {contact::BarrierKind::Logarithmic, kWidth}) {
    contact.begin(grids.x, VectorXd::Zero(grids.x.size()));
    friction.renew(contact.contacts(grids.x), grids.surface, grids.x, kSpeed, kStep);
  }
};

TEST(FrictionEnergy, HasTheDerivativesOfItsValue) {
  Random random(21);
  RoughContact rough(random);
  const double creep = RoughContact::kSpeed * RoughContact::kStep;
  for (const double amplitude : {0.3 * creep, 10 * creep}) {
    const VectorXd x = rough.grids.x + fem::random_vector(random, rough.grids.x.size(), amplitude);
    fem::expect_derivatives(rough.friction, x, 1e-3 * amplitude, random);
  }
}

/// [LFSJ20 section 5]: a grid that slides as a whole is held by mu times the sum of normal forces.
TEST(FrictionEnergy, HoldsWhatSlidesByTheCoefficientTimesTheNormalForce) {
  Random random(22);
  RoughContact rough(random);
  double normal_work = 0;
  const Vec3 direction = Vec3(1, 0.3, -0.2).normalized();
  for (const ContactEnergy::Contact& contact : rough.contact.contacts(rough.grids.x)) {
    const Vec3 n = contact.closest.gap.normalized();
    normal_work += 0.5 * contact.force * (direction - direction.dot(n) * n).norm();
  }
  VectorXd x = rough.grids.x;
  const auto half = x.size() / 2;
  for (Eigen::Index i = half; i < x.size(); i += 3) x.segment<3>(i) += 0.01 * direction;
  const VectorXd gradient = fem::gradient_of(rough.friction, x);
  Vec3 force = Vec3::Zero();
  for (Eigen::Index i = half; i < x.size(); i += 3) force += gradient.segment<3>(i);
  EXPECT_NEAR(force.dot(direction), normal_work, 1e-12 * normal_work);
}

}  // namespace
}  // namespace supple::simulator
