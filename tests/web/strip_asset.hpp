// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "supple/io/supple_file.hpp"

#include <Eigen/Cholesky>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

/// A shell whose every number is known: a strip of paper, one metre long, clamped at x = 0, with
/// the bending modes of a beam and two twists. support/strip.mjs makes its mesh by the same rule.
namespace supple::web::testing {

inline constexpr std::uint32_t kAlong = 33;  // vertices along x, 1/32 m apart
inline constexpr std::uint32_t kAcross = 7;  // along z, from -3/32 to 3/32 m
inline constexpr double kMass = 0.05;        // kg
inline constexpr double kFirstHertz = 1.2;   // sags by 0.27 m
inline constexpr std::uint32_t kPointsAlong = 16;

struct Vertex {
  double x, z;
};

inline Vertex strip_vertex(std::uint32_t v) {
  return {(v / kAcross) / 32.0, (static_cast<double>(v % kAcross) - 3) / 32.0};
}

/// Displacement and turn of a mode at a place.
struct Motion {
  Eigen::Vector3d displacement, turn;
};

/// Clamped at one end: cosh - cos - s (sinh - sin), whose mean square is 1.
inline Motion bend(double beta, const Vertex& at) {
  const double s = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta));
  const double b = beta * at.x;
  const double height = std::cosh(b) - std::cos(b) - s * (std::sinh(b) - std::sin(b));
  const double slope = beta * (std::sinh(b) + std::sin(b) - s * (std::cosh(b) - std::cos(b)));
  const double scale = 1 / std::sqrt(kMass);
  return {{0, scale * height, 0}, {0, 0, scale * slope}};
}

inline Motion twist(int quarter_waves, const Vertex& at) {
  const double k = quarter_waves * std::numbers::pi / 2;
  const double width = kAcross / 32.0;
  const double scale = std::sqrt(24 / kMass) / width;
  const double angle = scale * std::sin(k * at.x);
  return {{0, -angle * at.z, 0}, {angle, 0, -scale * k * std::cos(k * at.x) * at.z}};
}

inline constexpr std::array<double, 4> kBetas{1.87510407, 4.69409113, 7.85475744, 10.99554073};
inline constexpr std::size_t kStripModes = 6;

inline Motion strip_motion(std::size_t mode, const Vertex& at) {
  if (mode < kBetas.size()) return bend(kBetas[mode], at);
  return twist(mode == kBetas.size() ? 1 : 3, at);
}

inline double strip_hertz(std::size_t mode) {
  if (mode >= kBetas.size()) return mode == kBetas.size() ? 5.0 : 15.0;
  const double ratio = kBetas[mode] / kBetas[0];
  return kFirstHertz * ratio * ratio;
}

inline std::vector<std::array<std::uint32_t, 3>> strip_triangles() {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  triangles.reserve(std::size_t{2} * (kAlong - 1) * (kAcross - 1));
  for (std::uint32_t i = 0; i + 1 < kAlong; ++i) {
    for (std::uint32_t j = 0; j + 1 < kAcross; ++j) {
      const std::uint32_t a = i * kAcross + j;
      triangles.push_back({a, a + 1, a + kAcross});
      triangles.push_back({a + 1, a + kAcross + 1, a + kAcross});
    }
  }
  return triangles;
}

/// The clamped vertices come first; the factor needs them last.
inline std::uint32_t strip_node(std::uint32_t v) {
  return v < kAcross ? (kAlong - 1) * kAcross + v : v - kAcross;
}

inline soft::StrainSolve strip_strain(const std::vector<std::uint32_t>& moved) {
  soft::StrainSolve strain;
  const std::uint32_t vertices = kAlong * kAcross;
  strain.free_nodes = vertices - kAcross;
  strain.vertex_of_node.resize(vertices);
  strain.rest.resize(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    const Vertex at = strip_vertex(v);
    strain.vertex_of_node[strip_node(v)] = v;
    strain.rest[strip_node(v)] = {at.x, 0, at.z};
  }
  strain.node_of_vertex.reserve(moved.size());
  for (const std::uint32_t v : moved) strain.node_of_vertex.push_back(strip_node(v));
  Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(vertices, vertices);
  for (const auto& triangle : strip_triangles()) {
    std::array<std::uint32_t, 3> nodes{};
    std::array<double, 3> cotangents{};
    for (std::size_t c = 0; c < 3; ++c) nodes[c] = strip_node(triangle[c]);
    for (std::size_t c = 0; c < 3; ++c) {
      const Vertex at = strip_vertex(triangle[c]);
      const Vertex one = strip_vertex(triangle[(c + 1) % 3]);
      const Vertex other = strip_vertex(triangle[(c + 2) % 3]);
      const Eigen::Vector2d u(one.x - at.x, one.z - at.z);
      const Eigen::Vector2d w(other.x - at.x, other.z - at.z);
      cotangents[c] = 0.5 * u.dot(w) / std::abs(u.x() * w.y() - u.y() * w.x());
      const Eigen::Index a = nodes[(c + 1) % 3];
      const Eigen::Index b = nodes[(c + 2) % 3];
      laplacian(a, a) += cotangents[c];
      laplacian(b, b) += cotangents[c];
      laplacian(a, b) -= cotangents[c];
      laplacian(b, a) -= cotangents[c];
    }
    strain.triangles.push_back(nodes);
    strain.cotangents.push_back(cotangents);
  }
  const Eigen::MatrixXd factor =
      laplacian.topLeftCorner(strain.free_nodes, strain.free_nodes).llt().matrixL();
  for (std::uint32_t column = 0; column < strain.free_nodes; ++column) {
    strain.column_start.push_back(static_cast<std::uint32_t>(strain.rows.size()));
    for (std::uint32_t row = column; row < strain.free_nodes; ++row) {
      if (row != column && factor(row, column) == 0) continue;
      strain.rows.push_back(row);
      strain.values.push_back(factor(row, column));
    }
  }
  strain.column_start.push_back(static_cast<std::uint32_t>(strain.rows.size()));
  return strain;
}

inline soft::ShellTraits strip_shell(const std::vector<std::uint32_t>& moved) {
  soft::ShellTraits shell;
  shell.size = std::hypot(1.0, 6 / 32.0);
  shell.follow_turn = 2;
  shell.point_error = 0.01;
  const double count = kPointsAlong * 3.0;
  for (std::uint32_t i = 0; i < kPointsAlong * 3; ++i) {
    const Vertex at{(i / 3 + 0.5) / kPointsAlong, (static_cast<double>(i % 3) - 1) / 16};
    soft::ForcePoint point;
    point.position = {at.x, 0, at.z};
    point.mass = kMass / count;
    point.area_vector = {0, 6 / 32.0 / count, 0};
    point.lever = {kMass * (1 - at.x) / count, 0, 0};  // what hangs on it, times the way to it
    for (std::size_t mode = 0; mode < kStripModes; ++mode) {
      const Motion motion = strip_motion(mode, at);
      point.displacements.push_back(motion.displacement);
      point.turns.push_back(motion.turn);
    }
    shell.points.push_back(std::move(point));
  }
  shell.strain = strip_strain(moved);
  return shell;
}

inline soft::Asset strip_asset() {
  soft::Asset asset;
  asset.generator = "synthetic";
  asset.vertex_count = kAlong * kAcross;
  asset.parts = {{0, 0, 0, asset.vertex_count}};
  soft::Object object;
  object.name = "strip";
  object.bone = "strip";
  object.mass = kMass;
  std::vector<Eigen::Vector3f> positions;
  positions.reserve(asset.vertex_count);
  for (std::uint32_t v = 0; v < asset.vertex_count; ++v) {
    const Vertex at = strip_vertex(v);
    positions.push_back(Eigen::Vector3d(at.x, 0, at.z).cast<float>());
    if (v >= kAcross) object.vertices.push_back(v);
  }
  object.shell = strip_shell(object.vertices);
  for (std::size_t k = 0; k < kStripModes; ++k) {
    soft::Mode mode;
    mode.omega = 2 * std::numbers::pi * strip_hertz(k);
    mode.damping = 0.3;  // paper in air
    mode.share = 0.5;
    // H: minus the mass times what a whole acceleration and a whole turn do to each point.
    for (const soft::ForcePoint& point : object.shell->points) {
      const Eigen::Vector3d pulled = -point.mass * point.displacements[k];
      const Eigen::Vector3d turned = point.position.cross(pulled);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<Eigen::Index>(axis);
        mode.transfer[axis] += turned[i];
        mode.transfer[axis + 3] += pulled[i];
      }
    }
    for (const std::uint32_t v : object.vertices) {
      const Motion motion = strip_motion(k, strip_vertex(v));
      mode.displacements.push_back(motion.displacement);
      mode.turns.push_back(motion.turn);
    }
    object.modes.push_back(std::move(mode));
  }
  asset.objects.push_back(std::move(object));
  std::vector<std::uint32_t> indices;
  for (const auto& triangle : strip_triangles()) {
    indices.insert(indices.end(), triangle.begin(), triangle.end());
  }
  asset.index_count = static_cast<std::uint32_t>(indices.size());
  asset.mesh_hash = io::mesh_hash(positions, indices);
  return asset;
}

}  // namespace supple::web::testing
