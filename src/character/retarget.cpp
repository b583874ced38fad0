// SPDX-License-Identifier: Apache-2.0
#include "supple/character/retarget.hpp"

#include "character/bone_match.hpp"
#include "character/soles.hpp"

#include "supple/character/body_axes.hpp"
#include "supple/character/pose_chain.hpp"
#include "supple/core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace supple::character {
namespace {

using Eigen::Matrix3d;
using geometry::Vec3;
using Pose = Recording::Pose;

class Retarget {
 public:
  Retarget(const Recording& recording, const Character& character, BoneMatch match)
      : m_recording(recording),
        m_character(character),
        m_match(std::move(match)),
        m_rest(recording.rest),
        m_order(parents_first(character)) {
    for (const Bone& bone : character.bones) m_parents.push_back(bone.parent);
    find_axes();
    align_limbs();
    find_hips();
  }

  [[nodiscard]] std::vector<Eigen::Matrix4d> pose(double time) const {
    const Pose source = m_recording.pose(time);
    std::vector<std::optional<Matrix3d>> turns(m_match.joint.size());
    for (std::size_t b = 0; b < turns.size(); ++b) {
      if (!m_match.joint[b]) continue;
      turns[b] = m_axes * source[*m_match.joint[b]].linear() * m_axes.transpose() * m_align[b];
    }
    std::vector<std::optional<Vec3>> places(turns.size());
    if (m_hips) {
      places[*m_hips] =
          m_hips_rest + m_scale * (m_axes * (position(source, *m_hips) - m_reference));
    }
    return turned_pose(m_character, m_order, turns, places);
  }

 private:
  [[nodiscard]] Vec3 position(const Pose& pose, std::size_t bone) const {
    return pose[*m_match.joint[bone]].translation();
  }
  [[nodiscard]] Vec3 rest(std::size_t bone) const {
    return m_character.bones[bone].rest_world.topRightCorner<3, 1>();
  }

  /// A bone of this body part that is moved by a joint.
  [[nodiscard]] std::optional<std::size_t> moved(BoneRole role, Side side) const {
    for (const std::size_t bone : bones_with(m_match.tags, m_parents, {role, side})) {
      if (m_match.joint[bone]) return bone;
    }
    return std::nullopt;
  }

  /// The rotation from the recording's world to ours: files differ in their up and front
  /// directions.
  void find_axes() {
    const auto left = moved(BoneRole::UpperLeg, Side::Left);
    const auto right = moved(BoneRole::UpperLeg, Side::Right);
    auto top = moved(BoneRole::Head, Side::None);
    if (!top) top = moved(BoneRole::Neck, Side::None);
    if (!left || !right || !top) return;
    const auto axes_of = [&](auto&& at) {
      return body_axes(at(*left) - at(*right), at(*top) - 0.5 * (at(*left) + at(*right)));
    };
    const auto ours = axes_of([&](std::size_t bone) { return rest(bone); });
    const auto theirs = axes_of([&](std::size_t bone) { return position(m_rest, bone); });
    if (!ours || !theirs) return;
    m_axes = *ours * theirs->transpose();
    m_up = ours->col(1);
  }

  /// The rotation from the rest direction of the character's limb to the direction of the
  /// recording's.
  void align_limbs() {
    m_align.assign(m_match.joint.size(), Matrix3d::Identity());
    using enum BoneRole;
    for (const Side side : {Side::Left, Side::Right}) {
      for (const auto& [from, to] : {std::pair{UpperArm, LowerArm},
                                     {LowerArm, Hand},
                                     {UpperLeg, LowerLeg},
                                     {LowerLeg, Foot}}) {
        const auto start = moved(from, side);
        const auto end = moved(to, side);
        if (!start || !end) continue;
        const Vec3 ours = rest(*end) - rest(*start);
        const Vec3 theirs = m_axes * (position(m_rest, *end) - position(m_rest, *start));
        if (!(ours.norm() > 0) || !(theirs.norm() > 0)) continue;
        m_align[*start] = Eigen::Quaterniond::FromTwoVectors(ours, theirs).toRotationMatrix();
        // A hand stays in line with its forearm; a foot stays on the floor.
        if (to == Hand) m_align[*end] = m_align[*start];
      }
    }
  }

  /// Upper leg to lower leg to foot; empty unless all exist.
  [[nodiscard]] std::optional<std::array<double, 2>> leg_lengths(Side side) const {
    using enum BoneRole;
    const auto thigh = moved(UpperLeg, side);
    const auto shin = moved(LowerLeg, side);
    const auto foot = moved(Foot, side);
    if (!thigh || !shin || !foot) return std::nullopt;
    const double ours = (rest(*thigh) - rest(*shin)).norm() + (rest(*shin) - rest(*foot)).norm();
    const double theirs = (position(m_rest, *thigh) - position(m_rest, *shin)).norm() +
                          (position(m_rest, *shin) - position(m_rest, *foot)).norm();
    if (!(ours > 0) || !(theirs > 0)) return std::nullopt;
    return std::array{ours, theirs};
  }

  [[nodiscard]] double lowest(const Pose& pose) const {
    const Vec3 up = m_axes.transpose() * m_up;
    double low = up.dot(pose[0].translation());
    for (const auto& joint : pose) low = std::min(low, up.dot(joint.translation()));
    return low;
  }

  /// The path of the hips begins above the character's own position.
  void find_hips() {
    m_hips = moved(BoneRole::Hips, Side::None);
    if (!m_hips) {
      for (const std::size_t bone : m_order) {
        if (m_match.joint[bone]) {
          m_hips = bone;
          break;
        }
      }
    }
    if (!m_hips) return;
    m_hips_rest = rest(*m_hips);
    m_reference = position(m_recording.pose(0), *m_hips);
    auto legs = leg_lengths(Side::Left);
    if (!legs) legs = leg_lengths(Side::Right);
    const Vec3 up = m_axes.transpose() * m_up;
    double our_floor = m_up.dot(m_hips_rest);
    for (std::size_t b = 0; b < m_parents.size(); ++b) {
      our_floor = std::min(our_floor, m_up.dot(rest(b)));
    }
    const double our_height = m_up.dot(m_hips_rest) - our_floor;
    const double their_height = up.dot(position(m_rest, *m_hips)) - lowest(m_rest);
    if (legs) {
      m_scale = (*legs)[0] / (*legs)[1];
    } else if (our_height > 0 && their_height > 0) {
      m_scale = our_height / their_height;
    }
    stand_on_floor();
  }

  /// The soles are where the character's own are at rest. In a part of the frames they may be
  /// lower: toes that the recording does not bend dip into the floor while a foot rolls off.
  void stand_on_floor() {
    constexpr std::size_t kMostSamples = 2000;
    constexpr double kBelow = 0.3;  // of the frames
    const Soles soles(m_character);
    std::vector<Eigen::Matrix4d> at_rest;
    at_rest.reserve(m_character.bones.size());
    for (const Bone& bone : m_character.bones) at_rest.push_back(bone.rest_world);
    const std::size_t stride = 1 + m_recording.frame_count / kMostSamples;
    std::vector<double> heights;
    heights.reserve(m_recording.frame_count / stride + 1);
    for (std::size_t f = 0; f < m_recording.frame_count; f += stride) {
      heights.push_back(soles.lowest(pose(static_cast<double>(f) * m_recording.frame_time), m_up));
    }
    const auto floor = heights.begin() + static_cast<std::ptrdiff_t>(
                                             kBelow * static_cast<double>(heights.size() - 1));
    std::nth_element(heights.begin(), floor, heights.end());
    m_hips_rest += (soles.lowest(at_rest, m_up) - *floor) * m_up;
  }

  const Recording& m_recording;
  const Character& m_character;
  BoneMatch m_match;
  Pose m_rest;
  std::vector<std::size_t> m_order;
  std::vector<std::optional<std::size_t>> m_parents;
  Matrix3d m_axes = Matrix3d::Identity();
  Vec3 m_up = Vec3::UnitY();
  std::vector<Matrix3d> m_align;
  std::optional<std::size_t> m_hips;
  Vec3 m_hips_rest = Vec3::Zero();
  Vec3 m_reference =
      Vec3::Zero();  // position of the recorded hips when the character's are at rest
  double m_scale = 1;
};

std::string list_unused(const Recording& recording, const BoneMatch& match,
                        const Character& character) {
  std::vector<std::string> names;
  for (const Bone& bone : character.bones) names.push_back(bone.name);
  std::string text;
  std::size_t shown = 0;
  for (const std::size_t joint : match.unused) {
    constexpr std::size_t kMost = 8;
    if (!recording.joints[joint].moves) continue;
    if (++shown > kMost) continue;
    const std::string near = did_you_mean(recording.joints[joint].name, names);
    text += fmt::format("{}'{}'{}", text.empty() ? "" : ", ", recording.joints[joint].name,
                        near.empty() ? "" : " (" + near.substr(2) + ")");
  }
  if (shown > 8) text += fmt::format(" and {} more", shown - 8);
  return text;
}

}  // namespace

Result<Motion> retarget(const Recording& recording, const Character& character, double rate,
                        const BoneMap& map) {
  Motion motion;
  motion.name = recording.name;
  SUPPLE_TRY(BoneMatch match,
             match_bones(recording, character, map).during("retargeting " + recording.name));
  const auto moved = static_cast<std::size_t>(
      std::count_if(match.joint.begin(), match.joint.end(), [](const auto& j) { return !!j; }));
  const std::string unused = list_unused(recording, match, character);
  if (moved == 0) {
    return bad_input(fmt::format("no joint matches a bone of '{}'; give a bone map with lines "
                                 "'joint = bone'. Joints: {}",
                                 character.name, unused))
        .at(recording.name);
  }
  motion.notes.push_back(fmt::format("{} of {} bones move", moved, character.bones.size()));
  if (!unused.empty()) motion.notes.push_back("joints without a bone: " + unused);
  motion.duration = recording.duration();
  const Retarget target(recording, character, std::move(match));
  SUPPLE_TRY_VOID(
      sample_motion(motion, character, rate, [&](double time) { return target.pose(time); }));
  return motion;
}

}  // namespace supple::character
