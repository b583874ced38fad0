// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/geometry/types.hpp"
#include "supple/light/transfer.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace supple::light {

inline constexpr std::uint32_t kNoPoint = std::numeric_limits<std::uint32_t>::max();

/// A place that gathers light: one side of a vertex.
struct LitPoint {
  Eigen::Vector3f origin =
      Eigen::Vector3f::Zero();  ///< just above the surface, at its edges just inside
  Eigen::Vector3f normal = Eigen::Vector3f::Zero();  ///< outwards on this side
  float reach = 0;         ///< hits of the own ring from behind, nearer than this, are errors
  std::uint32_t ring = 0;  ///< vertices at one place have the same number
  bool back = false;
  std::uint32_t vertex = 0;             ///< in both meshes, the surface first
  std::uint32_t other_side = kNoPoint;  ///< of the same vertex
};

/// A surface and its surroundings as one: triangles to hit, points that gather. Points are sorted
/// so that neighbours in the list are neighbours in space, fronts before backs.
struct LitScene {
  std::vector<Eigen::Vector3f> positions;  ///< about the middle of both, to save digits
  std::vector<geometry::Triangle> triangles;
  std::vector<LitPoint> points;
  std::vector<std::uint32_t> ring;               ///< of each vertex
  std::array<std::vector<std::uint32_t>, 2> at;  ///< the point of each vertex: front, back

  std::size_t surface_vertices = 0;
  std::array<bool, 2> two_sided = {false, false};  ///< surface, surroundings
};

/// The surfaces must be valid.
[[nodiscard]] LitScene make_lit_scene(const Surface& surface, const Surface& surroundings,
                                      double offset);

}  // namespace supple::light
