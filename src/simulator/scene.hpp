// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/simulator/contact_energy.hpp"
#include "supple/simulator/world.hpp"

#include <memory>
#include <string>
#include <vector>

namespace supple::simulator {

/// Vertices that follow a script: a moving obstacle, or pins of a body.
struct Follower {
  std::string name;
  Script script;
  std::vector<Index> vertices;  ///< of the scene
  std::vector<Vec3> origins;    ///< m, to which the script's pose applies
};

/// A description with all vertices in one list.
struct Scene {
  std::vector<Body> bodies;
  std::vector<Follower> followers;
  Eigen::VectorXd rest, start, velocity;  ///< m, m, m/s; x y z of all vertices
  Eigen::VectorXd masses;                 ///< kg; 0 for obstacles and followers
  std::vector<std::uint8_t> fixed;        ///< kFix* bits
  std::vector<std::uint8_t> scripted;     ///< 1 for the vertices of followers
  std::vector<std::unique_ptr<fem::Energy>> elastic, extras;
  /// N/m per vertex, trace of the elastic energy's own block at rest by 3.
  Eigen::VectorXd elastic_stiffness;
  ContactSurface surface;
  std::vector<std::size_t> body_of_triangle;  ///< of the surface's triangles
  std::vector<Index> element_of_triangle;     ///< as in Overlap::Side
  double diagonal = 0;                        ///< m, of all bodies at the start

  [[nodiscard]] std::size_t body_of_vertex(Index vertex) const;
  /// "triangle 12 of 'cloth'", counted from 1; a tetrahedron for solids.
  [[nodiscard]] std::string name_of_triangle(Index triangle) const;
};

/// The description must be valid. Stiffnesses of contact are left out.
[[nodiscard]] Result<std::unique_ptr<Scene>> make_scene(const Description& description);

/// Pairs that overlap at the start.
[[nodiscard]] std::vector<Overlap> overlaps_at_start(const Scene& scene);
/// An error that names at most twenty of them.
[[nodiscard]] Error overlap_error(const Scene& scene, const std::vector<Overlap>& overlaps);

/// The smallest distance at rest, less the thickness, of two primitives of the same deformable body
/// without a common vertex, if it is below `limit`: wider barriers would tear at neighbours.
struct Room {
  double gap = 0;        ///< m
  double thickness = 0;  ///< m
  std::size_t body = 0;
};
[[nodiscard]] Room smallest_room(const Scene& scene, double limit);

/// How many pairs of an edge and a triangle intersect at x, obstacles among themselves left out.
[[nodiscard]] std::vector<std::array<Index, 2>> intersections(const Scene& scene,
                                                              const Eigen::VectorXd& x);

}  // namespace supple::simulator
