// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/gltf_character.hpp"

#include "bake/source/skeletons.hpp"

#include "supple/bake/node_character.hpp"
#include "supple/geometry/tri_mesh.hpp"
#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <map>

namespace supple::bake {
namespace {

using geometry::Index;
using geometry::Vec3;

/// Larger than any character: assume centimetres.
constexpr double kGiant = 20;  // world units

/// Beyond this much less volume, blended maps are flat or mirrored.
constexpr double kFlattened = 0.1;

/// From the space of a vertex's own primitive to the character's bind space: the joints' maps,
/// blended as its weights blend the joints. They are all the same unless skins were bound in
/// different poses; if those are too different to blend, the strongest joint counts.
BindMap map_to_bind(const io::GltfPrimitive& primitive, std::size_t vertex,
                    const std::vector<Eigen::Matrix4d>& to_bind) {
  const Eigen::Matrix4d blend = io::blended_matrix(primitive, vertex, to_bind);
  const std::size_t first = vertex * primitive.influences;
  std::size_t strongest = first;
  for (std::size_t k = first; k < first + primitive.influences; ++k) {
    if (primitive.weights[k] > primitive.weights[strongest]) strongest = k;
  }
  const Eigen::Matrix4d& alone = to_bind[primitive.joints[strongest]];
  const double volume = alone.topLeftCorner<3, 3>().determinant();
  const bool flat = blend.topLeftCorner<3, 3>().determinant() < kFlattened * volume;
  return (flat ? alone : blend).topRows<3>();
}

class CharacterReader {
 public:
  CharacterReader(const io::GltfAsset& asset, const CharacterSettings& settings)
      : m_asset(asset), m_settings(settings) {}

  Result<GltfCharacter> run() {
    SUPPLE_TRY(m_skeleton, detail::choose_skeleton(m_asset, m_settings, m_result.warnings));
    m_result.skinned_nodes = m_skeleton.nodes;
    m_result.skeletons = m_skeleton.of;
    SUPPLE_TRY(m_joined, detail::join_skins(m_asset, m_skeleton.skins));
    read_bones();
    SUPPLE_TRY_VOID(read_parts());
    move_to_one_bind_space();
    fill_in_masks();
    choose_unit();
    SUPPLE_TRY_VOID(m_result.character.validate());
    return std::move(m_result);
  }

 private:
  void read_bones() {
    m_result.nodes = m_joined.nodes;
    const auto worlds = io::world_matrices(m_asset, io::rest_pose(m_asset));
    std::vector<std::optional<std::size_t>> bone_of_node(m_asset.nodes.size());
    for (std::size_t b = 0; b < m_joined.nodes.size(); ++b) bone_of_node[m_joined.nodes[b]] = b;
    for (std::size_t b = 0; b < m_joined.nodes.size(); ++b) {
      const std::size_t node = m_joined.nodes[b];
      character::Bone bone;
      bone.name = node_name(m_asset, node);
      bone.rest_world = worlds[node];
      bone.inverse_bind = m_joined.inverse_binds[b];
      for (auto up = m_asset.nodes[node].parent; up && !bone.parent;
           up = m_asset.nodes[*up].parent) {
        bone.parent = bone_of_node[*up];
      }
      m_result.character.bones.push_back(std::move(bone));
    }
  }

  Result<void> read_parts() {
    std::map<std::size_t, std::size_t> drawn_by;  // meshes, by their first nodes
    for (const std::size_t node : m_result.skinned_nodes) {
      const std::size_t mesh = *m_asset.nodes[node].mesh;
      const auto [first, fresh] = drawn_by.try_emplace(mesh, node);
      if (!fresh) {
        compare_skins(mesh, first->second, node);
        continue;
      }
      for (std::size_t p = 0; p < m_asset.meshes[mesh].primitives.size(); ++p) {
        const io::GltfPrimitive& primitive = m_asset.meshes[mesh].primitives[p];
        if (primitive.positions.empty()) continue;
        if (primitive.influences == 0) {
          m_result.warnings.push_back(
              fmt::format("mesh '{}', primitive {} has no joints and stays unchanged",
                          m_asset.meshes[mesh].name, p));
          continue;
        }
        add_part(node, mesh, p);
      }
    }
    if (m_result.parts.empty()) {
      return bad_input(
          fmt::format("'{}' has a skin, but no triangles that follow it", m_asset.name));
    }
    spread_influences();
    return {};
  }

  /// A mesh that is drawn twice has one set of shapes.
  void compare_skins(std::size_t mesh, std::size_t first, std::size_t node) {
    const detail::JoinedSkin& a = skin_of(first);
    const detail::JoinedSkin& b = skin_of(node);
    if (a.bone_of_joint == b.bone_of_joint && a.to_bind == b.to_bind) return;
    m_result.warnings.push_back(fmt::format(
        "mesh '{}' is drawn by '{}' and by '{}' with different skins; its flesh is made for the "
        "first and may not fit the second, which needs a mesh of its own",
        m_asset.meshes[mesh].name, node_name(m_asset, first), node_name(m_asset, node)));
  }

  [[nodiscard]] const detail::JoinedSkin& skin_of(std::size_t node) const {
    const auto& skins = m_skeleton.skins;
    const auto found = std::find(skins.begin(), skins.end(), *m_asset.nodes[node].skin);
    return m_joined.skins[static_cast<std::size_t>(found - skins.begin())];
  }

  void add_part(std::size_t node, std::size_t mesh, std::size_t p) {
    const io::GltfPrimitive& primitive = m_asset.meshes[mesh].primitives[p];
    character::Character& character = m_result.character;
    const auto first = static_cast<Index>(character.positions.size());
    m_result.parts.push_back({static_cast<std::uint32_t>(mesh), static_cast<std::uint32_t>(p),
                              static_cast<std::uint32_t>(first),
                              static_cast<std::uint32_t>(primitive.positions.size())});
    m_primitives.push_back(&primitive);
    m_skins.push_back(&skin_of(node));
    character.positions.insert(character.positions.end(), primitive.positions.begin(),
                               primitive.positions.end());
    Index material = -1;
    if (primitive.material) material = static_cast<Index>(*primitive.material);
    for (const geometry::Triangle& t : primitive.triangles) {
      character.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
      character.materials.push_back(material);
    }
    character.material_names = m_asset.materials;
    character.influences = std::max(character.influences, primitive.influences);
    if (!io::weights_normalised(primitive)) {
      m_result.warnings.push_back(fmt::format(
          "mesh '{}', primitive {}: weights normalised; their sums differed from 1 by up to {:.3g}",
          m_asset.meshes[mesh].name, p, io::weight_sum_error(primitive)));
    }
  }

  /// All parts with the same number of joints per vertex, weights summing to 1. Normals are used
  /// only if every part has them.
  void spread_influences() {
    character::Character& character = m_result.character;
    const std::size_t wide = character.influences;
    const bool normals = std::all_of(m_primitives.begin(), m_primitives.end(),
                                     [](const auto* p) { return !p->normals.empty(); });
    for (std::size_t part = 0; part < m_primitives.size(); ++part) {
      const io::GltfPrimitive* primitive = m_primitives[part];
      if (normals) {
        character.normals.insert(character.normals.end(), primitive->normals.begin(),
                                 primitive->normals.end());
      }
      for (std::size_t v = 0; v < primitive->positions.size(); ++v) {
        double sum = 0;
        for (std::size_t k = 0; k < primitive->influences; ++k) {
          sum += primitive->weights[v * primitive->influences + k];
        }
        for (std::size_t k = 0; k < wide; ++k) {
          const bool has = k < primitive->influences;
          const std::size_t at = v * primitive->influences + k;
          character.joints.push_back(has ? m_skins[part]->bone_of_joint[primitive->joints[at]] : 0);
          // A vertex without weights follows its first joint.
          const double alone = k == 0 ? 1.0 : 0.0;
          character.weights.push_back(!(sum > 0) ? alone : has ? primitive->weights[at] / sum : 0);
        }
      }
    }
  }

  void move_to_one_bind_space() {
    if (std::all_of(m_skins.begin(), m_skins.end(),
                    [](const auto* skin) { return skin->to_bind.empty(); })) {
      return;
    }
    for (std::size_t p = 0; p < m_primitives.size(); ++p) move_part(p);
    // Matrices are rounded to floats, which must not open a seam between two skins.
    constexpr double kRounding = 4e-6;  // of the character's size
    std::vector<Vec3>& positions = m_result.character.positions;
    const double size = geometry::bounding_box(positions).diagonal();
    const geometry::WeldedMesh closed = geometry::weld({positions, {}}, kRounding * size);
    for (std::size_t v = 0; v < positions.size(); ++v) {
      positions[v] = closed.mesh.positions[static_cast<std::size_t>(closed.vertex_of_input[v])];
    }
  }

  void move_part(std::size_t p) {
    character::Character& character = m_result.character;
    soft::Part& part = m_result.parts[p];
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    for (std::size_t v = part.first_vertex; v < part.first_vertex + part.vertex_count; ++v) {
      OwnVertex own{character.positions[v], BindMap::Identity()};
      if (!m_skins[p]->to_bind.empty()) {
        own.to_bind = map_to_bind(*m_primitives[p], v - part.first_vertex, m_skins[p]->to_bind);
        character.positions[v] = own.to_bind * own.position.homogeneous();
        if (!character.normals.empty()) {
          const Eigen::Matrix3d linear = own.to_bind.leftCols<3>();
          character.normals[v] = (linear.inverse().transpose() * character.normals[v]).normalized();
        }
      }
      sum += own.to_bind.leftCols<3>();
      m_result.own.push_back(own);
    }
    part.to_bind = sum / std::max(part.vertex_count, 1U);
  }

  void fill_in_masks() {
    constexpr std::array kChannels{"r", "g", "b", "a"};
    auto& masks = m_result.character.masks;
    const std::size_t count = m_result.character.positions.size();
    for (std::size_t part = 0; part < m_primitives.size(); ++part) {
      const io::GltfPrimitive& primitive = *m_primitives[part];
      const std::size_t first = m_result.parts[part].first_vertex;
      auto put = [&](const std::string& name, std::size_t v, double value) {
        auto& mask = masks[name];
        mask.resize(count, 0.0);
        mask[first + v] = value;
      };
      for (std::size_t v = 0; v < primitive.colours.size(); ++v) {
        for (std::size_t c = 0; c < 4; ++c) {
          put(fmt::format("COLOR_0.{}", kChannels[c]), v, primitive.colours[v](c));
        }
      }
      for (const io::GltfAttribute& attribute : primitive.attributes) {
        for (std::size_t v = 0; v * attribute.width < attribute.values.size(); ++v) {
          put(attribute.name, v, attribute.values[v * attribute.width]);
        }
      }
    }
  }

  void choose_unit() {
    character::Character& character = m_result.character;
    character.name = m_asset.name;
    character.metres_per_unit = 1;
    if (m_settings.metres_per_unit > 0) {
      character.metres_per_unit = m_settings.metres_per_unit;
      return;
    }
    geometry::Box box;
    const Eigen::Matrix4d world = character.bones[0].rest_world * character.bones[0].inverse_bind;
    for (const Vec3& p : character.positions) {
      box.add(world.topLeftCorner<3, 3>() * p + world.topRightCorner<3, 1>());
    }
    if (box.size().maxCoeff() <= kGiant) return;
    character.metres_per_unit = 0.01;
    m_result.warnings.push_back(
        fmt::format("the character is {:.0f} units long, larger than any character; assuming "
                    "centimetres (set the unit to change this)",
                    box.size().maxCoeff()));
  }

  const io::GltfAsset& m_asset;
  const CharacterSettings& m_settings;
  detail::Skeleton m_skeleton;
  detail::JoinedSkins m_joined;
  GltfCharacter m_result;
  std::vector<const io::GltfPrimitive*> m_primitives;  // of the parts
  std::vector<const detail::JoinedSkin*> m_skins;      // the same
};

/// What moves by u in bind space moves by M^-1 u in the space of its primitive, M its map to bind
/// space. Normals n + c there are M^T (n + c) here, in units of the normal at rest.
void move_to_own_spaces(const GltfCharacter& source, soft::Object& object) {
  if (source.own.empty()) return;
  for (std::size_t i = 0; i < object.vertices.size(); ++i) {
    const std::uint32_t v = object.vertices[i];
    const Eigen::Matrix3d map = source.own[v].to_bind.leftCols<3>();
    const Eigen::Matrix3d inverse = map.inverse();
    for (soft::Mode& mode : object.modes) {
      mode.displacements[i] = inverse * mode.displacements[i];
      if (mode.normals.empty()) continue;
      const double length = (map.transpose() * source.character.normals[v]).norm();
      if (length > 0) mode.normals[i] = map.transpose() * mode.normals[i] / length;
    }
  }
}

}  // namespace

Vec3 GltfCharacter::in_bind_space(std::size_t vertex, const Vec3& direction) const {
  if (own.empty()) return direction;
  return own[vertex].to_bind.leftCols<3>() * direction;
}

Result<GltfCharacter> character_from_gltf(const io::GltfAsset& asset,
                                          const CharacterSettings& settings) {
  return CharacterReader(asset, settings).run();
}

soft::Asset moving_surface(const GltfCharacter& source, const std::string& generator) {
  const character::Character& character = source.character;
  soft::Asset result;
  result.generator = generator;
  std::vector<Eigen::Vector3f> positions;
  positions.reserve(character.positions.size());
  // As in the file, whatever the bind space.
  for (std::size_t v = 0; v < character.positions.size(); ++v) {
    const Vec3& p = source.own.empty() ? character.positions[v] : source.own[v].position;
    positions.push_back(p.cast<float>());
  }
  std::vector<std::uint32_t> indices;
  for (const geometry::Triangle& t : character.triangles)
    indices.insert(indices.end(), t.begin(), t.end());
  result.mesh_hash = io::mesh_hash(positions, indices);
  result.vertex_count = static_cast<std::uint32_t>(positions.size());
  result.index_count = static_cast<std::uint32_t>(indices.size());
  result.positions = std::move(positions);
  for (std::size_t v = 0; v < character.normals.size(); ++v) {
    Vec3 normal = character.normals[v];
    if (!source.own.empty()) normal = source.own[v].to_bind.leftCols<3>().transpose() * normal;
    result.normals.push_back(normal.normalized().cast<float>());
  }
  result.metres_per_unit = character.metres_per_unit;
  result.parts = source.parts;
  return result;
}

soft::Asset flesh_asset(const GltfCharacter& source, const std::vector<flesh::FleshObject>& objects,
                        const std::string& generator) {
  soft::Asset result = moving_surface(source, generator);
  for (const flesh::FleshObject& flesh : objects) {
    soft::Object object = flesh;
    object.node = static_cast<std::uint32_t>(source.nodes[flesh.driver]);
    move_to_own_spaces(source, object);
    result.objects.push_back(std::move(object));
  }
  return result;
}

}  // namespace supple::bake
