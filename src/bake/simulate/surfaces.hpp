// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/simulate/frames.hpp"
#include "bake/simulate/scene.hpp"

#include "supple/geometry/tri_mesh.hpp"

#include <Eigen/Geometry>

#include <array>
#include <string>
#include <vector>

namespace supple::bake::detail {

/// What is drawn of one body, wherever its vertices are.
class DrawnSurface {
 public:
  /// `drawn` must outlive this object.
  DrawnSurface(const simulator::Body& body, const DrawnBody& drawn);

  [[nodiscard]] std::size_t vertex_count() const { return m_vertex_count; }
  [[nodiscard]] const std::vector<geometry::Triangle>& triangles() const { return m_triangles; }
  /// Linear RGBA per vertex; empty: all have the body's colour.
  [[nodiscard]] std::vector<std::array<double, 4>> colours() const;
  /// From all vertices of the body.
  [[nodiscard]] std::vector<geometry::Vec3> positions(
      const std::vector<geometry::Vec3>& body) const;

 private:
  const DrawnBody* m_drawn;
  std::size_t m_vertex_count = 0;
  std::vector<geometry::Triangle> m_triangles;
  std::vector<geometry::Index> m_node_of_vertex;  ///< unless the surface is carried
};

/// The drawn surface of one body in all frames. Thread-safe.
class MovingSurface {
 public:
  /// The arguments must outlive this object.
  MovingSurface(const simulator::Body& body, const DrawnBody& drawn, const FrameFile& frames);

  [[nodiscard]] const std::string& name() const { return m_body->name; }
  [[nodiscard]] const DrawnBody& drawn() const { return *m_drawn; }
  [[nodiscard]] bool deforms() const { return m_body->kind != simulator::BodyKind::Obstacle; }
  [[nodiscard]] std::size_t frames() const { return m_frames->frames(); }
  [[nodiscard]] std::size_t vertex_count() const { return m_surface.vertex_count(); }
  [[nodiscard]] const std::vector<geometry::Triangle>& triangles() const {
    return m_surface.triangles();
  }
  [[nodiscard]] Result<std::vector<geometry::Vec3>> positions(std::size_t frame) const;

 private:
  const simulator::Body* m_body;
  const DrawnBody* m_drawn;
  const FrameFile* m_frames;
  DrawnSurface m_surface;
};

/// The surfaces of all bodies, in the world's order.
[[nodiscard]] std::vector<MovingSurface> moving_surfaces(const std::vector<simulator::Body>& bodies,
                                                         const std::vector<DrawnBody>& drawn,
                                                         const FrameFile& frames);

/// The rotation R and translation t that bring `from` closest to `to`: sum |R from + t - to|^2 is
/// least.
[[nodiscard]] Eigen::Isometry3d closest_rigid_motion(const std::vector<geometry::Vec3>& from,
                                                     const std::vector<geometry::Vec3>& to);

}  // namespace supple::bake::detail
