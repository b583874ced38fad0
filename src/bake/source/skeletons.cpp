// SPDX-License-Identifier: Apache-2.0
#include "bake/source/skeletons.hpp"

#include "supple/bake/node_character.hpp"
#include "supple/io/gltf_pose.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <map>
#include <optional>

namespace supple::bake::detail {
namespace {

using Eigen::Matrix4d;

/// Skins with equal numbers are on one skeleton.
class SkinGroups {
 public:
  explicit SkinGroups(const io::GltfAsset& asset) : m_asset(asset), m_group(asset.skins.size()) {
    for (std::size_t s = 0; s < m_group.size(); ++s) m_group[s] = s;
    join_along_bones();
    join_by_root();
  }

  [[nodiscard]] std::size_t operator[](std::size_t skin) const { return m_group[skin]; }

 private:
  [[nodiscard]] std::vector<bool> used_skins() const {
    std::vector<bool> used(m_asset.skins.size());
    for (const io::GltfNode& node : m_asset.nodes) {
      if (node.skin && node.mesh) used[*node.skin] = true;
    }
    return used;
  }

  void join_along_bones() {
    const std::vector<bool> used = used_skins();
    std::vector<std::optional<std::size_t>> skin_at(m_asset.nodes.size());
    for (std::size_t s = 0; s < m_asset.skins.size(); ++s) {
      if (!used[s]) continue;
      for (const std::size_t joint : m_asset.skins[s].joints) {
        if (skin_at[joint]) join(*skin_at[joint], s);
        skin_at[joint] = s;
      }
    }
    // From here on: the skin at a node or at the closest joint above it.
    for (const std::size_t node : m_asset.parents_first) {
      const auto& parent = m_asset.nodes[node].parent;
      if (!parent || !skin_at[*parent]) continue;
      if (skin_at[node]) join(*skin_at[node], *skin_at[*parent]);
      skin_at[node] = skin_at[*parent];
    }
  }

  void join_by_root() {
    std::map<std::size_t, std::size_t> skin_of_root;
    const std::vector<bool> used = used_skins();
    for (std::size_t s = 0; s < m_asset.skins.size(); ++s) {
      if (!used[s] || !m_asset.skins[s].skeleton) continue;
      join(skin_of_root.try_emplace(*m_asset.skins[s].skeleton, s).first->second, s);
    }
  }

  void join(std::size_t a, std::size_t b) {
    const std::size_t kept = m_group[a];
    const std::size_t gone = m_group[b];
    if (kept != gone) std::replace(m_group.begin(), m_group.end(), gone, kept);
  }

  const io::GltfAsset& m_asset;
  std::vector<std::size_t> m_group;
};

std::size_t highest_bone(const io::GltfAsset& asset, const Skeleton& skeleton) {
  std::vector<bool> is_joint(asset.nodes.size());
  for (const std::size_t skin : skeleton.skins) {
    for (const std::size_t joint : asset.skins[skin].joints) is_joint[joint] = true;
  }
  return *std::find_if(asset.parents_first.begin(), asset.parents_first.end(),
                       [&](std::size_t node) { return is_joint[node]; });
}

void name_skeletons(const io::GltfAsset& asset, std::vector<Skeleton>& skeletons) {
  std::map<std::string, std::size_t> count;
  std::vector<std::size_t> bones;
  for (Skeleton& skeleton : skeletons) {
    bones.push_back(highest_bone(asset, skeleton));
    skeleton.name = node_name(asset, bones.back());
    ++count[skeleton.name];
  }
  for (std::size_t i = 0; i < skeletons.size(); ++i) {
    if (count[skeletons[i].name] > 1) skeletons[i].name += fmt::format(" (node {})", bones[i]);
  }
}

class SkinJoiner {
 public:
  explicit SkinJoiner(const io::GltfAsset& asset)
      : m_asset(asset),
        m_world(io::world_matrices(asset, io::rest_pose(asset))),
        m_bone_of_node(asset.nodes.size()) {}

  Result<JoinedSkins> run(const std::vector<std::size_t>& skins) {
    for (const std::size_t s : skins) {
      const io::GltfSkin& skin = m_asset.skins[s];
      SUPPLE_TRY_VOID(check_joints(skin));
      m_result.skins.push_back(m_result.nodes.empty() ? first(skin) : further(skin));
    }
    return std::move(m_result);
  }

 private:
  [[nodiscard]] Result<void> check_joints(const io::GltfSkin& skin) const {
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      const std::string name = node_name(m_asset, skin.joints[j]);
      const double world = m_world[skin.joints[j]].topLeftCorner<3, 3>().determinant();
      const double bind = skin.inverse_bind_matrices[j].topLeftCorner<3, 3>().determinant();
      if (world < 0 || bind < 0) {
        return bad_input(
            fmt::format("bone '{}' is mirrored (negative scale), so its motion is not rigid; apply "
                        "the scale in the modelling program and export again",
                        name));
      }
      if (!(world > 0) || !(bind > 0)) {
        return bad_input(
            fmt::format("bone '{}' is flattened: its scale is 0 in some direction", name));
      }
    }
    return {};
  }

  std::uint32_t add_bone(std::size_t node, const Matrix4d& inverse_bind) {
    const auto bone = static_cast<std::uint32_t>(m_result.nodes.size());
    m_bone_of_node[node] = bone;
    m_result.nodes.push_back(node);
    m_result.inverse_binds.push_back(inverse_bind);
    return bone;
  }

  JoinedSkin first(const io::GltfSkin& skin) {
    JoinedSkin joined;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      joined.bone_of_joint.push_back(add_bone(skin.joints[j], skin.inverse_bind_matrices[j]));
    }
    return joined;
  }

  JoinedSkin further(const io::GltfSkin& skin) {
    JoinedSkin joined;
    const Matrix4d usual = space_of(skin);
    const Matrix4d back = usual.inverse();
    bool differs = false;
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      const std::size_t node = skin.joints[j];
      const Matrix4d& own = skin.inverse_bind_matrices[j];
      if (!m_bone_of_node[node]) add_bone(node, own * back);
      const std::uint32_t bone = *m_bone_of_node[node];
      joined.bone_of_joint.push_back(bone);
      joined.to_bind.push_back(between(m_result.inverse_binds[bone], own));
      differs = differs || !joined.to_bind.back().isIdentity(0);
    }
    if (!differs) joined.to_bind.clear();
    return joined;
  }

  /// common^-1 * own, which is exactly 1 where the two are the same.
  [[nodiscard]] static Matrix4d between(const Matrix4d& common, const Matrix4d& own) {
    if (common == own) return Matrix4d::Identity();
    return common.inverse() * own;
  }

  /// From the skin's bind space to the common one: by the first joint that is a bone already. If
  /// there is none, by where a joint and the closest bone above it are at rest.
  [[nodiscard]] Matrix4d space_of(const io::GltfSkin& skin) const {
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      if (const auto bone = m_bone_of_node[skin.joints[j]]) {
        return between(m_result.inverse_binds[*bone], skin.inverse_bind_matrices[j]);
      }
    }
    const std::uint32_t bone = closest_bone(skin.joints.front());
    return between(m_world[m_result.nodes[bone]] * m_result.inverse_binds[bone],
                   m_world[skin.joints.front()] * skin.inverse_bind_matrices.front());
  }

  [[nodiscard]] std::uint32_t closest_bone(std::size_t node) const {
    for (auto up = m_asset.nodes[node].parent; up; up = m_asset.nodes[*up].parent) {
      if (m_bone_of_node[*up]) return *m_bone_of_node[*up];
    }
    return 0;
  }

  const io::GltfAsset& m_asset;
  std::vector<Matrix4d> m_world;  // of nodes at rest
  std::vector<std::optional<std::uint32_t>> m_bone_of_node;
  JoinedSkins m_result;
};

}  // namespace

std::vector<Skeleton> find_skeletons(const io::GltfAsset& asset) {
  const SkinGroups groups(asset);
  std::vector<Skeleton> skeletons;
  std::map<std::size_t, std::size_t> place;  // of a group's skeleton
  for (std::size_t n = 0; n < asset.nodes.size(); ++n) {
    const io::GltfNode& node = asset.nodes[n];
    if (!node.skin || !node.mesh) continue;
    const auto [found, fresh] = place.try_emplace(groups[*node.skin], skeletons.size());
    if (fresh) skeletons.emplace_back();
    Skeleton& skeleton = skeletons[found->second];
    skeleton.nodes.push_back(n);
    for (const io::GltfPrimitive& primitive : asset.meshes[*node.mesh].primitives) {
      skeleton.vertices += primitive.positions.size();
    }
    const auto& skins = skeleton.skins;
    if (std::find(skins.begin(), skins.end(), *node.skin) == skins.end()) {
      skeleton.skins.push_back(*node.skin);
    }
  }
  name_skeletons(asset, skeletons);
  return skeletons;
}

Result<JoinedSkins> join_skins(const io::GltfAsset& asset, const std::vector<std::size_t>& skins) {
  return SkinJoiner(asset).run(skins);
}

}  // namespace supple::bake::detail
