// SPDX-License-Identifier: Apache-2.0
#include "supple/bake/mesh_fit.hpp"

#include "supple/bake/node_character.hpp"
#include "supple/core/console.hpp"

#include <fmt/format.h>
#include <supple.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace supple::bake {
namespace {

/// All primitives of a file as the player takes them.
class GivenMesh {
 public:
  GivenMesh(const io::GltfAsset& asset, std::vector<std::uint32_t> nodes)
      : m_nodes(std::move(nodes)) {
    for (std::size_t m = 0; m < asset.meshes.size(); ++m) {
      for (std::size_t p = 0; p < asset.meshes[m].primitives.size(); ++p) {
        add(m, p, asset.meshes[m].primitives[p]);
      }
    }
  }

  [[nodiscard]] supple_mesh view() const {
    supple_mesh mesh{};
    mesh.primitive_count = static_cast<std::uint32_t>(m_primitives.size() / 4);
    mesh.primitives = m_primitives.data();
    mesh.positions = m_positions.data();
    mesh.normals = m_normals.data();
    mesh.indices = m_indices.data();
    mesh.nodes = m_nodes.data();
    return mesh;
  }

 private:
  void add(std::size_t mesh, std::size_t number, const io::GltfPrimitive& primitive) {
    if (primitive.triangles.empty()) return;
    m_primitives.insert(m_primitives.end(),
                        {static_cast<std::uint32_t>(mesh), static_cast<std::uint32_t>(number),
                         static_cast<std::uint32_t>(primitive.positions.size()),
                         static_cast<std::uint32_t>(3 * primitive.triangles.size())});
    for (std::size_t v = 0; v < primitive.positions.size(); ++v) {
      const Eigen::Vector3f position = primitive.positions[v].cast<float>();
      m_positions.insert(m_positions.end(), position.begin(), position.end());
      Eigen::Vector3f normal = Eigen::Vector3f::Zero();
      if (!primitive.normals.empty()) normal = primitive.normals[v].cast<float>();
      m_normals.insert(m_normals.end(), normal.begin(), normal.end());
    }
    for (const geometry::Triangle& triangle : primitive.triangles) {
      m_indices.insert(m_indices.end(), triangle.begin(), triangle.end());
    }
  }

  std::vector<std::uint32_t> m_primitives;
  std::vector<float> m_positions;
  std::vector<float> m_normals;
  std::vector<std::uint32_t> m_indices;
  std::vector<std::uint32_t> m_nodes;
};

/// The node of that name, which tools may have moved in the list; where it is if no other has its
/// name.
std::uint32_t node_now(const io::GltfAsset& asset, std::uint32_t node, const std::string& name) {
  if (node == SUPPLE_NO_BONE || (node < asset.nodes.size() && node_name(asset, node) == name)) {
    return node;
  }
  const auto found = std::find_if(asset.nodes.begin(), asset.nodes.end(),
                                  [&](const io::GltfNode& other) { return other.name == name; });
  return found == asset.nodes.end() ? node
                                    : static_cast<std::uint32_t>(found - asset.nodes.begin());
}

/// The nodes of objects, then of attachments.
struct Nodes {
  std::vector<std::uint32_t> now;
  std::size_t moved = 0;
};

Nodes find_nodes(const io::GltfAsset& asset, const supple_asset* file) {
  Nodes nodes;
  const auto add = [&](std::uint32_t node, const char* name) {
    nodes.now.push_back(node_now(asset, node, name));
    if (nodes.now.back() != node) ++nodes.moved;
  };
  supple_object_info object{};
  for (std::uint32_t o = 0; supple_asset_object(file, o, &object) == SUPPLE_OK; ++o) {
    add(object.node, object.bone);
  }
  supple_attachment_info attachment{};
  for (std::uint32_t a = 0; supple_asset_attachment(file, a, &attachment) == SUPPLE_OK; ++a) {
    add(attachment.node, attachment.bone);
  }
  return nodes;
}

std::string describe(const supple_match_info& info, const BakedFile& file, std::size_t moved) {
  supple_asset_info asset{};
  (void)supple_asset_describe(file.asset(), &asset);
  std::string note = fmt::format(
      "the mesh has changed since it was baked: {} vertices were matched {}, within {}",
      format_count(info.vertex_count), info.reordered > 0 ? "by position" : "in their order",
      format_si(info.distance * asset.metres_per_unit, "m"));
  if (info.scaled_parts > 0)
    note += fmt::format("; {} of its parts are quantised", info.scaled_parts);
  if (moved > 0) note += fmt::format("; {} of its bones were found by name", moved);
  return note;
}

}  // namespace

Result<FittedMesh> fit_to_mesh(BakedFile& file, const io::GltfAsset& asset) {
  const Nodes nodes = find_nodes(asset, file.asset());
  FittedMesh fitted;
  auto source = moved_character(asset, file.asset());
  const bool same = source.ok() && file.check_mesh(moving_surface(*source, "").mesh_hash).ok();
  supple_match_info info{};
  if (!same || nodes.moved > 0) {
    Result<BakedFile> rebound = file.rebound(GivenMesh(asset, nodes.now).view(), info);
    if (rebound.ok()) {
      file = std::move(rebound).value();
    } else if (!same) {
      return std::move(rebound).error();
    }
  }
  if (same && info.vertex_count == 0) {  // as it was
    fitted.source = std::move(source).value();
    return fitted;
  }
  SUPPLE_TRY(fitted.source, moved_character(asset, file.asset()));
  SUPPLE_TRY_VOID(file.check_mesh(moving_surface(fitted.source, "").mesh_hash));
  fitted.note = fmt::format("'{}': {}", asset.name, describe(info, file, nodes.moved));
  return fitted;
}

}  // namespace supple::bake
