// SPDX-License-Identifier: Apache-2.0
#include "io/gltf/reader.hpp"

#include "io/content.hpp"
#include "io/gltf/mesh_codecs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace supple::io {
namespace gltf {
namespace {

using Eigen::Matrix4d;
using geometry::Vec3;

/// Affine matrices may carry this much noise in their last row (single precision exporters).
constexpr double kLastRowTolerance = 1e-4;
/// A quaternion shorter than this has no usable direction.
constexpr double kShortestQuaternion = 1e-6;

/// In asset.extras.
constexpr const char* kBakeId = "supple_bake";

std::string read_bake_id(const Json& json) {
  const Json* about = find(json, "asset");
  const Json* extras = about == nullptr ? nullptr : find(*about, "extras");
  return extras == nullptr ? std::string() : get_string(*extras, kBakeId);
}

bool is_harmless(std::string_view extension) {
  // These change the appearance of a surface or the meaning of its numbers to the accessor reader,
  // never the positions of its vertices.
  constexpr std::array<std::string_view, 6> kKnown{"KHR_mesh_quantization", "KHR_texture_transform",
                                                   "KHR_texture_basisu",    "KHR_lights_punctual",
                                                   "MSFT_texture_dds",      "KHR_xmp_json_ld"};
  return extension.starts_with("KHR_materials_") || extension.starts_with("EXT_texture_") ||
         std::find(kKnown.begin(), kKnown.end(), extension) != kKnown.end();
}

Result<void> check_extensions(const Json& json) {
  SUPPLE_TRY(const Json* required, find_array(json, "extensionsRequired", "document"));
  for (const Json& entry : *required) {
    const std::string name = entry.is_string() ? entry.get<std::string>() : std::string("?");
    if (!is_harmless(name)) {
      return bad_input(fmt::format("the file requires the extension {}, which is unknown", name));
    }
  }
  return {};
}

Result<Matrix4d> as_matrix(const double* values, const std::string& where) {
  Matrix4d matrix = Eigen::Map<const Matrix4d>(values);
  const Eigen::RowVector4d last(0, 0, 0, 1);
  if (!((matrix.row(3) - last).cwiseAbs().maxCoeff() <= kLastRowTolerance)) {
    return bad_input(fmt::format("{}: the matrix is not affine", where));
  }
  matrix.row(3) = last;
  return matrix;
}

/// Translation, rotation and scale of a matrix without shear; a mirror becomes a negative x scale.
void decompose(const Matrix4d& matrix, GltfTransform& transform) {
  geometry::Mat3 axes = matrix.topLeftCorner<3, 3>();
  transform.translation = matrix.topRightCorner<3, 1>();
  transform.scale = axes.colwise().norm();
  if (axes.determinant() < 0) transform.scale.x() = -transform.scale.x();
  if ((transform.scale.array() == 0).any()) return;  // flat: any rotation would do
  for (int i = 0; i < 3; ++i) axes.col(i) /= transform.scale[i];
  transform.rotation = Eigen::Quaterniond(axes).normalized();
}

Result<GltfTransform> read_transform(const Json& json, const std::string& where) {
  GltfTransform transform;
  SUPPLE_TRY(const auto matrix, get_numbers(json, "matrix", 16, where));
  if (!matrix.empty()) {
    SUPPLE_TRY(transform.matrix, as_matrix(matrix.data(), where));
    decompose(*transform.matrix, transform);
    return transform;
  }
  SUPPLE_TRY(const auto translation, get_numbers(json, "translation", 3, where));
  if (!translation.empty()) transform.translation = Eigen::Map<const Vec3>(translation.data());
  SUPPLE_TRY(const auto scale, get_numbers(json, "scale", 3, where));
  if (!scale.empty()) transform.scale = Eigen::Map<const Vec3>(scale.data());
  SUPPLE_TRY(const auto rotation, get_numbers(json, "rotation", 4, where));
  if (!rotation.empty()) {
    const Eigen::Quaterniond given(rotation[3], rotation[0], rotation[1], rotation[2]);
    if (!(given.norm() > kShortestQuaternion) || !std::isfinite(given.norm())) {
      return bad_input(fmt::format("{}: the rotation is not a unit quaternion", where));
    }
    transform.rotation = given.normalized();
  }
  return transform;
}

Result<GltfNode> read_node(const Json& json, std::size_t index, std::size_t node_count,
                           const GltfAsset& asset) {
  GltfNode node;
  node.name = get_string(json, "name");
  const std::string where = called("node", index, node.name);
  SUPPLE_TRY(node.children, get_integers(json, "children", node_count, where));
  SUPPLE_TRY(node.local, read_transform(json, where));
  SUPPLE_TRY(node.mesh, find_integer(json, "mesh", asset.meshes.size(), where));
  SUPPLE_TRY(node.skin,
             find_integer(json, "skin", array_size(asset.document->json, "skins"), where));
  const std::size_t targets = node.mesh ? asset.meshes[*node.mesh].weights.size() : 0;
  SUPPLE_TRY(node.weights, get_numbers(json, "weights", targets, where));
  if (targets == 0) node.weights.clear();
  return node;
}

/// Parents from children, then every node after its parent. Rejects anything but a forest.
Result<void> link_nodes(GltfAsset& asset) {
  const auto name_of = [&](std::size_t i) { return called("node", i, asset.nodes[i].name); };
  for (std::size_t i = 0; i < asset.nodes.size(); ++i) {
    for (const std::size_t child : asset.nodes[i].children) {
      if (asset.nodes[child].parent) {
        return bad_input(fmt::format("{} has two parents: {} and {}", name_of(child),
                                     name_of(*asset.nodes[child].parent), name_of(i)));
      }
      asset.nodes[child].parent = i;
    }
  }
  std::vector<std::size_t>& order = asset.parents_first;
  for (std::size_t i = 0; i < asset.nodes.size(); ++i) {
    if (!asset.nodes[i].parent) order.push_back(i);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::vector<std::size_t>& children = asset.nodes[order[i]].children;
    order.insert(order.end(), children.begin(), children.end());
  }
  if (order.size() == asset.nodes.size()) return {};
  // With one parent each, nodes that no root reaches are in a cycle or below one.
  std::vector<bool> reached(asset.nodes.size(), false);
  for (const std::size_t node : order) reached[node] = true;
  const auto lost = std::find(reached.begin(), reached.end(), false) - reached.begin();
  return bad_input(
      fmt::format("{} is part of a cycle of nodes", name_of(static_cast<std::size_t>(lost))));
}

Result<void> read_nodes(const Json& json, GltfAsset& asset) {
  SUPPLE_TRY(const Json* nodes, find_array(json, "nodes", "document"));
  asset.nodes.reserve(nodes->size());
  for (std::size_t i = 0; i < nodes->size(); ++i) {
    SUPPLE_TRY(GltfNode node, read_node((*nodes)[i], i, nodes->size(), asset));
    asset.nodes.push_back(std::move(node));
  }
  return link_nodes(asset);
}

/// Roots of the default scene; of the first scene if no default is named; all roots if there are no
/// scenes.
Result<void> read_scene(const Json& json, GltfAsset& asset) {
  SUPPLE_TRY(const Json* scenes, find_array(json, "scenes", "document"));
  SUPPLE_TRY(const auto chosen, find_integer(json, "scene", scenes->size(), "document"));
  if (scenes->empty()) {
    for (const std::size_t node : asset.parents_first) {
      if (!asset.nodes[node].parent) asset.scene_roots.push_back(node);
    }
    return {};
  }
  SUPPLE_TRY(asset.scene_roots,
             get_integers((*scenes)[chosen.value_or(0)], "nodes", asset.nodes.size(), "scene"));
  std::vector<bool> seen(asset.nodes.size(), false);
  for (const std::size_t root : asset.scene_roots) {
    if (asset.nodes[root].parent || seen[root]) {
      return bad_input(fmt::format("the scene lists {}, which {}",
                                   called("node", root, asset.nodes[root].name),
                                   seen[root] ? "it lists twice" : "is not a root"));
    }
    seen[root] = true;
  }
  return {};
}

Result<GltfSkin> read_skin(const Json& json, std::size_t index, std::size_t node_count,
                           AccessorReader& accessors) {
  GltfSkin skin;
  skin.name = get_string(json, "name");
  const std::string where = called("skin", index, skin.name);
  SUPPLE_TRY(skin.joints, get_integers(json, "joints", node_count, where));
  if (skin.joints.empty()) return bad_input(fmt::format("{} has no joints", where));
  SUPPLE_TRY(skin.skeleton, find_integer(json, "skeleton", node_count, where));
  SUPPLE_TRY(const auto accessor,
             find_integer(json, "inverseBindMatrices", accessors.count(), where));
  skin.inverse_bind_matrices.assign(skin.joints.size(), Matrix4d::Identity());
  if (!accessor) return skin;
  SUPPLE_TRY(const Elements matrices, accessors.numbers(*accessor, 16).during("reading " + where));
  if (matrices.count < skin.joints.size()) {
    return bad_input(fmt::format("{} has {} joints but {} inverse bind matrices", where,
                                 skin.joints.size(), matrices.count));
  }
  for (std::size_t i = 0; i < skin.joints.size(); ++i) {
    SUPPLE_TRY(skin.inverse_bind_matrices[i],
               as_matrix(matrices.values.data() + 16 * i,
                         fmt::format("{}, inverse bind matrix {}", where, i)));
  }
  return skin;
}

/// Every joint that a vertex weighs must exist in the skin. Exporters leave garbage in joints of
/// weight zero: these are set to joint 0, which is always valid.
Result<void> check_joints(GltfMesh& mesh, const std::string& where, std::size_t joint_count) {
  for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
    GltfPrimitive& primitive = mesh.primitives[p];
    for (std::size_t i = 0; i < primitive.joints.size(); ++i) {
      if (primitive.joints[i] < joint_count) continue;
      if (primitive.weights[i] > 0) {
        return bad_input(fmt::format("{}, primitive {}: vertex {} names joint {} of {}", where, p,
                                     i / primitive.influences, primitive.joints[i], joint_count));
      }
      primitive.joints[i] = 0;
    }
  }
  return {};
}

Result<void> check_skinned_nodes(GltfAsset& asset) {
  for (std::size_t i = 0; i < asset.nodes.size(); ++i) {
    GltfNode& node = asset.nodes[i];
    if (!node.skin) continue;
    if (!node.mesh) {
      asset.warnings.push_back(
          fmt::format("{} has a skin but no mesh", called("node", i, node.name)));
      continue;
    }
    GltfMesh& mesh = asset.meshes[*node.mesh];
    SUPPLE_TRY_VOID(check_joints(mesh, called("mesh", *node.mesh, mesh.name),
                                 asset.skins[*node.skin].joints.size()));
  }
  return {};
}

/// White if the colour is missing or invalid: it only affects appearance, so it is not a reason to
/// reject the file.
Result<Eigen::Vector4d> read_base_colour(const Json& material, std::size_t /*index*/) {
  const auto shading = material.find("pbrMetallicRoughness");
  if (shading == material.end() || !shading->is_object()) return Eigen::Vector4d::Ones().eval();
  const auto numbers = get_numbers(*shading, "baseColorFactor", 4, "material");
  if (!numbers.ok() || numbers.value().size() != 4) return Eigen::Vector4d::Ones().eval();
  return Eigen::Vector4d(numbers.value().data());
}

template <class Item, class Read>
Result<void> read_list(const Json& json, const char* key, std::vector<Item>& items, Read&& read) {
  SUPPLE_TRY(const Json* list, find_array(json, key, "document"));
  items.reserve(list->size());
  for (std::size_t i = 0; i < list->size(); ++i) {
    SUPPLE_TRY(Item item, read((*list)[i], i));
    items.push_back(std::move(item));
  }
  return {};
}

}  // namespace

std::string called(const char* kind, std::size_t index, const std::string& name) {
  return name.empty() ? fmt::format("{} {}", kind, index) : fmt::format("{} '{}'", kind, name);
}

Result<GltfAsset> view_document(std::shared_ptr<const GltfDocument> document, std::string name) {
  GltfAsset asset;
  asset.name = std::move(name);
  asset.document = std::move(document);
  const Json& json = asset.document->json;
  AccessorReader accessors(*asset.document);
  SUPPLE_TRY_VOID(check_extensions(json));
  asset.bake_id = read_bake_id(json);
  SUPPLE_TRY_VOID(read_list(json, "materials", asset.materials, [](const Json& item, std::size_t) {
    return Result<std::string>(get_string(item, "name"));
  }));
  SUPPLE_TRY_VOID(read_list(json, "materials", asset.base_colours, read_base_colour));
  SUPPLE_TRY_VOID(read_list(json, "meshes", asset.meshes, [&](const Json& item, std::size_t i) {
    return read_mesh(item, i, asset.materials.size(), accessors, asset.warnings);
  }));
  SUPPLE_TRY_VOID(read_nodes(json, asset));
  SUPPLE_TRY_VOID(read_scene(json, asset));
  SUPPLE_TRY_VOID(read_list(json, "skins", asset.skins, [&](const Json& item, std::size_t i) {
    return read_skin(item, i, asset.nodes.size(), accessors);
  }));
  SUPPLE_TRY_VOID(check_skinned_nodes(asset));
  SUPPLE_TRY_VOID(
      read_list(json, "animations", asset.animations, [&](const Json& item, std::size_t i) {
        return read_animation(item, i, asset, accessors, asset.warnings);
      }));
  return asset;
}

}  // namespace gltf

Result<GltfAsset> read_gltf(std::span<const std::byte> bytes, std::string_view name,
                            const std::filesystem::path& base_directory) {
  const auto read = [&]() -> Result<GltfAsset> {
    SUPPLE_TRY(GltfDocument document, gltf::open_document(bytes, base_directory));
    SUPPLE_TRY(const std::vector<std::string> notes, gltf::decompress(document));
    SUPPLE_TRY(GltfAsset asset,
               gltf::view_document(std::make_shared<GltfDocument>(std::move(document)),
                                   std::string(name)));
    asset.warnings.insert(asset.warnings.begin(), notes.begin(), notes.end());
    return asset;
  };
  try {
    Result<GltfAsset> asset = read();
    if (!asset.ok()) return std::move(asset).error().at(name);
    return asset;
  } catch (const std::exception& failure) {  // out of memory, or a surprise in nlohmann-json
    return bad_input(fmt::format("cannot be read: {}", failure.what())).at(name);
  }
}

Result<GltfAsset> read_gltf(const std::filesystem::path& path) {
  SUPPLE_TRY(const Bytes bytes, read_content(path));
  const std::filesystem::path parent = path.parent_path();
  return read_gltf(bytes, path.string(), parent.empty() ? "." : parent);
}

Result<Bytes> write_gltf(const GltfAsset& asset) try {
  return gltf::to_glb(asset.document->json, asset.document->binary);
} catch (const std::exception& failure) {
  return bad_input(fmt::format("cannot be written: {}", failure.what())).at(asset.name);
}

Result<Bytes> write_baked_gltf(const GltfAsset& asset, const std::string& bake_id) try {
  Json json = asset.document->json;
  Json& extras = json["asset"]["extras"];
  if (!extras.is_null() && !extras.is_object()) extras = Json{{"value", std::move(extras)}};
  extras[gltf::kBakeId] = bake_id;
  return gltf::to_glb(json, asset.document->binary);
} catch (const std::exception& failure) {
  return bad_input(fmt::format("cannot be written: {}", failure.what())).at(asset.name);
}

Result<void> write_gltf(const GltfAsset& asset, const std::filesystem::path& path) {
  SUPPLE_TRY(const Bytes bytes, write_gltf(asset));
  return write_file(path, bytes);
}

}  // namespace supple::io
