// SPDX-License-Identifier: Apache-2.0
#include "bake/scene/drawn_scene.hpp"

#include "supple/core/units.hpp"

#include <span>
#include <utility>

namespace supple::bake::detail {
namespace {

using geometry::Vec3;

constexpr double kSceneCrease = 40 * kDegree;

/// glTF requires unit normals; a vertex without area around it gets an arbitrary one.
std::vector<Vec3> unit_normals(const geometry::TriMesh& mesh) {
  std::vector<Vec3> normals = geometry::vertex_normals(mesh);
  for (Vec3& normal : normals) {
    if (!(normal.squaredNorm() > 0.5)) normal = Vec3::UnitY();
  }
  return normals;
}

void append(Eigen::VectorXd& all, const std::vector<Vec3>& points) {
  const Eigen::Index first = all.size();
  all.conservativeResize(first + static_cast<Eigen::Index>(3 * points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    all.segment<3>(first + static_cast<Eigen::Index>(3 * i)) = points[i];
  }
}

/// The vertices of a piece that belong to a part, or those that do not, and triangles between them.
DrawnPiece piece_of(const DrawnPiece& whole, std::span<const std::uint32_t> part_of,
                    std::uint32_t part, bool inside) {
  DrawnPiece piece = whole;
  piece.deforms = inside;
  piece.mesh = {};
  piece.normals.clear();
  piece.colours.clear();
  std::vector<geometry::Index> number(part_of.size(), -1);
  for (std::size_t v = 0; v < part_of.size(); ++v) {
    if ((part_of[v] == part) != inside) continue;
    number[v] = static_cast<geometry::Index>(piece.mesh.positions.size());
    piece.mesh.positions.push_back(whole.mesh.positions[v]);
    piece.normals.push_back(whole.normals[v]);
    if (!whole.colours.empty()) piece.colours.push_back(whole.colours[v]);
  }
  for (const geometry::Triangle& t : whole.mesh.triangles) {
    const geometry::Triangle mapped{number[static_cast<std::size_t>(t[0])],
                                    number[static_cast<std::size_t>(t[1])],
                                    number[static_cast<std::size_t>(t[2])]};
    if (mapped[0] >= 0) piece.mesh.triangles.push_back(mapped);
  }
  return piece;
}

}  // namespace

DrawnScene::DrawnScene(const std::vector<simulator::Body>& bodies,
                       const std::vector<DrawnBody>& drawn,
                       const std::vector<std::vector<Vec3>>& rest) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const bool deforms = bodies[b].kind != simulator::BodyKind::Obstacle;
    DrawnSurface surface(bodies[b], drawn[b]);
    const geometry::TriMesh mesh{surface.positions(rest[b]), surface.triangles()};
    geometry::SplitSurface split = geometry::split_creases(mesh, kSceneCrease);
    DrawnPiece piece;
    piece.name = bodies[b].name;
    piece.colour = drawn[b].colour;
    const std::vector<std::array<double, 4>> colours = surface.colours();
    if (!colours.empty()) {
      for (const geometry::Index source : split.source) {
        piece.colours.push_back(colours[static_cast<std::size_t>(source)]);
      }
    }
    piece.thin = drawn[b].thin;
    piece.deforms = deforms;
    piece.mesh = split.mesh;
    piece.normals = unit_normals(split.mesh);
    m_pieces.push_back(std::move(piece));
    if (!deforms) continue;
    append(m_rest, split.mesh.positions);
    m_deforming.push_back({std::move(surface), static_cast<std::size_t>(bodies[b].vertex_count),
                           std::move(split.source), std::move(split.mesh.triangles)});
  }
}

DrawnScene DrawnScene::only(const std::vector<std::uint32_t>& part_of, std::uint32_t part) const {
  DrawnScene scene;
  std::vector<DrawnPiece> still;
  std::span<const std::uint32_t> left = part_of;
  auto deforming = m_deforming.begin();
  for (const DrawnPiece& whole : m_pieces) {
    if (!whole.deforms) {
      still.push_back(whole);
      continue;
    }
    const auto mine = left.first(whole.mesh.positions.size());
    left = left.subspan(mine.size());
    Deforming body = *deforming++;
    std::vector<geometry::Index> source;
    for (std::size_t v = 0; v < mine.size(); ++v) {
      if (mine[v] == part) source.push_back(body.source[v]);
    }
    body.source = std::move(source);
    DrawnPiece piece = piece_of(whole, mine, part, true);
    body.triangles = piece.mesh.triangles;
    append(scene.m_rest, piece.mesh.positions);
    scene.m_deforming.push_back(std::move(body));
    if (!piece.mesh.positions.empty()) scene.m_pieces.push_back(std::move(piece));
    DrawnPiece other = piece_of(whole, mine, part, false);
    if (!other.mesh.positions.empty()) still.push_back(std::move(other));
  }
  scene.m_pieces.insert(scene.m_pieces.end(), still.begin(), still.end());
  return scene;
}

void DrawnScene::draw(std::span<const float> recorded, Eigen::VectorXd& drawn) const {
  drawn.resize(m_rest.size());
  Eigen::Index to = 0;
  for (const Deforming& body : m_deforming) {
    std::vector<Vec3> vertices(body.vertices);
    for (std::size_t i = 0; i < body.vertices; ++i) {
      vertices[i] = Vec3(recorded[3 * i], recorded[3 * i + 1], recorded[3 * i + 2]);
    }
    recorded = recorded.subspan(3 * body.vertices);
    const std::vector<Vec3> points = body.surface.positions(vertices);
    for (const geometry::Index source : body.source) {
      drawn.segment<3>(to) = points[static_cast<std::size_t>(source)];
      to += 3;
    }
  }
}

Eigen::VectorXd DrawnScene::normals(const Eigen::VectorXd& drawn) const {
  Eigen::VectorXd all(drawn.size());
  Eigen::Index first = 0;
  for (const Deforming& body : m_deforming) {
    geometry::TriMesh mesh;
    mesh.triangles = body.triangles;
    for (std::size_t i = 0; i < body.source.size(); ++i) {
      mesh.positions.emplace_back(drawn.segment<3>(first + static_cast<Eigen::Index>(3 * i)));
    }
    const std::vector<Vec3> normals = unit_normals(mesh);
    for (std::size_t i = 0; i < normals.size(); ++i) {
      all.segment<3>(first + static_cast<Eigen::Index>(3 * i)) = normals[i];
    }
    first += static_cast<Eigen::Index>(3 * body.source.size());
  }
  return all;
}

}  // namespace supple::bake::detail
