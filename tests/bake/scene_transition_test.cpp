// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/certificate.hpp"
#include "bake/scene/clear_transitions.hpp"

#include "supple/contact/candidates.hpp"
#include "supple/scene/object.hpp"

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
    recorded.rest.resize(9);
    recorded.rest << -0.5, 0, -0.5, 0.5, 0, 0, -0.5, 0, 0.5;
    recorded.shapes.resize(9, 1);
    recorded.shapes << 1, 0, 0, 1, 0, 0, 1, 0, 0;
  }
  [[nodiscard]] CrossingTest test() const {
    return [this](const Eigen::VectorXd& moved) {
      Eigen::VectorXd x(18);
      x << moved, m_plate_x, -1, -2, m_plate_x, 2, 0, m_plate_x, -1, 2;
      std::vector<std::array<geometry::Vec3, 3>> crossed;
      for (const auto& [edge, triangle] : contact::find_intersections(m_mesh, x)) {
        const geometry::Triangle& t = m_mesh.triangles[static_cast<std::size_t>(triangle)];
        crossed.push_back({x.segment<3>(3 * t[0]), x.segment<3>(3 * t[1]), x.segment<3>(3 * t[2])});
      }
      return crossed;
    };
  }
  RecordedShapes recorded;

 private:
  double m_plate_x;
  contact::ContactMesh m_mesh;
};

/// Both places are free, the way between them is not: every transition goes through the plate.
TEST(SceneTransitions, IntersectionsThatTheBlendMakesAreCounted) {
  const soft::SceneTraits traits = two_places();
  const Plate plate(0);
  const auto test = test_transitions(traits, plate.recorded, plate.test());
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
  const auto test = test_transitions(traits, plate.recorded, plate.test());
  ASSERT_TRUE(test.ok());
  EXPECT_EQ(test->crossing_unblended, 6U);
  EXPECT_GT(test->unblended, 0U);
}

TEST(SceneTransitions, FreeWaysAndUnknownOnesCountNothing) {
  const soft::SceneTraits traits = two_places();
  const Plate plate(9);
  const auto free = test_transitions(traits, plate.recorded, plate.test());
  ASSERT_TRUE(free.ok());
  EXPECT_EQ(free->crossing, 0U);
  EXPECT_EQ(free->worst.intersections, 0U);
  const auto unknown = test_transitions(traits, plate.recorded, {});
  ASSERT_TRUE(unknown.ok());
  EXPECT_EQ(unknown->cached, 12U);
  EXPECT_EQ(unknown->tested, 0U);
}

/// Responses that hold the triangle still at these places; the first two answer to "go".
PlayablePortrait still_places(const scene::Palette& palette, const std::vector<double>& places) {
  constexpr std::size_t kFrames = 5;
  std::vector<scene::Response> responses;
  Eigen::MatrixXd q(1, static_cast<Eigen::Index>(places.size() * (kFrames + 1)));
  for (std::size_t r = 0; r < places.size(); ++r) {
    scene::Response response;
    response.entry = r < 2 ? 0 : 1;
    response.group = r;
    response.frames = kFrames;
    response.rests = true;
    responses.push_back(response);
    q.middleCols(static_cast<Eigen::Index>(r * (kFrames + 1)), kFrames + 1).setConstant(places[r]);
  }
  return *keep_playable(scene::make_portrait(responses, q, 1.0 / 60, 2), palette);
}

// From -0.6 the nearest "go" begins behind the plate; the next one is hardly further and on this
// side of it.
TEST(SceneTransitions, AreSentWhereTheBlendDoesNotIntersect) {
  const scene::Palette palette = *scene::Palette::create({{.name = "go"}, {.name = "stay"}});
  const Plate plate(0);
  for (const double there : {-1.85, -2.6}) {  // and one that is too far away
    PlayablePortrait playable = still_places(palette, {there, 0.6, -0.6});
    const auto traits = [&] {
      return scene::make_traits(playable.portrait, palette, playable.transitions, 0.1);
    };
    const std::size_t state = playable.portrait.first_state[2] + 3;
    EXPECT_EQ(playable.transitions.at(state, 0), 1U);
    const auto before = test_transitions(traits(), plate.recorded, plate.test());
    const auto changed =
        clear_transitions(playable, palette, traits(), plate.recorded, plate.test());
    ASSERT_TRUE(changed.ok()) << changed.error().describe();
    const auto after = test_transitions(traits(), plate.recorded, plate.test());
    if (there < -2) {
      EXPECT_EQ(*changed, 0U);
      EXPECT_EQ(after->crossing, before->crossing);
      continue;
    }
    EXPECT_EQ(*changed, 6U);
    EXPECT_EQ(playable.transitions.at(state, 0), 0U);
    EXPECT_NEAR(playable.transitions.distance[state * 2], 1.85 - 0.6, 1e-6);
    EXPECT_EQ(after->crossing, before->crossing - 6);
  }
}

TEST(SceneTransitions, EndsThatGoOnElsewhereAreTested) {
  soft::SceneTraits traits = two_places();
  traits.responses[0].rests = false;
  traits.responses[0].onward = {1U, 2U};
  const Plate plate(0);
  const auto test = test_transitions(traits, plate.recorded, plate.test());
  ASSERT_TRUE(test.ok());
  EXPECT_EQ(test->cached, 13U);
  EXPECT_EQ(test->crossing, 13U);
}

}  // namespace
}  // namespace supple::bake::detail
