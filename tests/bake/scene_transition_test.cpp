// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/certificate.hpp"

#include "supple/contact/candidates.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace supple::bake::detail {
namespace {

/// A flat triangle, x = -0.5 to 0.5, that responses hold still at x = -1 or x = 1; one coordinate
/// moves it.
soft::SceneTraits two_places() {
  soft::SceneTraits traits;
  traits.frame_seconds = 1.0 / 60;
  traits.half_life = 0.1;
  traits.beta = 1;
  constexpr int kStates = 6;
  traits.q.resize(1, 2 * kStates);
  traits.q.leftCols(kStates).setConstant(-1);
  traits.q.rightCols(kStates).setConstant(1);
  for (std::uint32_t e = 0; e < 2; ++e) {
    soft::PaletteEntry entry;
    entry.name = e == 0 ? "to the left" : "to the right";
    entry.followed_by = {1 - e};
    traits.palette.push_back(entry);
    soft::SceneResponse response;
    response.entry = e;
    response.states = kStates;
    response.rests = true;
    response.origin_velocity = Eigen::VectorXd::Zero(1);
    traits.responses.push_back(response);
    for (int s = 0; s < kStates; ++s) {
      for (std::uint32_t next = 0; next < 2; ++next) {
        traits.next.push_back(next == e ? std::nullopt : std::optional(next));
      }
    }
  }
  traits.next.emplace_back(0U);
  traits.next.emplace_back(1U);
  return traits;
}

/// The moving triangle, and a plate in the plane x = 0 that stands still.
class Plate {
 public:
  explicit Plate(double plate_x)
      : m_plate_x(plate_x),
        m_mesh(contact::make_contact_mesh({{0, 1, 2}, {3, 4, 5}}, {1, 1, 1, 0, 0, 0})) {
    rest.resize(9);
    rest << -0.5, 0, -0.5, 0.5, 0, 0, -0.5, 0, 0.5;
    shapes.resize(9, 1);
    shapes << 1, 0, 0, 1, 0, 0, 1, 0, 0;
  }
  [[nodiscard]] CrossingTest test() const {
    return [this](const Eigen::VectorXd& recorded) {
      Eigen::VectorXd x(18);
      x << recorded, m_plate_x, -1, -2, m_plate_x, 2, 0, m_plate_x, -1, 2;
      std::vector<std::array<geometry::Vec3, 3>> crossed;
      for (const auto& [edge, triangle] : contact::find_intersections(m_mesh, x)) {
        const geometry::Triangle& t = m_mesh.triangles[static_cast<std::size_t>(triangle)];
        crossed.push_back({x.segment<3>(3 * t[0]), x.segment<3>(3 * t[1]), x.segment<3>(3 * t[2])});
      }
      return crossed;
    };
  }
  Eigen::VectorXd rest;
  Eigen::MatrixXd shapes;

 private:
  double m_plate_x;
  contact::ContactMesh m_mesh;
};

/// Both places are free, the way between them is not: every transition goes through the plate.
TEST(SceneTransitions, IntersectionsThatTheBlendMakesAreCounted) {
  const soft::SceneTraits traits = two_places();
  const Plate plate(0);
  const auto test = test_transitions(traits, plate.rest, plate.shapes, plate.test());
  ASSERT_TRUE(test.ok()) << test.error().describe();
  EXPECT_EQ(test->cached, 12U);
  EXPECT_EQ(test->tested, 12U);
  EXPECT_EQ(test->crossing, 12U);
  EXPECT_GE(test->intersections, 12U);
  EXPECT_EQ(test->unblended, 0U);
  EXPECT_EQ(test->crossing_unblended, 0U);
  // It is in the plate while the offset of 2 is between 1/4 and 3/4 of itself.
  ASSERT_GT(test->worst.intersections, 0U);
  const double rate = 1.6783469900166605 / traits.half_life;
  const double t = static_cast<double>(test->worst.frame) * traits.frame_seconds;
  const double left = (1 + rate * t) * std::exp(-rate * t);
  EXPECT_GT(left, 0.25);
  EXPECT_LT(left, 0.75);
  EXPECT_EQ(test->worst.triangles.size(), test->worst.intersections);
  EXPECT_NE(test->worst.from, test->worst.to);
}

TEST(SceneTransitions, WhatTheShapesCauseIsToldApart) {
  const soft::SceneTraits traits = two_places();
  const Plate plate(1);  // on the place to the right
  const auto test = test_transitions(traits, plate.rest, plate.shapes, plate.test());
  ASSERT_TRUE(test.ok());
  EXPECT_EQ(test->crossing_unblended, 6U);
  EXPECT_GT(test->unblended, 0U);
}

TEST(SceneTransitions, FreeWaysAndUnknownOnesCountNothing) {
  const soft::SceneTraits traits = two_places();
  const Plate plate(9);
  const auto free = test_transitions(traits, plate.rest, plate.shapes, plate.test());
  ASSERT_TRUE(free.ok());
  EXPECT_EQ(free->crossing, 0U);
  EXPECT_EQ(free->worst.intersections, 0U);
  const auto unknown = test_transitions(traits, plate.rest, plate.shapes, {});
  ASSERT_TRUE(unknown.ok());
  EXPECT_EQ(unknown->cached, 12U);
  EXPECT_EQ(unknown->tested, 0U);
}

}  // namespace
}  // namespace supple::bake::detail
