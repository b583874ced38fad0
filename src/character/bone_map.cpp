// SPDX-License-Identifier: Apache-2.0
#include "character/bone_match.hpp"

#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace supple::character {
namespace {

using Parents = std::vector<std::optional<std::size_t>>;

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Parses a name, with or without quotes; the remaining text goes to `rest`. Empty if there is no
/// name.
std::string take_name(std::string_view& rest) {
  rest = trim(rest);
  std::string_view name;
  if (rest.starts_with('"')) {
    const std::size_t end = rest.find('"', 1);
    if (end == std::string_view::npos) return {};
    name = rest.substr(1, end - 1);
    rest = trim(rest.substr(end + 1));
  } else {
    name = rest.substr(0, rest.find_first_of("=#"));
    rest.remove_prefix(name.size());
    name = trim(name);
  }
  return std::string(name);
}

std::optional<std::size_t> find_name(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

class Matcher {
 public:
  Matcher(const Recording& recording, const Character& character) : m_file(recording.name) {
    for (const Recording::Joint& joint : recording.joints) {
      m_joints.push_back(joint.name);
      m_joint_parents.push_back(joint.parent);
    }
    for (const Bone& bone : character.bones) {
      m_bones.push_back(bone.name);
      m_bone_parents.push_back(bone.parent);
    }
    m_match.joint.resize(m_bones.size());
    m_used.resize(m_joints.size());
    m_match.tags = find_roles(m_bones, m_bone_parents);
  }

  Result<void> by_map(const BoneMap& map) {
    for (const auto& [from, to] : map) {
      const auto joint = find_name(m_joints, from);
      const auto bone = find_name(m_bones, to);
      if (!joint) {
        return bad_input(fmt::format("the bone map names joint '{}', which {} does not have{}",
                                     from, m_file, did_you_mean(from, m_joints)));
      }
      if (!bone) {
        return bad_input(
            fmt::format("the bone map names bone '{}', which the character does not "
                        "have{}",
                        to, did_you_mean(to, m_bones)));
      }
      pair(*bone, *joint);
    }
    return {};
  }

  void by_name() {
    std::vector<BoneName> joints;
    for (const std::string& name : m_joints) {
      joints.push_back(name.starts_with("__") ? BoneName{} : understand(name));
    }
    for (std::size_t b = 0; b < m_bones.size(); ++b) {
      const BoneName bone = understand(m_bones[b]);
      // Some rigs number the trunk from the hips, others from the neck: see by_chain.
      const BoneRole role = m_match.tags[b].role;
      const bool in_chain = role == BoneRole::Spine || role == BoneRole::Neck;
      if (m_match.joint[b] || in_chain || bone.words.empty()) continue;
      const auto found = std::find(joints.begin(), joints.end(), bone);
      const auto joint = static_cast<std::size_t>(found - joints.begin());
      if (found != joints.end() && !m_used[joint]) pair(b, joint);
    }
  }

  /// Trunk chains rarely have the same number of bones: ends are matched to ends, and a joint may
  /// move two bones.
  void by_role() {
    const std::vector<BoneTag> joint_tags = find_roles(m_joints, m_joint_parents);
    for (int r = static_cast<int>(BoneRole::Hips); r <= static_cast<int>(BoneRole::Toe); ++r) {
      for (const Side side : {Side::None, Side::Left, Side::Right}) {
        const BoneTag tag{static_cast<BoneRole>(r), side};
        const auto bones = bones_with(m_match.tags, m_bone_parents, tag);
        const auto joints = bones_with(joint_tags, m_joint_parents, tag);
        if (bones.empty() || joints.empty()) continue;
        if (tag.role == BoneRole::Spine || tag.role == BoneRole::Neck) {
          by_chain(bones, joints);
        } else if (!m_match.joint[bones.front()] && !m_used[joints.front()]) {
          pair(bones.front(), joints.front());
        }
      }
    }
  }

  BoneMatch finish() && {
    for (std::size_t j = 0; j < m_used.size(); ++j) {
      if (!m_used[j]) m_match.unused.push_back(j);
    }
    return std::move(m_match);
  }

 private:
  void pair(std::size_t bone, std::size_t joint) {
    m_match.joint[bone] = joint;
    m_used[joint] = true;
  }

  void by_chain(const std::vector<std::size_t>& bones, const std::vector<std::size_t>& joints) {
    const bool touched = std::any_of(bones.begin(), bones.end(), [&](std::size_t bone) {
      return m_match.joint[bone].has_value();
    });
    if (touched) return;  // if one bone of a chain is mapped, the others stay still
    const std::size_t last = joints.size() - 1;
    for (std::size_t i = 0; i < bones.size(); ++i) {
      const double place =
          bones.size() == 1 ? 1 : static_cast<double>(i) / static_cast<double>(bones.size() - 1);
      pair(bones[i],
           joints[static_cast<std::size_t>(std::lround(place * static_cast<double>(last)))]);
    }
  }

  std::string m_file;
  std::vector<std::string> m_joints;
  std::vector<std::string> m_bones;
  Parents m_joint_parents;
  Parents m_bone_parents;
  std::vector<bool> m_used;
  BoneMatch m_match;
};

}  // namespace

Result<BoneMap> parse_bone_map(std::string_view text, std::string_view name) {
  BoneMap map;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view rest = trim(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (rest.empty() || rest.front() == '#') continue;
    const std::string from = take_name(rest);
    const bool equals = rest.starts_with('=');
    if (equals) rest.remove_prefix(1);
    const std::string to = take_name(rest);
    if (from.empty() || !equals || to.empty() || !(rest.empty() || rest.front() == '#')) {
      return bad_input("expected 'joint = bone'").at(name, number);
    }
    map.emplace_back(from, to);
  }
  return map;
}

Result<BoneMatch> match_bones(const Recording& recording, const Character& character,
                              const BoneMap& map) {
  Matcher matcher(recording, character);
  SUPPLE_TRY_VOID(matcher.by_map(map));
  matcher.by_name();
  matcher.by_role();
  return std::move(matcher).finish();
}

}  // namespace supple::character
