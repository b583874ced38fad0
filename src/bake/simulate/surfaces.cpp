// SPDX-License-Identifier: Apache-2.0
#include "bake/simulate/surfaces.hpp"

#include <Eigen/SVD>

namespace supple::bake::detail {

using geometry::Vec3;

DrawnSurface::DrawnSurface(const simulator::Body& body, const DrawnBody& drawn) : m_drawn(&drawn) {
  if (drawn.carried) {
    m_triangles = drawn.carried->mesh.triangles;
    m_vertex_count = drawn.carried->mesh.positions.size();
    return;
  }
  // A solid's inner nodes are left out.
  std::vector<geometry::Index> vertex_of_node(static_cast<std::size_t>(body.vertex_count), -1);
  for (const geometry::Triangle& triangle : body.surface) {
    geometry::Triangle mapped{};
    for (std::size_t c = 0; c < 3; ++c) {
      geometry::Index& vertex = vertex_of_node[static_cast<std::size_t>(triangle[c])];
      if (vertex < 0) {
        vertex = static_cast<geometry::Index>(m_node_of_vertex.size());
        m_node_of_vertex.push_back(triangle[c]);
      }
      mapped[c] = vertex;
    }
    m_triangles.push_back(mapped);
  }
  m_vertex_count = m_node_of_vertex.size();
}

std::vector<std::array<double, 4>> DrawnSurface::colours() const {
  if (m_drawn->carried || m_drawn->colours.empty()) return m_drawn->colours;
  std::vector<std::array<double, 4>> result;
  result.reserve(m_node_of_vertex.size());
  for (const geometry::Index node : m_node_of_vertex) {
    result.push_back(m_drawn->colours[static_cast<std::size_t>(node)]);
  }
  return result;
}

std::vector<Vec3> DrawnSurface::positions(const std::vector<Vec3>& body) const {
  if (m_drawn->carried) return m_drawn->carried->carrier.apply(body);
  std::vector<Vec3> result;
  result.reserve(m_node_of_vertex.size());
  for (const geometry::Index node : m_node_of_vertex) {
    result.push_back(body[static_cast<std::size_t>(node)]);
  }
  return result;
}

MovingSurface::MovingSurface(const simulator::Body& body, const DrawnBody& drawn,
                             const FrameFile& frames)
    : m_body(&body), m_drawn(&drawn), m_frames(&frames), m_surface(body, drawn) {}

Result<std::vector<Vec3>> MovingSurface::positions(std::size_t frame) const {
  SUPPLE_TRY(const std::vector<Vec3> nodes,
             m_frames->positions(frame, static_cast<std::size_t>(m_body->first_vertex),
                                 static_cast<std::size_t>(m_body->vertex_count)));
  return m_surface.positions(nodes);
}

std::vector<MovingSurface> moving_surfaces(const std::vector<simulator::Body>& bodies,
                                           const std::vector<DrawnBody>& drawn,
                                           const FrameFile& frames) {
  std::vector<MovingSurface> surfaces;
  surfaces.reserve(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    surfaces.emplace_back(bodies[b], drawn[b], frames);
  return surfaces;
}

Eigen::Isometry3d closest_rigid_motion(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  Eigen::Isometry3d motion = Eigen::Isometry3d::Identity();
  if (from.empty()) return motion;
  Vec3 from_centre = Vec3::Zero();
  Vec3 to_centre = Vec3::Zero();
  for (std::size_t i = 0; i < from.size(); ++i) {
    from_centre += from[i];
    to_centre += to[i];
  }
  from_centre /= static_cast<double>(from.size());
  to_centre /= static_cast<double>(from.size());
  geometry::Mat3 spread = geometry::Mat3::Zero();
  for (std::size_t i = 0; i < from.size(); ++i) {
    spread += (to[i] - to_centre) * (from[i] - from_centre).transpose();
  }
  const Eigen::JacobiSVD<geometry::Mat3> svd(spread, Eigen::ComputeFullU | Eigen::ComputeFullV);
  geometry::Mat3 signs = geometry::Mat3::Identity();
  signs(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  motion.linear() = svd.matrixU() * signs * svd.matrixV().transpose();
  motion.translation() = to_centre - motion.linear() * from_centre;
  return motion;
}

}  // namespace supple::bake::detail
