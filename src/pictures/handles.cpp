// SPDX-License-Identifier: Apache-2.0
#include "supple/pictures/handles.hpp"

#include <cmath>
#include <numbers>

namespace supple::pictures {
namespace {

using geometry::Index;
using geometry::Vec3;

constexpr double kBall = 0.13;
constexpr double kShaft = 0.035;
constexpr double kTip = 0.085;
constexpr double kTipBegin = 0.74;
constexpr int kAround = 24;

const Eigen::Vector4d kYellow(0.92, 0.66, 0.03, 1);
const std::array<Eigen::Vector4d, 3> kAxes{Eigen::Vector4d(0.78, 0.035, 0.03, 1),
                                           Eigen::Vector4d(0.05, 0.5, 0.06, 1),
                                           Eigen::Vector4d(0.03, 0.13, 0.8, 1)};

/// A point of an outline that is rotated around an axis: position along it, distance from it, and
/// normal.
struct OutlinePoint {
  double along = 0, away = 0;
  double normal_along = 0, normal_away = 0;
};

/// Surfaces of revolution around a coordinate axis; pairs of points form bands.
void add_turned(io::GltfPrimitive& primitive, const std::vector<OutlinePoint>& outline, int axis,
                const Eigen::Vector4d& colour) {
  const auto place = [axis](double along, double away, double angle) {
    Vec3 p;
    p[axis] = along;
    p[(axis + 1) % 3] = away * std::cos(angle);
    p[(axis + 2) % 3] = away * std::sin(angle);
    return p;
  };
  for (std::size_t band = 0; band + 1 < outline.size(); band += 2) {
    const auto first = static_cast<Index>(primitive.positions.size());
    for (int i = 0; i <= kAround; ++i) {
      const double angle = 2 * std::numbers::pi * i / kAround;
      for (const std::size_t end : {band, band + 1}) {
        const OutlinePoint& o = outline[end];
        primitive.positions.push_back(place(o.along, o.away, angle));
        primitive.normals.push_back(place(o.normal_along, o.normal_away, angle));
        primitive.colours.push_back(colour);
      }
    }
    for (Index i = 0; i < kAround; ++i) {
      const Index a = first + 2 * i;
      primitive.triangles.push_back({a, a + 2, a + 1});
      primitive.triangles.push_back({a + 1, a + 2, a + 3});
    }
  }
}

void add_arrow(io::GltfPrimitive& primitive, int axis) {
  const double slant = std::hypot(1 - kTipBegin, kTip);
  const double cone_along = kTip / slant;
  const double cone_away = (1 - kTipBegin) / slant;
  add_turned(primitive,
             {{0, kShaft, 0, 1},
              {kTipBegin, kShaft, 0, 1},
              {kTipBegin, kShaft, -1, 0},
              {kTipBegin, kTip, -1, 0},
              {kTipBegin, kTip, cone_along, cone_away},
              {1, 0, cone_along, cone_away}},
             axis, kAxes[static_cast<std::size_t>(axis)]);
}

void add_ball(io::GltfPrimitive& primitive) {
  std::vector<OutlinePoint> outline;
  constexpr int kRings = 12;
  outline.reserve(2 * kRings);
  for (int i = 0; i < kRings; ++i) {
    for (const int end : {i, i + 1}) {
      const double angle = std::numbers::pi * (static_cast<double>(end) / kRings - 0.5);
      outline.push_back(
          {kBall * std::sin(angle), kBall * std::cos(angle), std::sin(angle), std::cos(angle)});
    }
  }
  add_turned(primitive, outline, 1, kYellow);
}

}  // namespace

std::size_t add_handle_node(io::GltfAsset& asset, const HandleLook& look) {
  io::GltfPrimitive primitive;
  primitive.material = asset.materials.size();
  if (look.orientation) {
    for (int axis = 0; axis < 3; ++axis) add_arrow(primitive, axis);
  }
  if (look.position || !look.orientation) add_ball(primitive);
  io::GltfNode node;
  node.name = "handle";
  node.mesh = asset.meshes.size();
  io::GltfMesh& mesh = asset.meshes.emplace_back();
  mesh.name = node.name;
  mesh.primitives.push_back(std::move(primitive));
  const std::size_t index = asset.nodes.size();
  asset.nodes.push_back(std::move(node));
  asset.parents_first.push_back(index);
  asset.scene_roots.push_back(index);
  return index;
}

io::GltfMaterial handle_material() {
  io::GltfMaterial material;
  material.name = "handle";
  material.metallic = 0;
  material.roughness = 0.42;
  return material;
}

}  // namespace supple::pictures
