// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/gltf_character.hpp"

#include "supple/geometry/tri_mesh.hpp"
#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>

namespace supple::bake {
namespace {

using geometry::Index;
using geometry::Vec3;

/// Larger than any character: assume centimetres.
constexpr double kGiant = 20;  // world units

class CharacterReader {
 public:
  CharacterReader(const io::GltfAsset& asset, const UnitSettings& units)
      : m_asset(asset), m_units(units) {}

  Result<GltfCharacter> run() {
    SUPPLE_TRY_VOID(find_skin());
    SUPPLE_TRY_VOID(read_bones());
    SUPPLE_TRY_VOID(read_parts());
    fill_in_masks();
    choose_unit();
    SUPPLE_TRY_VOID(m_result.character.validate());
    return std::move(m_result);
  }

 private:
  Result<void> find_skin() {
    std::optional<std::size_t> skin;
    for (std::size_t n = 0; n < m_asset.nodes.size(); ++n) {
      const io::GltfNode& node = m_asset.nodes[n];
      if (!node.skin || !node.mesh) continue;
      if (skin && *skin != *node.skin) {
        return bad_input(
            fmt::format("'{}' has several skins in use ({} and {}); bake one character "
                        "at a time: export each with its own skin",
                        m_asset.name, skin_name(*skin), skin_name(*node.skin)));
      }
      skin = node.skin;
      m_result.skinned_nodes.push_back(n);
    }
    if (!skin) {
      return bad_input(
          fmt::format("'{}' has no skinned mesh; flesh needs a character bound to bones (a skin "
                      "with joints and weights); thin meshes without a skin can be baked as shells",
                      m_asset.name));
    }
    m_result.skin = *skin;
    return {};
  }

  [[nodiscard]] std::string skin_name(std::size_t skin) const {
    const std::string& name = m_asset.skins[skin].name;
    return name.empty() ? fmt::format("skin {}", skin) : fmt::format("'{}'", name);
  }

  Result<void> read_bones() {
    const io::GltfSkin& skin = m_asset.skins[m_result.skin];
    m_result.nodes = skin.joints;
    const auto worlds = io::world_matrices(m_asset, io::rest_pose(m_asset));
    std::vector<std::optional<std::size_t>> bone_of_node(m_asset.nodes.size());
    for (std::size_t b = 0; b < skin.joints.size(); ++b) bone_of_node[skin.joints[b]] = b;
    for (std::size_t b = 0; b < skin.joints.size(); ++b) {
      const std::size_t node = skin.joints[b];
      character::Bone bone;
      bone.name = m_asset.nodes[node].name;
      if (bone.name.empty()) bone.name = fmt::format("node {}", node);
      bone.rest_world = worlds[node];
      bone.inverse_bind = skin.inverse_bind_matrices[b];
      for (auto up = m_asset.nodes[node].parent; up && !bone.parent;
           up = m_asset.nodes[*up].parent) {
        bone.parent = bone_of_node[*up];
      }
      SUPPLE_TRY_VOID(check_bone(bone));
      m_result.character.bones.push_back(std::move(bone));
    }
    return {};
  }

  Result<void> check_bone(const character::Bone& bone) const {
    const double world = bone.rest_world.topLeftCorner<3, 3>().determinant();
    const double bind = bone.inverse_bind.topLeftCorner<3, 3>().determinant();
    if (world < 0 || bind < 0) {
      return bad_input(
          fmt::format("bone '{}' is mirrored (negative scale), so its motion is not rigid; apply "
                      "the scale in the modelling program and export again",
                      bone.name));
    }
    if (!(world > 0) || !(bind > 0)) {
      return bad_input(
          fmt::format("bone '{}' is flattened: its scale is 0 in some direction", bone.name));
    }
    return {};
  }

  Result<void> read_parts() {
    std::vector<char> seen(m_asset.meshes.size(), 0);
    for (const std::size_t node : m_result.skinned_nodes) {
      const std::size_t mesh = *m_asset.nodes[node].mesh;
      if (seen[mesh] != 0) continue;
      seen[mesh] = 1;
      for (std::size_t p = 0; p < m_asset.meshes[mesh].primitives.size(); ++p) {
        const io::GltfPrimitive& primitive = m_asset.meshes[mesh].primitives[p];
        if (primitive.positions.empty()) continue;
        if (primitive.influences == 0) {
          m_result.warnings.push_back(
              fmt::format("mesh '{}', primitive {} has no joints and stays unchanged",
                          m_asset.meshes[mesh].name, p));
          continue;
        }
        add_part(mesh, p);
      }
    }
    if (m_result.parts.empty()) {
      return bad_input(
          fmt::format("'{}' has a skin, but no triangles that follow it", m_asset.name));
    }
    spread_influences();
    return {};
  }

  void add_part(std::size_t mesh, std::size_t p) {
    const io::GltfPrimitive& primitive = m_asset.meshes[mesh].primitives[p];
    character::Character& character = m_result.character;
    const auto first = static_cast<Index>(character.positions.size());
    m_result.parts.push_back({static_cast<std::uint32_t>(mesh), static_cast<std::uint32_t>(p),
                              static_cast<std::uint32_t>(first),
                              static_cast<std::uint32_t>(primitive.positions.size())});
    m_primitives.push_back(&primitive);
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
    for (const io::GltfPrimitive* primitive : m_primitives) {
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
          character.joints.push_back(has ? primitive->joints[at] : 0);
          // A vertex without weights follows its first joint.
          const double alone = k == 0 ? 1.0 : 0.0;
          character.weights.push_back(!(sum > 0) ? alone : has ? primitive->weights[at] / sum : 0);
        }
      }
    }
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
    if (m_units.metres_per_unit > 0) {
      character.metres_per_unit = m_units.metres_per_unit;
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
  const UnitSettings& m_units;
  GltfCharacter m_result;
  std::vector<const io::GltfPrimitive*> m_primitives;  // of the parts
};

}  // namespace

Result<GltfCharacter> character_from_gltf(const io::GltfAsset& asset, const UnitSettings& units) {
  return CharacterReader(asset, units).run();
}

soft::Asset moving_surface(const GltfCharacter& source, const std::string& generator) {
  const character::Character& character = source.character;
  soft::Asset result;
  result.generator = generator;
  std::vector<Eigen::Vector3f> positions;
  positions.reserve(character.positions.size());
  for (const Vec3& p : character.positions) positions.push_back(p.cast<float>());
  std::vector<std::uint32_t> indices;
  for (const geometry::Triangle& t : character.triangles)
    indices.insert(indices.end(), t.begin(), t.end());
  result.mesh_hash = io::mesh_hash(positions, indices);
  result.vertex_count = static_cast<std::uint32_t>(positions.size());
  result.index_count = static_cast<std::uint32_t>(indices.size());
  result.positions = std::move(positions);
  for (const Vec3& n : character.normals) result.normals.push_back(n.normalized().cast<float>());
  result.metres_per_unit = character.metres_per_unit;
  result.parts = source.parts;
  return result;
}

soft::Asset flesh_asset(const io::GltfAsset& asset, const GltfCharacter& source,
                        const std::vector<flesh::FleshObject>& objects,
                        const std::string& generator) {
  soft::Asset result = moving_surface(source, generator);
  for (const flesh::FleshObject& flesh : objects) {
    soft::Object object = flesh;
    object.node = static_cast<std::uint32_t>(asset.skins[source.skin].joints[flesh.driver]);
    result.objects.push_back(std::move(object));
  }
  return result;
}

}  // namespace supple::bake
