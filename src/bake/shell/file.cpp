// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/prepared_shells.hpp"
#include "supple/core/check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace supple::bake {
namespace {

using geometry::Index;
using geometry::Vec3;

Vec3 row(const Eigen::MatrixXd& matrix, Index node, std::size_t mode) {
  return matrix.block<3, 1>(3 * node, static_cast<Eigen::Index>(mode));
}

/// Phi and Psi on the vertices. frame_from_bind is a similarity s R: displacements transform back
/// by (s R)^-1, turns only by R^-1.
void add_modes(const PreparedShell& scene, const shell::ShellObject& shell, soft::Object& object) {
  const Eigen::Matrix3d linear = scene.frame_from_bind.leftCols<3>();
  const double scale = std::cbrt(linear.determinant());
  const Eigen::Matrix3d rotation = linear / scale;
  for (std::size_t m = 0; m < shell.modes.size(); ++m) {
    soft::Mode mode;
    static_cast<soft::Vibration&>(mode) = shell.modes[m];
    mode.displacements.reserve(scene.node_of_vertex.size());
    mode.turns.reserve(scene.node_of_vertex.size());
    for (const Index node : scene.node_of_vertex) {
      mode.displacements.emplace_back(rotation.transpose() * row(shell.displacements, node, m) /
                                      scale);
      mode.turns.emplace_back(rotation.transpose() * row(shell.turns, node, m));
    }
    object.modes.push_back(std::move(mode));
  }
}

std::vector<soft::ForcePoint> points_of(const PreparedShell& scene,
                                        const shell::ShellObject& shell) {
  std::vector<soft::ForcePoint> points;
  points.reserve(shell.points.size());
  for (const shell::Point& from : shell.points) {
    soft::ForcePoint point;
    point.position = scene.model.mesh.positions[static_cast<std::size_t>(from.node)];
    point.mass = from.mass;
    point.area_vector = from.area_vector;
    point.lever = from.lever;
    for (std::size_t m = 0; m < shell.modes.size(); ++m) {
      point.displacements.push_back(row(shell.displacements, from.node, m));
      point.turns.push_back(row(shell.turns, from.node, m));
    }
    points.push_back(std::move(point));
  }
  return points;
}

/// Nodes are renumbered: the free ones in the order of elimination, then the others.
soft::StrainSolve strain_of(const PreparedShell& scene, const shell::StrainFactor& factor) {
  const std::size_t count = scene.model.mesh.positions.size();
  constexpr std::uint32_t kUnset = 0xffffffffU;
  std::vector<std::uint32_t> place(count, kUnset);
  std::uint32_t next = 0;
  for (const Index node : factor.order) place[static_cast<std::size_t>(node)] = next++;
  for (std::uint32_t& number : place) {
    if (number == kUnset) number = next++;
  }
  soft::StrainSolve strain;
  strain.free_nodes = static_cast<std::uint32_t>(factor.order.size());
  strain.vertex_of_node.resize(count);
  // Backwards, so that the first vertex wins.
  for (std::size_t v = scene.vertices.size(); v-- > 0;) {
    strain.vertex_of_node[place[static_cast<std::size_t>(scene.node_of_vertex[v])]] =
        scene.vertices[v];
  }
  strain.rest.resize(count);
  for (std::size_t node = 0; node < count; ++node) {
    strain.rest[place[node]] = scene.model.mesh.positions[node];
  }
  strain.node_of_vertex.reserve(scene.vertices.size());
  for (const Index node : scene.node_of_vertex) {
    strain.node_of_vertex.push_back(place[static_cast<std::size_t>(node)]);
  }
  strain.triangles.reserve(scene.model.mesh.triangles.size());
  for (const geometry::Triangle& t : scene.model.mesh.triangles) {
    strain.triangles.push_back({place[static_cast<std::size_t>(t[0])],
                                place[static_cast<std::size_t>(t[1])],
                                place[static_cast<std::size_t>(t[2])]});
  }
  strain.cotangents = factor.cotangents;
  strain.column_start = factor.column_start;
  strain.rows = factor.rows;
  strain.values = factor.values;
  return strain;
}

soft::Object object_of(const PreparedShells& scene, const PreparedShell& from,
                       const shell::ShellObject& shell) {
  soft::Object object;
  object.name = shell.name;
  object.bone = scene.source.character.bones[from.bone].name;
  object.node = static_cast<std::uint32_t>(from.bone);
  object.joint = static_cast<std::uint32_t>(from.joint.value_or(0));
  object.frame_from_bind = from.frame_from_bind;
  object.rest_rotation = from.rest_rotation;
  object.limit = shell.limit;
  object.mass = shell.mass;
  object.vertices = from.vertices;
  add_modes(from, shell, object);
  soft::ShellTraits extra;
  extra.modelled_under_gravity = shell.modelled_under_gravity;
  extra.medium_density = shell.medium_density;
  extra.weight = shell.weight;
  extra.size = shell.size;
  extra.follow_turn = shell.follow_turn;
  extra.point_error = shell.point_error;
  extra.points = points_of(from, shell);
  extra.attachments = from.attachments;
  if (shell.strain) extra.strain = strain_of(from, *shell.strain);
  object.shell = std::move(extra);
  return object;
}

}  // namespace

soft::Asset shell_asset(const PreparedShells& scene, const std::vector<shell::ShellObject>& objects,
                        const std::string& generator) {
  SUPPLE_CHECK_OP(scene.shells.size(), ==, objects.size());
  soft::Asset result = moving_surface(scene.source, generator);
  for (std::size_t i = 0; i < objects.size(); ++i) {
    result.objects.push_back(object_of(scene, scene.shells[i], objects[i]));
  }
  return result;
}

}  // namespace supple::bake
