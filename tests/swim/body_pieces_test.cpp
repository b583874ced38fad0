// SPDX-License-Identifier: Apache-2.0
#include "supple/core/random.hpp"
#include "supple/swim/body.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace supple::swim {
namespace {

/// Where the joints of each segment are with all angles zero.
std::vector<Eigen::Vector3d> places(const Body& body) {
  std::vector<Eigen::Vector3d> result;
  for (const Segment& segment : body.segments) {
    result.push_back(segment.anchor);
    if (segment.parent != Segment::kNoParent) result.back() += result[segment.parent];
  }
  return result;
}

/// The corners of our boxes, away from the origin.
std::vector<BodyPiece> box_pieces(const Body& boxes) {
  std::vector<BodyPiece> pieces;
  const auto at = places(boxes);
  for (std::size_t i = 0; i < boxes.segments.size(); ++i) {
    const Eigen::Vector3d origin = at[i] + Eigen::Vector3d(3, 1, 0.2);
    BodyPiece& piece = pieces.emplace_back(BodyPiece{boxes.segments[i].name, {}, origin});
    for (const auto& corner : boxes.segments[i].surface.positions) {
      piece.points.emplace_back(origin + corner);
    }
  }
  return pieces;
}

BodyPiece& find(std::vector<BodyPiece>& pieces, const std::string& name) {
  return *std::find_if(pieces.begin(), pieces.end(),
                       [&](const BodyPiece& piece) { return piece.segment == name; });
}

std::string pieces_error(const std::vector<BodyPiece>& pieces) {
  const auto body = body_from_pieces({}, pieces);
  return body.ok() ? "" : body.error().describe();
}

void expect_says(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(BodyFromPieces, OfOurBoxesIsOurBody) {
  for (const HingeSet hinges : {HingeSet::Paper14, HingeSet::Human24}) {
    const Body boxes = build_body({.hinges = hinges}).value();
    const auto body = body_from_pieces({.hinges = hinges}, box_pieces(boxes));
    ASSERT_TRUE(body.ok()) << body.error().describe();
    ASSERT_EQ(body->segments.size(), boxes.segments.size());
    ASSERT_EQ(body->joints.size(), boxes.joints.size());
    for (std::size_t i = 0; i < boxes.segments.size(); ++i) {
      const Segment& made = body->segments[i];
      const Segment& box = boxes.segments[i];
      EXPECT_EQ(made.name, box.name);
      EXPECT_EQ(made.parent, box.parent);
      EXPECT_NEAR((made.anchor - box.anchor).norm(), 0, 1e-12);
      EXPECT_NEAR((made.centre - box.centre).norm(), 0, 1e-6);
      EXPECT_NEAR((made.size - box.size).norm(), 0, 1e-6);
      EXPECT_NEAR((made.inertia - box.inertia).norm(), 0, 1e-5 * box.inertia.norm());
      EXPECT_DOUBLE_EQ(made.mass, box.mass);
      EXPECT_DOUBLE_EQ(made.volume, box.volume);
      EXPECT_NEAR((made.centre_of_volume - box.centre_of_volume).norm(), 0, 1e-6);
    }
    for (std::size_t i = 0; i < boxes.joints.size(); ++i) {
      EXPECT_EQ(body->joints[i].name, boxes.joints[i].name);
      EXPECT_EQ(body->joints[i].segment, boxes.joints[i].segment);
      EXPECT_EQ(body->joints[i].axis, boxes.joints[i].axis);
    }
  }
}

TEST(BodyFromPieces, FacesCoverEachSegmentOnceAndAreFew) {
  const Body boxes = build_body({}).value();
  const auto body = body_from_pieces({.cuts = 2}, box_pieces(boxes));
  ASSERT_TRUE(body.ok());
  for (const Segment& segment : body->segments) {
    EXPECT_EQ(segment.faces.size(), 64);
    const Eigen::Vector3d& size = segment.size;
    double area = 0;
    double volume = 0;  // by the divergence theorem
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    for (const Face& face : segment.faces) {
      area += face.area;
      volume += face.area * face.normal.dot(face.centre) / 3;
      normal += face.area * face.normal;
    }
    EXPECT_NEAR(area, 2 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x()), 1e-6);
    EXPECT_NEAR(volume, size.prod(), 1e-8);
    EXPECT_NEAR(normal.norm(), 0, 1e-12);
  }
}

TEST(BodyFromPieces, ThinsALimbOfThousandsOfPointsToItsShape) {
  std::vector<BodyPiece> pieces = box_pieces(build_body({}).value());
  BodyPiece& thigh = find(pieces, "right_thigh");
  thigh.points.clear();
  Random random(3);
  const Eigen::Vector3d half(0.22, 0.07, 0.09);
  for (int i = 0; i < 5000; ++i) {
    const double z = random.uniform(-1, 1);
    const double turn = random.uniform(0, 2 * std::numbers::pi);
    const double radius = std::sqrt(1 - z * z);
    const Eigen::Vector3d unit(radius * std::cos(turn), radius * std::sin(turn), z);
    thigh.points.emplace_back(thigh.anchor - Eigen::Vector3d(0.22, 0, 0) + unit.cwiseProduct(half));
  }
  const auto body = body_from_pieces({}, pieces);
  ASSERT_TRUE(body.ok()) << body.error().describe();
  const Segment& made = body->segments[*body->find_segment("right_thigh")];
  EXPECT_LE(made.surface.triangles.size(), 44);
  EXPECT_TRUE(geometry::topology(made.surface).closed_manifold());
  const double volume = 4.0 / 3 * std::numbers::pi * half.prod();
  EXPECT_NEAR(geometry::signed_volume(made.surface), volume, 0.01 * volume);
  EXPECT_NEAR((made.centre - Eigen::Vector3d(-0.22, 0, 0)).norm(), 0, 0.01);
  const Eigen::Vector3d square = half.cwiseAbs2();
  const Eigen::Vector3d inertia =
      made.mass / 5 *
      Eigen::Vector3d(square.y() + square.z(), square.x() + square.z(), square.x() + square.y());
  EXPECT_NEAR((made.inertia.diagonal() - inertia).norm(), 0, 0.1 * inertia.norm());
}

TEST(BodyFromPieces, HandsAndFeetGrowAsAskedFor) {
  const auto pieces = box_pieces(build_body({}).value());
  const Body plain = body_from_pieces({}, pieces).value();
  const Body grown = body_from_pieces({.hand_width = 2, .foot_length = 1.5}, pieces).value();
  const auto size = [](const Body& body, const char* name) {
    return body.segments[*body.find_segment(name)].size;
  };
  EXPECT_NEAR(size(grown, "left_hand").y(), 2 * size(plain, "left_hand").y(), 1e-5);
  EXPECT_NEAR(size(grown, "left_hand").x(), size(plain, "left_hand").x(), 1e-5);
  EXPECT_NEAR(size(grown, "right_foot").x(), 1.5 * size(plain, "right_foot").x(), 1e-5);
}

TEST(BodyFromPieces, SaysWhatIsWrongWithThem) {
  const auto good = box_pieces(build_body({}).value());
  ASSERT_EQ(pieces_error(good), "");
  auto pieces = good;
  std::erase_if(pieces, [](const BodyPiece& piece) { return piece.segment == "left_shin"; });
  find(pieces, "head").points.clear();
  expect_says(pieces_error(pieces), "no points for head, left_shin");
  pieces = good;
  find(pieces, "left_shin").segment = "left_shim";
  expect_says(pieces_error(pieces), "left_shin");
  pieces = good;
  pieces.push_back(pieces.front());
  expect_says(pieces_error(pieces), "twice");
  pieces = good;
  std::swap(find(pieces, "right_hand").segment, find(pieces, "left_hand").segment);
  expect_says(pieces_error(pieces), "swap the sides");
  pieces = good;
  for (auto& point : find(pieces, "torso").points) point.y() = 0;
  expect_says(pieces_error(pieces), "torso");
  expect_says(pieces_error(pieces), "coplanar");
  pieces = good;
  find(pieces, "torso").anchor.x() = std::nan("");
  expect_says(pieces_error(pieces), "torso");
  EXPECT_FALSE(body_from_pieces({.mass = -1}, good).ok());
  EXPECT_FALSE(build_body({.mesh = "man.glb"}).ok());
}

}  // namespace
}  // namespace supple::swim
