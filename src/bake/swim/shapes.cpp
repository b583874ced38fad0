// SPDX-License-Identifier: Apache-2.0
#include "bake/swim/shapes.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace supple::bake::detail {
namespace {

using geometry::Index;
using geometry::Vec3;

constexpr int kEndRows = 7;
constexpr int kQuarter = 6;  // steps around a quarter of a cross-section
constexpr double kEps = 1e-9;

void add_vertex(io::SkinnedPart& part, const Vec3& position, const Vec3& normal,
                std::uint32_t bone) {
  part.positions.push_back(position);
  part.normals.push_back(normal.normalized());
  io::SkinnedVertex vertex;
  vertex.bones[0] = bone;
  part.skin.push_back(vertex);
}

void add_triangle(io::SkinnedPart& part, Index a, Index b, Index c) {
  const auto at = [&](Index i) { return part.positions[static_cast<std::size_t>(i)]; };
  const double area = (at(b) - at(a)).cross(at(c) - at(a)).norm();
  if (area > kEps * kEps) part.triangles.push_back({a, b, c});
}

/// The position along the box relative to the ellipsoids at its ends: -1 and 1 at the tips, 0
/// between.
double along(const RoundedBox& shape, double x) {
  const double from_low = x - shape.box.low.x();
  const double from_high = shape.box.high.x() - x;
  const double r = shape.rounding.x();
  if (from_low < r) return -(1 - std::max(0.0, from_low) / r);
  if (from_high < r) return 1 - std::max(0.0, from_high) / r;
  return 0;
}

/// Positions of the rings: dense at the round ends, and one at every border of a stretch.
std::vector<double> ring_places(const RoundedBox& shape, const std::vector<Stretch>& stretches) {
  std::vector<double> places;
  for (int k = 0; k <= kEndRows; ++k) {
    const double turn = 0.5 * std::numbers::pi * k / kEndRows;
    const double in = shape.rounding.x() * (1 - std::cos(turn));
    places.push_back(shape.box.low.x() + in);
    places.push_back(shape.box.high.x() - in);
  }
  for (const Stretch& stretch : stretches) {
    if (&stretch != &stretches.back()) places.push_back(stretch.to);
  }
  std::sort(places.begin(), places.end());
  const auto same = [](double a, double b) { return std::abs(a - b) < kEps; };
  places.erase(std::unique(places.begin(), places.end(), same), places.end());
  return places;
}

constexpr std::array<std::array<double, 2>, 4> kCorners{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
constexpr Index kAround = 4 * (kQuarter + 1);

void add_ring(const RoundedBox& shape, double x, std::uint32_t bone, io::SkinnedPart& part) {
  const Vec3 centre = shape.box.centre();
  const Vec3 straight = 0.5 * shape.box.size() - shape.rounding;
  const double u = along(shape, x);
  const double radius = std::sqrt(std::max(0.0, 1 - u * u));
  for (int c = 0; c < 4; ++c) {
    const auto& corner = kCorners.at(static_cast<std::size_t>(c));
    for (int k = 0; k <= kQuarter; ++k) {
      const double turn = 0.5 * std::numbers::pi * (c + static_cast<double>(k) / kQuarter);
      const Vec3 unit(u, radius * std::cos(turn), radius * std::sin(turn));
      const Vec3 position(x, centre.y() + corner[0] * straight.y() + shape.rounding.y() * unit.y(),
                          centre.z() + corner[1] * straight.z() + shape.rounding.z() * unit.z());
      add_vertex(part, position, unit.cwiseQuotient(shape.rounding), bone);
    }
  }
}

/// Closes an end; the fan is flat where the box is not rounded all the way.
void add_end(const RoundedBox& shape, double x, double side, Index ring, std::uint32_t bone,
             io::SkinnedPart& part) {
  const Vec3 centre = shape.box.centre();
  const auto middle = static_cast<Index>(part.positions.size());
  add_vertex(part, {x, centre.y(), centre.z()}, side * Vec3::UnitX(), bone);
  for (Index k = 0; k < kAround; ++k) {
    const Index a = ring + k;
    const Index b = ring + (k + 1) % kAround;
    if (side > 0) {
      add_triangle(part, middle, a, b);
    } else {
      add_triangle(part, middle, b, a);
    }
  }
}

void add_band(Index below, Index above, io::SkinnedPart& part) {
  for (Index k = 0; k < kAround; ++k) {
    const Index next = (k + 1) % kAround;
    add_triangle(part, below + k, below + next, above + next);
    add_triangle(part, below + k, above + next, above + k);
  }
}

}  // namespace

void add_rounded_box(const RoundedBox& shape, std::uint32_t bone,
                     const std::vector<Stretch>& stretches) {
  const std::vector<double> places = ring_places(shape, stretches);
  std::size_t ring = 0;
  for (const Stretch& stretch : stretches) {
    io::SkinnedPart& part = *stretch.part;
    const bool last = &stretch == &stretches.back();
    auto below = static_cast<Index>(part.positions.size());
    add_ring(shape, places[ring], bone, part);
    if (ring == 0) add_end(shape, places[0], -1, below, bone, part);
    while (ring + 1 < places.size() && (last || places[ring] < stretch.to - kEps)) {
      ++ring;
      const auto above = static_cast<Index>(part.positions.size());
      add_ring(shape, places[ring], bone, part);
      add_band(below, above, part);
      below = above;
    }
    if (ring + 1 == places.size()) add_end(shape, places[ring], 1, below, bone, part);
  }
}

void add_arrow(const Vec3& from, std::uint32_t bone, io::SkinnedPart& part) {
  constexpr double kShaft = 0.016;
  constexpr double kHead = 0.05;
  constexpr double kNeck = 0.76;
  constexpr int kSides = 16;
  struct Ring {
    double y, radius, out, up;  // and its normal
  };
  // Rings come in pairs: each pair is a band with normals of its own, so that edges stay sharp.
  constexpr double kSlope = kHead / (1 - kNeck);
  const std::array<Ring, 8> rings{{{0, 0, 0, -1},
                                   {0, kShaft, 0, -1},
                                   {0, kShaft, 1, 0},
                                   {kNeck, kShaft, 1, 0},
                                   {kNeck, kShaft, 0, -1},
                                   {kNeck, kHead, 0, -1},
                                   {kNeck, kHead, 1, kSlope},
                                   {1, 0, 1, kSlope}}};
  const auto first = static_cast<Index>(part.positions.size());
  for (const Ring& ring : rings) {
    for (int k = 0; k < kSides; ++k) {
      const double turn = 2 * std::numbers::pi * k / kSides;
      const Vec3 side(std::sin(turn), 0, std::cos(turn));
      add_vertex(part, from + ring.radius * side + ring.y * Vec3::UnitY(),
                 ring.out * side + ring.up * Vec3::UnitY(), bone);
    }
  }
  for (Index band = 0; band < 4; ++band) {
    const Index below = first + 2 * band * kSides;
    const Index above = below + kSides;
    for (Index k = 0; k < kSides; ++k) {
      const Index next = (k + 1) % kSides;
      add_triangle(part, below + k, below + next, above + next);
      add_triangle(part, below + k, above + next, above + k);
    }
  }
}

}  // namespace supple::bake::detail
