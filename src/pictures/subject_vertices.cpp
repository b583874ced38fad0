// SPDX-License-Identifier: Apache-2.0 The positions of a subject's vertices: its points for
// framing, and its handles.
#include "supple/pictures/handles.hpp"
#include "supple/pictures/subject.hpp"

#include "supple/shell/shell_object.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <algorithm>

namespace supple::pictures {

using Eigen::Matrix4d;
using geometry::Mat3;
using geometry::Vec3;

Subject::VertexMotion Subject::vertex_motion(double time, Deformation deformation) const {
  const std::vector<double> values = coefficients(time);
  if (values.empty() || deformation == Deformation::None) return {};
  const std::size_t count = m_character->character.positions.size();
  VertexMotion motion{std::vector<Vec3>(count, Vec3::Zero()),
                      std::vector<Vec3>(count, Vec3::Zero())};
  auto value = values.begin();
  for (std::size_t o = 0; o < m_objects.size(); ++o) {
    const soft::Object& object = m_objects[o];
    for (const soft::Mode& mode : object.modes) {
      const double q = *value++;
      for (std::size_t i = 0; i < object.vertices.size(); ++i) {
        const auto v = static_cast<std::size_t>(object.vertices[i]);
        motion.displacements[v] += q * mode.displacements[i];
        if (m_shells[o]) motion.turns[v] += q * mode.turns[i];
      }
    }
  }
  if (deformation == Deformation::Linear) return motion;
  for (std::size_t v = 0; v < count; ++v) {
    if (motion.turns[v].isZero()) continue;
    motion.displacements[v] = shell::mean_rotation(motion.turns[v]) * motion.displacements[v];
  }
  return motion;
}

std::vector<Vec3> Subject::points(double time, Deformation deformation,
                                  std::optional<std::size_t> focus) const {
  const io::GltfPose now = pose(time);
  const std::vector<Matrix4d> places = world(now, time);
  const std::vector<Vec3> moved = vertex_motion(time, deformation).displacements;
  std::vector<bool> wanted(focus ? m_character->character.positions.size() : 0);
  if (focus) {
    for (const geometry::Index v : m_objects[*focus].vertices) {
      wanted[static_cast<std::size_t>(v)] = true;
    }
  }
  std::vector<Vec3> points;
  for (const std::size_t n : io::shown_nodes(m_asset)) {
    if (is_handle(n)) continue;
    const io::GltfNode& node = m_asset.nodes[n];
    const io::GltfMesh& mesh = m_asset.meshes[*node.mesh];
    std::vector<Matrix4d> palette;
    if (node.skin) palette = io::skinning_matrices(m_asset.skins[*node.skin], places);
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
      const io::GltfPrimitive& primitive = mesh.primitives[p];
      const std::optional<std::size_t> first = first_vertex(*node.mesh, p);
      if (focus && !first) continue;
      std::vector<Vec3> positions = io::morphed_positions(primitive, now.weights[n]);
      const bool skinned = !palette.empty() && primitive.influences > 0;
      for (std::size_t v = 0; v < positions.size(); ++v) {
        if (focus && !wanted[*first + v]) continue;
        if (first && !moved.empty()) positions[v] += moved[*first + v];
        const Matrix4d matrix = skinned ? io::blended_matrix(primitive, v, palette) : places[n];
        points.emplace_back((matrix * positions[v].homogeneous()).head<3>());
      }
    }
  }
  return points;
}

std::optional<std::size_t> Subject::first_vertex(std::size_t mesh, std::size_t primitive) const {
  if (!m_soft) return {};
  for (const soft::Part& part : m_character->parts) {
    if (part.mesh == mesh && part.primitive == primitive) return part.first_vertex;
  }
  return {};
}

Result<Subject::Handle> Subject::find_vertex(std::size_t vertex) const {
  for (const std::size_t n : io::shown_nodes(m_asset)) {
    const std::size_t mesh = *m_asset.nodes[n].mesh;
    for (const soft::Part& part : m_character->parts) {
      if (part.mesh != mesh || vertex < part.first_vertex ||
          vertex >= part.first_vertex + part.vertex_count) {
        continue;
      }
      Handle handle;
      handle.vertex = vertex;
      handle.drawing_node = n;
      handle.primitive = part.primitive;
      handle.place = vertex - part.first_vertex;
      return handle;
    }
  }
  return bad_input(
      fmt::format("the handle on vertex {} is not in any visible mesh of '{}'", vertex, m_file));
}

Result<void> Subject::load_handles() {
  if (!m_soft) return {};
  supple_attachment_info info{};
  std::vector<Handle> handles;
  std::vector<HandleLook> looks;
  for (std::uint32_t a = 0; supple_asset_attachment(m_soft->asset(), a, &info) == SUPPLE_OK; ++a) {
    SUPPLE_TRY(Handle handle, find_vertex(info.vertex));
    supple_shell_info shell{};
    (void)supple_asset_shell(m_soft->asset(), info.object, &shell);
    constexpr double kOfShell = 0.16;
    handle.size = kOfShell * shell.size_metres / m_character->character.metres_per_unit;
    handles.push_back(handle);
    looks.push_back({(info.components & SUPPLE_HANDLE_POSITION) != 0,
                     (info.components & SUPPLE_HANDLE_ORIENTATION) != 0});
  }
  for (std::size_t i = 0; i < handles.size(); ++i) {
    handles[i].node = add_handle_node(m_asset, looks[i]);
  }
  m_handles = std::move(handles);
  return {};
}

bool Subject::is_handle(std::size_t node) const {
  return std::any_of(m_handles.begin(), m_handles.end(),
                     [node](const Handle& handle) { return handle.node == node; });
}

void Subject::place_handles(double time, Deformation deformation,
                            std::vector<Matrix4d>& world) const {
  if (m_handles.empty()) return;
  const VertexMotion motion = vertex_motion(time, deformation);
  for (const Handle& handle : m_handles) {
    const io::GltfNode& node = m_asset.nodes[handle.drawing_node];
    const io::GltfPrimitive& primitive = m_asset.meshes[*node.mesh].primitives[handle.primitive];
    Matrix4d matrix = world[handle.drawing_node];
    if (node.skin && primitive.influences > 0) {
      matrix = io::blended_matrix(primitive, handle.place,
                                  io::skinning_matrices(m_asset.skins[*node.skin], world));
    }
    Vec3 position = m_character->character.positions[handle.vertex];
    Mat3 axes = matrix.topLeftCorner<3, 3>();
    axes.colwise().normalize();
    if (!motion.displacements.empty()) {
      position += motion.displacements[handle.vertex];
      axes *= shell::rotation(motion.turns[handle.vertex]);
    }
    Matrix4d& placed = world[handle.node];
    placed = Matrix4d::Identity();
    placed.topLeftCorner<3, 3>() = handle.size * axes;
    placed.topRightCorner<3, 1>() = (matrix * position.homogeneous()).head<3>();
  }
}

}  // namespace supple::pictures
