// SPDX-License-Identifier: Apache-2.0
#include "bake/shell/builder.hpp"

#include "supple/character/object_frame.hpp"
#include "supple/core/suggest.hpp"
#include "supple/geometry/half_edges.hpp"
#include "supple/io/similarity.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <set>

namespace supple::bake::detail {
namespace {

using geometry::Index;
using geometry::Vec3;

Result<std::size_t> find_node(const GltfCharacter& source, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < source.character.bones.size(); ++b) {
    if (source.character.bones[b].name == name) return source.nodes[b];
    names.push_back(source.character.bones[b].name);
  }
  return bad_input(
      fmt::format("the file has no node or bone '{}'{}", name, did_you_mean(name, names)));
}

/// In metres, in the axes of the bone without its scale.
Eigen::Isometry3d rigid_frame(const Eigen::Matrix4d& world, double metres_per_unit) {
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
  frame.linear() = character::bone_rotation(world);
  frame.translation() = metres_per_unit * world.topRightCorner<3, 1>();
  return frame;
}

bool has_inner_edge(const geometry::TriMesh& mesh) {
  bool found = false;
  geometry::for_each_edge(
      geometry::half_edges(mesh),
      [&](const geometry::HalfEdge*, std::size_t count) { found |= count > 1; });
  return found;
}

}  // namespace

const io::GltfPrimitive& ShellBuilder::primitive(const ShellPart& part) const {
  const soft::Part& place = m_source.parts[part.part];
  return m_asset.meshes[place.mesh].primitives[place.primitive];
}

Result<PreparedShell> ShellBuilder::build(const ShellSettings& settings,
                                          std::vector<ShellPart> parts) {
  m_shell = {};
  m_shell.settings = settings;
  m_shell.parts = std::move(parts);
  SUPPLE_TRY_VOID(find_bone());
  SUPPLE_TRY_VOID(find_frame());
  collect_vertices();
  SUPPLE_TRY_VOID(make_surface());
  SUPPLE_TRY_VOID(fix_nodes());
  SUPPLE_TRY_VOID(assign_regions());
  SUPPLE_TRY_VOID(attach_handles());
  SUPPLE_TRY_VOID(m_shell.model.validate());
  return std::move(m_shell);
}

Result<void> ShellBuilder::find_bone() {
  const std::size_t node = m_shell.parts.front().node;
  const auto& skin = m_asset.nodes[node].skin;
  const auto names = [&](std::size_t n) { return m_source.character.bones[n].name; };
  for (const ShellPart& part : m_shell.parts) {
    const bool same = skin ? m_asset.nodes[part.node].skin == skin : part.node == node;
    if (!same) {
      return bad_input(fmt::format(
          "nodes '{}' and '{}' move independently; give each a [[shell]], or join their meshes",
          names(node), names(part.node)));
    }
  }
  if (skin) return find_joint(*skin);
  m_shell.bone = node;
  if (m_shell.settings.bone.empty()) return {};
  SUPPLE_TRY(m_shell.bone, find_node(m_source, m_shell.settings.bone));
  for (std::optional<std::size_t> up = node; up; up = m_asset.nodes[*up].parent) {
    if (*up == m_shell.bone) return {};
  }
  return bad_input(
      fmt::format("node '{}' does not carry the mesh of node '{}', which has no skin; set bone to "
                  "that node or one above it, or attach the mesh below '{}'",
                  m_shell.settings.bone, names(node), m_shell.settings.bone));
}

/// For a skinned mesh: the named joint, or the joint that moves most of it.
Result<void> ShellBuilder::find_joint(std::size_t skin) {
  const std::vector<std::size_t>& joints = m_asset.skins[skin].joints;
  std::vector<double> weight(joints.size(), 0.0);
  for (const ShellPart& part : m_shell.parts) {
    const io::GltfPrimitive& mesh = primitive(part);
    for (std::size_t i = 0; i < mesh.joints.size(); ++i) {
      if (mesh.joints[i] < weight.size()) weight[mesh.joints[i]] += mesh.weights[i];
    }
  }
  auto joint =
      static_cast<std::size_t>(std::max_element(weight.begin(), weight.end()) - weight.begin());
  if (!m_shell.settings.bone.empty()) {
    SUPPLE_TRY(const std::size_t node, find_node(m_source, m_shell.settings.bone));
    const auto found = std::find(joints.begin(), joints.end(), node);
    if (found == joints.end()) {
      return bad_input(
          fmt::format("'{}' is not a joint of the mesh's skin; set bone to one of its joints, such "
                      "as '{}', which moves most of it",
                      m_shell.settings.bone, m_source.character.bones[joints[joint]].name));
    }
    joint = static_cast<std::size_t>(found - joints.begin());
  }
  m_shell.joint = joint;
  m_shell.bone = joints[joint];
  std::size_t others = 0;
  std::size_t count = 0;
  for (const ShellPart& part : m_shell.parts) {
    const io::GltfPrimitive& mesh = primitive(part);
    count += mesh.positions.size();
    for (std::size_t v = 0; v < mesh.positions.size() && mesh.influences > 0; ++v) {
      double mine = 0;
      double all = 0;
      for (std::size_t k = 0; k < mesh.influences; ++k) {
        const double w = mesh.weights[v * mesh.influences + k];
        all += w;
        if (mesh.joints[v * mesh.influences + k] == joint) mine += w;
      }
      constexpr double kRounding = 1e-3;
      if (mine < (1 - kRounding) * all) ++others;
    }
  }
  if (others > 0) {
    m_shell.warnings.push_back(fmt::format(
        "{} of {} vertices followed bones other than '{}'; in the result they follow only that one",
        others, count, m_source.character.bones[m_shell.bone].name));
  }
  return {};
}

Result<void> ShellBuilder::find_frame() {
  const double metres = m_source.character.metres_per_unit;
  const auto& bones = m_source.character.bones;
  const Eigen::Matrix4d& world = bones[m_shell.bone].rest_world;
  const std::string& name = bones[m_shell.bone].name;
  Eigen::Matrix4d bind_world = world;  // the bone where the surface was modelled
  if (m_shell.joint) {
    const io::GltfSkin& skin = m_asset.skins[*m_asset.nodes[m_shell.parts.front().node].skin];
    const Eigen::Matrix4d& inverse_bind = skin.inverse_bind_matrices[*m_shell.joint];
    m_world_from_bind = world * inverse_bind;
    const std::size_t root = skin.joints.front();
    const auto top = skin.inverse_bind_matrices.front();
    if (std::abs(inverse_bind.determinant()) > 0) {
      bind_world = bones[root].rest_world * top * inverse_bind.inverse();
    }
  } else {
    m_world_from_bind = bones[m_shell.parts.front().node].rest_world;
  }
  const double volume = std::min(m_world_from_bind.topLeftCorner<3, 3>().determinant(),
                                 world.topLeftCorner<3, 3>().determinant());
  if (!(volume > 0)) {
    return bad_input(
        fmt::format("'{}' is {}: its scale is {}; apply the scale in the modelling "
                    "program and export again",
                    name, volume < 0 ? "mirrored" : "flattened",
                    volume < 0 ? "negative" : "0 in some direction"));
  }
  if (!io::is_similarity(m_world_from_bind.topLeftCorner<3, 3>())) {
    return bad_input(
        fmt::format("'{}' is sheared or scaled differently along its axes, which a shell cannot "
                    "be; apply the scale in the modelling program and export again",
                    name));
  }
  Eigen::Matrix4d from_bind = m_world_from_bind;
  from_bind.topRightCorner<3, 1>() -= world.topRightCorner<3, 1>();
  m_shell.frame_from_bind =
      metres * character::bone_rotation(world).transpose() * from_bind.topRows<3>();
  m_shell.rest_rotation = Eigen::Quaterniond(character::bone_rotation(bind_world));
  return {};
}

void ShellBuilder::collect_vertices() {
  const bool coloured = std::any_of(m_shell.parts.begin(), m_shell.parts.end(),
                                    [&](const auto& p) { return !primitive(p).colours.empty(); });
  m_selectable.first_number = m_first_number;
  for (const ShellPart& part : m_shell.parts) {
    const io::GltfPrimitive& mesh = primitive(part);
    const auto first = static_cast<Index>(m_bind.size());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      // The player and its mesh hash see floats, so the shell is made of them.
      const Vec3 bind = mesh.positions[v].cast<float>().cast<double>();
      m_asset_vertex.push_back(m_source.parts[part.part].first_vertex +
                               static_cast<std::uint32_t>(v));
      m_bind.push_back(bind);
      m_selectable.points.emplace_back(m_source.character.metres_per_unit *
                                       (m_world_from_bind.topLeftCorner<3, 3>() * bind +
                                        m_world_from_bind.topRightCorner<3, 1>()));
      if (coloured) {
        m_selectable.colours.push_back(mesh.colours.empty() ? Eigen::Vector4d(0, 0, 0, 1)
                                                            : mesh.colours[v]);
      }
    }
    for (const io::GltfAttribute& attribute : mesh.attributes) {
      auto& set = m_selectable.sets[attribute.name.substr(1)];
      for (std::size_t v = 0; v * attribute.width < attribute.values.size(); ++v) {
        if (attribute.values[v * attribute.width] > 0.5F) {
          set.push_back(first + static_cast<Index>(v));
        }
      }
    }
    const std::string material = mesh.material ? m_asset.materials[*mesh.material] : std::string();
    for (const geometry::Triangle& t : mesh.triangles) {
      m_triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
      m_triangle_materials.push_back(material);
    }
  }
}

Result<void> ShellBuilder::make_surface() {
  geometry::TriMesh input;
  input.triangles = m_triangles;
  input.positions.reserve(m_bind.size());
  for (const Vec3& p : m_bind) {
    input.positions.emplace_back(m_shell.frame_from_bind.leftCols<3>() * p +
                                 m_shell.frame_from_bind.col(3));
  }
  SUPPLE_TRY(m_surface, geometry::prepare_shell_surface(input, m_first_number));
  m_shell.model.mesh = m_surface.mesh;
  m_shell.warnings.insert(m_shell.warnings.end(), m_surface.warnings.begin(),
                          m_surface.warnings.end());
  for (std::size_t v = 0; v < m_bind.size(); ++v) {
    if (m_surface.node_of_vertex[v] < 0) continue;
    m_shell.vertices.push_back(m_asset_vertex[v]);
    m_shell.node_of_vertex.push_back(m_surface.node_of_vertex[v]);
  }
  constexpr double kLarge = 10;       // metres
  constexpr double kLargest = 10000;  // metres
  const double size = geometry::bounding_box(m_surface.mesh.positions).diagonal();
  const double units = size / m_source.character.metres_per_unit;
  if (size > kLargest) {
    return bad_input(
        fmt::format("it is {:.3g} m across ({:.3g} units of {:g} m); a shell may be at most {} m: "
                    "set unit to the length of one unit of the file in metres",
                    size, units, m_source.character.metres_per_unit, kLargest));
  }
  if (size > kLarge) {
    m_shell.warnings.push_back(
        fmt::format("it is {:.3g} m across; if the file is in centimetres, set unit = 0.01 (then "
                    "it is {:.3g} m); if in millimetres, unit = 0.001 ({:.3g} m)",
                    size, 0.01 * units, 0.001 * units));
  }
  if (!has_inner_edge(m_surface.mesh)) {
    return bad_input(
        "no two of its triangles share an edge, so it cannot bend; join them, or remove it from "
        "the shells");
  }
  return {};
}

/// Bits of fem::kFix* per node.
Result<std::vector<std::uint8_t>> ShellBuilder::selected(const std::vector<std::string>& texts) {
  std::vector<std::uint8_t> bits(m_surface.mesh.positions.size(), 0);
  for (const std::string& text : texts) {
    SUPPLE_TRY(const VertexSelection selection, parse_vertex_selection(text));
    SUPPLE_TRY(const auto chosen, select(m_selectable, selection));
    for (const Index vertex : chosen) {
      const Index node = m_surface.node_of_vertex[static_cast<std::size_t>(vertex)];
      if (node < 0) continue;
      auto& mine = bits[static_cast<std::size_t>(node)];
      mine = static_cast<std::uint8_t>(mine | selection.components);
    }
  }
  return bits;
}

Result<void> ShellBuilder::fix_nodes() {
  std::vector<std::uint8_t>& fixed = m_shell.model.fixed;
  SUPPLE_TRY(fixed, selected(m_shell.settings.fix));
  SUPPLE_TRY(const std::vector<std::uint8_t> clamped, selected(m_shell.settings.clamp));
  // Fix all corners of every triangle with a clamped corner: a single vertex or a line of vertices
  // would still let it turn.
  for (const geometry::Triangle& triangle : m_surface.mesh.triangles) {
    std::uint8_t bits = 0;
    for (const Index node : triangle) bits = static_cast<std::uint8_t>(bits | clamped[node]);
    for (const Index node : triangle) fixed[node] = static_cast<std::uint8_t>(fixed[node] | bits);
  }
  const bool held = std::any_of(fixed.begin(), fixed.end(), [](auto bits) { return bits != 0; });
  if (std::all_of(fixed.begin(), fixed.end(), [](auto bits) { return bits == fem::kFixAll; })) {
    return bad_input(
        "all of its vertices are fixed, so nothing can move; fix or clamp fewer of them, or remove "
        "it from the shells");
  }
  if (!held && m_shell.settings.object.tether == 0 && m_shell.settings.handles.empty()) {
    m_shell.warnings.emplace_back(
        "nothing holds it: it moves with its node as a whole and only bends. To hold vertices, "
        "paint them red (COLOR_0) or write fix = [\"sphere:x,y,z,r\"], [\"vertices:1,2\"] or "
        "[\"y<0.1\"], or clamp for a border, in its settings (shell.toml)");
  }
  return {};
}

Result<void> ShellBuilder::assign_regions() {
  fem::ShellModel& model = m_shell.model;
  model.bending = m_shell.settings.bending;
  model.materials = {shell_material(m_shell.settings.material, fem::edge_scale(model.mesh))};
  if (const auto* sheet = std::get_if<SheetMaterial>(&m_shell.settings.material)) {
    m_shell.settings.object.medium.solid_density = sheet->solid.density;
  }
  model.regions.assign(model.mesh.triangles.size(), 0);
  for (const ShellRegion& region : m_shell.settings.regions) {
    std::vector<char> inside(m_bind.size(), region.where.empty() ? 1 : 0);
    for (const std::string& text : region.where) {
      SUPPLE_TRY(const VertexSelection selection, parse_vertex_selection(text));
      SUPPLE_TRY(const auto chosen, select(m_selectable, selection));
      for (const Index vertex : chosen) inside[static_cast<std::size_t>(vertex)] = 1;
    }
    fem::ShellMaterial material = model.materials.front();
    const double t = region.thickness;
    material.area_stiffness *= region.stiffness * t;
    material.length_stiffness *= region.stiffness * t;
    material.bending_stiffness *= region.stiffness * t * t * t;
    material.area_density *= t;
    const auto number = static_cast<Index>(model.materials.size());
    material.name = fmt::format("{}, region {}", material.name, number);
    std::size_t count = 0;
    for (std::size_t i = 0; i < model.mesh.triangles.size(); ++i) {
      const auto place = static_cast<std::size_t>(m_surface.input_triangle[i]);
      const bool drawn_so =
          region.surface_material.empty() || m_triangle_materials[place] == region.surface_material;
      const bool all =
          std::all_of(m_triangles[place].begin(), m_triangles[place].end(),
                      [&](Index corner) { return inside[static_cast<std::size_t>(corner)] != 0; });
      if (!drawn_so || !all) continue;
      model.regions[i] = number;
      ++count;
    }
    if (count == 0) {
      return bad_input(
          fmt::format("region {} has no triangle: {}", number,
                      region.surface_material.empty()
                          ? std::string("none has all corners selected; enlarge its 'where'")
                          : fmt::format("none is drawn with material '{}' there; give another "
                                        "surface_material, or enlarge its 'where'",
                                        region.surface_material)));
    }
    model.materials.push_back(std::move(material));
  }
  return {};
}

/// The vertex in the middle of what `at` selects.
Result<std::size_t> ShellBuilder::handle_vertex(const ShellHandle& handle) {
  SUPPLE_TRY(const VertexSelection selection, parse_vertex_selection(handle.at));
  SUPPLE_TRY(const auto chosen, select(m_selectable, selection));
  Vec3 middle = Vec3::Zero();
  for (const Index v : chosen) middle += m_selectable.points[static_cast<std::size_t>(v)];
  middle /= static_cast<double>(chosen.size());
  const auto distance = [&](Index v) {
    return (m_selectable.points[static_cast<std::size_t>(v)] - middle).squaredNorm();
  };
  const auto best = static_cast<std::size_t>(*std::min_element(
      chosen.begin(), chosen.end(), [&](Index a, Index b) { return distance(a) < distance(b); }));
  const Index node = m_surface.node_of_vertex[best];
  if (node < 0) {
    return bad_input(
        fmt::format("vertex {} belongs to no triangle, so no handle can hold it", number(best)));
  }
  if (m_shell.model.fixed[static_cast<std::size_t>(node)] == fem::kFixAll) {
    return bad_input(fmt::format(
        "vertex {} is fixed, so no handle can move it; choose another vertex or remove it from fix",
        number(best)));
  }
  return best;
}

Result<soft::Attachment> ShellBuilder::attach(const ShellHandle& handle) {
  soft::Attachment attachment;
  SUPPLE_TRY(const std::size_t node, find_node(m_source, handle.bone));
  SUPPLE_TRY(const std::size_t vertex, handle_vertex(handle));
  SUPPLE_TRY(attachment.components, parse_hold(handle.hold));
  attachment.vertex = m_asset_vertex[vertex];
  attachment.node = static_cast<std::uint32_t>(node);
  attachment.bone = m_source.character.bones[node].name;
  attachment.stiffness = handle.stiffness;
  attachment.rest =
      m_surface.mesh.positions[static_cast<std::size_t>(m_surface.node_of_vertex[vertex])];
  const double metres = m_source.character.metres_per_unit;
  const auto& bones = m_source.character.bones;
  if (!(bones[node].rest_world.topLeftCorner<3, 3>().determinant() > 0)) {
    return bad_input(
        fmt::format("bone '{}' is mirrored or flattened; apply its scale in the modelling program "
                    "and export again",
                    handle.bone));
  }
  const Eigen::Isometry3d bone = rigid_frame(bones[node].rest_world, metres);
  const Eigen::Isometry3d frame = rigid_frame(bones[m_shell.bone].rest_world, metres);
  attachment.bone_from_frame = (bone.inverse() * frame).matrix().topRows<3>();
  return attachment;
}

Result<void> ShellBuilder::attach_handles() {
  for (std::size_t h = 0; h < m_shell.settings.handles.size(); ++h) {
    const ShellHandle& handle = m_shell.settings.handles[h];
    SUPPLE_TRY(soft::Attachment attachment,
               attach(handle).during(fmt::format("handle {} (bone '{}')", h + 1, handle.bone)));
    m_shell.attachments.push_back(std::move(attachment));
  }
  warn_about_handles();
  return {};
}

void ShellBuilder::warn_about_handles() {
  std::set<std::pair<std::uint32_t, std::uint32_t>> held;  // vertex, component
  int rows = 0;
  for (const soft::Attachment& attachment : m_shell.attachments) {
    for (std::uint32_t bit = 1; bit < 64; bit <<= 1U) {
      if ((attachment.components & bit) == 0) continue;
      ++rows;
      if (held.emplace(attachment.vertex, bit).second) continue;
      m_shell.warnings.push_back(
          fmt::format("two handles hold the same component of one vertex (bone '{}' is the "
                      "second): if their bones disagree, the shell takes the mean",
                      attachment.bone));
      return;
    }
  }
  if (rows > m_shell.settings.object.modes) {
    m_shell.warnings.push_back(
        fmt::format("its handles hold {} components, but {} modes can meet at most {} of them at "
                    "once; use more modes",
                    rows, m_shell.settings.object.modes, m_shell.settings.object.modes));
  }
}

}  // namespace supple::bake::detail
