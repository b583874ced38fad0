// SPDX-License-Identifier: Apache-2.0
#include "bake/swim/limbs.hpp"

#include "supple/character/body_axes.hpp"
#include "supple/character/bone_roles.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace supple::bake::detail {
namespace {

using character::BoneRole;
using character::BoneTag;
using character::Side;
using Eigen::Matrix3d;
using geometry::Vec3;
using Parents = std::vector<std::optional<std::size_t>>;

struct LimbPart {
  std::string segment;
  BoneTag tag;
};

/// The swimmer's segments and common names for them.
const std::vector<LimbPart>& parts() {
  using enum BoneRole;
  static const std::vector<LimbPart> all = [] {
    std::vector<LimbPart> list{{"pelvis", {Hips, Side::None}},
                               {"torso", {Spine, Side::None}},
                               {"head", {Head, Side::None}}};
    for (const auto& [name, side] : {std::pair{"right", Side::Right}, {"left", Side::Left}}) {
      for (const auto& [segment, role] : {std::pair{"upper_arm", UpperArm},
                                          {"forearm", LowerArm},
                                          {"hand", Hand},
                                          {"thigh", UpperLeg},
                                          {"shin", LowerLeg},
                                          {"foot", Foot}}) {
        list.push_back({fmt::format("{}_{}", name, segment), {role, side}});
      }
    }
    return list;
  }();
  return all;
}

class RigFinder {
 public:
  explicit RigFinder(const character::Character& character) : m_character(character) {
    for (const character::Bone& bone : character.bones) {
      m_names.push_back(bone.name);
      m_parents.push_back(bone.parent);
    }
    m_tags = character::find_roles(m_names, m_parents);
  }

  Result<void> apply(const BoneMap& map) {
    for (const auto& [segment, bone] : map) {
      const auto part =
          std::find_if(parts().begin(), parts().end(),
                       [&, name = segment](const LimbPart& p) { return p.segment == name; });
      if (part == parts().end()) {
        std::vector<std::string> known;
        known.reserve(parts().size());
        for (const LimbPart& p : parts()) known.push_back(p.segment);
        return bad_input(fmt::format("the bone map: a swimmer has no segment '{}'{}; it has {}",
                                     segment, did_you_mean(segment, known),
                                     fmt::join(known, ", ")));
      }
      const auto found = std::find(m_names.begin(), m_names.end(), bone);
      if (found == m_names.end()) {
        return bad_input(fmt::format("the bone map: '{}' has no bone '{}'{}", m_character.name,
                                     bone, did_you_mean(bone, m_names)));
      }
      for (BoneTag& tag : m_tags) {
        if (tag == part->tag) tag = {};
      }
      m_tags[static_cast<std::size_t>(found - m_names.begin())] = part->tag;
    }
    return {};
  }

  Result<SwimRig> run() {
    using enum BoneRole;
    const Chain hips = chain(Hips, Side::None);
    m_rig.spine = chain(Spine, Side::None);
    m_rig.neck = chain(Neck, Side::None);
    m_rig.head = chain(Head, Side::None);
    for (const auto& [s, side] : {std::pair{0U, Side::Right}, {1U, Side::Left}}) {
      m_rig.arms[s] = {chain(Clavicle, side), chain(UpperArm, side), chain(LowerArm, side),
                       chain(Hand, side)};
      m_rig.legs[s] = {{}, chain(UpperLeg, side), chain(LowerLeg, side), chain(Foot, side)};
    }
    SUPPLE_TRY_VOID(check(hips));
    m_rig.hips = hips.front();
    SUPPLE_TRY_VOID(find_axes());
    for (const std::size_t s : {0U, 1U}) {
      straighten(m_rig.arms[s], m_rig.outward(s));
      straighten(m_rig.legs[s], -m_rig.up());
      straighten_foot(m_rig.legs[s], s == 0 ? Side::Right : Side::Left);
    }
    return std::move(m_rig);
  }

 private:
  /// The bones of a part: the first and those below it. Other bones with that name are elsewhere.
  [[nodiscard]] Chain chain(BoneRole role, Side side) const {
    Chain bones = character::bones_with(m_tags, m_parents, {role, side});
    if (bones.empty()) return bones;
    const std::size_t first = bones.front();
    std::erase_if(bones, [&](std::size_t bone) {
      for (std::optional<std::size_t> up = bone; up; up = m_parents[*up]) {
        if (*up == first) return false;
      }
      return true;
    });
    return bones;
  }

  [[nodiscard]] Vec3 rest(std::size_t bone) const {
    return m_character.bones[bone].rest_world.topRightCorner<3, 1>();
  }

  [[nodiscard]] Result<void> check(const Chain& hips) const {
    std::vector<std::string> missing;
    if (hips.empty()) missing.emplace_back("pelvis");
    for (const auto& [s, side] : {std::pair{0U, "right"}, {1U, "left"}}) {
      if (m_rig.legs[s].upper.empty()) missing.push_back(fmt::format("{}_thigh", side));
    }
    if (m_rig.head.empty() && m_rig.neck.empty()) missing.emplace_back("head");
    if (missing.empty()) return {};
    return bad_input(
        fmt::format("'{}' cannot swim: no bone found for {}; give a bone map with lines such as "
                    "'{} = NAME OF THE BONE'",
                    m_character.name, fmt::join(missing, ", "), missing.front()));
  }

  Result<void> find_axes() {
    const Vec3 right = rest(m_rig.legs[0].upper.front());
    const Vec3 left = rest(m_rig.legs[1].upper.front());
    m_rig.between_legs = 0.5 * (left + right);
    const std::size_t top = m_rig.head.empty() ? m_rig.neck.back() : m_rig.head.front();
    const auto axes = character::body_axes(left - right, rest(top) - m_rig.between_legs);
    if (!axes) {
      return bad_input(
          fmt::format("'{}' cannot swim: the bones '{}' and '{}' are at the same position or above "
                      "each other, so its left side is unknown",
                      m_character.name, m_names[m_rig.legs[0].upper.front()],
                      m_names[m_rig.legs[1].upper.front()]));
    }
    m_rig.axes = *axes;
    for (const Limb& leg : m_rig.legs) {
      if (leg.lower.empty() || leg.tip.empty()) continue;
      m_rig.leg_length = (rest(leg.upper.front()) - rest(leg.lower.front())).norm() +
                         (rest(leg.lower.front()) - rest(leg.tip.front())).norm();
    }
    return {};
  }

  void straighten(Limb& limb, const Vec3& along) const {
    if (limb.upper.empty() || limb.lower.empty()) return;
    const auto onto = [&](const Vec3& direction) {
      return Eigen::Quaterniond::FromTwoVectors(direction, along).toRotationMatrix();
    };
    const Vec3 elbow = rest(limb.lower.front());
    limb.straight_upper = onto(elbow - rest(limb.upper.front()));
    limb.straight_lower = limb.straight_upper;
    if (!limb.tip.empty()) {
      limb.straight_lower =
          onto(limb.straight_upper * (rest(limb.tip.front()) - elbow)) * limb.straight_upper;
    }
    limb.straight_tip = limb.straight_lower;
  }

  /// A pointed foot continues the line of the shin, from the ankle to the toes.
  void straighten_foot(Limb& leg, Side side) const {
    if (leg.tip.empty()) return;
    const Chain toes = chain(BoneRole::Toe, side);
    constexpr double kSlope = 0.45;  // of the instep, if there is no toe bone
    Vec3 instep = m_rig.front() - kSlope * m_rig.up();
    if (!toes.empty()) instep = rest(toes.front()) - rest(leg.tip.front());
    instep -= m_rig.left() * m_rig.left().dot(instep);  // toes that point outward stay that way
    leg.straight_tip =
        Eigen::Quaterniond::FromTwoVectors(instep, Vec3(-m_rig.up())).toRotationMatrix();
  }

  const character::Character& m_character;
  std::vector<std::string> m_names;
  Parents m_parents;
  std::vector<BoneTag> m_tags;
  SwimRig m_rig;
};

}  // namespace

Result<SwimRig> find_swim_rig(const character::Character& character, const BoneMap& map) {
  RigFinder finder(character);
  SUPPLE_TRY_VOID(finder.apply(map));
  return finder.run();
}

}  // namespace supple::bake::detail
