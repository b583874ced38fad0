// SPDX-License-Identifier: Apache-2.0
#include "bake/swim/shapes.hpp"

#include "supple/bake/swim_export.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace supple::bake {
namespace {

using detail::RoundedBox;
using geometry::Box;
using geometry::Vec3;

enum Look : std::size_t { Skin, Joint, Suit, Cap, Goggles, kLooks };

struct Material {
  const char* name;
  std::array<double, 4> colour;  // linear
  double roughness;
};
constexpr std::array<Material, kLooks> kMaterials{{{"skin", {0.60, 0.33, 0.22, 1}, 0.55},
                                                   {"joints", {0.47, 0.23, 0.145, 1}, 0.6},
                                                   {"suit", {0.012, 0.05, 0.15, 1}, 0.45},
                                                   {"cap", {0.80, 0.075, 0.035, 1}, 0.35},
                                                   {"goggles", {0.006, 0.009, 0.014, 1}, 0.15}}};

/// A box of the fluid's faces has all its vertices on its bounding box.
bool is_box(const swim::Segment& segment, const Box& box) {
  const double near = 1e-6 * box.diagonal();
  return std::ranges::all_of(segment.surface.positions, [&](const Vec3& p) {
    return (p - box.low).cwiseAbs().minCoeff() < near ||
           (p - box.high).cwiseAbs().minCoeff() < near;
  });
}

Vec3 at_rest(const swim::Body& body, std::size_t segment) {
  Vec3 at = Vec3::Zero();
  for (std::size_t s = segment; s != swim::Segment::kNoParent; s = body.segments[s].parent) {
    at += body.segments[s].anchor;
  }
  return at;
}

double thickness(const swim::Segment& segment) {
  return std::sqrt(segment.size.y() * segment.size.z());
}

/// The material of the ball between two segments; at shoulders and hips, the limb's.
double joint_thickness(const swim::Segment& segment, const swim::Segment& parent) {
  const double own = thickness(segment);
  return std::min(1.15 * own, std::sqrt(own * thickness(parent)));
}

/// Draws the segments of one body as parts by material.
class Tailor {
 public:
  explicit Tailor(const swim::Body& body) : m_body(body) {
    for (std::size_t k = 0; k < kLooks; ++k) {
      m_parts[k].material = kMaterials[k].name;
      m_parts[k].base_colour = kMaterials[k].colour;
      m_parts[k].roughness = kMaterials[k].roughness;
    }
  }

  std::vector<io::SkinnedPart> dress() {
    for (std::size_t s = 0; s < m_body.segments.size(); ++s) draw(s);
    std::vector<io::SkinnedPart> parts;
    for (io::SkinnedPart& part : m_parts) {
      if (!part.triangles.empty()) parts.push_back(std::move(part));
    }
    return parts;
  }

 private:
  void draw(std::size_t s) {
    const swim::Segment& segment = m_body.segments[s];
    const Vec3 origin = at_rest(m_body, s);
    Box box = geometry::bounding_box(segment.surface.positions);
    const bool boxy = is_box(segment, box);
    box.low += origin;
    box.high += origin;
    const auto bone = static_cast<std::uint32_t>(s);
    if (!boxy) {
      draw_as_it_is(segment, origin, bone);
    } else if (segment.name == "head") {
      draw_head(box, bone);
    } else {
      const bool trunk = segment.parent == swim::Segment::kNoParent || segment.name == "torso";
      draw_limb(segment.name, rounded(box, trunk), bone);
    }
    if (boxy && segment.parent != swim::Segment::kNoParent) draw_joint(s, origin);
  }

  void draw_as_it_is(const swim::Segment& segment, const Vec3& origin, std::uint32_t bone) {
    io::SkinnedPart& part = m_parts[look_of(segment.name)];
    const auto first = static_cast<geometry::Index>(part.positions.size());
    const std::vector<Vec3> normals = geometry::vertex_normals(segment.surface);
    io::SkinnedVertex vertex;
    vertex.bones[0] = bone;
    for (std::size_t v = 0; v < normals.size(); ++v) {
      part.positions.emplace_back(segment.surface.positions[v] + origin);
      part.normals.push_back(normals[v].isZero() ? Vec3::UnitY() : normals[v]);
      part.skin.push_back(vertex);
    }
    for (const geometry::Triangle& t : segment.surface.triangles) {
      part.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
  }

  static Look look_of(const std::string& name) { return name == "pelvis" ? Suit : Skin; }

  /// Limbs are fully round, the trunk has flat sides.
  static RoundedBox rounded(const Box& box, bool trunk) {
    const Vec3 half = 0.5 * box.size();
    const double share = trunk ? 0.85 : 0.98;
    const double end = std::min(half.x(), (trunk ? 0.8 : 0.55) * std::sqrt(half.y() * half.z()));
    return {box, {0.98 * end, share * half.y(), share * half.z()}};
  }

  void draw_limb(const std::string& name, const RoundedBox& shape, std::uint32_t bone) {
    const double length = shape.box.size().x();
    if (name.ends_with("thigh")) {  // the suit's legs
      detail::add_rounded_box(
          shape, bone, {{shape.box.low.x() + 0.5 * length, &m_parts[Skin]}, {0, &m_parts[Suit]}});
      return;
    }
    detail::add_rounded_box(shape, bone, {{0, &m_parts[look_of(name)]}});
  }

  /// The swimmer faces down: the goggles are towards -y.
  void draw_head(const Box& box, std::uint32_t bone) {
    const Vec3 size = box.size();
    detail::add_rounded_box({box, 0.495 * size}, bone,
                            {{box.low.x() + 0.53 * size.x(), &m_parts[Skin]}, {0, &m_parts[Cap]}});
    for (const double side : {-1.0, 1.0}) {
      const Vec3 eye(box.low.x() + 0.44 * size.x(), box.low.y() + 0.05 * size.y(),
                     box.centre().z() + side * 0.19 * size.z());
      const Vec3 half = size.cwiseProduct(Vec3(0.075, 0.09, 0.14));
      Box lens;
      lens.add(eye - half);
      lens.add(eye + half);
      detail::add_rounded_box({lens, 0.98 * half}, bone, {{0, &m_parts[Goggles]}});
    }
  }

  /// A ball where two segments meet, so that bent limbs show no gap.
  void draw_joint(std::size_t s, const Vec3& origin) {
    const swim::Segment& segment = m_body.segments[s];
    const swim::Segment& parent = m_body.segments[segment.parent];
    const auto bone = static_cast<std::uint32_t>(s);
    Vec3 half = Vec3::Constant(0.48 * joint_thickness(segment, parent));
    Look look = Joint;
    if (segment.name == "torso") {
      half = 0.44 * parent.size.cwiseMin(segment.size);
      look = Skin;
    } else if (segment.name == "head") {
      half = segment.size.cwiseProduct(Vec3(0.34, 0.36, 0.32));
      look = Skin;
    } else if (segment.name.ends_with("thigh")) {
      look = Suit;
    }
    Box box;
    box.add(origin - half);
    box.add(origin + half);
    detail::add_rounded_box({box, 0.98 * half}, bone, {{0, &m_parts[look]}});
  }

  const swim::Body& m_body;
  std::array<io::SkinnedPart, kLooks> m_parts;
};

}  // namespace

io::SkinnedModel swimmer_model(const swim::Body& body) {
  io::SkinnedModel model;
  model.name = "swimmer";
  for (const swim::Segment& segment : body.segments) {
    io::SkinnedBone bone;
    bone.name = segment.name;
    if (segment.parent != swim::Segment::kNoParent) bone.parent = segment.parent;
    bone.translation = segment.anchor;
    model.bones.push_back(std::move(bone));
  }
  model.parts = Tailor(body).dress();
  return model;
}

}  // namespace supple::bake
