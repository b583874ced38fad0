// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/core/files.hpp"
#include "supple/core/result.hpp"
#include "supple/geometry/types.hpp"
#include "supple/io/gltf.hpp"

#include <Eigen/Geometry>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace supple::io {

/// A joint of a skeleton, at rest in its parent's frame (the world's without one).
struct SkinnedBone {
  std::string name;
  std::optional<std::size_t> parent;  ///< a bone before this one
  geometry::Vec3 translation = geometry::Vec3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

/// Up to four bones that move a vertex; those without weight come last and are ignored.
struct SkinnedVertex {
  std::array<std::uint32_t, 4> bones{};
  std::array<double, 4> weights{1, 0, 0, 0};  ///< sum 1
};

/// Vertices drawn with one material.
struct SkinnedPart {
  std::string material;
  std::string mesh;  ///< parts with the same name form a mesh of that name; empty: the model's
  std::array<double, 4> base_colour{0.8, 0.8, 0.8, 1};  ///< linear RGBA
  double roughness = 0.6;
  double metallic = 0;
  bool double_sided = false;  ///< both sides are visible, for open surfaces
  std::vector<geometry::Vec3> positions;
  std::vector<geometry::Vec3> normals;
  std::vector<geometry::Triangle> triangles;
  std::vector<SkinnedVertex> skin;
  std::vector<std::array<double, 4>> colours;  ///< linear RGBA per vertex; empty: none
  std::vector<Eigen::Vector2d> texcoords;      ///< empty: none
  std::vector<GltfAttribute> attributes;       ///< "_NAME"
};

/// Keys of one bone, in its parent's frame; either list may be empty: rest.
struct SkinnedTrack {
  std::size_t bone = 0;
  std::vector<Eigen::Quaterniond> rotations;
  std::vector<geometry::Vec3> translations;
};

struct SkinnedClip {
  std::string name;
  std::vector<double> times;  ///< seconds from 0, increasing; shared by all tracks
  std::vector<SkinnedTrack> tracks;
};

/// A rigged character as plain data, in world space at rest; without bones, a static object.
struct SkinnedModel {
  std::string name;
  std::vector<SkinnedBone> bones;
  std::vector<SkinnedPart> parts;
  std::vector<SkinnedClip> clips;

  [[nodiscard]] Result<void> validate() const;
};

/// World matrices of the bones at rest.
[[nodiscard]] std::vector<Eigen::Isometry3d> rest_world(const std::vector<SkinnedBone>& bones);

/// The model as a glTF document: nodes 0, 1, ... are the bones, the nodes after them draw the
/// meshes, in the order in which parts name them.
[[nodiscard]] Result<GltfAsset> make_gltf(const SkinnedModel& model);

}  // namespace supple::io
