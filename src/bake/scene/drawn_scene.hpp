// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bake/simulate/surfaces.hpp"

#include "supple/geometry/creases.hpp"
#include "supple/scene/reduction.hpp"

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace supple::bake::detail {

/// One body as it is drawn, at rest.
struct DrawnPiece {
  std::string name;
  geometry::Vec3 colour;
  std::vector<std::array<double, 4>> colours;  ///< per vertex; empty: `colour`
  bool thin = false;
  bool deforms = true;
  geometry::TriMesh mesh;  ///< split along creases
  std::vector<geometry::Vec3> normals;
};

/// Everything that is drawn of a scene: bodies that deform first, with their vertices in one list.
class DrawnScene {
 public:
  /// `rest`: all vertices of each body, at rest. `drawn` must outlive this object.
  DrawnScene(const std::vector<simulator::Body>& bodies, const std::vector<DrawnBody>& drawn,
             const std::vector<std::vector<geometry::Vec3>>& rest);

  [[nodiscard]] const std::vector<DrawnPiece>& pieces() const { return m_pieces; }
  /// x y z of what deforms, at rest.
  [[nodiscard]] const Eigen::VectorXd& rest() const { return m_rest; }
  /// The same from recorded vertices of the bodies that deform.
  void draw(std::span<const float> recorded, Eigen::VectorXd& drawn) const;
  /// The same where one part alone deforms, and the others stand still: `part_of` has the part of
  /// each vertex that deforms. Its vertices keep their order.
  [[nodiscard]] DrawnScene only(const std::vector<std::uint32_t>& part_of,
                                std::uint32_t part) const;
  /// Unit normals of what deforms, x y z.
  [[nodiscard]] Eigen::VectorXd normals(const Eigen::VectorXd& drawn) const;

 private:
  DrawnScene() = default;
  struct Deforming {
    DrawnSurface surface;
    std::size_t vertices;  ///< recorded ones
    std::vector<geometry::Index> source;
    std::vector<geometry::Triangle> triangles;  ///< of the split surface
  };
  std::vector<Deforming> m_deforming;
  std::vector<DrawnPiece> m_pieces;
  Eigen::VectorXd m_rest;
};

}  // namespace supple::bake::detail
