// SPDX-License-Identifier: Apache-2.0
#include "swim/added_mass.hpp"

#include "swim/boxes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace supple::swim {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

double volume(const Vector3d& a) {
  return 4.0 / 3 * pi * a.prod();
}

TEST(AddedMass, SphereMovesHalfItsVolumeAndSpinsFree) {
  const AddedMass sphere = added_mass({0.3, 0.3, 0.3}, 1000);
  const double half = 500 * volume({0.3, 0.3, 0.3});
  for (const double mass : sphere.mass) EXPECT_NEAR(mass, half, 1e-12 * half);
  EXPECT_EQ(sphere.inertia.norm(), 0);
}

TEST(AddedMass, SpheroidsAreAsInLambsTable) {
  // [Lam32 section 115]: a / b, k along and k across the long axis. The exact values for 2 are
  // .2100 and .7042: two of the third digit is what the printed ones are worth.
  constexpr double kPrinted = 0.0025;
  struct Row {
    double ratio, along, across;
  };
  for (const Row& row : {Row{1.5, 0.305, 0.621}, Row{2, 0.209, 0.702}, Row{2.99, 0.122, 0.803},
                         Row{3.99, 0.082, 0.860}, Row{4.99, 0.059, 0.895}, Row{6.01, 0.045, 0.918},
                         Row{6.97, 0.036, 0.933}, Row{8.01, 0.029, 0.945}, Row{9.02, 0.024, 0.954},
                         Row{9.97, 0.021, 0.960}}) {
    const Vector3d axes(row.ratio, 1, 1);
    const AddedMass added = added_mass(axes, 1);
    EXPECT_NEAR(added.mass[0] / volume(axes), row.along, kPrinted) << row.ratio;
    EXPECT_NEAR(added.mass[1] / volume(axes), row.across, kPrinted) << row.ratio;
    EXPECT_NEAR(added.mass[2], added.mass[1], 1e-12 * added.mass[1]);
    EXPECT_NEAR(added.inertia[0], 0, 1e-12);
  }
}

TEST(AddedMass, SpheroidIsTheClosedForm) {
  // Along the axis of a prolate spheroid, e its eccentricity; [Lam32 section 114].
  for (const double ratio : {1.2, 2.0, 10.0}) {
    const double e = std::sqrt(1 - 1 / (ratio * ratio));
    const double alpha = 2 * (1 - e * e) / (e * e * e) * (0.5 * std::log((1 + e) / (1 - e)) - e);
    const Vector3d axes(ratio, 1, 1);
    EXPECT_NEAR(added_mass(axes, 1).mass[0] / volume(axes), alpha / (2 - alpha), 1e-12);
  }
}

TEST(AddedMass, FlatEllipsoidIsADisc) {
  // 8/3 rho a^3 for a disc broadside, 16/45 rho a^5 about a diameter; both from [Lam32].
  const AddedMass disc = added_mass({1, 1e-5, 1}, 1);
  EXPECT_NEAR(disc.mass[1], 8.0 / 3, 1e-4);
  EXPECT_NEAR(disc.inertia[0], 16.0 / 45, 1e-4);
  EXPECT_NEAR(disc.inertia[2], 16.0 / 45, 1e-4);
  EXPECT_NEAR(disc.mass[0], 0, 1e-4);
}

TEST(AddedMass, LongEllipsoidIsAnEllipticCylinder) {
  // Per length: pi b^2 rho across c, and pi/8 (b^2 - c^2)^2 rho about the axis, with the sections
  // of an ellipsoid summed along it: 2/3 and 8/15 of those of its middle times its length.
  const Vector3d axes(1000, 2, 1);
  const AddedMass added = added_mass(axes, 1);
  EXPECT_NEAR(added.mass[2] / (pi * 4 * 2000 * 2 / 3), 1, 1e-3);
  EXPECT_NEAR(added.mass[1] / (pi * 1 * 2000 * 2 / 3), 1, 1e-3);
  EXPECT_NEAR(added.inertia[0] / (pi / 8 * 9 * 2000 * 8 / 15), 1, 1e-3);
}

TEST(AddedMass, SegmentCarriesItsWaterAtItsCentreOfVolume) {
  const Segment segment = test::box({0.2, 0.2, 0.2}, 2, {0.3, -0.1, 0.05});
  const Matrix6d inertia = added_inertia(segment, 1000);
  const Vector3d spin(0.4, -1.1, 0.8);
  const Vector3d velocity(0.2, 0.5, -0.3);
  Vector6d twist;
  twist << spin, velocity;
  const double mass = 500 * 0.2 * 0.2 * 0.2;
  const double energy = mass / 2 * (velocity + spin.cross(segment.centre_of_volume)).squaredNorm();
  EXPECT_NEAR(twist.dot(inertia * twist) / 2, energy, 1e-12);
  EXPECT_LT((inertia - inertia.transpose()).norm(), 1e-14);
}

}  // namespace
}  // namespace supple::swim
