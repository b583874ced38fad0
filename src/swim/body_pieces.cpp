// SPDX-License-Identifier: Apache-2.0
#include "swim/body_builder.hpp"
#include "swim/segment_shapes.hpp"

#include "supple/core/suggest.hpp"
#include "supple/geometry/convex_hull.hpp"
#include "supple/geometry/solid_moments.hpp"

#include <Eigen/Geometry>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace supple::swim {
namespace {

using Eigen::Vector3d;
using geometry::TriMesh;

/// Maximum number of vertices of a thinned hull, hence of triangles: 2 * 24 - 4. The water visits
/// every face at every step, and a limb needs no more detail.
constexpr int kVertices = 24;

/// Spread evenly over the sphere, plus their mirror images in z = 0: mirrored pieces stay mirrored.
std::vector<Vector3d> directions() {
  std::vector<Vector3d> result;
  result.reserve(kVertices);
  constexpr int kHalf = kVertices / 2;
  for (int i = 0; i < kHalf; ++i) {
    const double z = (i + 0.5) / kHalf;
    const double turn = i * std::numbers::pi * (3 - std::sqrt(5.0));
    const double radius = std::sqrt(1 - z * z);
    result.emplace_back(radius * std::cos(turn), radius * std::sin(turn), z);
    result.emplace_back(radius * std::cos(turn), radius * std::sin(turn), -z);
  }
  return result;
}

/// The hull of the outermost points in some directions, grown to the volume of the whole hull.
Result<TriMesh> thinned_hull(const std::vector<Vector3d>& points) {
  SUPPLE_TRY(TriMesh hull, geometry::convex_hull(points));
  if (hull.positions.size() <= kVertices) return hull;
  // Scaled as if the piece were as wide as it is long: otherwise all of them would be near a limb's
  // ends.
  const Vector3d stretch = geometry::bounding_box(hull.positions).size().cwiseInverse();
  std::vector<Vector3d> outermost;
  outermost.reserve(kVertices);
  for (const Vector3d& direction : directions()) {
    const Vector3d slope = direction.cwiseProduct(stretch);
    outermost.push_back(*std::max_element(
        hull.positions.begin(), hull.positions.end(),
        [&](const Vector3d& a, const Vector3d& b) { return slope.dot(a) < slope.dot(b); }));
  }
  SUPPLE_TRY(TriMesh thin, geometry::convex_hull(outermost));
  const Vector3d centre = geometry::solid_moments(thin).centre;
  const double growth = std::cbrt(geometry::signed_volume(hull) / geometry::signed_volume(thin));
  for (Vector3d& position : thin.positions) position = centre + growth * (position - centre);
  return thin;
}

/// Halves the faces whose size matters most until there are enough: the water's force on a turning
/// face is evaluated at its middle.
TriMesh finer(TriMesh mesh, std::size_t count) {
  const auto side = [&](const geometry::Triangle& triangle, std::size_t k) {
    return Vector3d(mesh.positions[static_cast<std::size_t>(triangle[(k + 1) % 3])] -
                    mesh.positions[static_cast<std::size_t>(triangle[k])]);
  };
  const auto longest = [&](const geometry::Triangle& triangle) {
    std::size_t best = 0;
    for (const std::size_t k : {1U, 2U}) {
      if (side(triangle, k).squaredNorm() > side(triangle, best).squaredNorm()) best = k;
    }
    return best;
  };
  const auto weight = [&](const geometry::Triangle& triangle) {
    return side(triangle, 0).cross(side(triangle, 1)).norm() *
           side(triangle, longest(triangle)).squaredNorm();
  };
  while (mesh.triangles.size() < count) {
    auto largest =
        std::max_element(mesh.triangles.begin(), mesh.triangles.end(),
                         [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
    const geometry::Triangle whole = *largest;
    const std::size_t k = longest(whole);
    const auto middle = static_cast<geometry::Index>(mesh.positions.size());
    const geometry::Index from = whole[k];
    const geometry::Index to = whole[(k + 1) % 3];
    const geometry::Index tip = whole[(k + 2) % 3];
    mesh.positions.emplace_back(0.5 * (mesh.positions[static_cast<std::size_t>(from)] +
                                       mesh.positions[static_cast<std::size_t>(to)]));
    *largest = {from, middle, tip};
    mesh.triangles.push_back({middle, to, tip});
  }
  return mesh;
}

using Pieces = std::map<std::string, const BodyPiece*, std::less<>>;

std::vector<std::string> segment_names() {
  std::vector<std::string> names;
  for (const SegmentRow& row : segment_table()) {
    names.push_back(segment_name(row, 1));
    if (row.paired) names.push_back(segment_name(row, -1));
  }
  return names;
}

Result<Pieces> by_name(const std::vector<BodyPiece>& pieces) {
  const std::vector<std::string> names = segment_names();
  Pieces result;
  for (const BodyPiece& piece : pieces) {
    if (std::find(names.begin(), names.end(), piece.segment) == names.end()) {
      return bad_input(fmt::format("unknown segment '{}'{}; a swimmer has {}", piece.segment,
                                   did_you_mean(piece.segment, names), fmt::join(names, ", ")));
    }
    if (!result.emplace(piece.segment, &piece).second) {
      return bad_input(
          fmt::format("'{}' is given twice; join its points into one piece", piece.segment));
    }
    if (!piece.anchor.allFinite()) {
      return bad_input(
          fmt::format("the joint of '{}' is not a finite point; give its position", piece.segment));
    }
  }
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    if (!result.contains(name) || result.find(name)->second->points.empty()) {
      missing.push_back(name);
    }
  }
  if (missing.empty()) return result;
  return bad_input(fmt::format("no points for {}; a body needs points for all of {}",
                               fmt::join(missing, ", "), fmt::join(names, ", ")));
}

double middle_z(const BodyPiece& piece) {
  return geometry::bounding_box(piece.points).centre().z();
}

Result<void> check_sides(const Pieces& pieces) {
  for (const SegmentRow& row : segment_table()) {
    if (!row.paired) continue;
    const BodyPiece& right = *pieces.find(segment_name(row, 1))->second;
    const BodyPiece& left = *pieces.find(segment_name(row, -1))->second;
    if (middle_z(right) > middle_z(left) && right.anchor.z() > left.anchor.z()) continue;
    return bad_input(fmt::format(
        "'{}' is not to the right of '{}': z points to the right hand of a swimmer who looks along "
        "x with the back towards y; swap the sides or mirror the points",
        right.segment, left.segment));
  }
  return {};
}

Result<Segment> piece_segment(const BodyPiece& piece, const SegmentRow& row,
                              const Vector3d& parent_anchor, const BodySettings& settings) {
  Vector3d factor = Vector3d::Ones();
  if (row.name == "hand") factor = {settings.hand_length, settings.hand_width, 1};
  if (row.name == "foot") factor = {settings.foot_length, 1, settings.foot_width};
  std::vector<Vector3d> points;
  points.reserve(piece.points.size());
  for (const Vector3d& point : piece.points) {
    points.emplace_back(factor.cwiseProduct(point - piece.anchor));
  }
  Segment segment;
  segment.name = piece.segment;
  segment.anchor = piece.anchor - parent_anchor;
  SUPPLE_TRY(TriMesh hull, thinned_hull(points).during(fmt::format("shaping '{}'", piece.segment)));
  constexpr std::size_t kFaces = 16;  // at a cut of 1; 64 by default
  segment.surface = finer(hull, kFaces * settings.cuts * settings.cuts);
  faces_from_surface(segment, Vector3d::UnitX());
  segment.surface = std::move(hull);
  segment.size = geometry::bounding_box(segment.surface.positions).size();
  give_weight(segment, row, settings);
  return segment;
}

}  // namespace

Result<Body> body_from_pieces(const BodySettings& settings, const std::vector<BodyPiece>& pieces) {
  SUPPLE_TRY_VOID(settings.validate());
  SUPPLE_TRY(const Pieces named, by_name(pieces));
  SUPPLE_TRY_VOID(check_sides(named));
  std::map<std::string, Segment, std::less<>> segments;
  for (const SegmentRow& row : segment_table()) {
    for (const double side : {1.0, -1.0}) {
      if (side < 0 && !row.paired) continue;
      const BodyPiece& piece = *named.find(segment_name(row, side))->second;
      Vector3d parent = piece.anchor;  // for the root, its own position
      for (const SegmentRow& other : segment_table()) {
        if (other.name == row.parent)
          parent = named.find(segment_name(other, side))->second->anchor;
      }
      SUPPLE_TRY(Segment segment, piece_segment(piece, row, parent, settings));
      segments.emplace(piece.segment, std::move(segment));
    }
  }
  return assemble(settings, [&](const SegmentRow& row, double side) {
    return segments.find(segment_name(row, side))->second;
  });
}

}  // namespace supple::swim
