// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/character/character.hpp"
#include "supple/geometry/shapes.hpp"
#include "supple/geometry/tri_mesh.hpp"

#include <algorithm>
#include <cmath>

namespace supple::character::testing {

/// A simple leg: a cylinder along y with the bones Hip, Thigh and Shin in line, hip
/// at the top. Every vertex follows two neighbouring bones at most; weights change over 6 cm.
inline Character limb(int segments = 24, int rings = 42) {
  const geometry::TriMesh surface = geometry::cylinder_surface(0.07, 0.84, segments, rings);
  Character character;
  character.name = "limb";
  character.positions = surface.positions;
  character.triangles = surface.triangles;
  character.normals = geometry::vertex_normals(surface);
  character.materials.assign(surface.triangles.size(), 0);
  character.material_names = {"skin"};
  const double joints[] = {0.42, 0.25, -0.1};
  for (int b = 0; b < 3; ++b) {
    Bone bone;
    bone.name = b == 0 ? "Hip" : b == 1 ? "Thigh" : "Shin";
    if (b > 0) bone.parent = b - 1;
    bone.rest_world(1, 3) = joints[b];
    bone.inverse_bind(1, 3) = -joints[b];
    character.bones.push_back(bone);
  }
  character.influences = 4;
  for (const geometry::Vec3& p : character.positions) {
    const auto above = [&](double y) { return std::clamp(0.5 + (p.y() - y) / 0.06, 0.0, 1.0); };
    const double hip = above(joints[1]);
    const double shin = 1 - above(joints[2]);
    for (const std::uint32_t joint : {0U, 1U, 2U, 0U}) character.joints.push_back(joint);
    for (const double w : {hip, 1 - hip - shin, shin, 0.0}) character.weights.push_back(w);
  }
  return character;
}

}  // namespace supple::character::testing
