// SPDX-License-Identifier: Apache-2.0
#include "bake/source/skeletons.hpp"

#include "supple/bake/node_character.hpp"
#include "supple/core/suggest.hpp"
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

/// The first if none has it: the mesh's hash then tells that the file is another.
const Skeleton& skeleton_with(const io::GltfAsset& asset, const std::vector<Skeleton>& all,
                              std::size_t node) {
  for (const Skeleton& skeleton : all) {
    for (const std::size_t skin : skeleton.skins) {
      const auto& joints = asset.skins[skin].joints;
      if (std::find(joints.begin(), joints.end(), node) != joints.end()) return skeleton;
    }
  }
  return all.front();
}

std::string listed(const std::vector<Skeleton>& all) {
  std::vector<std::string> texts;
  texts.reserve(all.size());
  for (const Skeleton& skeleton : all) {
    texts.push_back(fmt::format("'{}' ({} vertices)", skeleton.name, skeleton.vertices));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

Result<Skeleton> skeleton_named(const io::GltfAsset& asset, const std::vector<Skeleton>& all,
                                const std::string& name) {
  std::vector<std::string> names;
  for (const Skeleton& skeleton : all) {
    if (skeleton.name == name) return skeleton;
    names.push_back(skeleton.name);
  }
  return bad_input(fmt::format("'{}' has no skeleton '{}'{}; available: {}", asset.name, name,
                               did_you_mean(name, names), listed(all)));
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
    if (m_differ) {
      stand_upright();
    } else {
      for (JoinedSkin& skin : m_result.skins) skin.to_bind.clear();
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
      joined.to_bind.emplace_back(Matrix4d::Identity());
    }
    return joined;
  }

  JoinedSkin further(const io::GltfSkin& skin) {
    JoinedSkin joined;
    const Matrix4d usual = space_of(skin);
    const Matrix4d back = usual.inverse();
    for (std::size_t j = 0; j < skin.joints.size(); ++j) {
      const std::size_t node = skin.joints[j];
      const Matrix4d& own = skin.inverse_bind_matrices[j];
      if (!m_bone_of_node[node]) add_bone(node, own * back);
      const std::uint32_t bone = *m_bone_of_node[node];
      joined.bone_of_joint.push_back(bone);
      joined.to_bind.push_back(between(m_result.inverse_binds[bone], own));
      m_differ = m_differ || !joined.to_bind.back().isIdentity(0);
    }
    if (is_one_map(skin, joined.to_bind)) joined.to_bind.assign(skin.joints.size(), usual);
    return joined;
  }

  /// Whether the maps of all joints are the same but for the rounding of matrices to floats, which
  /// would move vertices apart that coincide: at the joints, relative to how far these are apart.
  [[nodiscard]] static bool is_one_map(const io::GltfSkin& skin,
                                       const std::vector<Matrix4d>& to_bind) {
    constexpr double kRounding = 1e-5;
    double extent = 0;
    double apart = 0;
    std::optional<Eigen::Vector4d> origin;
    for (const Matrix4d& inverse_bind : skin.inverse_bind_matrices) {
      const Eigen::Vector4d joint = inverse_bind.inverse().col(3);
      const Eigen::Vector4d at = to_bind.front() * joint;
      if (!origin) origin = at;
      extent = std::max(extent, (at - *origin).norm());
      for (const Matrix4d& map : to_bind) apart = std::max(apart, (map * joint - at).norm());
    }
    return apart <= kRounding * extent;
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

  /// Which skin comes first must not matter, and it may be a visor, bound upside down: the common
  /// space becomes that of the world at rest, as the highest bone has it.
  void stand_upright() {
    const auto top = static_cast<std::size_t>(
        *std::find_if(m_asset.parents_first.begin(), m_asset.parents_first.end(),
                      [&](std::size_t node) { return m_bone_of_node[node].has_value(); }));
    const Matrix4d upright = m_world[top] * m_result.inverse_binds[*m_bone_of_node[top]];
    const Matrix4d back = upright.inverse();
    for (Matrix4d& inverse_bind : m_result.inverse_binds) inverse_bind = inverse_bind * back;
    for (JoinedSkin& skin : m_result.skins) {
      for (Matrix4d& to_bind : skin.to_bind) to_bind = upright * to_bind;
    }
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
  bool m_differ = false;  // the spaces of skins
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
  for (Skeleton& skeleton : skeletons) skeleton.of = skeletons.size();
  return skeletons;
}

Result<Skeleton> choose_skeleton(const io::GltfAsset& asset, const CharacterSettings& wanted,
                                 std::vector<std::string>& warnings) {
  const std::vector<Skeleton> all = find_skeletons(asset);
  if (all.empty()) {
    return bad_input(
        fmt::format("'{}' has no skinned mesh; flesh needs a character bound to bones (a skin "
                    "with joints and weights); thin meshes without a skin can be baked as shells",
                    asset.name));
  }
  if (wanted.node) return skeleton_with(asset, all, *wanted.node);
  if (!wanted.skeleton.empty()) return skeleton_named(asset, all, wanted.skeleton);
  const Skeleton& largest = *std::max_element(
      all.begin(), all.end(),
      [](const Skeleton& a, const Skeleton& b) { return a.vertices < b.vertices; });
  if (all.size() > 1) {
    warnings.push_back(fmt::format(
        "the file has {} skeletons, each a character of its own: {}; '{}' is used because it has "
        "the most vertices. To use another one, set skeleton to its name",
        all.size(), listed(all), largest.name));
  }
  return largest;
}

Result<JoinedSkins> join_skins(const io::GltfAsset& asset, const std::vector<std::size_t>& skins) {
  return SkinJoiner(asset).run(skins);
}

}  // namespace supple::bake::detail
